// SPDX-License-Identifier: Apache-2.0
// limber simulate: a scene in time.
#include "build/scene/simulate.h"

#include "cli/command.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct Simulate {
    std::string scene, output;
    int threads = 1;
};

// Targets of constraints that were missed by more are worth a word: a share of the body's size, and rad.
constexpr double kNotedShare = 1e-3, kNotedAngle = 1e-2;

double size_of(const build::SceneBody& body) {
    Eigen::AlignedBox3d box;
    for (const Eigen::Vector3d& x : body.model->surface.vertices)
        box.extend(x);
    return box.diagonal().norm();
}

// How well a body met its constraints: the largest errors over time, and a note where they are large.
nlohmann::json constraint_errors(const build::SceneBody& body, const build::MissedTargets& missed,
                                 Console& console) {
    const std::string try_this =
        "more modes, no 'exercised' vertices or more of them around the constrained ones, or targets that "
        "agree";
    if (missed.position > kNotedShare * size_of(body))
        console.note(fmt::format("body {}: a position target was missed by {:.3g} m at {:g} s\n  try: {}",
                                 body.name, missed.position, missed.position_time,
                                 body.constraint_settings.positions_by == PositionMethod::Newton
                                     ? try_this
                                     : "\"positions_by\": \"newton\"; " + try_this));
    if (missed.orientation > kNotedAngle)
        console.note(
            fmt::format("body {}: an orientation target was missed by {:.3g} rad at {:g} s\n  try: {}",
                        body.name, missed.orientation, missed.orientation_time, try_this));
    return {{"position_error", missed.position},
            {"position_time", missed.position_time},
            {"orientation_error", missed.orientation},
            {"orientation_time", missed.orientation_time}};
}

ExitStatus run(const Simulate& options, Console& console) {
    build::check_recording_name(options.output);
    const auto progress = console.progress();
    build::tell(progress, "reading", 0);
    const build::Scene scene = build::read_scene(options.scene);
    const build::Recording recording = build::simulate(scene, progress, options.threads);
    build::tell(progress, "writing", 0);
    for (const std::string& warning : build::write_recording(options.output, scene, recording))
        console.note(warning);

    const double rate = recording.seconds > 0 ? static_cast<double>(recording.steps) / recording.seconds : 0;
    nlohmann::json energies, constraints = nlohmann::json::object();
    std::vector<std::pair<std::string, std::string>> rows = {
        {"steps", fmt::format("{} of {:g} s", recording.steps, scene.dt)},
        {"speed", fmt::format("{:.4g} steps/s ({:.3g} s in all)", rate, recording.seconds)},
        {"frames", fmt::format("{} in {}", recording.times.size(), options.output)}};
    if (std::any_of(scene.bodies.begin(), scene.bodies.end(),
                    [](const build::SceneBody& body) { return body.method == Method::Stvk; }))
        rows.emplace_back("Newton iterations", fmt::format("at most {} in a step", recording.max_iterations));
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const build::RecordedBody& body = recording.bodies[b];
        const Eigen::Index end = body.kinetic.size() - 1;
        energies[scene.bodies[b].name] = {{"kinetic", {body.kinetic[0], body.kinetic[end]}},
                                          {"elastic", {body.elastic[0], body.elastic[end]}},
                                          {"largest", (body.kinetic + body.elastic).maxCoeff()}};
        if (body.flight)
            energies[scene.bodies[b].name]["potential"] = {body.flight->potential[0],
                                                           body.flight->potential[end]};
        const auto total = [&](Eigen::Index frame) {
            return body.kinetic[frame] + body.elastic[frame] +
                   (body.flight ? body.flight->potential[frame] : 0);
        };
        rows.emplace_back(fmt::format("energy of {}", scene.bodies[b].name),
                          fmt::format("{:.4g} J at the start, {:.4g} J at the end", total(0), total(end)));
        if (!body.missed) continue;
        constraints[scene.bodies[b].name] = constraint_errors(scene.bodies[b], *body.missed, console);
        rows.emplace_back(
            fmt::format("constraints of {}", scene.bodies[b].name),
            fmt::format("met to {:.3g} m and {:.3g} rad", body.missed->position, body.missed->orientation));
    }
    if (recording.contact) {
        const ContactReport& contact = *recording.contact;
        rows.emplace_back("contact", fmt::format("stiffness {:.3g} Pa/m, margin {:.3g} m", contact.stiffness,
                                                 contact.margin));
        rows.emplace_back("",
                          fmt::format("at most {} points in {} islands, {:.3g} m deep, {} Newton iterations",
                                      contact.touching, contact.islands, contact.depth, contact.iterations));
        if (contact.asleep > 0)
            rows.emplace_back("", fmt::format("{} bodies asleep in the end", contact.asleep));
        if (recording.contact_not_converged > 0)
            rows.emplace_back(
                "", fmt::format("{} steps in which contact was not solved", recording.contact_not_converged));
        if (recording.contact_speeds_off > 0)
            rows.emplace_back("",
                              fmt::format("{} steps in which contact speeds were off, by up to {:.2g} m/s",
                                          recording.contact_speeds_off, contact.speed_error));
        if (recording.contact_radii_unsettled > 0)
            rows.emplace_back("", fmt::format("{} steps in which friction was not settled",
                                              recording.contact_radii_unsettled));
        if (contact.left_out > 0)
            rows.emplace_back(
                "", fmt::format("up to {} contacts of a step left out: too many", contact.left_out));
        if (contact.cut_short > 0)
            rows.emplace_back("", fmt::format("up to {} pairs of bodies with more near triangles than are "
                                              "looked at: they lie in one another",
                                              contact.cut_short));
        if (contact.refused > 0)
            rows.emplace_back(
                "", fmt::format("up to {} bodies and obstacles left out: not finite", contact.refused));
        if (recording.contacts.left_out > 0)
            rows.emplace_back("", fmt::format("{} contacts are not in the recording: too many",
                                              recording.contacts.left_out));
    }
    for (const std::string& problem : recording.problems)
        rows.emplace_back("NOT CONVERGED", problem);
    if (recording.not_converged > static_cast<long long>(recording.problems.size()))
        rows.emplace_back("", fmt::format("{} such steps in all", recording.not_converged));
    nlohmann::json result = {{"output", options.output},
                             {"steps", recording.steps},
                             {"seconds", recording.seconds},
                             {"steps_per_second", rate},
                             {"frames", recording.times.size()},
                             {"not_converged", recording.not_converged},
                             {"problems", recording.problems},
                             {"max_iterations", recording.max_iterations},
                             {"energies", energies},
                             {"constraints", constraints}};
    if (recording.contact)
        result["contact"] = {{"stiffness", recording.contact->stiffness},
                             {"margin", recording.contact->margin},
                             {"points", recording.contact->touching},
                             {"islands", recording.contact->islands},
                             {"depth", recording.contact->depth},
                             {"iterations", recording.contact->iterations},
                             {"linearizations", recording.contact->linearizations},
                             {"asleep", recording.contact->asleep},
                             {"left_out", recording.contact->left_out},
                             {"cut_short", recording.contact->cut_short},
                             {"refused", recording.contact->refused},
                             {"reverted", recording.contact->reverted},
                             {"speed_error", recording.contact->speed_error},
                             {"speeds_off", recording.contact_speeds_off},
                             {"radii_unsettled", recording.contact_radii_unsettled},
                             {"not_converged", recording.contact_not_converged}};
    console.result(result, fmt::format("{}\n", options.scene) + two_columns(rows));
    return recording.not_converged == 0 ? ExitStatus::Done : ExitStatus::NotConverged;
}

}  // namespace

void add_simulate(Command& limber) {
    auto options = std::make_shared<Simulate>();
    Command command = limber.add_command("simulate", "Simulate the bodies of a scene file.",
                                         "limber simulate spoon.json -o spoon-moving.glb");
    command.group("Files");
    command.argument("scene", options->scene, "JSON (docs/scene_file.md), or a recording of the studio");
    command.required_output(
        {"-o,--output", "file", ".glb (an animation), .csv or .npz (coordinates, energies, probes)", ""},
        options->output);
    command.group("Speed");
    command.whole_number({"--threads", "N", "threads; 0: all cores; the result does not depend on it", "1"},
                         0, 1024, options->threads);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
