// SPDX-License-Identifier: Apache-2.0
#include "build/file/read_file.h"
#include "build/file/text_scanner.h"
#include "build/scene/scene_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace limber::build {
namespace {

void read_time(const JsonPlace& place, Scene& scene) {
    // How long a recording takes its steps say.
    const bool recorded = place.has("recording");
    place.when("duration", [&](const JsonPlace& p) {
        scene.duration = p.number(recorded ? not_negative("s") : positive("s"));
    });
    place.when("dt", [&](const JsonPlace& p) { scene.dt = p.number(positive("s")); });
    place.when("every", [&](const JsonPlace& p) { scene.every = p.whole_number(1, kMostSteps); });
    if (!(scene.duration / scene.dt <= kMostSteps))
        place.fail(fmt::format("{:g} steps of {:g} s; the limit is {}", scene.duration / scene.dt, scene.dt,
                               kMostSteps),
                   "a longer 'dt' or a shorter 'duration'");
}

void read_actions(const JsonPlace& place, SceneFolder& folder, Scene& scene) {
    place.each("forces", [&](const JsonPlace& p) {
        p.expect_keys({"body", "at", "force", "from", "to"});
        SceneForce force;
        force.body = find_body(p, scene.bodies);
        force.pull = read_pull(p, *scene.bodies[force.body].model);
        force.to = scene.duration;
        read_span(p, force.from, force.to);
        scene.forces.push_back(std::move(force));
    });
    place.each("events", [&](const JsonPlace& p) { read_event(p, folder, scene); });
    std::stable_sort(scene.events.begin(), scene.events.end(),
                     [](const SceneEvent& a, const SceneEvent& b) { return a.time < b.time; });
    place.each("probes", [&](const JsonPlace& p) {
        p.expect_keys({"name", "body", "at"});
        SceneProbe probe;
        probe.name = read_name(p, fmt::format("probe{}", scene.probes.size()));
        probe.body = find_body(p, scene.bodies);
        const JsonPlace at = p.at("at");
        probe.vertices = select_on_model(at.where(), at.text(), *scene.bodies[probe.body].model);
        for (const SceneBody& body : scene.bodies)
            if (body.name == probe.name) p.fail(fmt::format("a body has the name '{}' already", probe.name));
        for (const SceneProbe& other : scene.probes)
            if (other.name == probe.name) p.fail(fmt::format("two probes have the name '{}'", probe.name));
        scene.probes.push_back(std::move(probe));
    });
}

// A recording lists all that acts on its bodies.
void check_alone(const JsonPlace& place, const Scene& scene) {
    for (const char* key : {"forces", "constraints", "events"})
        if (place.has(key))
            place.fail(fmt::format("'{}' and 'recording' both say what happens", key),
                       "leave one of them out");
    for (const SceneBody& body : scene.bodies)
        if (body.support)
            place.fail(fmt::format("the body '{}' has a support, and a recording moves its own", body.name),
                       "leave 'support' out");
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
    }
    return 0;
}

Pose SceneBody::pose_at(double time) const {
    return support ? support->at(time) * pose : pose;
}

void read_span(const JsonPlace& place, double& from, double& to) {
    place.when("from", [&](const JsonPlace& t) { from = t.number(not_negative("s")); });
    place.when("to", [&](const JsonPlace& t) { to = t.number(not_negative("s")); });
    if (!(from <= to)) place.fail(fmt::format("it acts from {:g} s to {:g} s, which is earlier", from, to));
}

Scene read_scene(std::string_view json, const std::string& name, const std::filesystem::path& folder) {
    const nlohmann::json root = parse_json(json, name);
    const JsonPlace place(root, name);
    place.expect_keys({"duration", "dt", "gravity", "up", "bodies", "forces", "constraints", "events",
                       "probes", "every", "recording"});
    Scene scene;
    SceneFolder beside(folder);
    read_time(place, scene);
    place.when("gravity", [&](const JsonPlace& p) { scene.gravity = p.numbers(3); });
    const JsonPlace bodies = place.at("bodies");
    bodies.each([&](const JsonPlace& p) {
        scene.bodies.push_back(read_body(p, beside));
        for (std::size_t i = 0; i + 1 < scene.bodies.size(); ++i)
            if (scene.bodies[i].name == scene.bodies.back().name)
                p.fail(fmt::format("two bodies have the name '{}'", printable(scene.bodies[i].name)),
                       "give each its own 'name'");
    });
    if (scene.bodies.empty()) bodies.fail("the list has no body");
    scene.up = scene.bodies[0].model->up;
    place.when("up", [&](const JsonPlace& p) {
        const auto up = parse_up(p.text());
        if (!up) p.fail(fmt::format("'{}' is none of x, y, z, -x, -y, -z", printable(p.text())));
        scene.up = *up;
    });
    read_actions(place, beside, scene);
    check_events(scene);
    place.each("constraints",
               [&](const JsonPlace& p) { scene.constraints.push_back(read_constraint(p, scene, beside)); });
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
