// SPDX-License-Identifier: Apache-2.0
// M a + (alpha M + beta K(u)) v + R(u) = f(t) in time: the steps of limber/integrate on the full sparse
// system. docs/math/newmark.md.
#pragma once
#include "build/fem/assemble.h"

#include <limber/integrate/step_report.h>
#include <memory>

namespace limber::build {

enum class Integrator { Newmark, CentralDifferences, BackwardEuler };

struct DynamicOptions {
    Integrator integrator = Integrator::Newmark;
    double dt = 1e-3;                      // s
    double alpha = 0, beta = 0;            // Rayleigh damping, 1/s and s
    MassKind mass = MassKind::Consistent;  // central differences always use the lumped mass
    int max_newton = 20;  // Newton iterations until the tolerance is met; not met: the step is refused
    // true: exactly max_newton iterations, each with a linear solve to 1e-10, accepted whatever residual is
    // left; max_newton = 1 implies it: one linearised step, as in paper 1.
    bool fixed_newton = false;
    double tolerance = 1e-8;  // on StepReport::residual: relative to the largest force at work
};

struct FullState {
    double time = 0;          // s
    Eigen::VectorXd u, v, a;  // 3n: m, m/s, m/s^2; zero on fixed vertices
};

// Keeps the factor and scratch memory between steps.
class DynamicSolver {
 public:
    // The model must outlive the solver. Throws InputError for options out of range.
    DynamicSolver(const FemModel& model, DynamicOptions options);
    ~DynamicSolver();

    // 3n each. Sets a from M a = f - D v - R(u), with f at the start.
    FullState start(const Eigen::VectorXd& u, const Eigen::VectorXd& v, const Eigen::VectorXd& f);
    // One step of dt under the force f (3n, N) at the end of the step, for all integrators. If the report
    // says `converged = false`, the state is as it was. Throws InputError for a force that is not finite.
    StepReport step(FullState& state, const Eigen::VectorXd& f);

    double kinetic_energy(const FullState& state) const;  // J
    // s: the largest step of central differences about rest, 2 / omega_max without damping; a body that is
    // stretched needs less. Other integrators: infinity.
    double stable_dt() const;

 private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace limber::build
