// SPDX-License-Identifier: Apache-2.0
// The mass matrix of one element of density 1 kg/m^3, for one component: the integrals of N_a N_b, m^3.
// docs/math/stvk.md, section 5. With corners X (3 x vertices) the integral of x xᵀ over the element is X m
// Xᵀ.
#pragma once
#include "build/mesh/volume_mesh.h"

#include <Eigen/Core>

namespace limber::build {

using TetMass = Eigen::Matrix4d;
using BrickMass = Eigen::Matrix<double, 8, 8>;

TetMass tet_mass(const VolumeMesh& mesh, const Tet& tet);
// Brick by its index in mesh.bricks; counts by the brick's filled fraction.
BrickMass brick_mass(const VolumeMesh& mesh, std::size_t brick);

}  // namespace limber::build
