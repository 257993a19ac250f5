// SPDX-License-Identifier: Apache-2.0
// Small vibrations of a reduced model about rest, K₁ y = λ M̃ y, and their modal derivatives. What modal
// derivatives are: docs/math/basis.md.
#pragma once
#include <limber/model/model.h>
#include <limber/result.h>

#include <Eigen/Core>
#include <vector>

namespace limber {

struct ReducedModes {
    Eigen::VectorXd eigenvalues;     // r, ascending, 1/s^2
    Eigen::VectorXd frequencies_hz;  // sqrt(lambda) / (2 pi)
    Eigen::MatrixXd shapes;          // r x r, M̃-orthonormal columns
};

// Of a model that runs StVK and has no problem. Materials: one per group; empty: as built.

// K₁ = Uᵀ K U at rest, r x r, N/(m kg).
Eigen::MatrixXd reduced_stiffness(const Model& model, const std::vector<Material>& materials = {});
// M̃ = Uᵀ M U, r x r; the unit matrix as built, but for rounding.
Eigen::MatrixXd reduced_mass(const Model& model, const std::vector<Material>& materials = {});
ReducedModes reduced_modes(const Model& model, const std::vector<Material>& materials = {});

// How mode i changes along mode j: ∂²q/∂p_i∂p_j at rest of the static shape q under the force
// K₁ (p_i y_i + p_j y_j), which is  -K₁⁻¹ (∂K/∂q · y_j) y_i.  Symmetric in i and j. r entries, 1/(m√kg).
// An error: there is no such mode.
Result<Eigen::VectorXd> modal_derivative(const Model& model, const ReducedModes& modes, int i, int j,
                                         const std::vector<Material>& materials = {});

// Rayleigh's quotient √(qᵀK₁q / qᵀM̃q) / 2π: how fast this shape would vibrate without the others, Hz. 0 of
// q = 0.
double rayleigh_frequency_hz(const Model& model, const Eigen::VectorXd& q,
                             const std::vector<Material>& materials = {});

// kg, as built.
double total_mass(const Model& model);

}  // namespace limber
