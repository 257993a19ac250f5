// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/validation.md.
#include "build/validate/shape_error.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace limber::build {
namespace {

// A x, A the area of each vertex on its three rows.
template <class Rows>
Eigen::MatrixXd weighted(const Rows& rows, Eigen::Index first_vertex, const Eigen::VectorXd& areas) {
    Eigen::MatrixXd out = rows;
    for (Eigen::Index i = 0; i < out.rows(); ++i)
        out.row(i) *= areas[first_vertex + i / 3];
    return out;
}

}  // namespace

ShapeError::ShapeError(const Eigen::MatrixXd& basis, const Eigen::VectorXd& areas)
    : basis_(basis), areas_(areas), gram_(Eigen::MatrixXd::Zero(basis.cols(), basis.cols())) {
    constexpr Eigen::Index kBlock = 1024;  // vertices: no second copy of a large basis
    for (Eigen::Index v = 0; v < areas.size(); v += kBlock) {
        const auto rows = basis.middleRows(3 * v, 3 * std::min(kBlock, areas.size() - v));
        gram_ += rows.transpose() * weighted(rows, v, areas);
    }
}

void ShapeError::add_full(const Eigen::VectorXd& u) {
    const Eigen::VectorXd Au = weighted(u, 0, areas_);
    moment_.emplace_back(basis_.transpose() * Au);
    square_.push_back(u.dot(Au));
}

void ShapeError::add_reduced(const Eigen::VectorXd& q) {
    q_.push_back(q);
}

std::optional<double> ShapeError::relative(Eigen::Index half_period) const {
    assert(half_period >= 1);
    // Between frames q is linear: q_j + s d_j, 0 <= s <= 1. Before time 0 the body is at rest: q = 0.
    const auto frames = static_cast<Eigen::Index>(q_.size());
    const Eigen::VectorXd rest = Eigen::VectorXd::Zero(gram_.rows());
    const auto q = [&](Eigen::Index j) -> const Eigen::VectorXd& { return q_[static_cast<std::size_t>(j)]; };
    Eigen::VectorXd qq(frames), dq(frames), dd(frames);  // q_jᵀ G q_j, d_jᵀ G q_j, d_jᵀ G d_j
    for (Eigen::Index j = 0; j < frames; ++j) {
        const Eigen::VectorXd Gq = gram_ * q(j), d = j + 1 < frames ? Eigen::VectorXd(q(j + 1) - q(j)) : rest;
        qq[j] = q(j).dot(Gq);
        dq[j] = d.dot(Gq);
        dd[j] = d.dot(gram_ * d);
    }
    const auto full = static_cast<Eigen::Index>(moment_.size());
    const double all = std::accumulate(square_.begin(), square_.end(), 0.0);
    double error = 0;
    for (Eigen::Index begin = 0; begin < full; begin += half_period) {
        const Eigen::Index end = std::min(full, begin + half_period);
        double nearest = std::numeric_limits<double>::infinity();
        for (Eigen::Index shift = -half_period; shift <= half_period && end - 1 + shift < frames; ++shift) {
            // Of the piece, at the shift + s steps: square + 2 s slope + s² bend.
            double square = 0, slope = 0, bend = 0;
            for (Eigen::Index i = begin; i < end; ++i) {
                const Eigen::VectorXd& b = moment_[static_cast<std::size_t>(i)];
                const Eigen::Index j = i + shift;
                square += square_[static_cast<std::size_t>(i)];
                if (j < 0) continue;
                const double qb = q(j).dot(b);
                square += qq[j] - 2 * qb;
                if (j + 1 == frames) continue;
                slope += dq[j] - (q(j + 1).dot(b) - qb);
                bend += dd[j];
            }
            const double s = bend > 0 && end + shift < frames ? std::clamp(-slope / bend, 0.0, 1.0) : 0;
            nearest = std::min(nearest, square + s * (2 * slope + s * bend));
        }
        error += std::max(0.0, nearest);  // rounding
    }
    if (!(all > 0)) return std::nullopt;
    return std::sqrt(error / all);
}

}  // namespace limber::build
