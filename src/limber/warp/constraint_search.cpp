// SPDX-License-Identifier: Apache-2.0
// The shapes that meet constraints. Equation numbers: docs/math/warping.md.
#include "limber/warp/constraints.h"
#include "limber/warp/tiles.h"

#include <algorithm>
#include <array>
#include <limits>

namespace limber {

using Eigen::VectorXd;

namespace {

constexpr int kMostIterations = 30, kMostHalvings = 6, kMostForetold = 4;
// A correction that leaves more of the merit than this is not worth the forces it takes.
constexpr double kCreep = 0.9;
// Relative changes of q on the way to the nearest shape: where the end is in sight, and where it is reached.
constexpr double kNear = 1e-3, kSettled = 1e-12;

// Of pursue(): iterations, and how many in a row may leave almost all of what is missing.
constexpr int kMostPursuits = 150, kMostSlow = 20;
constexpr double kSlow = 0.999;
// Its damping, relative to the trace of A Aᵀ: at first, the most, and what a good and a bad step make of it.
constexpr double kFirstDamping = 1e-2, kMostDamping = 1e6, kLess = 0.2, kMore = 5;
// What may be missing on the way, relative to the farthest target; Newton's method meets the rest.
constexpr double kClose = 1e-4;
constexpr double kSquaredEnd = 1e-20;  // the same squared, where it has to meet them by itself

}  // namespace

// Falls in every correction that is taken; the first task counts for much more.
double ConstraintSolver::merit(std::size_t count, const VectorXd& q, PositionMethod method) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        set_residual(tasks_[i], q, method);
        sum += (i == 0 ? 1e4 : 1) * tasks_[i].r.squaredNorm();
    }
    return sum;
}

// Linear tasks repeat against what damping leaves, Newton's also against the curvature. Where targets
// contradict each other, each correction that gains nothing would add rounding, divided by the damping.
int ConstraintSolver::iterate(std::size_t count, VectorXd& q) {
    const bool newton = method() == PositionMethod::Newton && !constraints_.positions.empty();
    double before = merit(count, q, method());
    int iterations = 0;
    bool creeps = false, was_slow = false;
    while (iterations < kMostIterations) {
        if (newton) factorise(q);
        for (std::size_t i = 0; i < count; ++i)
            set_residual(tasks_[i], q, method());
        correct(count, dq_);
        ++iterations;
        if (!dq_.allFinite()) break;
        trial_ = q + dq_;
        double after = merit(count, trial_, method());
        for (int i = 0; newton && i < kMostHalvings && !(after < before); ++i) {
            dq_ *= 0.5;
            trial_ = q + dq_;
            after = merit(count, trial_, method());
        }
        if (!(after < before)) break;
        // Slow twice in a row: one bad step may lead out of a bend.
        const bool slow = after > kCreep * before;
        creeps = slow && was_slow;
        was_slow = slow;
        before = after;
        q.swap(trial_);
        if (creeps || dq_.norm() <= 1e-14 * q.norm()) break;
    }
    return iterations;
}

// The shape nearest to free_, in the metric of the step's energy, of those that meet the tasks: min ½|z|², q
// = free_ + √γ z. Sequential quadratic programming from q, with an exact penalty for what is missing. (22)
int ConstraintSolver::settle(std::size_t count, VectorXd& q) {
    std::array<double, 2> penalty{};
    const auto merit = [&](const VectorXd& at) {
        double sum = 0.5 * ((at - free_).array() / root_.array()).square().sum();
        for (std::size_t i = 0; i < count; ++i) {
            set_residual(tasks_[i], at, PositionMethod::Newton);
            sum += penalty[i] * tasks_[i].r.norm();
        }
        return sum;
    };
    int iterations = 0;
    double last = std::numeric_limits<double>::infinity();
    while (iterations < kMostIterations) {
        factorise(q);
        trial_ = free_ - q;
        for (std::size_t i = 0; i < count; ++i) {
            set_residual(tasks_[i], q, PositionMethod::Newton);
            tasks_[i].r.noalias() -= tasks_[i].J * trial_;
        }
        correct(count, dq_);
        dq_ += trial_;
        ++iterations;
        if (!dq_.allFinite()) break;
        for (std::size_t i = 0; i < count; ++i)  // y: the multipliers
            penalty[i] = std::max(penalty[i], 2 * tasks_[i].y.norm());
        // Near the end the merit, a sum of squares, no longer tells; the length of the steps does.
        const double length = dq_.norm();
        const bool near = length <= kNear * q.norm();
        if (near && length > kCreep * last) break;
        last = length;
        const double before = near ? 0 : merit(q);
        bool falls = near;
        trial_ = q + dq_;
        for (int i = 0; i <= kMostHalvings && !falls; ++i) {
            if (i > 0) dq_ *= 0.5;
            trial_ = q + dq_;
            falls = merit(trial_) < before;
        }
        if (!falls) break;
        q.swap(trial_);
        if (length <= kSettled * q.norm()) break;
    }
    return iterations;
}

// What the first task misses of `share` of the way from where it missed y, squared.
double ConstraintSolver::lag(double share, const VectorXd& q) {
    Task& task = tasks_[0];
    set_residual(task, q, PositionMethod::Newton);
    task.r -= (1 - share) * task.y;
    return task.r.squaredNorm();
}

// Damped least squares in the metric of the elastic energy, q = Λ^(-1/2) z; the damping follows the progress
// (Levenberg and Marquardt). (24)
int ConstraintSolver::pursue(double share, double close, VectorXd& q) {
    Task& task = tasks_[0];
    double damping = kFirstDamping, before = lag(share, q);
    int iterations = 0, slow = 0;
    while (iterations < kMostPursuits && before > close && slow < kMostSlow && damping < kMostDamping) {
        write_slopes(task, q, task.J);
        task.A = task.J * softness_.asDiagonal();
        set_product(task.A, task.A.transpose(), task.gram);
        task.gram.diagonal().array() += damping * task.A.squaredNorm() + 1e-300;
        task.llt.compute(task.gram);
        lag(share, q);
        task.llt.solveInPlace(task.r);
        dq_.noalias() = task.A.transpose() * task.r;
        trial_ = q + softness_.cwiseProduct(dq_);
        ++iterations;
        const double after = lag(share, trial_);
        if (after < before) {
            slow = after > kSlow * before ? slow + 1 : 0;
            q.swap(trial_);
            before = after;
            damping *= kLess;
        } else {
            damping *= kMore;
        }
    }
    return iterations;
}

int ConstraintSolver::reach(const VectorXd& start, double shortest, VectorXd& q) {
    aim(start);
    double far = 0;
    for (const PositionConstraint& c : constraints_.positions)
        far = std::max(far, c.displacement.squaredNorm());
    const double close = kClose * kClose * far;
    set_residual(tasks_[0], start, PositionMethod::Newton);
    tasks_[0].y = tasks_[0].r;
    free_ = start;
    int iterations = 0;
    double done = 0, stride = 1;
    while (done < 1 && stride >= shortest) {
        const double next = std::min(done + stride, 1.0);
        q = free_;
        iterations += pursue(next, close, q);
        if (lag(next, q) <= close) {
            free_ = q;
            done = next;
        } else {
            stride /= 2;
        }
    }
    if (done < 1 && shortest < 1) {  // as near as can be
        q = free_;
        iterations += pursue(1, close, q);
    }
    free_ = q;
    iterations += apply_in_turn(q);
    if (is_met(q)) return iterations;
    q = free_;  // the second task led astray, or Newton's steps do: where J is all but singular
    return iterations + pursue(1, kSquaredEnd * far, q);
}

int ConstraintSolver::apply(const VectorXd& present, VectorXd& q) {
    aim(present);
    if (can_choose()) return apply_from(present, q);  // which met the targets a step ago
    if (method() == PositionMethod::Predicted && !constraints_.positions.empty()) return apply_foretold(q);
    return apply_in_turn(q);
}

// Again with the turns that came out, while that brings the positions nearer by half.
int ConstraintSolver::apply_foretold(VectorXd& q) {
    const Task& positions = position_task();
    free_ = q;
    int iterations = apply_in_turn(q);
    double error = largest_error(positions, q);
    for (int pass = 1; pass < kMostForetold && error > 0; ++pass) {
        best_ = q;
        foretell(best_);
        q = free_;
        iterations += apply_in_turn(q);
        const double now = largest_error(positions, q);
        if (!(now < 0.5 * error)) {
            q.swap(best_);
            break;
        }
        error = now;
    }
    return iterations;
}

int ConstraintSolver::apply_in_turn(VectorXd& q) {
    const int both = has_two_tasks() ? iterate(2, q) : 0;
    return both + iterate(1, q);  // what the second task spoilt by damping and curvature
}

int ConstraintSolver::apply_from(const VectorXd& start, VectorXd& q) {
    free_ = q;
    q = start;
    const int settled = settle(has_two_tasks() ? 2 : 1, q);
    return settled + apply_in_turn(q);
}

}  // namespace limber
