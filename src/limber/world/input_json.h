// SPDX-License-Identifier: Apache-2.0
// Inputs as JSON: the events of a scene, the inputs of a recording, and what Python, C and the page send.
// Keys: docs/recording.md.
#pragma once
#include <limber/settings/json_cursor.h>
#include <limber/world/world.h>

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace limber {

// The model of that name; null: there is none.
using ModelLookup = std::function<std::shared_ptr<const Model>(const std::string& name)>;

// The keys of an input beside "step" and "dt", which say when.
const std::vector<std::string>& input_keys();

// What an object asks for, in the order in which it is done: add, gravity, wind, contact, add_obstacle,
// remove, place, state, set, support, shake, follow, constraints, forces, pull. With "obstacle" the others
// are for that; without "body" they are for every body that can take them. Nothing is applied; errors have
// their place.
Result<std::vector<Input>> read_inputs(const nlohmann::json& object, const std::string& where,
                                       const World& world, const ModelLookup& models);

// All of them, or none: on an error the world is as before.
Status apply_all(World& world, const std::vector<Input>& inputs);

// A body of a scene: { "name", "model", "subtree", "method", "mount", settings …, "position", "rotation",
// "q", "v", "velocity", "angular_velocity", "release": forces on vertices }. `extra_keys` are left to the
// caller.
BodyDef read_body_def(const JsonCursor& at, const ModelLookup& models,
                      const std::vector<std::string>& extra_keys = {});
// The same of a body as it is now, so that a world that starts with it goes on alike; "model" is the caller's
// name of it.
nlohmann::json write_body(const WorldBody& body, const std::string& model);
// What acts on the body now, as inputs of it.
std::vector<nlohmann::json> write_inputs(const WorldBody& body);

}  // namespace limber
