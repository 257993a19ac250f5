// SPDX-License-Identifier: Apache-2.0
#include "build/fem/sparse_system.h"

#include "build/fem/body_size.h"
#include "build/fem/shifted_cholesky.h"

#include <Eigen/IterativeLinearSolvers>
#include <limits>

namespace limber::build {

// An application of the factor costs 15 to 30 products with the matrix, a factorisation 30 applications.
static constexpr int kMaxWithDiagonal = 300, kMaxWithOldFactor = 10;

SparseSystem::SparseSystem(const FemModel& model, MassKind mass)
    : model_(model),
      size_(body_size(model)),
      total_mass_(total_mass(model)),
      mass_(mass_matrix(model, mass)) {
    linearize(Eigen::VectorXd::Zero(model.free_dofs()), full_force_);
    stiffness_diagonal_ = diagonal_of(stiffness_);
    matrix_ = stiffness_;
}

void SparseSystem::mass_times(const Eigen::VectorXd& x, Eigen::VectorXd& out) const {
    out.noalias() = mass_.selfadjointView<Eigen::Lower>() * x;
}

void SparseSystem::mass_solve(const Eigen::VectorXd& b, Eigen::VectorXd& out) const {
    Eigen::ConjugateGradient<SparseMatrix, Eigen::Lower> solver(mass_);
    solver.setTolerance(1e-15);
    out = solver.solve(b);
}

void SparseSystem::force(const Eigen::VectorXd& u, Eigen::VectorXd& out) {
    internal_force(model_, model_.expand_from_free(u), full_force_);
    out = model_.restrict_to_free(full_force_);
}

void SparseSystem::linearize(const Eigen::VectorXd& u, Eigen::VectorXd& out) {
    kept_ = u;
    force_and_stiffness(model_, model_.expand_from_free(u), full_force_, stiffness_);
    out = model_.restrict_to_free(full_force_);
}

void SparseSystem::stiffness_times(const Eigen::VectorXd& x, Eigen::VectorXd& out) const {
    out.noalias() = stiffness_.selfadjointView<Eigen::Lower>() * x;
}

// Every element rounds what its nodes' displacements, times its stiffness, amount to before they cancel.
double SparseSystem::force_rounding(const Eigen::VectorXd& u) const {
    return 4 * std::numeric_limits<double>::epsilon() * stiffness_diagonal_.cwiseProduct(u).norm();
}

// A = mass M + stiffness K(u) + rate dK(u)[v]. K is quadratic in u, so the central difference is exact for
// any step; this one makes the gradient of h v about a tenth, far from rounding.
void SparseSystem::combine(const TangentWeights& weights, const Eigen::VectorXd& v) {
    using Values = Eigen::Map<Eigen::VectorXd>;
    const auto values = [](SparseMatrix& m) { return Values(m.valuePtr(), m.nonZeros()); };
    values(matrix_) = weights.mass * values(mass_) + weights.stiffness * values(stiffness_);
    const double speed = v.lpNorm<Eigen::Infinity>();
    if (weights.rate == 0 || speed == 0) return;
    const double h = 0.1 * size_ / speed;
    force_and_stiffness(model_, model_.expand_from_free(kept_ + h * v), full_force_, ahead_);
    force_and_stiffness(model_, model_.expand_from_free(kept_ - h * v), full_force_, behind_);
    values(matrix_) += (0.5 * weights.rate / h) * (values(ahead_) - values(behind_));
}

// A x = b from x = 0 until |b - A x| <= goal.
struct ConjugateGradients {
    int iterations = 0;
    bool solved = false;
};
template <class Precondition>
static ConjugateGradients conjugate_gradients(const SparseMatrix& A, const Eigen::VectorXd& b, double goal,
                                              int max_iterations, Precondition precondition,
                                              Eigen::VectorXd& out) {
    ConjugateGradients report;
    Eigen::VectorXd r = b, z, direction, product;
    double rz = 0;
    out.setZero(b.size());
    while (!(report.solved = r.norm() <= goal) && report.iterations < max_iterations) {
        z = r;
        precondition(z);
        const double next_rz = r.dot(z);
        if (report.iterations == 0)
            direction = z;
        else
            direction = z + (next_rz / rz) * direction;
        rz = next_rz;
        product.noalias() = A.selfadjointView<Eigen::Lower>() * direction;
        const double curvature = direction.dot(product);
        ++report.iterations;
        if (!(curvature > 0)) break;  // A is not positive definite
        out += (rz / curvature) * direction;
        r -= (rz / curvature) * product;
    }
    return report;
}

LinearReport SparseSystem::solve(const TangentWeights& weights, const Eigen::VectorXd& v,
                                 const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& out) {
    combine(weights, v);
    const double goal = tolerance * b.norm();
    LinearReport report;
    const auto run = [&](int max_iterations, auto precondition) {
        const auto ended = conjugate_gradients(matrix_, b, goal, max_iterations, precondition, out);
        report.iterations += ended.iterations;
        report.solved = ended.solved;
    };

    // Short steps in time: the mass rules, and the diagonal is a good preconditioner. The first long one
    // calls for a factor.
    if (!factor_) {
        const Eigen::VectorXd inverse = diagonal_of(matrix_).cwiseMax(0).cwiseInverse();
        if (inverse.allFinite())
            run(kMaxWithDiagonal, [&](Eigen::VectorXd& z) { z = z.cwiseProduct(inverse); });
    } else {
        run(kMaxWithOldFactor, [&](Eigen::VectorXd& z) { factor_->solve_in_place(z); });
    }
    if (!report.solved) {
        report.refactored = true;
        if (!factor_) factor_.emplace(matrix_);
        const std::optional<double> shift = factorize_shifted(*factor_, matrix_, stiffness_diagonal_);
        if (!shift) return factor_.reset(), report;
        out = b;
        factor_->solve_in_place(out);
        ++report.iterations;
        report.solved = out.allFinite();
        report.shifted = *shift > 0;
        if (report.shifted) return report;
    }
    conserve_momentum(weights, b, out);
    return report;
}

// Nothing but inertia resists the translations T of a free body: A T = mass M T. What the solve left of the
// total force Tᵀ(b - A x) is taken out, so that linear momentum is right to rounding whatever the tolerance.
void SparseSystem::conserve_momentum(const TangentWeights& weights, const Eigen::VectorXd& b,
                                     Eigen::VectorXd& out) const {
    if (!model_.fixed_vertices().empty()) return;
    const Eigen::VectorXd r = b - matrix_.selfadjointView<Eigen::Lower>() * out;
    const Eigen::Vector3d force = r.reshaped(3, r.size() / 3).rowwise().sum();
    out.reshaped(3, r.size() / 3).colwise() += force / (weights.mass * total_mass_);
}

}  // namespace limber::build
