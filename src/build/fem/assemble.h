// SPDX-License-Identifier: Apache-2.0
// Energy, internal force and tangent stiffness of StVK; mass; loads. In parallel, free of races, and with the
// same bytes whatever the number of threads: blocks of elements are coloured, each colour is one sweep.
#pragma once
#include "build/fem/model.h"

namespace limber::build {

// V(u), J.
double elastic_energy(const FemModel& model, const Eigen::VectorXd& u);

// R(u) = dV/du, N, on all vertices: at a fixed vertex -R is what the support must give. out: 3n.
void internal_force(const FemModel& model, const Eigen::VectorXd& u, Eigen::VectorXd& out);

// The pattern that all matrices of this model share, with zero values.
SparseMatrix matrix_pattern(const FemModel& model);

// R(u) and K(u) = dR/du, N/m, in one sweep. out_stiffness has the pattern or is empty.
void force_and_stiffness(const FemModel& model, const Eigen::VectorXd& u, Eigen::VectorXd& out_force,
                         SparseMatrix& out_stiffness);

enum class MassKind { Consistent, Lumped };
// kg; same pattern as the stiffness, also when lumped (row sums on the diagonal).
SparseMatrix mass_matrix(const FemModel& model, MassKind kind);
double total_mass(const FemModel& model);

// Forces on vertices, N, 3n entries.
Eigen::VectorXd gravity_force(const FemModel& model, const Eigen::Vector3d& acceleration);
// A dead total force shared equally by the vertices.
Eigen::VectorXd shared_force(const FemModel& model, const std::vector<int>& vertices,
                             const Eigen::Vector3d& total);

}  // namespace limber::build
