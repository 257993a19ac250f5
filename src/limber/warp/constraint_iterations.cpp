// SPDX-License-Identifier: Apache-2.0
// The iterations of constraints. Equation numbers: docs/math/warping.md.
#include "limber/warp/constraint_solver.h"

#include <algorithm>
#include <array>
#include <limits>

namespace limber {

using Eigen::VectorXd;

namespace {

// Of the iterations of a step, those that are kept for meeting both tasks after the nearest shape was looked
// for, and for the first task after both.
constexpr int kKeptForBoth = 6, kKeptForFirst = 3;
// Line search: a correction is halved at most so often.
constexpr int kMostHalvings = 6;
// Predictions in a step, each from the result of the one before.
constexpr int kMostPredictions = 4;
// Corrections that leave more of the merit than this, two in a row, end the iteration.
constexpr double kLeastProgress = 0.9;
// Changes of q relative to q: below the first the merit, a sum of squares, no longer tells progress from
// rounding; below the second the iteration ends.
constexpr double kSmallChange = 1e-3, kNoChange = 1e-12;
// Of the first task against the second, squared.
constexpr double kFirstWeight = 1e4;

}  // namespace

// Falls in every correction that is taken; the first task counts for much more.
double ConstraintSolver::merit(std::size_t count, const VectorXd& q) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        set_residual(tasks_[i], q);
        sum += (i == 0 ? kFirstWeight : 1) * tasks_[i].r.squaredNorm();
    }
    return sum;
}

// The smallest correction of q that meets the first `count` tasks. Linear tasks repeat against the residual
// that damping leaves, Newton's also against the curvature. Where targets contradict each other, each
// correction that gains nothing would add rounding, divided by the damping.
int ConstraintSolver::meet(std::size_t count, int most, VectorXd& q) {
    double before = merit(count, q);
    bool was_slow = false;
    int solves = 0;
    while (solves < most && before > 0) {
        if (uses_newton()) factorise(q);
        for (std::size_t i = 0; i < count; ++i)
            set_residual(tasks_[i], q);
        correct(count, dq_);
        ++solves;
        if (!dq_.allFinite()) break;
        trial_ = q + dq_;
        double after = merit(count, trial_);
        for (int i = 0; uses_newton() && i < kMostHalvings && !(after < before); ++i) {
            dq_ *= 0.5;
            trial_ = q + dq_;
            after = merit(count, trial_);
        }
        if (!(after < before)) break;
        const bool slow = after > kLeastProgress * before;
        q.swap(trial_);
        before = after;
        if ((slow && was_slow) || dq_.norm() <= 1e-14 * q.norm()) break;
        was_slow = slow;
    }
    return solves;
}

// Both tasks, then the first again: the damping and the curvature of the second disturb it.
int ConstraintSolver::meet_by_priority(int most, VectorXd& q) {
    int solves = 0;
    if (has_two_tasks()) solves = meet(2, most - kKeptForFirst, q);
    return solves + meet(1, most - solves, q);
}

// Again with the rotations that came out, while that halves the error of the positions.
int ConstraintSolver::meet_predicted(int most, VectorXd& q) {
    const Task& positions = position_task();
    free_ = q;
    int solves = meet_by_priority(most, q);
    double error = largest_error(positions, q);
    for (int pass = 1; pass < kMostPredictions && error > 0 && most - solves > kKeptForFirst; ++pass) {
        best_ = q;
        predict(best_);
        q = free_;
        solves += meet_by_priority(most - solves, q);
        const double now = largest_error(positions, q);
        if (!(now < 0.5 * error)) {
            q.swap(best_);
            break;
        }
        error = now;
    }
    return solves;
}

// The shape nearest to free_, in the metric of the step's energy, among those that meet the tasks: min ½|z|²,
// q = free_ + √η z. Sequential quadratic programming from q, with an exact penalty for the residuals.   (22)
int ConstraintSolver::find_nearest(int most, VectorXd& q) {
    const std::size_t count = has_two_tasks() ? 2 : 1;
    std::array<double, 2> penalty{};
    const auto merit_of = [&](const VectorXd& at) {
        double sum = 0.5 * ((at - free_).array() / root_.array()).square().sum();
        for (std::size_t i = 0; i < count; ++i) {
            set_residual(tasks_[i], at);
            sum += penalty[i] * tasks_[i].r.norm();
        }
        return sum;
    };
    double last = std::numeric_limits<double>::infinity();
    int solves = 0;
    while (solves < most) {
        factorise(q);
        trial_ = free_ - q;
        for (std::size_t i = 0; i < count; ++i) {
            set_residual(tasks_[i], q);
            tasks_[i].r.noalias() -= tasks_[i].J * trial_;
        }
        correct(count, dq_);
        dq_ += trial_;
        ++solves;
        if (!dq_.allFinite()) break;
        for (std::size_t i = 0; i < count; ++i)  // y: the multipliers
            penalty[i] = std::max(penalty[i], 2 * tasks_[i].y.norm());
        // Near the end the length of the changes tells progress from rounding.
        const double length = dq_.norm();
        const bool near = length <= kSmallChange * q.norm();
        if (near && length > kLeastProgress * last) break;
        last = length;
        const double before = near ? 0 : merit_of(q);
        bool falls = near;
        trial_ = q + dq_;
        for (int i = 0; i <= kMostHalvings && !falls; ++i) {
            if (i > 0) dq_ *= 0.5;
            trial_ = q + dq_;
            falls = merit_of(trial_) < before;
        }
        if (!falls) break;
        q.swap(trial_);
        if (length <= kNoChange * q.norm()) break;
    }
    return solves;
}

int ConstraintSolver::solve(const VectorXd& start, const std::vector<Eigen::Vector3d>& rotations, int most,
                            VectorXd& q) {
    std::copy(rotations.begin(), rotations.end(), rotation_targets_.begin());
    predict(start);
    if (uses_own_forces() && uses_newton()) {
        free_ = q;
        q = start;  // which met the targets a step ago
        const int solves = find_nearest(most - kKeptForBoth, q);
        return solves + meet_by_priority(most - solves, q);
    }
    if (method() == PositionMethod::Predicted && !constraints_.positions.empty())
        return meet_predicted(most, q);
    return meet_by_priority(most, q);
}

}  // namespace limber
