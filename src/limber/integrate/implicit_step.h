// SPDX-License-Identifier: Apache-2.0
// One implicit step in time of
//
//     M a + (alpha M + beta K(u)) v + R(u) = f,      K = dR/du,                         (1)
//
// by Newmark's method (beta = 1/4, gamma = 1/2) or backward Euler, with Newton's method and its exact matrix.
// The full sparse body and the reduced dense one are both a `System` to it. Derivation: docs/math/newmark.md;
// equation numbers are that page's.
#pragma once
#include <limber/integrate/acceleration.h>
#include <limber/integrate/newton.h>
#include <limber/integrate/step_report.h>

#include <algorithm>
#include <limits>

namespace limber {

enum class ImplicitScheme { Newmark, BackwardEuler };

struct ImplicitOptions {
    ImplicitScheme scheme = ImplicitScheme::Newmark;
    double alpha = 0, beta = 0;  // Rayleigh damping, 1/s and s
    double tolerance = 1e-8;     // on StepReport::residual
    int max_newton = 20;         // corrections until the tolerance is met; not met: the step is refused
    bool fixed_newton = false;   // true: exactly max_newton exact corrections, accepted whatever is left
    // A step in which some coordinate would move farther, in u's unit, has blown up: it is refused.
    double limit = std::numeric_limits<double>::infinity();
};

// The matrix of Newton's method, A = mass M + stiffness K(u) + rate dK(u)[v],           (6)
// and what some systems have besides.
struct TangentWeights {
    double mass = 0, stiffness = 1, rate = 0;
    double end = 0;                  // + end K at the point of linearize_end (average_vector_field.h)
    double place = 1, velocity = 0;  // + place dD/du + velocity dD/dv of the system's own damping D(u, v)
};

// What a body must offer. Vectors have size() entries; out is written, never read.
template <class S>
concept ImplicitSystem = requires(S& system, const Eigen::VectorXd& x, Eigen::VectorXd& out,
                                  TangentWeights weights) {
    // M x.
    system.mass_times(x, out);
    // R(x).
    system.force(x, out);
    // R(x), and keeps x and K(x) for the calls below.
    system.linearize(x, out);
    // K x at the kept point.
    system.stiffness_times(x, out);
    // The rounding error to expect in |R(x)|: no residual can be asked to be smaller.
    double(system.force_rounding(x));
    // Solves A out = b at the kept point, with v = the second argument and b the third, until the residual
    // is below the given fraction of b (direct solvers do better).
    LinearReport(system.solve(weights, x, x, double(), out));
};

// Scratch memory: no step allocates once it has the right size.
struct ImplicitWork {
    Motion at_zero, next;
    NewtonWork newton;
    Eigen::VectorXd force, product, rate;
};

namespace implicit_detail {

// The unknown is delta = u_next - u. Velocity and acceleration are linear in it, (3) and (4):
//     v_next = at_zero.v + rates.v delta,    a_next = at_zero.a + rates.a delta.
struct Rates {
    double v, a;
};

inline Rates prepare(const MotionView& motion, ImplicitScheme scheme, double dt, Motion& at_zero) {
    at_zero.u = motion.u;
    if (scheme == ImplicitScheme::Newmark) {
        at_zero.v = -motion.v;
        at_zero.a = -motion.a - (4 / dt) * motion.v;
        return {2 / dt, 4 / (dt * dt)};
    }
    at_zero.v.setZero(motion.v.size());
    at_zero.a = (-1 / dt) * motion.v;
    return {1 / dt, 1 / (dt * dt)};
}

// r = f - M (a + alpha v) - beta K(u) v - D(u, v) - R(u) at the end of the step.        (5)
template <ImplicitSystem System>
struct Equation {
    System& system;
    const Eigen::VectorXd& f;
    Rates rates;
    const ImplicitOptions& options;
    ImplicitWork& work;
    Motion& next;
    double inertia_rounding = -1;

    void place(const Eigen::VectorXd& delta) {
        next.u = work.at_zero.u + delta;
        next.v = work.at_zero.v + rates.v * delta;
        next.a = work.at_zero.a + rates.a * delta;
    }

    ResidualSize residual(const Eigen::VectorXd& delta, Tangent tangent, Eigen::VectorXd& out) {
        place(delta);
        const bool damped = shape_damped(system, options.beta);
        if (tangent == Tangent::Skip && !damped)
            system.force(next.u, work.force);
        else
            system.linearize(next.u, work.force);
        work.rate = next.a + options.alpha * next.v;
        system.mass_times(work.rate, work.product);
        out = f - work.product - work.force;
        const double inertia = work.product.norm();
        ResidualSize size;
        size.scale = std::max({f.norm(), work.force.norm(), inertia});
        // a_next is a difference of terms as large as at_zero.a: their rounding stays.
        if (inertia_rounding < 0) inertia_rounding = 4 * std::numeric_limits<double>::epsilon() * inertia;
        if (damped)
            size.scale =
                std::max(size.scale, subtract_shape_damping(system, next.v, options.beta, work.product, out));
        size.norm = out.norm();
        size.rounding = std::max(system.force_rounding(next.u), inertia_rounding);
        return size;
    }

    LinearReport correction(const Eigen::VectorXd& r, double tolerance, Eigen::VectorXd& out) {
        const TangentWeights weights{.mass = rates.a + options.alpha * rates.v,
                                     .stiffness = 1 + options.beta * rates.v,
                                     .rate = options.beta,
                                     .velocity = rates.v};  // (6)
        return system.solve(weights, next.v, r, tolerance, out);
    }
};

}  // namespace implicit_detail

// The end of a step of dt > 0 from `start`, which stays, under the force f at the end of the step; in `next`
// if the report has converged. Newton's method starts from the present place: the stiffest waves turn round
// in every step of Newmark's method, and extrapolating them leads far off. If it fails, it is tried once more
// from where the velocity leads.
template <ImplicitSystem System>
StepReport implicit_trial(System& system, const MotionView& start, const Eigen::VectorXd& f, double dt,
                          const ImplicitOptions& options, ImplicitWork& work, Motion& next) {
    const implicit_detail::Rates rates = implicit_detail::prepare(start, options.scheme, dt, work.at_zero);
    const auto attempt = [&] {
        implicit_detail::Equation<System> equation{system, f, rates, options, work, next};
        StepReport report =
            newton(equation, {options.tolerance, options.max_newton, options.fixed_newton}, work.newton);
        if (report.converged) equation.place(work.newton.delta);
        return report;
    };
    return try_twice(start, next, dt, options.limit, work.newton, attempt);
}

// Advances motion; where the step fails it stays as it was.
template <ImplicitSystem System>
StepReport implicit_step(System& system, Motion& motion, const Eigen::VectorXd& f, double dt,
                         const ImplicitOptions& options, ImplicitWork& work) {
    const StepReport report = implicit_trial(system, motion, f, dt, options, work, work.next);
    if (report.converged) std::swap(motion, work.next);
    return report;
}

}  // namespace limber
