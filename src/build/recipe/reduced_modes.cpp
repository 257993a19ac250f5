// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/reduced_modes.h"

#include <limber/reduced/strain_form.h>

#include <Eigen/Eigenvalues>
#include <cassert>

namespace limber::build {

Eigen::MatrixXd reduced_stiffness(const Model& model) {
    assert(model.stvk);
    const Eigen::Index r = model.rank;
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(r, r);
    // K₁ is the r x r corner of W.
    for (std::size_t g = 0; g < model.groups.size(); ++g) {
        const Material& material = model.groups[g].material;
        const StvkGroup& group = model.stvk->groups[g];
        for (Eigen::Index b = 0; b < r; ++b)
            for (Eigen::Index a = 0; a <= b; ++a) {
                const Eigen::Index ab = packed_index(a, b);
                K(b, a) += material.bulk() * group.bulk[ab] + material.shear() * group.shear[ab];
            }
    }
    return K.selfadjointView<Eigen::Lower>();
}

ReducedModes reduced_modes(const Model& model) {
    const Eigen::MatrixXd K = reduced_stiffness(model);
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(model.rank, model.rank);
    for (std::size_t g = 0; g < model.groups.size(); ++g)
        M += model.groups[g].material.density * model.stvk->groups[g].mass;
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(K, M);
    ReducedModes out;
    out.eigenvalues = solver.eigenvalues();
    out.frequencies_hz = out.eigenvalues.cwiseMax(0).cwiseSqrt() / (2 * EIGEN_PI);
    out.shapes = solver.eigenvectors();
    return out;
}

double total_mass(const Model& model) {
    double mass = 0;
    for (const ModelGroup& group : model.groups)
        mass += group.material.density * group.volume;
    return mass;
}

}  // namespace limber::build
