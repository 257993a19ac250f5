// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md.
#include "limber/warp/companions.h"

#include "limber/warp/warping.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace limber {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Mean square of the rotations, rad², about which z stops growing: at half a turn a quadratic has no more to
// say.
constexpr double kHeld = 10;

}  // namespace

Companions::Companions(const WarpModel& model)
    : count_(model.companions()),
      modes_(modes_of_pairs(model.companion_forms.cols())),
      gradient_(MatrixXd::Zero(count_ * modes_, modes_)),
      turn_(MatrixXd::Zero(modes_, modes_)) {
    Eigen::Index pair = 0;
    for (Eigen::Index a = 0; a < modes_; ++a)
        for (Eigen::Index b = a; b < modes_; ++b, ++pair) {
            gradient_.block(a * count_, b, count_, 1) += model.companion_forms.col(pair);
            gradient_.block(b * count_, a, count_, 1) += model.companion_forms.col(pair);
        }
    const WarpRows& rotations = model.nodes() > 0 ? model.node_rotations : model.surface_rotations;
    if (modes_ > 0 && rotations.rows() > 0)
        turn_ = rotations.leftCols(modes_).transpose() * rotations.leftCols(modes_) /
                (static_cast<double>(rotations.rows()) / 3);
    most_.setConstant(count_, kFarthest);
    for (Eigen::Index j = 0; j < count_; ++j)
        if (model.surface_companions.rows() > 0)
            most_[j] /= std::max(1.0, model.surface_companions.col(j).cwiseAbs().maxCoeff());
}

// With the quadratic F = ½ (dF/dq) q: z = sF, dz/dq = s dF/dq + F ds/dq, and with ρ = qᵀTq
// s = (1 + (ρ/ρ₀)²)^(-1/2), ds/dq = -(ρ/ρ₀²) s³ 2Tq.                                                  (27)
void Companions::evaluate(const VectorXd& q, VectorXd& z, MatrixXd& slopes) const {
    assert(z.size() == count_ && slopes.rows() == count_ && slopes.cols() == q.size() && q.size() >= modes_);
    z.setZero();
    slopes.setZero();
    if (count_ == 0) return;
    Eigen::Map<VectorXd>(slopes.data(), count_ * modes_).noalias() = gradient_ * q.head(modes_);
    double rho = 0;
    for (Eigen::Index a = 0; a < modes_; ++a) {
        z += (0.5 * q[a]) * slopes.col(a);
        rho += turn_.col(a).dot(q.head(modes_)) * q[a];
    }
    rho /= kHeld;
    const double s = 1 / std::sqrt(1 + rho * rho);
    for (Eigen::Index a = 0; a < modes_; ++a) {
        const double s_slope = -2 / kHeld * rho * s * s * s * turn_.col(a).dot(q.head(modes_));
        slopes.col(a) = s * slopes.col(a) + s_slope * z;
    }
    z *= s;
    for (Eigen::Index j = 0; j < count_; ++j)
        if (!(std::abs(z[j]) <= most_[j])) z[j] = z[j] < 0 ? -most_[j] : most_[j];
}

CompanionsAt::CompanionsAt(std::shared_ptr<const Companions> companions, Eigen::Index modes)
    : companions_(std::move(companions)),
      q_(VectorXd::Zero(modes)),
      z_(VectorXd::Zero(companions_->count())),
      slopes_(MatrixXd::Zero(companions_->count(), modes)) {}

void CompanionsAt::move_to(const VectorXd& q) {
    if (q == q_) return;
    companions_->evaluate(q, z_, slopes_);
    q_ = q;
}

void CompanionsAt::move_to_rest() {
    q_.setZero();
    z_.setZero();
    slopes_.setZero();
}

}  // namespace limber
