// SPDX-License-Identifier: Apache-2.0
// Events and recordings: what happens while a scene runs. docs/recording.md
#include "build/or_throw.h"
#include "build/scene/scene_inputs.h"
#include "build/scene/scene_reader.h"

#include <limber/world/session.h>

#include <fmt/format.h>

#include <algorithm>

namespace limber::build {
namespace {

using Json = nlohmann::json;

// Does what an input asks depend on which body is meant?
bool is_for_a_body(const Json& input) {
    for (const auto& [key, unused] : input.items())
        if (key != "add" && key != "gravity" && key != "body" && key != "contact" && key != "add_obstacle" &&
            key != "add_device")
            return !input.contains("obstacle") && !input.contains("device");
    return false;
}

// A domain that comes off is a body of its own.
bool detaches(const Json& input) {
    const Json set = input.value("set", Json::object());
    const Json domains = set.is_object() ? set.value("domains", Json::object()) : Json::object();
    return domains.is_object() && std::any_of(domains.begin(), domains.end(), [](const Json& domain) {
               return domain.is_object() && domain.contains("detach");
           });
}

bool changes_bodies(const Json& input) {
    return input.contains("add") || input.contains("remove") || input.contains("add_obstacle") ||
           input.contains("add_device") || detaches(input);
}

// The q of a body that starts in balance, since recordings have no "release".
Json balance_of(const SceneBody& body, const Scene& scene) {
    World world({.gravity = scene.gravity});
    const BodyId id = or_throw(world.add(body));
    const Eigen::VectorXd& q = world.body(id)->q();
    return std::vector<double>(q.begin(), q.end());
}

// Each input as it will be read while the recording runs, until one adds or removes a body.
void check_inputs(const Json& scene, const std::string& where, const World& world,
                  const ModelLookup& models) {
    const auto list = scene["recording"].find("inputs");
    if (list == scene["recording"].end()) return;
    for (std::size_t i = 0; i < list->size(); ++i) {
        Json input = (*list)[i];
        if (changes_bodies(input)) return;
        input.erase("step");
        input.erase("dt");
        or_throw(read_inputs(input, fmt::format("{}: recording.inputs[{}]", where, i), world, models));
    }
}

}  // namespace

void read_added_models(const JsonCursor& input, SceneFolder& folder, Scene& scene) {
    input.when("add", [&](const JsonCursor& body) {
        const std::string name = or_throw(body, body.at("model").text());
        const bool rigid = body.has("method") && body.at("method").value() == "rigid";
        scene.models[name] = folder.model(name, rigid);
    });
    input.when("add_obstacle", [&](const JsonCursor& obstacle) {
        obstacle.when("shape", [&](const JsonCursor& shape) {
            shape.when("mesh", [&](const JsonCursor& mesh) {
                const std::string name = or_throw(mesh, mesh.text());
                scene.models[name] = folder.model(name, true);
            });
        });
    });
}

void read_event(const JsonCursor& place, SceneFolder& folder, Scene& scene) {
    std::vector<std::string> keys = input_keys();
    keys.insert(keys.begin(), "time");
    or_throw(place, place.expect_keys(keys));
    SceneEvent event;
    event.time = or_throw(place, place.at("time").number(kNotNegative, "s"));
    event.where = place.where();
    event.input = place.value();
    event.input.erase("time");
    if (event.input.empty()) refuse(place, "nothing happens", "\"set\": { \"damping\": { \"alpha\": 1 } }");
    // The body may be one that an event adds.
    const bool added = std::any_of(scene.events.begin(), scene.events.end(),
                                   [](const SceneEvent& earlier) { return changes_bodies(earlier.input); });
    if (is_for_a_body(event.input) && !(added && place.has("body"))) find_body(place, scene.bodies);
    read_added_models(place, folder, scene);
    scene.events.push_back(std::move(event));
}

void check_events(const Scene& scene) {
    if (scene.events.empty()) return;
    World world({.gravity = scene.gravity, .contact = scene.contact});
    for (const SceneObstacle& obstacle : scene.obstacles)
        or_throw(world.add(ObstacleDef(obstacle)));
    for (const SceneDevice& device : scene.devices)
        or_throw(world.add(DeviceDef(device)));
    for (const SceneBody& body : scene.bodies) {
        BodyDef def = body;
        def.release.clear();
        or_throw(world.add(std::move(def)));
    }
    for (const SceneEvent& event : scene.events) {
        if (changes_bodies(event.input)) return;
        or_throw(read_inputs(event.input, event.where, world, models_of(scene)));
    }
}

Replay read_replay(const JsonCursor& scene_place, SceneFolder& folder, Scene& scene) {
    const JsonCursor recording = scene_place.at("recording");
    or_throw(recording, recording.expect_keys({"version", "steps", "inputs"}));
    Replay out;
    out.where = scene_place.where();
    out.steps = or_throw(recording, recording.at("steps").whole_number(1, kMostSteps));
    int last = 0;
    recording.each("inputs", [&](const JsonCursor& p) {
        const int step = or_throw(p, p.at("step").whole_number(0, kMostSteps));
        if (step < last)
            refuse(p, fmt::format("its step {} is before step {} of the input above it", step, last),
                   "inputs in the order of their steps");
        last = step;
        read_added_models(p, folder, scene);
    });
    or_throw(recording);
    Json given = scene_place.value();
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const SceneBody& body = scene.bodies[b];
        Json& in = given["bodies"][b];
        scene.models[in["model"].get<std::string>()] = body.whole ? body.whole : body.model;
        in["name"] = body.name;
        for (const char* key : {"release", "priority", "positions_by"})
            in.erase(key);
        if (!body.release.empty()) in["q"] = balance_of(body, scene);
    }
    for (std::size_t i = 0; i < scene.obstacles.size(); ++i)
        given["obstacles"][i]["name"] = scene.obstacles[i].name;
    for (std::size_t i = 0; i < scene.devices.size(); ++i)
        given["devices"][i]["name"] = scene.devices[i].name;
    out.scene = or_throw(translate_recording(given, out.where));
    Session session;
    for (const auto& [name, model] : scene.models)
        session.add_model(name, model);
    or_throw(session.start_replay(out.scene, out.where));
    check_inputs(out.scene, out.where, session.world(), models_of(scene));
    return out;
}

}  // namespace limber::build
