// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/basis.md.
#include "build/basis/rest_solver.h"

#include "build/fem/assemble.h"
#include "build/fem/shifted_cholesky.h"

#include <limber/input_error.h>
#include <tbb/parallel_for.h>

#include <Eigen/Dense>
#include <algorithm>

namespace limber::build {
namespace {

// Right sides of one block: enough for the factor to be read rarely, few enough for several threads.
constexpr Eigen::Index kBlock = 32;

// As many degrees of freedom as the body has motions, chosen so that holding them stops all: the pivots of
// the motions' rows.
std::vector<Eigen::Index> statically_determinate_freedoms(const Eigen::MatrixXd& motions) {
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(motions.transpose());
    const auto& order = qr.colsPermutation().indices();
    return {order.data(), order.data() + motions.cols()};
}

// Rows and columns of the fixed degrees of freedom become those of a diagonal matrix; the pattern stays.
void fix(const std::vector<Eigen::Index>& freedoms, SparseMatrix& K) {
    std::vector<char> fixed(std::size_t(K.rows()), 0);
    for (const Eigen::Index i : freedoms)
        fixed[std::size_t(i)] = 1;
    for (Eigen::Index j = 0; j < K.cols(); ++j)
        for (SparseMatrix::InnerIterator it(K, j); it; ++it)
            if (it.row() != j && (fixed[std::size_t(it.row())] || fixed[std::size_t(j)])) it.valueRef() = 0;
}

// Rounding lets the Cholesky factor of a singular K pass. Two inverse iterations find its lowest eigenvalue
// beside its diagonal: 7.5e-12 for a row of 500 cubes fixed at its end, 6e-17 for two cubes hinged at an
// edge.
bool is_singular(const SparseCholesky& factor, const SparseMatrix& K) {
    constexpr double kLeast = 1e-14;
    const Eigen::VectorXd diagonal = diagonal_of(K);
    Eigen::VectorXd x(K.rows());
    for (Eigen::Index i = 0; i < x.size(); ++i)
        x[i] = 1 + double(i * 7919 % 101) / 101;  // in no symmetry of the body
    double value = 0;
    for (int iteration = 0; iteration < 2; ++iteration) {
        const Eigen::VectorXd b = diagonal.cwiseProduct(x / x.norm());
        x = factor.solve(b);
        value = x.dot(b) / x.dot(diagonal.cwiseProduct(x));
    }
    return !(value > kLeast);
}

}  // namespace

RestSolver::RestSolver(const FemModel& model, MassKind mass) : metric_(model, mass) {
    motions_ = metric_.rigid_motions(model);
    inertia_ = metric_.times(motions_);
    SparseMatrix K;
    Eigen::VectorXd force;
    force_and_stiffness(model, Eigen::VectorXd::Zero(3 * model.vertex_count()), force, K);
    if (motions_.cols() > 0) {
        fixed_ = statically_determinate_freedoms(motions_);
        fix(fixed_, K);
    }
    factor_.emplace(K);
    if (!factor_->factorize(K) || is_singular(*factor_, K))
        throw InputError{"the mesh",
                         "a part of it can move without being deformed: it hangs by an edge or by a "
                         "vertex, so its shapes under loads do not exist",
                         "limber mesh info shows such parts; limber mesh repair joins or removes them"};
}

Eigen::MatrixXd RestSolver::solve(const Eigen::MatrixXd& loads) const {
    Eigen::MatrixXd b = loads;
    if (motions_.cols() > 0) b -= inertia_ * (motions_.transpose() * loads);
    // The load is balanced, so the reactions are zero, and which are fixed does not matter.
    for (const Eigen::Index i : fixed_)
        b.row(i).setZero();
    Eigen::MatrixXd x(b.rows(), b.cols());
    tbb::parallel_for(Eigen::Index{0}, (b.cols() + kBlock - 1) / kBlock, [&](Eigen::Index block) {
        const Eigen::Index begin = block * kBlock, count = std::min(kBlock, b.cols() - begin);
        x.middleCols(begin, count) = factor_->solve(b.middleCols(begin, count));
    });
    if (motions_.cols() > 0) x -= motions_ * (inertia_.transpose() * x);
    return x;
}

}  // namespace limber::build
