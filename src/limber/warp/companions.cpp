// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md.
#include "limber/warp/companions.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace limber {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Mean square of the turns, rad², about which z stops growing: at half a turn a quadratic has no more to say.
constexpr double kHeld = 10;
// What a companion may move a vertex, m: products of such numbers still fit a float.
constexpr double kFarthest = 1e12;

}  // namespace

Companions::Companions(const WarpModel& model)
    : modes_(modes_of_pairs(model.companion_forms.cols())),
      forms_(model.companion_forms),
      turn_(MatrixXd::Zero(modes_, modes_)) {
    const WarpRows& rotations = model.nodes() > 0 ? model.node_rotations : model.surface_rotations;
    if (modes_ > 0 && rotations.rows() > 0)
        turn_ = rotations.leftCols(modes_).transpose() * rotations.leftCols(modes_) /
                (static_cast<double>(rotations.rows()) / 3);
    most_.setConstant(count(), kFarthest);
    for (Eigen::Index j = 0; j < count(); ++j)
        if (model.surface_companions.rows() > 0)
            most_[j] /= std::max(1.0, model.surface_companions.col(j).cwiseAbs().maxCoeff());
}

// ρ = qᵀTq, s = (1 + (ρ/ρ₀)²)^(-1/2).                                                                (27)
Companions::Hold Companions::hold_at(const VectorXd& q) const {
    double rho = 0;
    for (Eigen::Index a = 0; a < modes_; ++a)
        rho += turn_.col(a).dot(q.head(modes_)) * q[a];
    rho /= kHeld;
    const double factor = 1 / std::sqrt(1 + rho * rho);
    return {factor, -rho * factor * factor * factor / kHeld};
}

void Companions::amplitudes(const VectorXd& q, VectorXd& out) const {
    assert(out.size() == count() && q.size() >= modes_);
    out.setZero();
    if (count() == 0) return;
    Eigen::Index pair = 0;
    for (Eigen::Index a = 0; a < modes_; ++a)
        for (Eigen::Index b = a; b < modes_; ++b, ++pair)
            out += (q[a] * q[b]) * forms_.col(pair);
    out *= hold_at(q).factor;
    for (Eigen::Index j = 0; j < count(); ++j)
        if (!(std::abs(out[j]) <= most_[j])) out[j] = out[j] < 0 ? -most_[j] : most_[j];
}

void Companions::slopes(const VectorXd& q, MatrixXd& out) const {
    assert(out.rows() == count() && out.cols() == q.size());
    out.setZero();
    if (count() == 0) return;
    const Hold hold = hold_at(q);
    Eigen::Index pair = 0;
    for (Eigen::Index a = 0; a < modes_; ++a)
        for (Eigen::Index b = a; b < modes_; ++b, ++pair) {
            out.col(a) += (hold.factor * q[b]) * forms_.col(pair);
            out.col(b) += (hold.factor * q[a]) * forms_.col(pair);
        }
    // F ds/dq, where F, the quadratic itself, is ½ (dF/dq) q.
    for (Eigen::Index j = 0; j < count(); ++j) {
        const double value = 0.5 * out.row(j).head(modes_).dot(q.head(modes_)) / hold.factor;
        for (Eigen::Index a = 0; a < modes_; ++a)
            out(j, a) += 2 * hold.slope * turn_.col(a).dot(q.head(modes_)) * value;
    }
}

}  // namespace limber
