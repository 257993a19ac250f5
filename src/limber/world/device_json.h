// SPDX-License-Identifier: Apache-2.0
// Haptic devices as JSON. Keys: docs/scene_file.md and docs/recording.md.
#pragma once
#include <limber/haptics/hand_path.h>
#include <limber/settings/json_cursor.h>
#include <limber/world/world.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace limber {

// { "name", "position", "layer", "radius", "stiffness", … }; `extra_keys` are left to the caller.
DeviceDef read_device_def(const JsonCursor& at, const std::vector<std::string>& extra_keys = {});
// [{ "time", "position" }]
HandPath read_hand_path(const JsonCursor& at);
// What an input asks of one device: remove, place, set, move.
void read_for_device(const JsonCursor& at, const WorldDevice& device, std::vector<Input>& out);
// As it stands now.
nlohmann::json write_device(const WorldDevice& device);
// [{ "number", "name", settings, "position", "proxy", "force", "contacts", "coupling", "passivity",
// "readings" }]
nlohmann::json describe_devices(const World& world);

}  // namespace limber
