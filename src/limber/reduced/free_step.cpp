// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/free_bodies.md.
#include "limber/reduced/free_step.h"

#include "limber/rigid/cross_matrix.h"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <utility>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr int kMostFreeNewton = 20;

// The left Jacobian of the rotation: δ exp([u]×) = [J δu]× exp([u]×).                                  (12)
Matrix3d left_jacobian(const Vector3d& u) {
    const double angle = u.norm(), square = angle * angle;
    // Below, the terms that the series leaves out are under 1e-16.
    const bool small = angle < 1e-2;
    const double a = small ? 0.5 - square / 24 + square * square / 720 : (1 - std::cos(angle)) / square;
    const double b = small ? 1.0 / 6 - square / 120 + square * square / 5040
                           : (angle - std::sin(angle)) / (square * angle);
    const Matrix3d U = cross_matrix(u);
    return Matrix3d::Identity() + a * U + b * U * U;
}

}  // namespace

FreeEquation::FreeEquation(std::shared_ptr<const FreeInertia> inertia,
                           std::shared_ptr<const ReducedCoefficients<double>> elastic, double density_factor,
                           const FreeDamping& damping)
    : unknowns(VectorXd::Zero(3 + inertia->rank())),
      inertia_(std::move(inertia)),
      elastic_(std::move(elastic)),
      factor_(density_factor),
      damping_(damping),
      start_(rank()),
      end_(rank()),
      eval_(int(rank())),
      lu_(3 + rank()) {
    const Index r = rank();
    for (VectorXd* x :
         {&q_, &w_, &momentum_, &impulse_, &force_at_start_, &q_end_, &q_mean_, &w_mean_, &product_})
        x->setZero(r);
    residual_.setZero(3 + r);
    correction_.setZero(3 + r);
    gyroscopic_.setZero(r, 3);
    gyroscopic_end_.setZero(r, 3);
    columns_.setZero(r, 3);
    for (MatrixXd* A : {&middle_stiffness_, &mean_stiffness_, &rate_})
        A->setZero(r, r);
    tangent_.setZero(3 + r, 3 + r);
    if (damping_.strain_rate != 0) viscous_.emplace(r);
}

std::optional<Vector3d> FreeEquation::spin_of(const FreeState& state) {
    evaluate(*inertia_, factor_, state.q, end_);
    const Eigen::LLT<Matrix3d> factor(end_.inertia);
    if (factor.info() != Eigen::Success) return std::nullopt;
    const Vector3d own = end_.H().transpose() * state.v;
    const Vector3d spin =
        factor.solve(Vector3d(state.orientation.conjugate() * state.angular_momentum - own));
    if (!spin.allFinite()) return std::nullopt;
    return spin;
}

double FreeEquation::kinetic_energy(const FreeState& state) {
    const std::optional<Vector3d> spin = spin_of(state);
    if (!spin) return 0;
    product_.noalias() = factor_ * (inertia_->reduced_mass * state.v);
    const Vector3d own = end_.H().transpose() * state.v;
    return 0.5 * state.momentum.squaredNorm() / mass() + 0.5 * spin->dot(end_.inertia * *spin) +
           spin->dot(own) + 0.5 * state.v.dot(product_);
}

double FreeEquation::elastic_energy(const FreeState& state) {
    evaluate_force(elastic_->energy, state.q, eval_);
    return eval_.energy;
}

bool FreeEquation::begin(const FreeState& from, const Vector3d& angular_momentum_at_end,
                         const VectorXd& reduced_impulse, double h) {
    const std::optional<Vector3d> spin = spin_of(from);
    if (!spin) return false;
    std::swap(start_, end_);
    h_ = h;
    spin_ = *spin;
    turned_momentum_ = from.orientation.conjugate() * angular_momentum_at_end;
    q_ = from.q;
    w_ = from.v;
    impulse_ = reduced_impulse;
    momentum_.noalias() = factor_ * (inertia_->reduced_mass * w_);
    start_energy_ = spin_.dot(start_.inertia * spin_) + w_.dot(momentum_);
    momentum_.noalias() += start_.H() * spin_;  // s
    gyroscopic(*inertia_, factor_, w_, gyroscopic_);
    evaluate_force(elastic_->energy, q_, eval_);
    force_at_start_ = eval_.force;
    start_elastic_ = eval_.energy;
    unknowns.head<3>() = spin_;
    unknowns.tail(rank()) = w_;
    return true;
}

const VectorXd& FreeEquation::residual() {
    const Vector3d spin = unknowns.head<3>();
    const auto w = unknowns.tail(rank());
    w_mean_ = 0.5 * (w_ + w);
    q_end_ = q_ + h_ * w_mean_;
    q_mean_ = 0.5 * (q_ + q_end_);
    const Vector3d mean = 0.5 * (spin_ + spin);

    evaluate(*inertia_, factor_, q_end_, end_);
    product_ = w;
    gyroscopic(*inertia_, factor_, product_, gyroscopic_end_);
    momentum_at_end_ = exp_rotation(-h_ * mean) * turned_momentum_;
    residual_.head<3>() = end_.inertia * spin + end_.H().transpose() * w - momentum_at_end_;  // (10)

    auto own = residual_.tail(rank());  // (11)
    product_.noalias() = factor_ * (inertia_->reduced_mass * w);
    const double end_energy = spin.dot(end_.inertia * spin) + w.dot(product_);
    own = product_ - momentum_ - impulse_;
    own.noalias() += end_.H() * spin;
    const Eigen::Matrix<double, 6, 1> both = (0.5 * h_) * six_entries(spin_, spin);
    own.noalias() -= start_.J() * both;
    own.noalias() -= end_.J() * both;
    own.noalias() -= gyroscopic_end_ * (0.5 * h_ * spin_);
    own.noalias() -= gyroscopic_ * (0.5 * h_ * spin);
    // Simpson's rule is exact for a cubic force.
    evaluate(elastic_->energy, q_mean_, eval_);
    middle_stiffness_ = eval_.stiffness;
    product_ = force_at_start_ + 4 * eval_.force;
    if (damping_.beta != 0) own.noalias() += (h_ * damping_.beta) * (middle_stiffness_ * w_mean_);
    evaluate(elastic_->energy, q_end_, eval_);
    mean_stiffness_ = (2 * middle_stiffness_ + eval_.stiffness) / 3;
    product_ += eval_.force;
    own += (h_ / 6) * product_;
    const double elastic = (h_ / 6) * product_.norm() + impulse_.norm();
    if (damping_.alpha != 0)
        own.noalias() += (h_ * damping_.alpha * factor_) * (inertia_->reduced_mass * w_mean_);
    if (viscous_) {
        strain_rate_tangent(elastic_->strain_form, rank(), q_mean_, w_mean_, *viscous_);
        own += (h_ * damping_.strain_rate) * viscous_->force;
    }

    // Momenta over the square roots of inertias: the unit of all of them is √J.
    const Vector3d scaled = end_.inertia.llt().solve(Vector3d(residual_.head<3>()));
    residual_size_ = std::sqrt(std::max(0.0, scaled.dot(residual_.head<3>())) + own.squaredNorm() / factor_);
    scale_ = std::sqrt(std::max(start_energy_, end_energy)) + elastic / std::sqrt(factor_);
    double rounding = 0;
    for (Index i = 0; i < rank(); ++i) {
        const double term = h_ * eval_.stiffness(i, i) * q_end_[i];
        rounding += term * term;
    }
    rounding_ = 4 * std::numeric_limits<double>::epsilon() * (scale_ + std::sqrt(rounding / factor_));
    return residual_;
}

double FreeEquation::relative_residual() const {
    return scale_ > 0 ? residual_size_ / scale_ : residual_size_;
}

const MatrixXd& FreeEquation::tangent() {
    const Index r = rank();
    const Vector3d spin = unknowns.head<3>(), mean = 0.5 * (spin_ + spin);
    tangent_.topLeftCorner<3, 3>() =
        end_.inertia - 0.5 * h_ * cross_matrix(momentum_at_end_) * left_jacobian(-h_ * mean);  // (12)
    // Columns H_b + ½h (2 J_b(q⁺) Ω⁺ + ∫ρ U_b × Uw⁺)
    columns_ = end_.H() + 0.5 * h_ * gyroscopic_end_;
    columns_.noalias() += end_.J() * (h_ * six_columns(spin));
    tangent_.topRightCorner(3, r) = columns_.transpose();
    // Rows H_a − ½h (2 J_a(q̄) Ω + ∫ρ U_a × Uw), J_a(q̄) the mean of both ends
    const Eigen::Matrix<double, 6, 3> start_columns = (0.5 * h_) * six_columns(spin_);
    columns_ = end_.H() - 0.5 * h_ * gyroscopic_;
    columns_.noalias() -= start_.J() * start_columns;
    columns_.noalias() -= end_.J() * start_columns;
    tangent_.bottomLeftCorner(r, 3) = columns_;
    auto own = tangent_.bottomRightCorner(r, r);
    own = (factor_ * (1 + 0.5 * h_ * damping_.alpha)) * inertia_->reduced_mass +
          (0.25 * h_ * h_) * mean_stiffness_;
    const Eigen::Matrix<double, 6, 1> both = (-0.25 * h_ * h_ * factor_) * six_entries(spin_, spin);
    for (Index k = 0; k < 9; ++k)
        own += (k < 6 ? both[k] : h_ * factor_ * mean[k - 6]) *
               inertia_->planes[std::size_t(k)].bottomRightCorner(r, r);
    if (damping_.beta != 0) {
        stiffness_rate(elastic_->energy, q_mean_, w_mean_, eval_, rate_);
        own += (0.5 * h_ * damping_.beta) * middle_stiffness_ + (0.25 * h_ * h_ * damping_.beta) * rate_;
    }
    if (viscous_)
        own += (0.5 * h_ * damping_.strain_rate) * viscous_->damping +
               (0.25 * h_ * h_ * damping_.strain_rate) * viscous_->stiffness;
    return tangent_;
}

// The scheme keeps energy at every root of its equations, but βK(q̄) is indefinite where a body is bent far:
// a root far off exists by what damping brings in there. A step that it brings more than the body has is
// refused.   (14a)
bool FreeEquation::damping_feeds() {
    if (damping_.beta == 0) return false;
    product_.noalias() = middle_stiffness_ * w_mean_;
    const double fed = -h_ * damping_.beta * w_mean_.dot(product_);
    return fed > 0.5 * start_energy_ + start_elastic_ + 0.5 * impulse_.squaredNorm() / factor_;
}

StepReport FreeEquation::step(const FreeState& from, const FreeImpulse& impulse, double h, double tolerance,
                              FreeState& to) {
    StepReport report;
    report.converged = false;
    report.problem = StepProblem::NotSolved;
    to.momentum = from.momentum + impulse.force;
    to.position = from.position + h / (2 * mass()) * (from.momentum + to.momentum);
    to.angular_momentum = from.angular_momentum + impulse.torque;
    if (!begin(from, to.angular_momentum, impulse.reduced, h)) return report;
    for (;; ++report.iterations) {
        residual();
        report.residual = relative_residual();
        if (!std::isfinite(report.residual)) return report;
        report.converged = residual_size_ <= tolerance * scale_ + rounding_;
        if (report.converged || report.iterations == kMostFreeNewton) break;
        lu_.compute(tangent());
        correction_ = lu_.solve(residual_);
        unknowns -= correction_;
    }
    if (report.converged && damping_feeds()) report.converged = false;
    if (!report.converged) return report;
    report.problem = StepProblem::None;
    to.q = q_end_;
    to.v = unknowns.tail(rank());
    to.orientation = (from.orientation * exp_rotation(0.5 * h * (spin_ + unknowns.head<3>()))).normalized();
    return report;
}

}  // namespace limber
