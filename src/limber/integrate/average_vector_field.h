// SPDX-License-Identifier: Apache-2.0
// One energy-preserving step in time: the force of the step is the mean of R along the straight line from its
// beginning to its end,
//
//     M (v⁺ - v)/dt = f - ∫₀¹ R(u + s delta) ds - damping,   delta = u⁺ - u = dt (v + v⁺)/2.     (11)
//
// For an R of degree three, Simpson's rule is the integral. Energy then changes only by the work of f and of
// the damping, at any step: Quispel & McLaren 2008. docs/math/newmark.md, section 4; equation numbers are
// that page's.
#pragma once
#include <limber/integrate/implicit_step.h>

namespace limber {

struct AverageOptions {
    double alpha = 0, beta = 0;  // Rayleigh damping in the middle of the step, 1/s and s
    double tolerance = 1e-8;     // on StepReport::residual; the energy is as good as this
    int max_newton = 20;
    // A step in which some coordinate would move farther, in u's unit, has blown up: it is refused.
    double limit = std::numeric_limits<double>::infinity();
};

// Besides what an ImplicitSystem offers: K at a second point, for TangentWeights::end, and M out = b.
template <class S>
concept AverageSystem = ImplicitSystem<S> &&
    requires(S& system, const Eigen::VectorXd& x, Eigen::VectorXd& out) {
    // R(x), and keeps K(x) until the next call; may undo linearize().
    system.linearize_end(x, out);
    system.mass_solve(x, out);
};

struct AverageWork {
    Motion next;
    NewtonWork newton;
    Eigen::VectorXd middle, mean_velocity, force_at_start, force_in_middle, force_at_end, product, rate;
};

namespace average_detail {

template <AverageSystem System>
struct Equation {
    System& system;
    const MotionView& start;
    const Eigen::VectorXd& f;
    double dt;
    const AverageOptions& options;
    AverageWork& work;
    Motion& next;
    double inertia_rounding = -1;

    ResidualSize residual(const Eigen::VectorXd& delta, Tangent tangent, Eigen::VectorXd& out) {
        work.middle = start.u + 0.5 * delta;
        next.u = start.u + delta;
        work.mean_velocity = delta / dt;
        const bool damped = shape_damped(system, options.beta);
        if (tangent == Tangent::Skip) {
            system.force(next.u, work.force_at_end);
            if (!damped) system.force(work.middle, work.force_in_middle);
        } else {
            system.linearize_end(next.u, work.force_at_end);
        }
        if (tangent == Tangent::Keep || damped) system.linearize(work.middle, work.force_in_middle);

        // M (v⁺ - v)/dt with v⁺ = 2 delta/dt - v.
        work.rate = (2 / dt) * (work.mean_velocity - start.v) + options.alpha * work.mean_velocity;
        system.mass_times(work.rate, work.product);
        const double inertia = work.product.norm();
        out = f - work.product -
              (work.force_at_start + 4 * work.force_in_middle + work.force_at_end) / 6;  // Simpson (11)
        ResidualSize size;
        size.scale = std::max({f.norm(), work.force_at_start.norm(), work.force_in_middle.norm(),
                               work.force_at_end.norm(), inertia});
        if (inertia_rounding < 0) inertia_rounding = 4 * std::numeric_limits<double>::epsilon() * inertia;
        if (damped)
            size.scale = std::max(size.scale, subtract_shape_damping(system, work.mean_velocity, options.beta,
                                                                     work.product, out));
        size.norm = out.norm();
        size.rounding = std::max(system.force_rounding(next.u), inertia_rounding);
        return size;
    }

    // d(mean R)/d delta = (2 K(middle) + K(end))/6; the damping acts at the middle with delta/dt. (12)
    LinearReport correction(const Eigen::VectorXd& r, double tolerance, Eigen::VectorXd& out) {
        const TangentWeights weights{.mass = (2 / dt + options.alpha) / dt,
                                     .stiffness = 1.0 / 3 + options.beta / dt,
                                     .rate = options.beta / 2,
                                     .end = 1.0 / 6,
                                     .place = 0.5,
                                     .velocity = 1 / dt};
        return system.solve(weights, work.mean_velocity, r, tolerance, out);
    }
};

}  // namespace average_detail

// The end of a step of dt > 0 from `start`, which stays, under the force f, constant in the step; in `next`
// if the report has converged. start.a is not used; next.a is what the equation says at the end. If Newton's
// method fails from the present place, it is tried once more from where the velocity leads.
template <AverageSystem System>
StepReport average_trial(System& system, const MotionView& start, const Eigen::VectorXd& f, double dt,
                         const AverageOptions& options, AverageWork& work, Motion& next) {
    system.force(start.u, work.force_at_start);
    const auto attempt = [&] {
        average_detail::Equation<System> equation{system, start, f, dt, options, work, next};
        StepReport report = newton(equation, {options.tolerance, options.max_newton}, work.newton);
        if (!report.converged) return report;
        next.u = start.u + work.newton.delta;
        next.v = (2 / dt) * work.newton.delta - start.v;
        acceleration(system, next.u, next.v, f, options.alpha, options.beta, work.force_at_end, work.product,
                     next.a);
        return report;
    };
    return try_twice(start, next, dt, options.limit, work.newton, attempt);
}

// Advances motion; where the step fails it stays as it was.
template <AverageSystem System>
StepReport average_step(System& system, Motion& motion, const Eigen::VectorXd& f, double dt,
                        const AverageOptions& options, AverageWork& work) {
    const StepReport report = average_trial(system, motion, f, dt, options, work, work.next);
    if (report.converged) std::swap(motion, work.next);
    return report;
}

}  // namespace limber
