// SPDX-License-Identifier: Apache-2.0
// Volume, centre and second moments of what a closed surface encloses. docs/math/rigid_bodies.md, section 1.
#pragma once
#include <limber/model/model.h>
#include <limber/result.h>

#include <Eigen/Core>

namespace limber {

// Of density 1 kg/m³.
struct MassProperties {
    double volume = 0;                                  // m³
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();   // of mass, m
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre, m⁵: ∫ (|x|² 1 − x xᵀ)
};

// Vertices at the same place count as one: seams of textures split them. Refused: a surface with open edges
// or edges of more than two triangles, with triangles that face different ways, inside out, or without
// volume.
Result<MassProperties> mass_properties(const ModelSurface& surface);

}  // namespace limber
