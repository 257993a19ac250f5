// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md.
#include "limber/warp/effort.h"

#include "limber/warp/rotation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Forces that do not act where they are needed take a few times the energy.
constexpr double kGenerosity = 10;
// Of J Λ⁻¹ Jᵀ, whose diagonal is 1: contradictory targets ask for no infinite energy.
constexpr double kContradiction = 1e-6;

}  // namespace

SoftestTurn softest_turn(const WarpModel& model) {
    SoftestTurn softest{0, std::numeric_limits<double>::infinity()};
    double least = std::numeric_limits<double>::infinity();
    for (Eigen::Index i = 0; i < model.modes(); ++i) {
        double turn = 0;
        for (Eigen::Index v = 0; v < model.vertices(); ++v)
            turn = std::max(turn, model.surface_rotations.block<3, 1>(3 * v, i).norm());
        const double energy = model.eigenvalues[i] / (turn * turn);
        if (!(energy < least)) continue;
        least = energy;
        softest = {i, 1 / turn};
    }
    for (Eigen::Index v = 0; v < model.vertices() && std::isfinite(softest.amplitude); ++v)
        softest.way = std::max(
            softest.way, softest.amplitude * model.surface_modes.block<3, 1>(3 * v, softest.mode).norm());
    return softest;
}

Effort::Effort(const WarpModel& model, const SoftestTurn& softest, const Constraints& constraints,
               const VectorXd& present)
    : per_eigenvalue_(model.eigenvalues.cwiseInverse()), softest_(softest), before_(present) {
    const Eigen::Index positions = 3 * Eigen::Index(constraints.positions.size());
    J_.resize(positions + 3 * Eigen::Index(constraints.orientations.size()), model.modes());
    for (std::size_t i = 0; i < constraints.positions.size(); ++i)
        J_.middleRows<3>(3 * Eigen::Index(i)) =
            model.surface_modes.middleRows<3>(3 * Eigen::Index(constraints.positions[i].vertex));
    for (std::size_t i = 0; i < constraints.orientations.size(); ++i) {
        const OrientationConstraint& c = constraints.orientations[i];
        const auto rows = model.surface_rotations.middleRows<3>(3 * Eigen::Index(c.vertex));
        J_.middleRows<3>(positions + 3 * Eigen::Index(i)) = rows;
        rotations_.push_back(nearest_rotation(c.orientation, rows * present));
    }
    row_scale_ = (J_.cwiseAbs2() * per_eigenvalue_).cwiseSqrt().cwiseInverse();
    for (double& scale : row_scale_)  // a row that no mode moves
        if (!std::isfinite(scale)) scale = 0;
    J_ = row_scale_.asDiagonal() * J_;
    Eigen::MatrixXd gram = J_ * per_eigenvalue_.asDiagonal() * J_.transpose();
    gram.diagonal().array() += kContradiction;
    compliance_.compute(gram);
    target_.setZero(J_.rows());
    shape_.setZero(model.modes());
}

double Effort::limit(const Constraints& constraints, const VectorXd& eigenvalues, const VectorXd& load,
                     double dt) {
    for (std::size_t i = 0; i < constraints.positions.size(); ++i)
        target_.segment<3>(3 * Eigen::Index(i)) = constraints.positions[i].displacement;
    for (std::size_t i = 0; i < rotations_.size(); ++i) {
        rotations_[i] = nearest_rotation(constraints.orientations[i].orientation, rotations_[i]);
        target_.segment<3>(3 * Eigen::Index(constraints.positions.size() + i)) = rotations_[i];
    }
    target_.array() *= row_scale_.array();
    compliance_.solveInPlace(target_);
    shape_.noalias() = J_.transpose() * target_;
    shape_.array() *= per_eigenvalue_.array();
    const double held = (eigenvalues.array() * shape_.array().square()).sum();
    const double moved = (shape_ - before_).squaredNorm() / (dt * dt);
    const double fastest = std::max(moved, moved_before_);  // to stop takes as much as to start
    const double loaded = (load.array().square() / eigenvalues.array()).sum();
    const double own = eigenvalues[softest_.mode] * softest_.amplitude * softest_.amplitude;
    before_ = shape_;
    moved_before_ = moved;
    return kGenerosity * 0.5 * (own + loaded + held + fastest);  // (21)
}

double oscillator_energy(const VectorXd& eigenvalues, const VectorXd& q, const VectorXd& v) {
    return 0.5 * (v.squaredNorm() + (eigenvalues.array() * q.array().square()).sum());
}

std::optional<double> affordable_speed(const VectorXd& eigenvalues, const VectorXd& q, const VectorXd& v,
                                       double allowed) {
    const double kinetic = 0.5 * v.squaredNorm();
    const double room = allowed - 0.5 * (eigenvalues.array() * q.array().square()).sum();
    if (!(room >= 0)) return std::nullopt;
    return kinetic > room ? std::sqrt(room / kinetic) : 1;
}

double affordable_share(const Push& p, double limit) {
    const auto stiffness = p.eigenvalues.array();
    const double without = 0.5 * (p.v.squaredNorm() + (stiffness * p.q.array().square()).sum());
    const double slope = p.v.dot(p.dv) + (stiffness * p.q.array() * p.dq.array()).sum();
    const double curve = 0.5 * (p.dv.squaredNorm() + (stiffness * p.dq.array().square()).sum());
    const double room = std::max(limit - without, 0.0);
    if (!(curve + slope > room)) return 1;
    // The positive root of curve s² + slope s = room, without cancellation.
    const double root = std::sqrt(slope * slope + 4 * curve * room);
    const double share = slope > 0 ? 2 * room / (slope + root) : (root - slope) / (2 * curve);
    return share >= 0 ? std::min(share, 1.0) : 0;
}

}  // namespace limber
