// SPDX-License-Identifier: Apache-2.0
// M a + (alpha M + beta K(u)) v + R(u) = f(t) in time.
#pragma once
#include "build/fem/assemble.h"
#include "build/progress.h"

#include <functional>
#include <memory>

namespace limber::build {

enum class Integrator { Newmark, CentralDifferences, BackwardEuler };

struct DynamicOptions {
    Integrator integrator = Integrator::Newmark;
    double dt = 1e-3;             // s
    double alpha = 0, beta = 0;   // Rayleigh damping, 1/s and s
    MassKind mass = MassKind::Consistent;  // central differences always use the lumped mass
    int max_newton = 20;          // 1: one linearised step, as in paper 1
    double tolerance = 1e-8;      // on the residual relative to the forces at work
};

struct FullState {
    double time = 0;         // s
    Eigen::VectorXd u, v, a;  // 3n: m, m/s, m/s^2; zero on fixed vertices
};

struct StepReport {
    int iterations = 0;
    double residual = 0;
    bool converged = true;   // false: the state was left at the start of the step
    int linear_iterations = 0;  // of conjugate gradients, in all
    bool refactored = false;
};

// Keeps the factor and scratch memory between steps.
class DynamicSolver {
public:
    DynamicSolver(const FemModel& model, DynamicOptions options);
    ~DynamicSolver();

    // u, v given: sets a from M a = f - D v - R(u).
    FullState start(const Eigen::VectorXd& u, const Eigen::VectorXd& v, const Eigen::VectorXd& f);
    // One step of dt under the force f at the end of the step (Newmark, Euler) or at its start (central).
    StepReport step(FullState& state, const Eigen::VectorXd& f);

    double kinetic_energy(const FullState& state) const;  // J
    // 2 / omega_max, s: the largest step of central differences, from a power iteration; other integrators: infinity.
    double stable_dt() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace limber::build
