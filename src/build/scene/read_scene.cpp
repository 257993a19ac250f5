// SPDX-License-Identifier: Apache-2.0
#include "build/file/read_file.h"
#include "build/file/text_scanner.h"
#include "build/scene/scene_reader.h"

#include <limber/world/session.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace limber::build {
namespace {

void read_time(const JsonCursor& place, Scene& scene) {
    // How long a recording takes its steps say.
    const bool recorded = place.has("recording");
    place.when("duration", [&](const JsonCursor& p) {
        scene.duration = p.number(recorded ? kNotNegative : kPositive, "s");
    });
    place.when("dt", [&](const JsonCursor& p) { scene.dt = p.number(kPositive, "s"); });
    place.when("every", [&](const JsonCursor& p) { scene.every = p.whole_number(1, kMostSteps); });
    or_throw(place);
    if (!(scene.duration / scene.dt <= kMostSteps))
        refuse(place,
               fmt::format("{:g} steps of {:g} s; the limit is {}", scene.duration / scene.dt, scene.dt,
                           kMostSteps),
               "a longer 'dt' or a shorter 'duration'");
}

void read_actions(const JsonCursor& place, SceneFolder& folder, Scene& scene) {
    place.each("forces", [&](const JsonCursor& p) {
        or_throw(p, p.expect_keys({"body", "at", "force", "from", "to"}));
        SceneForce force;
        force.body = find_body(p, scene.bodies);
        force.pull = read_pull(p, *scene.bodies[force.body].model);
        force.to = scene.duration;
        read_span(p, force.from, force.to);
        scene.forces.push_back(std::move(force));
    });
    place.each("events", [&](const JsonCursor& p) { read_event(p, folder, scene); });
    std::stable_sort(scene.events.begin(), scene.events.end(),
                     [](const SceneEvent& a, const SceneEvent& b) { return a.time < b.time; });
    place.each("probes", [&](const JsonCursor& p) {
        or_throw(p, p.expect_keys({"name", "body", "at"}));
        SceneProbe probe;
        probe.name = read_name(p, fmt::format("probe{}", scene.probes.size()));
        probe.body = find_body(p, scene.bodies);
        probe.vertices = read_vertices(p.at("at"), *scene.bodies[probe.body].model);
        for (const SceneBody& body : scene.bodies)
            if (body.name == probe.name)
                refuse(p, fmt::format("a body has the name '{}' already", probe.name));
        for (const SceneObstacle& obstacle : scene.obstacles)
            if (obstacle.name == probe.name)
                refuse(p, fmt::format("an obstacle has the name '{}' already", probe.name));
        for (const SceneDevice& device : scene.devices)
            if (device.name == probe.name)
                refuse(p, fmt::format("a device has the name '{}' already", probe.name));
        for (const SceneProbe& other : scene.probes)
            if (other.name == probe.name) refuse(p, fmt::format("two probes have the name '{}'", probe.name));
        scene.probes.push_back(std::move(probe));
    });
}

// A recording lists all that acts on its bodies.
void check_alone(const JsonCursor& place, const Scene& scene) {
    for (const char* key : {"forces", "constraints", "events"})
        if (place.has(key))
            refuse(place, fmt::format("'{}' and 'recording' both say what happens", key),
                   "leave one of them out");
    for (const SceneBody& body : scene.bodies)
        if (body.support)
            refuse(place,
                   fmt::format("the body '{}' has a support, and a recording moves its own", body.name),
                   "leave 'support' out");
    for (const SceneObstacle& obstacle : scene.obstacles)
        if (obstacle.motion)
            refuse(
                place,
                fmt::format("the obstacle '{}' has a motion, and a recording moves its own", obstacle.name),
                "leave 'motion' out");
    for (const SceneDevice& device : scene.devices)
        if (!device.path.empty())
            refuse(place,
                   fmt::format("the device '{}' has a path, and a recording moves its own", device.name),
                   "leave 'path' out");
}

}  // namespace

long long Scene::steps() const {
    return replay ? replay->steps : std::max(1LL, std::llround(duration / dt));
}

Eigen::Index SceneBody::coordinates() const {
    switch (method) {
        case Method::Stvk:
            return model->rank;
        case Method::Warp:
        case Method::Linear:
            return model->warp->modes();
        case Method::Rigid:
            return 0;
        case Method::Domains:
            return coordinates_of(*model->domains);
    }
    return 0;
}

Pose SceneBody::pose_at(double time) const {
    return support ? support->at(time) * pose : pose;
}

void read_span(const JsonCursor& place, double& from, double& to) {
    place.when("from", [&](const JsonCursor& t) { from = t.number(kNotNegative, "s"); });
    place.when("to", [&](const JsonCursor& t) { to = t.number(kNotNegative, "s"); });
    if (!(from <= to))
        refuse(place, fmt::format("it acts from {:g} s to {:g} s, which is earlier", from, to));
}

Scene read_scene(std::string_view json, const std::string& name, const std::filesystem::path& folder) {
    const Result<nlohmann::json> parsed = parse_json_text(json, name);
    if (!parsed.ok())
        throw InputError{parsed.error().where, parsed.error().problem, "docs/scene_file.md has an example"};
    const nlohmann::json root = with_old_mounts(parsed.value());
    std::optional<InputError> problem;
    const JsonCursor place(root, name, problem);
    place.expect_keys({"duration", "dt", "gravity", "up", "bodies", "forces", "constraints", "events",
                       "probes", "every", "recording", "contact", "obstacles", "devices", "wind"});
    or_throw(place);
    Scene scene;
    SceneFolder beside(folder);
    read_time(place, scene);
    place.when("gravity", [&](const JsonCursor& p) { scene.gravity = p.vector3("m/s²"); });
    place.when("wind", [&](const JsonCursor& p) { scene.wind = read_wind(p); });
    or_throw(place);
    const JsonCursor bodies = place.at("bodies");
    bodies.each([&](const JsonCursor& p) {
        scene.bodies.push_back(read_body(p, beside));
        for (std::size_t i = 0; i + 1 < scene.bodies.size(); ++i)
            if (scene.bodies[i].name == scene.bodies.back().name)
                refuse(p, fmt::format("two bodies have the name '{}'", printable(scene.bodies[i].name)),
                       "give each its own 'name'");
    });
    if (scene.bodies.empty()) refuse(bodies, "the list has no body");
    read_touching(place, beside, scene);
    scene.up = scene.bodies[0].model->up;
    place.when("up", [&](const JsonCursor& p) {
        const auto up = parse_up(or_throw(p, p.text()));
        if (!up) refuse(p, fmt::format("'{}' is none of x, y, z, -x, -y, -z", printable(p.text())));
        scene.up = *up;
    });
    read_actions(place, beside, scene);
    check_events(scene);
    place.each("constraints",
               [&](const JsonCursor& p) { scene.constraints.push_back(read_constraint(p, scene, beside)); });
    or_throw(place);
    if (place.has("recording")) {
        check_alone(place, scene);
        scene.replay = read_replay(place, beside, scene);
    }
    return scene;
}

Scene read_scene(const std::filesystem::path& path) {
    return read_scene(read_file(path), path.string(), path.parent_path());
}

}  // namespace limber::build
