// SPDX-License-Identifier: Apache-2.0
#include "build/fem/sparse_system.h"

#include "build/fem/body_size.h"
#include "build/fem/shifted_cholesky.h"

#include <Eigen/IterativeLinearSolvers>
#include <limits>

namespace limber::build {

// One application of the factor costs a twentieth to a thirtieth of a factorisation.
static constexpr int kMaxConjugateGradients = 10;

SparseSystem::SparseSystem(const FemModel& model, MassKind mass)
    : model_(model), size_(body_size(model)), mass_(mass_matrix(model, mass)) {
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

bool SparseSystem::renew_factor() {
    if (!factor_) factor_.emplace(matrix_);
    iterations_since_fresh_ = 0;
    return factorize_shifted(*factor_, matrix_, stiffness_diagonal_).has_value();
}

LinearReport SparseSystem::solve(const TangentWeights& weights, const Eigen::VectorXd& v,
                                 const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& out) {
    combine(weights, v);
    LinearReport report;
    const bool had_factor = factor_.has_value();
    if (!had_factor) {
        report.refactored = true;
        if (!renew_factor()) return factor_.reset(), report;
    }
    const double goal = tolerance * b.norm();
    for (;;) {
        // The first step is the factor's own answer, not a multiple of it. Old and new matrix agree on
        // translations of a free body, so that linear momentum is right to rounding whatever the tolerance.
        out = b;
        factor_->solve_in_place(out);
        ++report.iterations;
        Eigen::VectorXd residual = b - matrix_.selfadjointView<Eigen::Lower>() * out;
        Eigen::VectorXd direction, product, z;
        double rz = 0;
        bool positive = true;
        int iterations = 1;
        for (; residual.norm() > goal && iterations < kMaxConjugateGradients; ++iterations) {
            z = residual;
            factor_->solve_in_place(z);
            const double next_rz = residual.dot(z);
            direction = iterations == 1 ? z : (z + (next_rz / rz) * direction).eval();
            rz = next_rz;
            product.noalias() = matrix_.selfadjointView<Eigen::Lower>() * direction;
            const double curvature = direction.dot(product);
            positive = curvature > 0;
            if (!positive) break;
            out += (rz / curvature) * direction;
            residual -= (rz / curvature) * product;
            ++report.iterations;
        }
        report.solved = residual.norm() <= goal;
        if (report.solved) return report;
        if (report.refactored) {
            // The factor is of this very matrix, shifted: its answer is a damped step of Newton's method.
            out = b;
            factor_->solve_in_place(out);
            report.solved = out.allFinite();
            return report;
        }
        report.refactored = true;
        if (!renew_factor()) return factor_.reset(), report;
    }
}

}  // namespace limber::build
