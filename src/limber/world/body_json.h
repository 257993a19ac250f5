// SPDX-License-Identifier: Apache-2.0
// A body as JSON: of a scene, of a recording, and what Python, C and the page add. Keys: docs/scene_file.md.
#pragma once
#include <limber/settings/json_cursor.h>
#include <limber/world/world.h>

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace limber {

// The model of that name; null: there is none.
using ModelLookup = std::function<std::shared_ptr<const Model>(const std::string& name)>;

// { "name", "model", "subtree", "method", "mount", settings …, "friction", "layer", "position", "rotation",
// "q", "v", "velocity", "angular_velocity", "release": forces on vertices }. `extra_keys` are left to the
// caller.
BodyDef read_body_def(const JsonCursor& at, const ModelLookup& models,
                      const std::vector<std::string>& extra_keys = {});
// The same of a body as it is now, so that a world that starts with it goes on alike; "model" is the caller's
// name of it. What acts on it: write_inputs().
nlohmann::json write_body(const WorldBody& body, const std::string& model);

// Changes those that the object names. monostate: the method's defaults.
BodySettings read_body_settings(const JsonCursor& at, const Model& model, Method method, Mount mount,
                                const BodySettings& settings);
// What "set" takes: all settings of the body's method but for gravity, which is the world's; "friction" and
// "layer" where the body has its own.
nlohmann::json write_body_settings(const WorldBody& body);

}  // namespace limber
