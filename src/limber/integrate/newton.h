// SPDX-License-Identifier: Apache-2.0
// Newton's method for the equation r(delta) = 0 of one implicit step; contained: a matrix that is not
// positive definite has been shifted by the system, and a correction that overshoots is shortened.
// docs/math/newmark.md, sections 2 and 5; equation numbers are that page's.
#pragma once
#include <limber/integrate/step_report.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace limber {

// 0 times what is not finite is NaN. In vector registers, which allFinite() of Eigen 3.4 does not use.
inline bool all_finite(const Eigen::VectorXd& x) {
    return (0.0 * x.array()).sum() == 0;
}

struct NewtonOptions {
    double tolerance = 1e-8;    // on StepReport::residual
    int max_newton = 20;        // corrections until the tolerance is met; not met: the step is refused
    bool fixed_newton = false;  // true: exactly max_newton corrections, each with an exact linear solve,
                                // accepted whatever is left
};

struct LinearReport {
    bool solved = false;
    int iterations = 0;
    bool refactored = false;
    bool shifted = false;  // A was not positive definite; A + a shift was solved
};

// The size of a residual, of the largest force in it, and of the rounding to expect.
struct ResidualSize {
    double norm = 0, scale = 0, rounding = 0;
    bool finite() const { return std::isfinite(norm) && std::isfinite(scale); }
};

enum class Tangent { Skip, Keep };

template <class E>
concept StepEquation = requires(E& equation, const Eigen::VectorXd& delta, Eigen::VectorXd& out) {
    // r(delta) into out. Keep: keeps what correction() needs.
    ResidualSize(equation.residual(delta, Tangent::Keep, out));
    // Solves A out = r at the kept point until the rest is below the given fraction of r.
    LinearReport(equation.correction(delta, double(), out));
};

struct NewtonWork {
    Eigen::VectorXd delta, residual, correction;
};

// From work.delta, which holds the solution in the end if report.converged.
template <StepEquation Equation>
StepReport newton(Equation& equation, const NewtonOptions& options, NewtonWork& work) {
    constexpr int kMaxHalvings = 12;
    constexpr double kExactSolve =
        1e-10;  // of the residual: left over by a linear solve that counts as exact
    StepReport report;
    report.converged = false;
    ResidualSize size = equation.residual(work.delta, Tangent::Keep, work.residual);
    double previous = 0, least = 0;
    int least_at = 0;
    bool tangent_kept = true;
    for (;;) {
        if (!size.finite()) {
            report.problem = StepProblem::BlowUp;
            return report;
        }
        report.problem = StepProblem::NotSolved;
        report.residual = size.scale > 0 ? size.norm / size.scale : 0;
        const double goal = std::max(options.tolerance * size.scale, size.rounding);
        const bool last = report.iterations == options.max_newton;
        if (options.fixed_newton ? last : size.norm <= goal) {
            report.converged = true;
            report.problem = StepProblem::None;
            return report;
        }
        if (last) return report;
        if (size.norm < 0.5 * least || report.iterations == 0) {
            least = size.norm;
            least_at = report.iterations;
        } else if (!options.fixed_newton && report.iterations - least_at >= 8) {
            return report;  // it wanders
        }

        // An inexact solve may stop where Newton's own error begins, and need not pass the goal. Near the end
        // the force alone should show that it is the end, and K is not made for nothing.
        const double forcing = previous > 0 ? std::clamp(0.1 * size.norm / previous, 1e-10, 0.01) : 0.1;
        const double enough = size.norm > 0 ? 0.3 * goal / size.norm : 1;
        const bool near_the_end = enough >= forcing;
        previous = size.norm;
        if (!tangent_kept) equation.residual(work.delta, Tangent::Keep, work.residual);
        // No residual is looked at after a fixed number of corrections: each is Newton's own.
        const double tolerance = options.fixed_newton ? kExactSolve : std::clamp(enough, forcing, 0.1);
        const LinearReport linear = equation.correction(work.residual, tolerance, work.correction);
        report.linear_iterations += linear.iterations;
        report.refactored |= linear.refactored;
        report.shifts += linear.shifted;
        if (!linear.solved) return report;
        ++report.iterations;
        work.delta += work.correction;
        if (options.fixed_newton && report.iterations == options.max_newton && !linear.shifted) {
            report.converged = true;
            report.problem = StepProblem::None;
            return report;
        }

        // r is minus the slope of what the step minimises. A correction goes downhill; where the slope at its
        // end is half as steep the other way, and r has grown, it went too far. (10)
        double slope = work.residual.dot(work.correction);
        tangent_kept = !near_the_end;
        const Tangent tangent = tangent_kept ? Tangent::Keep : Tangent::Skip;
        size = equation.residual(work.delta, tangent, work.residual);
        const auto too_far = [&] {
            return !size.finite() ||
                   (size.norm > previous && work.residual.dot(work.correction) < -0.5 * slope);
        };
        if (too_far()) ++report.line_searches;
        for (int i = 0; i < kMaxHalvings && too_far(); ++i) {
            work.correction *= 0.5;
            slope *= 0.5;
            work.delta -= work.correction;
            size = equation.residual(work.delta, tangent, work.residual);
        }
    }
}

// One step from the present place, and if that fails, once more from where the velocity leads. attempt() runs
// newton() from work.delta and leaves the result in next. A step in which a coordinate moves farther than
// `limit`, or that is not finite, has blown up.
template <class Attempt>
StepReport try_twice(const MotionView& start, const Motion& next, double dt, double limit, NewtonWork& work,
                     const Attempt& attempt) {
    const auto contained = [&] {
        StepReport report = attempt();
        if (!report.converged) return report;
        report.converged = work.delta.lpNorm<Eigen::Infinity>() <= limit && all_finite(next.u) &&
                           all_finite(next.v) && all_finite(next.a);
        if (!report.converged) report.problem = StepProblem::BlowUp;
        return report;
    };
    work.delta.setZero(start.u.size());
    StepReport report = contained();
    if (!report.converged) {
        const StepReport first = report;
        work.delta = dt * start.v;
        report = contained();
        add_work(first, report);
    }
    return report;
}

}  // namespace limber
