// SPDX-License-Identifier: Apache-2.0
// What a scene says about contact: its settings, the obstacles and the devices.
#include "build/scene/scene_reader.h"
#include "limber/settings/read_settings.h"
#include "limber/world/device_json.h"
#include "limber/world/obstacle_json.h"

#include <fmt/format.h>

namespace limber::build {
namespace {

void read_device(const JsonCursor& place, Scene& scene) {
    SceneDevice device;
    static_cast<DeviceDef&>(device) = read_device_def(place, {"path"});
    or_throw(place);
    device.name = read_name(place, fmt::format("device{}", scene.devices.size() + 1));
    for (const SceneBody& body : scene.bodies)
        if (body.name == device.name)
            refuse(place, fmt::format("a body has the name '{}' already", device.name));
    for (const SceneObstacle& obstacle : scene.obstacles)
        if (obstacle.name == device.name)
            refuse(place, fmt::format("an obstacle has the name '{}' already", device.name));
    for (const SceneDevice& other : scene.devices)
        if (other.name == device.name)
            refuse(place, fmt::format("two devices have the name '{}'", device.name));
    place.when("path", [&](const JsonCursor& p) {
        if (place.has("position"))
            refuse(place, "'position' and 'path' both say where it starts", "leave 'position' out");
        device.path = read_hand_path(p);
        or_throw(place);
        device.position = position_at(device.path, 0);
    });
    scene.devices.push_back(std::move(device));
}

}  // namespace

void read_touching(const JsonCursor& place, SceneFolder& folder, Scene& scene) {
    if (place.has("contact") || place.has("obstacles") || place.has("devices")) scene.contact.emplace();
    place.when("contact", [&](const JsonCursor& p) { scene.contact = read_contact(p); });
    place.each("obstacles", [&](const JsonCursor& p) {
        SceneObstacle obstacle;
        const auto mesh = [&](const std::string& name) {
            // Replays and events call it by the same name.
            return scene.models[name] = folder.model(name, true);
        };
        static_cast<ObstacleDef&>(obstacle) = read_obstacle_def(p, mesh, {"motion"});
        or_throw(p);
        obstacle.name = read_name(p, fmt::format("obstacle{}", scene.obstacles.size() + 1));
        for (const SceneBody& body : scene.bodies)
            if (body.name == obstacle.name)
                refuse(p, fmt::format("a body has the name '{}' already", obstacle.name));
        for (const SceneObstacle& other : scene.obstacles)
            if (other.name == obstacle.name)
                refuse(p, fmt::format("two obstacles have the name '{}'", obstacle.name));
        p.when("motion", [&](const JsonCursor& m) { obstacle.motion = read_guide(m, folder); });
        scene.obstacles.push_back(std::move(obstacle));
    });
    place.each("devices", [&](const JsonCursor& p) { read_device(p, scene); });
    or_throw(place);
}

}  // namespace limber::build
