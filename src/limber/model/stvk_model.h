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
};

struct StvkModel {
    std::vector<StvkGroup> groups;  // in the order of Model::groups
};

}  // namespace limber
