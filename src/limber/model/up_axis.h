// SPDX-License-Identifier: Apache-2.0
// Which way is up in a model's own coordinates. glTF's up is +Y: nodes of written files turn the model there.
#pragma once
#include <Eigen/Geometry>
#include <optional>
#include <string_view>

namespace limber {

enum class UpAxis { X, Y, Z, MinusX, MinusY, MinusZ };

// "x", "y", "z", "-x", "-y", "-z".
std::optional<UpAxis> parse_up(std::string_view text);
const char* up_text(UpAxis up);

// Unit vector, in the model's coordinates.
Eigen::Vector3d up_vector(UpAxis up);

// The rotation about one axis that turns up_vector(up) to +Y; z up becomes y up as in Blender's exports,
// (x, y, z) -> (x, z, -y).
Eigen::Quaterniond gltf_from_model(UpAxis up);

}  // namespace limber
