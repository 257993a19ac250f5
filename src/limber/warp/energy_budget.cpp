// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md.
#include "limber/warp/energy_budget.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Energy that constraints may leave, times what the targets need: forces that act far from the targets take a
// few times as much.
constexpr double kEnergyMargin = 10;
// Damping of J Λ⁻¹ Jᵀ, whose diagonal is 1: contradictory targets ask for no infinite energy.
constexpr double kBudgetDamping = 1e-6;

double elastic_energy_of(const VectorXd& eigenvalues, const VectorXd& q) {
    return 0.5 * (eigenvalues.array() * q.array().square()).sum();
}

}  // namespace

SoftestRotation softest_rotation(const WarpModel& model) {
    SoftestRotation softest{0, std::numeric_limits<double>::infinity()};
    double least = std::numeric_limits<double>::infinity();
    for (Eigen::Index i = 0; i < model.modes(); ++i) {
        double angle = 0;
        for (Eigen::Index v = 0; v < model.vertices(); ++v)
            angle = std::max(angle, model.surface_rotations.block<3, 1>(3 * v, i).norm());
        const double energy = model.eigenvalues[i] / (angle * angle);
        if (!(energy < least)) continue;
        least = energy;
        softest = {i, 1 / angle};
    }
    return softest;
}

EnergyBudget::EnergyBudget(const WarpModel& model, const SoftestRotation& softest,
                           const Constraints& constraints)
    : per_eigenvalue_(model.eigenvalues.cwiseInverse()), softest_(softest) {
    const Eigen::Index positions = 3 * Eigen::Index(constraints.positions.size());
    J_.resize(positions + 3 * Eigen::Index(constraints.orientations.size()), model.modes());
    for (std::size_t i = 0; i < constraints.positions.size(); ++i)
        J_.middleRows<3>(3 * Eigen::Index(i)) =
            model.surface_modes.middleRows<3>(3 * Eigen::Index(constraints.positions[i].vertex));
    for (std::size_t i = 0; i < constraints.orientations.size(); ++i)
        J_.middleRows<3>(positions + 3 * Eigen::Index(i)) =
            model.surface_rotations.middleRows<3>(3 * Eigen::Index(constraints.orientations[i].vertex));
    row_scale_ = (J_.cwiseAbs2() * per_eigenvalue_).cwiseSqrt().cwiseInverse();
    for (double& scale : row_scale_)  // a row that no mode moves
        if (!std::isfinite(scale)) scale = 0;
    J_ = row_scale_.asDiagonal() * J_;
    Eigen::MatrixXd gram = J_ * per_eigenvalue_.asDiagonal() * J_.transpose();
    gram.diagonal().array() += kBudgetDamping;
    compliance_.compute(gram);
    target_.setZero(J_.rows());
    shape_.setZero(model.modes());
}

double EnergyBudget::limit(const Constraints& constraints, const std::vector<Vector3d>& rotations,
                           const VectorXd& eigenvalues, const VectorXd& load) {
    Eigen::Index at = 0;
    for (const PositionConstraint& c : constraints.positions) {
        target_.segment<3>(at) = c.displacement;
        at += 3;
    }
    for (const Vector3d& w : rotations) {
        target_.segment<3>(at) = w;
        at += 3;
    }
    target_.array() *= row_scale_.array();
    compliance_.solveInPlace(target_);
    shape_.noalias() = J_.transpose() * target_;
    shape_.array() *= per_eigenvalue_.array();
    const double held = (eigenvalues.array() * shape_.array().square()).sum();
    const double loaded = (load.array().square() / eigenvalues.array()).sum();
    const double softest = eigenvalues[softest_.mode] * softest_.amplitude * softest_.amplitude;
    return kEnergyMargin * 0.5 * (softest + loaded + held);  // (21)
}

double oscillator_energy(const VectorXd& eigenvalues, const VectorXd& q, const VectorXd& v) {
    return 0.5 * v.squaredNorm() + elastic_energy_of(eigenvalues, q);
}

double affordable_fraction(const VectorXd& eigenvalues, const VectorXd& q, const VectorXd& dq,
                           double allowed) {
    const double curve = elastic_energy_of(eigenvalues, dq);
    const double slope = (eigenvalues.array() * q.array() * dq.array()).sum();
    const double room = std::max(allowed - elastic_energy_of(eigenvalues, q), 0.0);
    if (!(curve + slope > room)) return 1;
    // The positive root of curve s² + slope s = room, without cancellation.
    const double root = std::sqrt(slope * slope + 4 * curve * room);
    const double fraction = slope > 0 ? 2 * room / (slope + root) : (root - slope) / (2 * curve);
    return fraction >= 0 ? std::min(fraction, 1.0) : 0;
}

double affordable_speed(const VectorXd& eigenvalues, const VectorXd& q, const VectorXd& v, double allowed) {
    const double kinetic = 0.5 * v.squaredNorm();
    const double room = allowed - elastic_energy_of(eigenvalues, q);
    if (kinetic <= room) return 1;
    return room > 0 ? std::sqrt(room / kinetic) : 0;
}

}  // namespace limber
