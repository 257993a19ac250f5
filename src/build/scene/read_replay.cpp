// SPDX-License-Identifier: Apache-2.0
// docs/recording.md
#include "build/scene/scene_reader.h"

#include <fmt/format.h>

#include <limits>

namespace limber::build {
namespace {

// Numbers of the surface, as it is kept in the file: each body must have the vertex.
int read_vertex(const JsonPlace& place, const Scene& scene) {
    std::size_t least = std::numeric_limits<int>::max();
    for (const SceneBody& body : scene.bodies)
        least = std::min(least, body.model->surface.vertices.size());
    return place.whole_number(0, static_cast<int>(least) - 1);
}

Spring read_spring(const JsonPlace& place, const Scene& scene) {
    place.expect_keys({"vertex", "target", "stiffness"});
    return {read_vertex(place.at("vertex"), scene), place.at("target").numbers(3),
            place.at("stiffness").number(not_negative("N/m"))};
}

FrameMotion read_frame(const JsonPlace& place) {
    place.expect_keys({"orientation", "acceleration", "angular_velocity", "angular_acceleration"});
    FrameMotion out;
    place.when("orientation", [&](const JsonPlace& p) {
        out.orientation = Eigen::Quaterniond(Eigen::Vector4d(p.numbers(4)));
    });
    place.when("acceleration", [&](const JsonPlace& p) { out.acceleration = p.numbers(3); });
    place.when("angular_velocity", [&](const JsonPlace& p) { out.angular_velocity = p.numbers(3); });
    place.when("angular_acceleration", [&](const JsonPlace& p) { out.angular_acceleration = p.numbers(3); });
    if (const auto problem = frame_problem(out)) place.fail(problem->problem, problem->try_this);
    return out;
}

Constraints read_pins(const JsonPlace& place, const Scene& scene) {
    place.expect_keys({"positions", "orientations", "exercised", "priority", "method"});
    Constraints out;
    place.each("positions", [&](const JsonPlace& p) {
        p.expect_keys({"vertex", "displacement"});
        out.positions.push_back({read_vertex(p.at("vertex"), scene), p.at("displacement").numbers(3)});
    });
    place.each("orientations", [&](const JsonPlace& p) {
        p.expect_keys({"vertex", "orientation"});
        const Eigen::Vector4d xyzw = p.at("orientation").numbers(4);
        out.orientations.push_back({read_vertex(p.at("vertex"), scene), Eigen::Quaterniond(xyzw)});
    });
    place.each("exercised", [&](const JsonPlace& p) { out.exercised.push_back(read_vertex(p, scene)); });
    place.when("priority", [&](const JsonPlace& p) {
        out.priority = p.word({"position", "orientation"}) == "orientation" ? TaskPriority::OrientationFirst
                                                                            : TaskPriority::PositionFirst;
    });
    place.when("method", [&](const JsonPlace& p) {
        const std::string word = p.word({"predicted", "newton", "previous"});
        out.positions_by = word == "newton"     ? PositionMethod::Newton
                           : word == "previous" ? PositionMethod::Previous
                                                : PositionMethod::Predicted;
    });
    for (const SceneBody& body : scene.bodies)
        if (body.method == SceneMethod::Warp)
            if (const auto problem = constraints_problem(*body.model->warp, out))
                place.fail(problem->problem, problem->try_this);
    return out;
}

// Of the body that is named, or of all.
void read_set(const JsonPlace& input, const JsonPlace& set, const Scene& scene, ReplayInput& out) {
    set.expect_keys(change_keys());
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const SceneBody& body = scene.bodies[b];
        if (input.has("body") && find_body(input, scene.bodies) != b) continue;
        BodyChange change = read_change(set, body.method);
        check_change(change, body.method, *body.model, set.where());
        out.set.emplace_back(b, std::move(change));
    }
}

ReplayInput read_input(const JsonPlace& place, const Scene& scene) {
    place.expect_keys({"step", "pull", "frame", "pins", "gravity", "dt", "body", "set"});
    ReplayInput out;
    out.step = place.at("step").whole_number(0, kMostSteps);
    place.when("pull", [&](const JsonPlace& p) {
        out.pull.emplace();
        if (!p.value().is_null()) *out.pull = read_spring(p, scene);
    });
    place.when("pins", [&](const JsonPlace& p) {
        out.pins = p.value().is_null() ? Constraints{} : read_pins(p, scene);
    });
    place.when("frame", [&](const JsonPlace& p) { out.frame = read_frame(p); });
    place.when("gravity", [&](const JsonPlace& p) { out.gravity = p.numbers(3); });
    place.when("dt", [&](const JsonPlace& p) { out.dt = p.number(positive("s")); });
    place.when("set", [&](const JsonPlace& p) { read_set(place, p, scene, out); });
    return out;
}

}  // namespace

Replay read_replay(const JsonPlace& place, const Scene& scene) {
    place.expect_keys({"version", "steps", "inputs"});
    const JsonPlace version = place.at("version");
    if (version.value() != 1)
        version.fail(fmt::format("recordings of version {} are not known; version 1 is",
                                 version.value().dump().substr(0, 20)),
                     "a newer limber");
    Replay out;
    out.steps = place.at("steps").whole_number(1, kMostSteps);
    place.each("inputs", [&](const JsonPlace& p) {
        out.inputs.push_back(read_input(p, scene));
        const long long step = out.inputs.back().step;
        if (out.inputs.size() > 1 && step < out.inputs[out.inputs.size() - 2].step)
            p.fail(fmt::format("its step {} is before that of the input above it", step),
                   "inputs in the order of their steps");
    });
    return out;
}

}  // namespace limber::build
