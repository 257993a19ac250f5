// SPDX-License-Identifier: Apache-2.0
// Tangents of a textured surface, which normal maps need (glTF 2.0, section 3.7.2.1).
#pragma once
#include <limber/model/model.h>

#include <Eigen/Core>
#include <vector>

namespace limber {

// Per vertex: the unit direction of growing u in the plane of the normal, and the sign w for which
// w (normal × tangent) points up in the picture. `set`: which texture coordinates.
std::vector<Eigen::Vector4d> surface_tangents(const ModelSurface& surface,
                                              const std::vector<Eigen::Vector3d>& normals, std::size_t set);

}  // namespace limber
