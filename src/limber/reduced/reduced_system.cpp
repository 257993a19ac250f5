// SPDX-License-Identifier: Apache-2.0
// docs/math/reduced_stvk.md, section 8, and docs/math/newmark.md; equation numbers are the first page's.
#include "limber/reduced/reduced_system.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace limber {

using Eigen::VectorXd;

template <class Scalar>
ReducedSystem<Scalar>::ReducedSystem(std::shared_ptr<const ReducedCoefficients<Scalar>> coefficients,
                                     double strain_rate)
    : coefficients_(std::move(coefficients)),
      strain_rate_(strain_rate),
      rank_(coefficients_->energy.rank),
      eval_(rank_),
      kept_(VectorXd::Constant(rank_, std::numeric_limits<double>::quiet_NaN())),
      kept_force_(Vector::Zero(rank_)),
      x_(Vector::Zero(rank_)),
      y_(Vector::Zero(rank_)),
      end_stiffness_(Matrix::Zero(rank_, rank_)),
      rate_(Matrix::Zero(rank_, rank_)),
      matrix_(Matrix::Zero(rank_, rank_)),
      symmetric_(Matrix::Zero(rank_, rank_)),
      cholesky_(rank_) {
    if (coefficients_->mass.size() > 0) {
        mass_factor_.emplace(rank_);
        [[maybe_unused]] const bool definite = mass_factor_->factorize(coefficients_->mass);
        assert(definite);
    }
    if (damped()) {
        assert(coefficients_->strain_form.size() > 0);
        viscous_.emplace(rank_);
        lu_.emplace(rank_);
    }
}

template <class Scalar>
void ReducedSystem<Scalar>::mass_times(const VectorXd& x, VectorXd& out) const {
    if (mass_factor_)
        out.noalias() = coefficients_->mass * x;
    else
        out = x;
}

template <class Scalar>
void ReducedSystem<Scalar>::mass_solve(const VectorXd& b, VectorXd& out) {
    out = b;
    if (mass_factor_) mass_factor_->solve_in_place(out);
}

template <class Scalar>
void ReducedSystem<Scalar>::force(const VectorXd& q, VectorXd& out) {
    x_ = q.template cast<Scalar>();
    evaluate_force(coefficients_->energy, x_, eval_);
    out = eval_.force.template cast<double>();
}

template <class Scalar>
void ReducedSystem<Scalar>::linearize(const VectorXd& q, VectorXd& out) {
    if (q != kept_) {
        x_ = q.template cast<Scalar>();
        evaluate(coefficients_->energy, x_, eval_);
        kept_ = q;
        kept_force_ = eval_.force;
    }
    out = kept_force_.template cast<double>();
}

template <class Scalar>
void ReducedSystem<Scalar>::linearize_end(const VectorXd& q, VectorXd& out) {
    linearize(q, out);
    end_stiffness_ = eval_.stiffness;
}

template <class Scalar>
void ReducedSystem<Scalar>::stiffness_times(const VectorXd& x, VectorXd& out) {
    x_ = x.template cast<Scalar>();
    y_.noalias() = eval_.stiffness * x_;
    out = y_.template cast<double>();
}

// Every term of R rounds what a coordinate, times its stiffness, amounts to.
template <class Scalar>
double ReducedSystem<Scalar>::force_rounding(const VectorXd& q) const {
    double square = 0;
    for (Eigen::Index i = 0; i < rank_; ++i) {
        const double term = static_cast<double>(eval_.stiffness(i, i)) * q[i];
        square += term * term;
    }
    return 4 * static_cast<double>(std::numeric_limits<Scalar>::epsilon()) * std::sqrt(square);
}

template <class Scalar>
void ReducedSystem<Scalar>::damping_force(const VectorXd& v, VectorXd& out) {
    strain_rate_force(coefficients_->strain_form, rank_, kept_, v, *viscous_);
    out = strain_rate_ * viscous_->force;
}

template <class Scalar>
void ReducedSystem<Scalar>::combine(const TangentWeights& weights, const VectorXd& v) {
    matrix_ = static_cast<Scalar>(weights.stiffness) * eval_.stiffness;
    if (weights.end != 0) matrix_ += static_cast<Scalar>(weights.end) * end_stiffness_;
    if (mass_factor_)
        matrix_ += (weights.mass * coefficients_->mass).template cast<Scalar>();
    else
        matrix_.diagonal().array() += static_cast<Scalar>(weights.mass);
    if (weights.rate != 0) {
        x_ = kept_.template cast<Scalar>();
        y_ = v.template cast<Scalar>();
        stiffness_rate(coefficients_->energy, x_, y_, eval_, rate_);
        matrix_ += static_cast<Scalar>(weights.rate) * rate_;
    }
    if (damped()) {
        strain_rate_tangent(coefficients_->strain_form, rank_, kept_, v, *viscous_);
        matrix_ += ((strain_rate_ * weights.velocity) * viscous_->damping +
                    (strain_rate_ * weights.place) * viscous_->stiffness)
                       .template cast<Scalar>();
    }
}

// cholesky_ of the symmetric matrix, shifted by as much of the unit matrix as it takes.
template <class Scalar>
std::optional<Scalar> ReducedSystem<Scalar>::factorize_shifted(const Matrix& symmetric) {
    if (cholesky_.factorize(symmetric)) return Scalar(0);
    const Scalar scale = symmetric.diagonal().template lpNorm<Eigen::Infinity>();
    if (!(scale > 0) || !std::isfinite(scale)) return std::nullopt;
    Scalar shift = Scalar(1e-3) * scale;
    for (int attempt = 0; attempt < 12; ++attempt, shift *= 4)
        if (cholesky_.factorize(symmetric, shift)) return shift;
    return std::nullopt;
}

template <class Scalar>
LinearReport ReducedSystem<Scalar>::solve(const TangentWeights& weights, const VectorXd& v, const VectorXd& b,
                                          double, VectorXd& out) {
    combine(weights, v);
    LinearReport report{.solved = false, .iterations = 1, .refactored = true};
    if (damped()) symmetric_ = Scalar(0.5) * (matrix_ + matrix_.transpose());
    const std::optional<Scalar> shift = factorize_shifted(damped() ? symmetric_ : matrix_);
    if (!shift) return report;
    report.shifted = *shift > 0;
    x_ = b.template cast<Scalar>();
    if (damped()) {
        matrix_.diagonal().array() += *shift;
        lu_->compute(matrix_);
        y_ = lu_->solve(x_);
        out = y_.template cast<double>();
    } else {
        cholesky_.solve_in_place(x_);
        out = x_.template cast<double>();
    }
    report.solved = all_finite(out);
    return report;
}

template <class Scalar>
void ReducedSystem<Scalar>::tangent(const TangentWeights& weights, const VectorXd& q, const VectorXd& v,
                                    Eigen::MatrixXd& out) {
    if (q != kept_) {
        x_ = q.template cast<Scalar>();
        evaluate(coefficients_->energy, x_, eval_);
        kept_ = q;
        kept_force_ = eval_.force;
    }
    combine(weights, v);
    symmetric_ = Scalar(0.5) * (matrix_ + matrix_.transpose());
    const std::optional<Scalar> shift = factorize_shifted(symmetric_);
    out = symmetric_.template cast<double>();
    if (shift) out.diagonal().array() += static_cast<double>(*shift);
}

template <class Scalar>
double ReducedSystem<Scalar>::energy(const VectorXd& q) {
    x_ = q.template cast<Scalar>();
    evaluate_force(coefficients_->energy, x_, eval_);
    return static_cast<double>(eval_.energy);
}

template <class Scalar>
const typename ReducedSystem<Scalar>::Matrix& ReducedSystem<Scalar>::stiffness(const VectorXd& q) {
    VectorXd force(rank_);
    linearize(q, force);
    return eval_.stiffness;
}

template <class Scalar>
const Eigen::MatrixXd& ReducedSystem<Scalar>::viscosity(const VectorXd& q) {
    strain_rate_damping(coefficients_->strain_form, rank_, q, *viscous_);
    return viscous_->damping;
}

template class ReducedSystem<double>;
template class ReducedSystem<float>;

static_assert(AverageSystem<ReducedSystem<double>> && AverageSystem<ReducedSystem<float>>);
static_assert(HasOwnDamping<ReducedSystem<double>>);

}  // namespace limber
