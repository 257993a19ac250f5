// SPDX-License-Identifier: Apache-2.0
// docs/recording.md
#include "build/scene/scene_reader.h"

#include <fmt/format.h>

#include <limits>

namespace limber::build {
namespace {

// Vertices are numbers of the surface, as it is kept in the file: each body must have the vertex.
int vertex_count(const Scene& scene) {
    std::size_t least = std::numeric_limits<int>::max();
    for (const SceneBody& body : scene.bodies)
        least = std::min(least, body.model->surface.vertices.size());
    return static_cast<int>(least);
}

Spring read_spring(const JsonPlace& place, const Scene& scene) {
    place.expect_keys({"vertex", "target", "stiffness"});
    return {place.at("vertex").whole_number(0, vertex_count(scene) - 1), place.at("target").numbers(3),
            place.at("stiffness").number(not_negative("N/m"))};
}

Constraints read_pins(const JsonPlace& place, const Scene& scene) {
    Constraints out;
    place.read([&](const JsonCursor& at) { out = read_constraints(at, vertex_count(scene)); });
    for (const SceneBody& body : scene.bodies)
        if (body.method == SceneMethod::Warp)
            if (const auto problem = constraints_problem(*body.model->warp, out))
                place.fail(problem->problem, problem->try_this);
    return out;
}

// Of the body that is named, or of all.
void read_set(const JsonPlace& input, const JsonPlace& set, const Scene& scene, ReplayInput& out) {
    set.expect_keys(body_settings_keys());
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const SceneBody& body = scene.bodies[b];
        if (input.has("body") && find_body(input, scene.bodies) != b) continue;
        out.set.emplace_back(b, read_change(set, body.method, *body.model));
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
    place.when("frame", [&](const JsonPlace& p) {
        p.read([&](const JsonCursor& at) { out.frame = read_frame(at); });
    });
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
