// SPDX-License-Identifier: Apache-2.0
// limber validate: the reduced model against the full one.
#include "build/validate/validate.h"
#include "build/validate/report_text.h"

#include "build/file/atomic_file.h"
#include "build/file/npy.h"
#include "build/scene/scene.h"
#include "cli/command.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct Validate {
    std::string model, report, csv, out, full, map;
    bool local_only = false;
    std::string force, damping;  // texts of numbers; empty: not given
    int rank = 0;                // 0: not given
    build::ValidateOptions test;
};

nlohmann::json or_null(const std::optional<double>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

void write_csv(const std::string& path, const build::Validation& v) {
    build::AtomicFile file(path);
    file.stream() << "t,full.x,full.y,full.z,reduced.x,reduced.y,reduced.z,full.kinetic,full.elastic,"
                     "reduced.kinetic,reduced.elastic\n";
    for (Eigen::Index i = 0; i < v.full.probe.cols(); ++i) {
        const Eigen::Vector3d f = v.full.probe.col(i), r = v.reduced.probe.col(i);
        file.stream() << fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", static_cast<double>(i) * v.dt,
                                     f.x(), f.y(), f.z(), r.x(), r.y(), r.z(), v.full.kinetic[i],
                                     v.full.elastic[i], v.reduced.kinetic[i], v.reduced.elastic[i]);
    }
    file.commit();
}

nlohmann::json local_json(const build::LocalCompliance& local, const Model& model) {
    const auto point_json = [&](const build::CompliancePoint& p) -> nlohmann::json {
        return {{"vertex", model.surface.input_vertex[static_cast<std::size_t>(p.vertex)]},
                {"position", to_json(Eigen::VectorXd(p.position))},
                {"normal", to_json(Eigen::VectorXd(p.normal))},
                {"place", build::place_in_words(model, p)},
                {"patch_vertices", p.patch_vertices},
                {"full", p.full},
                {"reduced", p.reduced},
                {"ratio", p.ratio()}};
    };
    nlohmann::json points = nlohmann::json::array();
    for (const build::CompliancePoint& p : local.points)
        points.push_back(point_json(p));
    return {{"radius", local.radius},
            {"rank", local.rank},
            {"points", points},
            {"worst", local.points.empty() ? nlohmann::json(nullptr) : point_json(local.worst())}};
}

// What the studio draws: the format of limber mesh outline without edges, then a float32 of each vertex.
void write_map(const std::string& path, const Model& model, const build::LocalCompliance& local) {
    build::AtomicFile file(path);
    const auto write = [&](const auto* data, std::size_t count) {
        file.stream().write(reinterpret_cast<const char*>(data),
                            static_cast<std::streamsize>(count * sizeof *data));
    };
    const ModelSurface& surface = model.surface;
    const std::array<std::uint32_t, 3> counts = {static_cast<std::uint32_t>(surface.vertices.size()), 0,
                                                 static_cast<std::uint32_t>(surface.triangles.size())};
    write(counts.data(), counts.size());
    for (const Eigen::Vector3d& v : surface.vertices) {
        const Eigen::Vector3f position = v.cast<float>();
        write(position.data(), 3);
    }
    write(surface.triangles.data(), surface.triangles.size());
    for (const double ratio : build::interpolated_ratios(local, surface.vertices)) {
        const auto value = static_cast<float>(ratio);
        write(&value, 1);
    }
    file.commit();
}

nlohmann::json to_json_object(const build::Validation& v, const Model& model) {
    const auto ids = [&](const std::vector<int>& vertices) {
        std::vector<int> out;
        for (const int i : vertices)
            out.push_back(model.surface.input_vertex[static_cast<std::size_t>(i)]);
        return out;
    };
    return {{"frequency_error", or_null(v.frequency_error)},
            {"amplitude_error", or_null(v.amplitude_error)},
            {"displacement_error", or_null(v.displacement_error)},
            {"shape_error", or_null(v.shape_error)},
            {"local_compliance", local_json(v.local_compliance, model)},
            {"converged", v.converged},
            {"problem", v.problem},
            {"rank", v.rank},
            {"steps", v.steps},
            {"full", {{"frequency_hz", v.full.frequency_hz}, {"amplitude", v.full.amplitude}}},
            {"reduced", {{"frequency_hz", v.reduced.frequency_hz}, {"amplitude", v.reduced.amplitude}}},
            {"timings",
             {{"full_seconds", v.full.seconds},
              {"reduced_seconds", v.reduced.seconds},
              {"speedup", v.full.seconds > 0 ? nlohmann::json(v.full.seconds / v.reduced.seconds)
                                             : nlohmann::json(nullptr)}}},
            {"test",
             {{"push", ids(v.pushed)},
              {"probe", ids(v.probed)},
              {"force", to_json(Eigen::VectorXd(v.force))},
              {"push_duration", v.push_duration},
              {"dt", v.dt},
              {"duration", v.duration},
              {"alpha", v.alpha},
              {"beta", v.beta},
              {"first_frequency_hz", v.first_frequency_hz}}}};
}

std::vector<std::pair<std::string, std::string>> local_rows(const Model& model,
                                                            const build::LocalCompliance& local) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const build::CompliancePoint& p : local.points)
        rows.emplace_back(
            rows.empty() ? "local" : "",
            fmt::format("{:.3f} of {:.4g} m/N at ({:.4g}, {:.4g}, {:.4g}) m, {}", p.ratio(), p.full,
                        p.position.x(), p.position.y(), p.position.z(), build::place_in_words(model, p)));
    rows.emplace_back("worst", build::worst_in_words(model, local));
    return rows;
}

std::string for_people(const build::Validation& v, const Model& model) {
    std::vector<std::pair<std::string, std::string>> rows = {
        {"frequency", fmt::format("{:.5g} Hz full, {:.5g} Hz reduced: {}", v.full.frequency_hz,
                                  v.reduced.frequency_hz, build::percent_text(v.frequency_error))},
        {"first swing", fmt::format("{:.5g} m full, {:.5g} m reduced: {}", v.full.amplitude,
                                    v.reduced.amplitude, build::percent_text(v.amplitude_error))},
        {"displacement",
         fmt::format("{} (L2 over surface and time)", build::percent_text(v.displacement_error))},
        {"shape", fmt::format("{} (the same at matched phase)", build::percent_text(v.shape_error))},
        {"time", v.full.seconds > 0
                     ? fmt::format("{:.3g} s full, {:.3g} s reduced: {}", v.full.seconds, v.reduced.seconds,
                                   build::speed_text(v.full.seconds, v.reduced.seconds))
                     : fmt::format("{:.3g} s reduced; the full motion was read", v.reduced.seconds)},
        {"test", fmt::format("({:.4g}, {:.4g}, {:.4g}) N for {:.4g} s, {} steps of {:.4g} s, rank {}",
                             v.force.x(), v.force.y(), v.force.z(), v.push_duration, v.steps, v.dt, v.rank)}};
    for (auto& row : local_rows(model, v.local_compliance))
        rows.push_back(std::move(row));
    if (!v.converged) rows.emplace_back("NOT CONVERGED", v.problem);
    return two_columns(rows);
}

void require_motion(const Validate& options) {
    for (const auto& [name, text] : {std::pair{"--report", &options.report}, std::pair{"--csv", &options.csv},
                                     std::pair{"--out", &options.out}, std::pair{"--full", &options.full}})
        if (!text->empty())
            throw InputError{name, "it is about the motion, and --local-only asks for none",
                             "leave one of them out"};
}

ExitStatus run_local(const Validate& options, const build::ValidateOptions& test, Console& console) {
    const Stopwatch watch;
    require_motion(options);
    const auto progress = console.progress();
    build::tell(progress, "reading", 0);
    const auto model = build::load_model(options.model);
    const build::LocalCompliance local =
        build::local_compliance(*model, {.points = test.points, .at = test.at, .rank = test.rank}, progress);
    if (!options.map.empty()) write_map(options.map, *model, local);
    console.result({{"local_compliance", local_json(local, *model)}, {"seconds", watch.seconds()}},
                   fmt::format("{}\n", options.model) + two_columns(local_rows(*model, local)));
    return ExitStatus::Done;
}

ExitStatus run(const Validate& options, Console& console) {
    const Stopwatch watch;
    build::ValidateOptions test = options.test;
    if (options.rank > 0) test.rank = options.rank;
    if (options.local_only) return run_local(options, test, console);
    if (!options.force.empty()) test.force = parse_vector(options.force, "--force");
    if (test.force && test.force->isZero(0))
        throw InputError{"--force", "a force of zero moves nothing", "--force \"0 0 -5\""};
    if (!options.damping.empty()) {
        const auto numbers = parse_numbers(options.damping, 2, "--damping");
        if (numbers[0] < 0 || numbers[1] < 0)
            throw InputError{"--damping", "negative damping would add energy", "--damping \"0.1 0.001\""};
        test.alpha = numbers[0];
        test.beta = numbers[1];
    }
    const auto progress = console.progress();
    build::tell(progress, "reading", 0);
    const auto model = build::load_model(options.model);
    if (!options.full.empty())
        test.full_motion = std::make_shared<const build::NpyArray>(build::read_npy(options.full));
    std::optional<build::NpyRows> motion;
    if (!options.out.empty())
        motion.emplace(options.out,
                       std::vector<std::size_t>{static_cast<std::size_t>(model->volume_vertices), 3});
    const build::Validation result = build::validate(model, test, progress, [&](const Eigen::VectorXd& u) {
        if (motion) motion->append({u.data(), static_cast<std::size_t>(u.size())});
    });
    if (motion) motion->commit();
    if (!options.csv.empty()) write_csv(options.csv, result);
    if (!options.map.empty()) write_map(options.map, *model, result.local_compliance);
    if (!options.report.empty()) {
        build::tell(progress, "drawing the report", 0);
        build::write_file(options.report, build::html_report(*model, result, options.model));
    }
    nlohmann::json json = to_json_object(result, *model);
    json["seconds"] = watch.seconds();
    console.result(std::move(json), fmt::format("{}\n", options.model) + for_people(result, *model));
    return result.converged ? ExitStatus::Done : ExitStatus::NotConverged;
}

}  // namespace

void add_validate(Command& limber) {
    auto options = std::make_shared<Validate>();
    Command command =
        limber.add_command("validate", "Compare the reduced model with the full one under the same push.",
                           "limber validate spoon.glb --report spoon.html");
    command.group("Files");
    command.argument("model", options->model, "a .glb file that limber built, not lean");
    command.output({"--report", "file.html", "a page with plots and pictures", ""}, options->report);
    command.output({"--csv", "file.csv", "probe and energies of both after every step", ""}, options->csv);
    command.output({"--out", "file.npy", "the full motion, frames x n x 3: shapes for a basis", ""},
                   options->out);
    command.text({"--full", "file.npy",
                  "such a motion of an earlier test with the same push, step and\n"
                  "damping, instead of stepping the full model again",
                  ""},
                 options->full);
    command.group("Local compliance");
    command.flag("--local-only", "no motion: takes seconds, works for free bodies too", options->local_only);
    command.whole_number({"--points", "n", "places, spread over the surface", "12"}, 0, 1000,
                         options->test.points);
    command.texts({"--at", "select",
                   "here too; repeats; \"near:x,y,z\" is a patch around a\n"
                   "vertex",
                   "none"},
                  options->test.at);
    command.text({"--map", "file.bin", "the surface with the ratio at every vertex", ""}, options->map);
    command.group("Push");
    command.text({"--push", "select", "vertices of the surface", "the one farthest from the fixed"},
                 options->test.push);
    command.text({"--force", "vector", "\"fx fy fz\" in N, shared by them", "along the first mode"},
                 options->force);
    command.number({"--bend", "ratio",
                    "without --force: how far the push moves them, in\n"
                    "lengths of the body",
                    "0.25"},
                   {1e-9, 10, "a number from 1e-9 to 10"}, options->test.bend);
    command.number({"--push-duration", "s", "how long the force acts", "0.1 periods"}, positive_number(),
                   options->test.push_duration);
    command.text({"--probe", "select", "whose mean displacement is compared", "what is pushed"},
                 options->test.probe);
    command.group("Time");
    command.number({"--dt", "s", "time step of both", "0.01 periods"}, positive_number(), options->test.dt);
    command.number({"--periods", "n", "how long, in periods of the first mode", "5"}, positive_number(),
                   options->test.periods);
    command.number({"--duration", "s", "how long, in s", "--periods"}, positive_number(),
                   options->test.duration);
    command.text(
        {"--damping", "pair", "\"alpha beta\" of alpha M + beta K(u), in 1/s and s", "1% of the first mode"},
        options->damping);
    command.whole_number({"--rank", "r", "only the first r basis vectors", "all"}, 1, 100000, options->rank);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
