// SPDX-License-Identifier: Apache-2.0
// Small vibrations of a reduced model about rest: K₁ y = λ M̃ y.
#pragma once
#include <limber/model/model.h>

#include <Eigen/Core>

namespace limber::build {

struct ReducedModes {
    Eigen::VectorXd eigenvalues;     // r, ascending, 1/s^2
    Eigen::VectorXd frequencies_hz;  // sqrt(lambda) / (2 pi)
    Eigen::MatrixXd shapes;          // r x r, M̃-orthonormal columns
};

// K₁ = Uᵀ K U at rest, r x r, N/(m kg): with the materials as built, of a model that runs StVK.
Eigen::MatrixXd reduced_stiffness(const Model& model);

// With the materials as built, of a model that runs StVK.
ReducedModes reduced_modes(const Model& model);

// kg.
double total_mass(const Model& model);

}  // namespace limber::build
