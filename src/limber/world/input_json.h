// SPDX-License-Identifier: Apache-2.0
// Inputs as JSON: the events of a scene, the inputs of a recording, and what Python, C and the page send.
// Keys: docs/recording.md.
#pragma once
#include <limber/world/body_json.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace limber {

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

// What acts on the body now, as inputs of it.
std::vector<nlohmann::json> write_inputs(const WorldBody& body);

}  // namespace limber
