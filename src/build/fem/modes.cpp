// SPDX-License-Identifier: Apache-2.0
// Equation numbers are those of docs/math/modes.md.
#include "build/fem/modes.h"

#include "build/fem/block_lanczos.h"
#include "build/fem/body_size.h"
#include "build/fem/shifted_cholesky.h"

#include <fmt/format.h>
#include <limber/input_error.h>
#include <Eigen/Dense>

#include <limits>
#include <numbers>

namespace limber::build {
namespace {

// M-orthonormal columns that span the same subspace; X has full rank.
Eigen::MatrixXd mass_orthonormal(const Eigen::MatrixXd& X, const SparseMatrix& mass) {
    Eigen::MatrixXd Q = X;
    for (int pass = 0; pass < 2 && Q.cols() > 0; ++pass) {
        const Eigen::MatrixXd gram = Q.transpose() * (mass.selfadjointView<Eigen::Lower>() * Q);
        Q = gram.llt().matrixU().solve<Eigen::OnTheRight>(Q).eval();
    }
    return Q;
}

// Below zero, so that rigid motions and parts that swing on an edge leave K - sigma M definite, and small
// beside the first elastic eigenvalue: with the bar wave c = sqrt(E/rho), a cantilever of length L and
// thickness d bends first at lambda = (c d / L^2)^2. (5)
double shift_below_zero(const FemModel& model) {
    double slowest = std::numeric_limits<double>::infinity();
    for (const MaterialMap::Group& group : model.materials().groups)
        slowest = std::min(slowest, group.material.young / group.material.density);
    const double size = body_size(model);
    return -1e-4 * slowest / (size * size);
}

SparseMatrix shifted(const SparseMatrix& stiffness, const SparseMatrix& mass, double sigma) {
    SparseMatrix result = stiffness;
    for (Eigen::Index k = 0; k < result.nonZeros(); ++k)
        result.valuePtr()[k] -= sigma * mass.valuePtr()[k];
    return result;
}

// All eigenpairs of a small body, the rigid ones (the lowest) left out.
EigenPairs dense_eigenpairs(const SparseMatrix& stiffness, const SparseMatrix& mass, Eigen::Index rigid,
                            Eigen::Index count) {
    // Reads lower triangles only.
    const Eigen::MatrixXd K = stiffness, M = mass;
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(K, M);
    return {eigen.eigenvalues().segment(rigid, count), eigen.eigenvectors().middleCols(rigid, count),
            eigen.info() == Eigen::Success};
}

EigenPairs sparse_eigenpairs(const FemModel& model, const SparseMatrix& stiffness, const SparseMatrix& mass,
                             const Eigen::MatrixXd& rigid, const ModesOptions& options) {
    const LanczosOptions lanczos{.shift = shift_below_zero(model), .progress = options.progress};
    tell(options.progress, "factorisation", 0);
    SparseCholesky factor(stiffness);
    if (!factor.factorize(shifted(stiffness, mass, lanczos.shift))) return {};
    tell(options.progress, "factorisation", 1);
    return lowest_eigenpairs(factor, mass, rigid, options.count, lanczos);
}

void make_largest_entry_positive(Eigen::Ref<Eigen::VectorXd> x) {
    // Of entries that differ by rounding only, the first counts.
    const double largest = x.lpNorm<Eigen::Infinity>();
    for (const double entry : x)
        if (std::abs(entry) >= (1 - 1e-6) * largest) {
            if (entry < 0) x = -x;
            return;
        }
}

}  // namespace

ModesResult solve_modes(const FemModel& model, const ModesOptions& options) {
    const Eigen::MatrixXd motions = rigid_motions(model);
    const Eigen::Index elastic = model.free_dofs() - motions.cols();
    if (options.count < 1)
        throw InputError{"modes", fmt::format("{} modes were asked for", options.count),
                         "ask for at least one"};
    if (options.count > elastic)
        throw InputError{
            "modes",
            fmt::format("{} modes were asked for, but the body has only {} elastic ones ({} degrees of "
                        "freedom are free, {} are rigid motions)",
                        options.count, elastic, model.free_dofs(), motions.cols()),
            "ask for fewer modes, or refine the mesh"};

    tell(options.progress, "matrices", 0);
    const SparseMatrix mass = mass_matrix(model, options.mass);
    SparseMatrix stiffness;
    Eigen::VectorXd force;
    force_and_stiffness(model, Eigen::VectorXd::Zero(3 * model.vertex_count()), force, stiffness);
    Eigen::MatrixXd rigid(model.free_dofs(), motions.cols());
    for (Eigen::Index i = 0; i < motions.cols(); ++i)
        rigid.col(i) = model.restrict_to_free(motions.col(i));
    rigid = mass_orthonormal(rigid, mass);

    // Lanczos needs a basis a few times as wide as what it finds.
    const bool small = model.free_dofs() <= 300 || 4 * options.count + 100 > elastic;
    EigenPairs pairs = small ? dense_eigenpairs(stiffness, mass, motions.cols(), options.count)
                             : sparse_eigenpairs(model, stiffness, mass, rigid, options);

    ModesResult result;
    result.rigid_shapes.resize(3 * model.vertex_count(), rigid.cols());
    for (Eigen::Index i = 0; i < rigid.cols(); ++i)
        result.rigid_shapes.col(i) = model.expand_from_free(rigid.col(i));
    if (pairs.values.size() == 0) return result;
    result.converged = pairs.converged;
    result.eigenvalues = pairs.values;
    result.frequencies_hz = pairs.values.cwiseMax(0).cwiseSqrt() / (2 * std::numbers::pi);
    result.shapes.resize(3 * model.vertex_count(), options.count);
    result.residuals.resize(options.count);
    for (Eigen::Index i = 0; i < options.count; ++i) {
        auto x = pairs.vectors.col(i);
        make_largest_entry_positive(x);
        const Eigen::VectorXd Kx = stiffness.selfadjointView<Eigen::Lower>() * x;
        const Eigen::VectorXd Mx = mass.selfadjointView<Eigen::Lower>() * x;
        result.residuals[i] = (Kx - pairs.values[i] * Mx).norm() / Kx.norm();
        result.shapes.col(i) = model.expand_from_free(x);
    }
    return result;
}

}  // namespace limber::build
