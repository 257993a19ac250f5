// SPDX-License-Identifier: Apache-2.0
// What the reduced St.Venant-Kirchhoff body needs at run time: frozen, shareable between bodies and threads.
// Symbols and equations: docs/math/reduced_stvk.md.
#pragma once
#include <Eigen/Core>
#include <vector>

namespace limber {

// What one material group adds, per unit of its constants: everything is linear in them.
struct StvkGroup {
    // W of kappa = 1 Pa, and of mu = 1 Pa: V = ½ zᵀ (kappa bulk + mu shear) z. Packed upper triangles by
    // columns (strain_form.h), m(m+1)/2 entries, m = r + r(r+1)/2.
    Eigen::VectorXd bulk, shear;
    Eigen::MatrixXd mass;    // r x r, Uᵀ M U of rho = 1 kg/m^3
    Eigen::MatrixXd weight;  // r x 3, Uᵀ M (e_x e_y e_z) of rho = 1: gravity's force is rho weight g
    // r x 9, Uᵀ M (x_k e_j) of rho = 1 in column j + 3k: a field of acceleration linear in x, such as that of
    // a turning support, gives rho moment vec(field). Empty in files of format 1.
    Eigen::MatrixXd moment;
    // The inertia of Ŭ = [X U], X the rest position, rho = 1, with the mass matrix that the model was built
    // with (docs/math/reduced_stvk.md (17c)): all that a body or a domain in rigid motion needs. Both are
    // empty in files before format 6.
    Eigen::MatrixXd first_tensor;   // 3 x (r+1), column a: c_a = ∫ Ŭ_a
    Eigen::MatrixXd second_tensor;  // 3(r+1) x 3(r+1), symmetric, 3 x 3 block (a, b): G_ab = ∫ Ŭ_a Ŭ_bᵀ
};

struct StvkModel {
    std::vector<StvkGroup> groups;  // in the order of Model::groups
    bool has_tensors() const { return !groups.empty() && groups[0].second_tensor.size() > 0; }
};

}  // namespace limber
