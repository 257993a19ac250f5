// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/modes.h"

#include "limber/reduced/strain_form.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cassert>
#include <cmath>
#include <string>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

const Material& material_of(const Model& model, const std::vector<Material>& materials, std::size_t group) {
    assert(materials.empty() || materials.size() == model.groups.size());
    return materials.empty() ? model.groups[group].material : materials[group];
}

// (∂K/∂q · b) a at rest: the third derivative of the cubic energy V₃ = Σ_a q_a Σ_{c<=d} W_{a,cd} q_c q_d,
// applied to a and b.
VectorXd third_derivative(const Model& model, const std::vector<Material>& materials, const VectorXd& a,
                          const VectorXd& b) {
    const Index r = model.rank;
    VectorXd out = VectorXd::Zero(r);
    for (std::size_t g = 0; g < model.groups.size(); ++g) {
        const StvkGroup& group = model.stvk->groups[g];
        const Material& material = material_of(model, materials, g);
        for (Index c = 0; c < r; ++c)
            for (Index d = c; d < r; ++d) {
                const Index column = packed_index(0, product_index(r, c, d));
                const VectorXd W = material.bulk() * group.bulk.segment(column, r) +
                                   material.shear() * group.shear.segment(column, r);
                // ∂²(q_c q_d) along a and b; twice the product where c = d.
                out += (a[c] * b[d] + a[d] * b[c]) * W;
                const double along_a = W.dot(a), along_b = W.dot(b);
                out[c] += along_a * b[d] + along_b * a[d];
                out[d] += along_a * b[c] + along_b * a[c];
            }
    }
    return out;
}

}  // namespace

MatrixXd reduced_stiffness(const Model& model, const std::vector<Material>& materials) {
    assert(model.stvk);
    const Index r = model.rank;
    MatrixXd K = MatrixXd::Zero(r, r);
    // K₁ is the r x r corner of W.
    for (std::size_t g = 0; g < model.groups.size(); ++g) {
        const Material& material = material_of(model, materials, g);
        for (Index b = 0; b < r; ++b)
            for (Index a = 0; a <= b; ++a) {
                const Index ab = packed_index(a, b);
                K(b, a) += material.bulk() * model.stvk->groups[g].bulk[ab] +
                           material.shear() * model.stvk->groups[g].shear[ab];
            }
    }
    return K.selfadjointView<Eigen::Lower>();
}

MatrixXd reduced_mass(const Model& model, const std::vector<Material>& materials) {
    MatrixXd M = MatrixXd::Zero(model.rank, model.rank);
    for (std::size_t g = 0; g < model.groups.size(); ++g)
        M += material_of(model, materials, g).density * model.stvk->groups[g].mass;
    return M;
}

ReducedModes reduced_modes(const Model& model, const std::vector<Material>& materials) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(reduced_stiffness(model, materials),
                                                                    reduced_mass(model, materials));
    ReducedModes out;
    out.eigenvalues = solver.eigenvalues();
    out.frequencies_hz = out.eigenvalues.cwiseMax(0).cwiseSqrt() / (2 * EIGEN_PI);
    out.shapes = solver.eigenvectors();
    return out;
}

Result<VectorXd> modal_derivative(const Model& model, const ReducedModes& modes, int i, int j,
                                  const std::vector<Material>& materials) {
    for (const int mode : {i, j})
        if (mode < 0 || mode >= modes.shapes.cols())
            return InputError{"mode",
                              "there is no mode " + std::to_string(mode) + "; there are " +
                                  std::to_string(modes.shapes.cols()) + ", numbered from 0",
                              ""};
    const VectorXd force = third_derivative(model, materials, modes.shapes.col(i), modes.shapes.col(j));
    return VectorXd(-reduced_stiffness(model, materials).ldlt().solve(force));
}

double rayleigh_frequency_hz(const Model& model, const VectorXd& q, const std::vector<Material>& materials) {
    const double mass = q.dot(reduced_mass(model, materials) * q);
    if (!(mass > 0)) return 0;
    return std::sqrt(q.dot(reduced_stiffness(model, materials) * q) / mass) / (2 * EIGEN_PI);
}

double total_mass(const Model& model) {
    double mass = 0;
    for (const ModelGroup& group : model.groups)
        mass += group.material.density * group.volume;
    return mass;
}

}  // namespace limber
