// SPDX-License-Identifier: Apache-2.0
// One implicit step in time of
//
//     M a + (alpha M + beta K(u)) v + R(u) = f,      K = dR/du,                         (1)
//
// by Newmark's method (beta = 1/4, gamma = 1/2) or backward Euler, with Newton's method and its exact matrix.
// The full sparse body and the reduced dense one are both a `System` to it. Derivation: docs/math/newmark.md;
// equation numbers are that page's.
#pragma once
#include <limber/integrate/step_report.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

enum class ImplicitScheme { Newmark, BackwardEuler };

struct ImplicitOptions {
    ImplicitScheme scheme = ImplicitScheme::Newmark;
    double alpha = 0, beta = 0;  // Rayleigh damping, 1/s and s
    double tolerance = 1e-8;     // on StepReport::residual
    int max_newton = 20;         // corrections until the tolerance is met; not met: the step is refused
    bool fixed_newton = false;   // true: exactly max_newton corrections, accepted whatever is left
};

// The matrix of Newton's method, A = mass M + stiffness K(u) + rate dK(u)[v].           (6)
struct TangentWeights {
    double mass = 0, stiffness = 1, rate = 0;
};

struct LinearReport {
    bool solved = false;
    int iterations = 0;
    bool refactored = false;
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
    Eigen::VectorXd delta, residual, force, product, correction;
};

namespace implicit_detail {

// The unknown is delta = u_next - u. Velocity and acceleration are linear in it, (3) and (4):
//     v_next = at_zero.v + rates.v delta,    a_next = at_zero.a + rates.a delta.
struct Rates {
    double v, a;
};

inline Rates prepare(const Motion& motion, ImplicitScheme scheme, double dt, Motion& at_zero) {
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

// Newton's method on (5) from work.delta; leaves the result in work.next.
template <ImplicitSystem System>
StepReport newton(System& system, const Eigen::VectorXd& f, const Rates& rate, const ImplicitOptions& options,
                  ImplicitWork& work) {
    const bool strain_damped = options.beta != 0;
    // (6)
    const TangentWeights weights{rate.a + options.alpha * rate.v, 1 + options.beta * rate.v, options.beta};
    Motion& next = work.next;
    StepReport report;
    report.converged = false;
    double previous = 0, least = 0, inertia_rounding = 0;
    int least_at = 0;
    bool near_the_end = false;
    for (;; ++report.iterations) {
        next.u = work.at_zero.u + work.delta;
        next.v = work.at_zero.v + rate.v * work.delta;
        next.a = work.at_zero.a + rate.a * work.delta;
        const bool last = report.iterations == options.max_newton;
        if (last && options.fixed_newton) {
            report.converged = next.u.allFinite() && next.v.allFinite() && next.a.allFinite();
            return report;
        }

        // r = f - M (a + alpha v) - beta K(u) v - R(u). Near the end the force alone should show that it is
        // the end, and K(u) is not made for nothing.
        const bool only_force = near_the_end && !strain_damped;
        only_force ? system.force(next.u, work.force) : system.linearize(next.u, work.force);
        work.correction = next.a + options.alpha * next.v;
        system.mass_times(work.correction, work.product);
        work.residual = f - work.product - work.force;
        double scale = std::max({f.norm(), work.force.norm(), work.product.norm()});
        // a_next is a difference of terms as large as at_zero.a: their rounding stays.
        if (report.iterations == 0)
            inertia_rounding = 4 * std::numeric_limits<double>::epsilon() * work.product.norm();
        if (strain_damped) {
            system.stiffness_times(next.v, work.product);
            work.residual -= options.beta * work.product;
            scale = std::max(scale, options.beta * work.product.norm());
        }
        const double norm = work.residual.norm();
        if (!std::isfinite(norm) || !std::isfinite(scale)) return report;
        report.residual = scale > 0 ? norm / scale : 0;
        const double goal =
            std::max({options.tolerance * scale, system.force_rounding(next.u), inertia_rounding});
        if (!options.fixed_newton && norm <= goal) {
            report.converged = true;
            return report;
        }
        if (last) return report;
        if (norm < 0.5 * least || report.iterations == 0) {
            least = norm;
            least_at = report.iterations;
        } else if (!options.fixed_newton && report.iterations - least_at >= 8) {
            return report;  // it wanders
        }

        // An inexact solve may stop where Newton's own error begins, and need not pass the goal.
        const double forcing = previous > 0 ? std::clamp(0.1 * norm / previous, 1e-10, 0.01) : 0.1;
        const double enough = 0.3 * goal / norm;
        near_the_end = enough >= forcing;
        previous = norm;
        if (only_force) system.linearize(next.u, work.force);
        const LinearReport linear =
            system.solve(weights, next.v, work.residual, std::clamp(enough, forcing, 0.1), work.correction);
        report.linear_iterations += linear.iterations;
        report.refactored |= linear.refactored;
        if (!linear.solved) return report;
        work.delta += work.correction;
    }
}

}  // namespace implicit_detail

// Advances motion by dt > 0 under the force f at the end of the step. Newton's method starts from the present
// place: the stiffest waves turn round in every step of Newmark's method, and extrapolating them leads far
// off. If it fails, it is tried once more from where the velocity leads; if that fails too, motion stays as
// it was.
template <ImplicitSystem System>
StepReport implicit_step(System& system, Motion& motion, const Eigen::VectorXd& f, double dt,
                         const ImplicitOptions& options, ImplicitWork& work) {
    const implicit_detail::Rates rate = implicit_detail::prepare(motion, options.scheme, dt, work.at_zero);
    work.delta.setZero(motion.u.size());
    StepReport report = implicit_detail::newton(system, f, rate, options, work);
    if (!report.converged) {
        const StepReport first = report;
        work.delta = dt * motion.v;
        report = implicit_detail::newton(system, f, rate, options, work);
        report.iterations += first.iterations;
        report.linear_iterations += first.linear_iterations;
        report.refactored |= first.refactored;
    }
    if (report.converged) std::swap(motion, work.next);
    return report;
}

}  // namespace limber
