// SPDX-License-Identifier: Apache-2.0
// Up in glTF files that limber writes. Coordinates stay as they are; the root node turns up to glTF's +Y, and
// asset.extras says which axis that was, so that limber reads its own coordinates again.
#pragma once
#include <limber/model/up_axis.h>

#include <nlohmann/json.hpp>
#include <optional>

namespace limber {

// The document's "asset".
nlohmann::json gltf_asset(UpAxis up);
// Sets the "rotation" of the root node; none if +Y is up already.
void turn_to_gltf_up(nlohmann::json& root_node, UpAxis up);

// Of a document that limber wrote; nothing for those of others.
std::optional<UpAxis> recorded_gltf_up(const nlohmann::json& document);
// The rotation of a root node without the turn to +Y; exactly none where it was only that turn.
Eigen::Quaterniond without_gltf_turn(const Eigen::Quaterniond& root_rotation, UpAxis up);

}  // namespace limber
