// SPDX-License-Identifier: Apache-2.0
// limber haptics: the kilohertz loop with deadline statistics.
#include "build/file/read_file.h"
#include "build/scene/scene.h"
#include "cli/command.h"
#include "cli/text.h"
#include "realtime/haptic_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct Haptics {
    std::string model, recording, method = "stvk";
    double seconds = 10, rate = 1000;
    std::optional<double> radius, stiffness;
};

// t,x,y,z in each line, s and m; a first line that names them is skipped.
HandPath read_poke(const std::string& path) {
    const std::string text = build::read_file(path);
    HandPath out;
    std::size_t line = 0, from = 0;
    while (from < text.size()) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        const std::string_view row(text.data() + from, end - from);
        from = end + 1;
        ++line;
        double numbers[4];
        int count = 0;
        std::size_t at = 0;
        while (count < 4) {
            while (at < row.size() && (row[at] == ' ' || row[at] == ',' || row[at] == '\t'))
                ++at;
            const auto read = std::from_chars(row.data() + at, row.data() + row.size(), numbers[count]);
            if (read.ec != std::errc()) break;
            at = static_cast<std::size_t>(read.ptr - row.data());
            ++count;
        }
        const bool blank = row.find_first_not_of(" \t\r") == std::string_view::npos;
        if (blank || (line == 1 && count == 0)) continue;
        if (count < 4 || row.find_first_not_of(" \t\r", at) != std::string_view::npos)
            throw InputError{fmt::format("{}:{}", path, line), "it is not four numbers t,x,y,z",
                             "a time (s) and a position (m) in each line"};
        out.push_back({numbers[0], {numbers[1], numbers[2], numbers[3]}});
    }
    if (auto problem = hand_path_problem(out))
        throw InputError{path + ": " + problem->where, problem->problem, problem->try_this};
    return out;
}

nlohmann::json histogram_json(const realtime::DurationHistogram& histogram) {
    nlohmann::json bins = nlohmann::json::array();
    for (int bin = 0; bin < realtime::DurationHistogram::kBins; ++bin)
        if (histogram.bin_count(bin) > 0)
            bins.push_back({realtime::DurationHistogram::edge(bin) * 1e6, histogram.bin_count(bin)});
    return bins;
}

// One row of # for each factor of two.
std::string histogram_text(const realtime::DurationHistogram& histogram) {
    std::string out;
    for (int octave = 0; octave < realtime::kOctaves; ++octave) {
        std::int64_t count = 0;
        for (int i = 0; i < realtime::kBinsPerOctave; ++i)
            count += histogram.bin_count(octave * realtime::kBinsPerOctave + i);
        if (count == 0) continue;
        const double share = static_cast<double>(count) / static_cast<double>(histogram.count());
        out += fmt::format("  from {:8.2f} µs {:9} {}\n",
                           realtime::DurationHistogram::edge(octave * realtime::kBinsPerOctave) * 1e6, count,
                           std::string(static_cast<std::size_t>(std::ceil(40 * share)), '#'));
    }
    return out;
}

ExitStatus run(const Haptics& options, Console& console) {
    const auto progress = console.progress();
    build::tell(progress, "reading", 0);
    BodyDef def;
    def.name = "body";
    def.model = build::load_model(options.model);
    def.method = options.method == "warp" ? Method::Warp : Method::Stvk;
    def.mount = Mount::Fixed;
    World world;
    const auto body = world.add(def);
    if (!body.ok()) throw body.error();

    auto made = realtime::make_poke(world, body.value(), options.rate,
                                    {.radius = options.radius, .stiffness = options.stiffness});
    if (!made.ok()) throw made.error();
    realtime::Poke poke = std::move(made).value();
    ContactSettings contact;
    contact.margin = poke.margin;
    if (const Status set = world.apply(SetContact{contact}); !set.ok()) throw set.error();
    realtime::HapticRun how{options.rate, options.seconds, poke.path, poke.hand};
    if (!options.recording.empty()) {
        how.path = read_poke(options.recording);
        how.hand.reset();
        poke.device.device_damping = 0;  // no hardware, no claim
    }
    const auto device =
        world.add(DeviceDef{.name = "stylus", .settings = poke.device, .position = position_at(how.path, 0)});
    if (!device.ok()) throw device.error();

    const double steps = std::max(1.0, std::round(options.seconds * options.rate));
    const realtime::HapticResult result =
        realtime::run_haptics(world, device.value(), how, [&](const realtime::HapticMoment& now) {
            build::tell(progress, "running", static_cast<double>(now.step) / steps);
        });

    const realtime::DeadlineStatistics& times = result.loop.statistics;
    const WorldDevice& stylus = *world.device(device.value());
    const double us = 1e6;
    const double worst_at = static_cast<double>(times.work.worst_place()) / options.rate;  // s
    const auto force = fmt::format("{:.3g} N at most, {} contacts at most, touching in {} steps",
                                   result.largest_force, result.most_contacts, result.touching);
    std::vector<std::pair<std::string, std::string>> rows = {
        {"rate", fmt::format("{:g} Hz, {} steps, {}", options.rate, times.steps, result.loop.scheduling)},
        {"a step takes",
         fmt::format("{:.3g} µs in the mean, {:.3g} µs in 99.9%, {:.3g} µs at worst (at {:.3f} s)",
                     times.work.mean() * us, times.work.quantile(0.999) * us, times.work.worst() * us,
                     worst_at)},
        {"on the processor", fmt::format("{:.3g} µs in 99.9%, {:.3g} µs at worst",
                                         times.cpu.quantile(0.999) * us, times.cpu.worst() * us)},
        {"real time", fmt::format("{:.4g} times faster", result.real_time_factor())},
        {"late", fmt::format("{} missed deadlines, {} periods left out; woken {:.3g} µs late in 99.9%",
                             times.misses, times.skipped, times.lateness.quantile(0.999) * us)},
        {"force", force},
        {"coupling",
         fmt::format("{:.4g} N/m, {:.4g} N s/m, {}", stylus.coupling().coupling.stiffness,
                     stylus.coupling().coupling.damping,
                     stylus.claims_passivity()
                         ? fmt::format("passive; {:.2g} J were given to the hand", result.energy_given)
                         : "of a recorded hand")}};
    if (result.refused > 0)
        rows.emplace_back("NOT CONVERGED",
                          fmt::format("{} steps of the body or its contacts", result.refused));
    console.result({{"rate_hz", options.rate},
                    {"steps", times.steps},
                    {"mean_us", times.work.mean() * us},
                    {"p999_us", times.work.quantile(0.999) * us},
                    {"worst_us", times.work.worst() * us},
                    {"worst_at", worst_at},
                    {"misses", times.misses},
                    {"real_time_factor", result.real_time_factor()},
                    {"p999_cpu_us", times.cpu.quantile(0.999) * us},
                    {"worst_cpu_us", times.cpu.worst() * us},
                    {"p999_late_us", times.lateness.quantile(0.999) * us},
                    {"skipped", times.skipped},
                    {"is_real_time", result.loop.is_real_time},
                    {"scheduling", result.loop.scheduling},
                    {"histogram_us", histogram_json(times.work)},
                    {"radius", stylus.settings().radius},
                    {"stiffness", stylus.coupling().coupling.stiffness},
                    {"damping", stylus.coupling().coupling.damping},
                    {"is_passive", stylus.claims_passivity()},
                    {"energy_given", result.energy_given},
                    {"largest_force", result.largest_force},
                    {"most_contacts", result.most_contacts},
                    {"touching_steps", result.touching},
                    {"not_finite", stylus.readings().not_finite},
                    {"jumps", stylus.readings().jumps},
                    {"not_converged", result.refused}},
                   fmt::format("{}\n", options.model) + two_columns(rows) + histogram_text(times.work));
    return result.refused == 0 ? ExitStatus::Done : ExitStatus::NotConverged;
}

}  // namespace

void add_haptics(Command& limber) {
    auto options = std::make_shared<Haptics>();
    Command command =
        limber.add_command("haptics", "Run a model with a haptic device, with deadline statistics.",
                           "limber haptics bridge.glb --seconds 60 --recording poke.csv");
    command.group("Files");
    command.argument("model", options->model, "a file of limber build");
    command.text(
        {"--recording", "file.csv", "the path of the hand: t,x,y,z (s, m) in each line,\nrepeated at its end",
         "a simulated hand"},
        options->recording);
    command.group("Loop");
    command.number({"--seconds", "s", "how long", "10"}, {1e-3, 86400, "a time from 0.001 to 86400 s"},
                   options->seconds);
    command.number({"--rate", "Hz", "steps per second", "1000"}, {1, 20000, "a rate from 1 to 20000 Hz"},
                   options->rate);
    command.group("Body and device");
    command.word({"--method", "method", "stvk or warp", "stvk"}, {"stvk", "warp"}, options->method);
    command.number({"--radius", "m", "of the ball that touches", "0.03 of the body's size"},
                   positive_number(), options->radius);
    command.number({"--stiffness", "N/m", "of the coupling between hand and ball", "as soft as the body"},
                   positive_number(), options->stiffness);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
