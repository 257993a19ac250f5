// SPDX-License-Identifier: Apache-2.0
// One explicit step in time of  M a + (alpha M + beta K(u)) v + R(u) = f  with a mass that is cheap to
// invert: central differences in their velocity form, damping taken at the velocity of half a step before.
// docs/math/newmark.md, equations (8) and (9).
#pragma once
#include <limber/integrate/acceleration.h>
#include <limber/integrate/step_report.h>

#include <cmath>

namespace limber {

struct CentralWork {
    Motion next;
    Eigen::VectorXd force, product;
};

// A System offers force, linearize, stiffness_times, and damping of its own if any, as in implicit_step.h,
// and mass_solve(b, out): M out = b. The end of a step of dt from `start`, which stays, under the force f at
// the end of the step; in `next` if the report has converged. A step in which some coordinate would move
// farther than `limit` (of u's unit) has blown up: it is refused.
template <class System>
StepReport central_trial(System& system, const MotionView& start, const Eigen::VectorXd& f, double dt,
                         double alpha, double beta, double limit, CentralWork& work, Motion& next) {
    next.v = start.v + (0.5 * dt) * start.a;
    next.u = start.u + dt * next.v;
    StepReport report;
    report.problem = StepProblem::BlowUp;
    report.converged = dt * next.v.template lpNorm<Eigen::Infinity>() <= limit;  // false for NaN
    if (!report.converged) return report;

    acceleration(system, next.u, next.v, f, alpha, beta, work.force, work.product, next.a);
    next.v += (0.5 * dt) * next.a;
    report.converged = next.u.allFinite() && next.v.allFinite() && next.a.allFinite();
    if (report.converged) report.problem = StepProblem::None;
    return report;
}

// Advances motion; where the step is refused it stays as it was.
template <class System>
StepReport central_step(System& system, Motion& motion, const Eigen::VectorXd& f, double dt, double alpha,
                        double beta, double limit, CentralWork& work) {
    const StepReport report = central_trial(system, motion, f, dt, alpha, beta, limit, work, work.next);
    if (report.converged) std::swap(motion, work.next);
    return report;
}

// The largest stable step, 2/omega (sqrt(1 + zeta^2) - zeta), for the highest frequency omega in rad/s. (9)
inline double central_stable_dt(double omega, double alpha, double beta) {
    const double zeta = 0.5 * (alpha / omega + beta * omega);
    return 2 / omega / (std::sqrt(1 + zeta * zeta) + zeta);
}

}  // namespace limber
