// SPDX-License-Identifier: Apache-2.0
// Obstacles, and how bodies touch, as JSON. Keys: docs/scene_file.md and docs/recording.md.
#pragma once
#include <limber/settings/json_cursor.h>
#include <limber/world/world.h>

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace limber {

// { "plane": { "normal", "offset" } }, { "sphere": { "radius" } }, { "capsule": { "radius", "length" } },
// { "box": { "size" } }, { "cylinder": { "radius", "length" } }, { "mesh": NAME }.
// An obstacle is { "name", "shape", "position", "rotation", "friction", "layer" }; `extra_keys` are left to
// the caller. `models` finds meshes by their names.
ObstacleDef read_obstacle_def(const JsonCursor& at,
                              const std::function<std::shared_ptr<const Model>(const std::string&)>& models,
                              const std::vector<std::string>& extra_keys = {});
// As it stands now. Where it moves: write_obstacle_inputs().
nlohmann::json write_obstacle(const WorldObstacle& obstacle);
std::vector<nlohmann::json> write_obstacle_inputs(const WorldObstacle& obstacle);

// What is told of contact after a step, by the names of ContactReport; and [{ "number", "name", "shape",
// "position", "rotation", … }].
nlohmann::json describe_contact(const ContactReport& report);
nlohmann::json describe_obstacles(const World& world);

// "friction" and "layer" of a body, where they are given; in place of those before.
void read_touch(const JsonCursor& body, Touch& in_out);

}  // namespace limber
