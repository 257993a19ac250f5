// SPDX-License-Identifier: Apache-2.0
#include "build/fem/dynamics.h"

#include "build/fem/modes.h"
#include "build/fem/statics.h"
#include "tests/build/fem/bars.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <cmath>

namespace limber::build {
namespace {

using namespace limber::build::testing;

const Material kRubber{.young = 1e6, .poisson = 0.3, .density = 1000};

// A small bar and its first mode, scaled to a largest entry of 1 m.
struct Swing {
    FemModel model = cantilever(brick_bar(6, 1, 2, {1, 0.15, 0.2}), kRubber);
    Eigen::VectorXd shape, none = Eigen::VectorXd::Zero(3 * model.vertex_count());
    double omega = 0;

    Swing() {
        const auto modes = solve_modes(model, {.count = 1});
        shape = modes.shapes.col(0) / modes.shapes.col(0).maxCoeff();
        omega = std::sqrt(modes.eigenvalues[0]);
    }
    double period() const { return 2 * M_PI / omega; }
    double energy(const DynamicSolver& solver, const FullState& state) const {
        return solver.kinetic_energy(state) + elastic_energy(model, state.u);
    }
    Eigen::Index far() const {
        Eigen::Index at;
        shape.maxCoeff(&at);
        return at;
    }
};

// Small enough that the motion is linear: 1e-6 m on a bar of 1 m.
constexpr double kSmall = 1e-6;

TEST(Dynamics, RayleighDampingDecaysAtItsRate) {
    // One mode decays as exp(-zeta omega t), zeta = alpha/(2 omega) + beta omega/2. Newmark's own error in
    // the rate is of the order (omega dt)^2/12 = 1e-4 at 200 steps a period.
    const Swing bar;
    const double alpha = 0.05 * bar.omega, beta = 0.05 / bar.omega, zeta = 0.05;
    DynamicSolver solver(bar.model, {.dt = bar.period() / 200, .alpha = alpha, .beta = beta});
    FullState state = solver.start(kSmall * bar.shape, bar.none, bar.none);
    const double before = bar.energy(solver, state);
    for (int i = 0; i < 1000; ++i)
        ASSERT_TRUE(solver.step(state, bar.none).converged);
    // Over whole periods the energy falls by exp(-2 zeta omega t), up to the phase of the damped frequency.
    const double rate = -std::log(bar.energy(solver, state) / before) / (2 * bar.omega * state.time);
    EXPECT_NEAR(rate, zeta, 0.01 * zeta);
}

TEST(Dynamics, NewmarkIsOfSecondOrderAndEulerOfFirst) {
    const Swing bar;
    const auto end = [&](Integrator integrator, int steps) {
        DynamicSolver solver(
            bar.model, {.integrator = integrator, .dt = 0.7 * bar.period() / steps, .tolerance = 1e-11});
        FullState state = solver.start(0.2 * bar.shape, bar.none, bar.none);
        for (int i = 0; i < steps; ++i)
            EXPECT_TRUE(solver.step(state, bar.none).converged);
        return state.u[bar.far()];
    };
    const double exact = (4 * end(Integrator::Newmark, 1280) - end(Integrator::Newmark, 640)) / 3;
    const auto order = [&](Integrator integrator) {
        return std::log2(std::abs(end(integrator, 80) - exact) / std::abs(end(integrator, 160) - exact));
    };
    EXPECT_NEAR(order(Integrator::Newmark), 2, 0.2);
    EXPECT_NEAR(order(Integrator::BackwardEuler), 1, 0.2);
}

TEST(Dynamics, BackwardEulerLosesEnergy) {
    const Swing bar;
    DynamicSolver solver(bar.model, {.integrator = Integrator::BackwardEuler, .dt = bar.period() / 100});
    FullState state = solver.start(0.2 * bar.shape, bar.none, bar.none);
    double last = bar.energy(solver, state);
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(solver.step(state, bar.none).converged);
        const double now = bar.energy(solver, state);
        EXPECT_LE(now, last * (1 + 1e-9));
        last = now;
    }
}

TEST(Dynamics, CentralDifferencesHoldBelowTheirLimitAndBreakAboveIt) {
    const Swing bar;
    const double limit =
        DynamicSolver(bar.model, {.integrator = Integrator::CentralDifferences, .dt = 1e-6}).stable_dt();
    ASSERT_GT(limit, 0);
    const auto growth = [&](double dt) {
        DynamicSolver solver(bar.model, {.integrator = Integrator::CentralDifferences, .dt = dt});
        Eigen::VectorXd kick = bar.none;  // all frequencies at once
        for (Eigen::Index i = 0; i < kick.size(); ++i)
            kick[i] = bar.shape[i] == 0 ? 0 : 1e-9 * std::sin(7.0 * double(i));
        FullState state = solver.start(kick, bar.none, bar.none);
        const double before = bar.energy(solver, state);
        for (int i = 0; i < 2000; ++i)
            if (!solver.step(state, bar.none).converged) return 1e300;
        return bar.energy(solver, state) / before;
    };
    EXPECT_LT(growth(0.99 * limit), 100);  // near the limit the energy beats, but does not grow
    EXPECT_GT(growth(1.02 * limit), 1e6);
    EXPECT_EQ(DynamicSolver(bar.model, {}).stable_dt(), std::numeric_limits<double>::infinity());
}

TEST(Dynamics, NewtonConvergesQuadraticallyWithStiffnessDamping) {
    // Without the derivative of K(u)v in the matrix every iteration would gain one digit or two; with it the
    // digits double: from 1 to 1e-10 in at most six.
    const Swing bar;
    DynamicSolver solver(bar.model, {.dt = bar.period() / 20, .beta = 0.05 / bar.omega, .tolerance = 1e-10});
    FullState state = solver.start(0.3 * bar.shape, 2 * bar.omega * 0.3 * bar.shape, bar.none);
    for (int i = 0; i < 10; ++i) {
        const auto report = solver.step(state, bar.none);
        ASSERT_TRUE(report.converged);
        EXPECT_LE(report.iterations, 6);
    }
}

TEST(Dynamics, TheStartIsInEquilibriumWithItsAcceleration) {
    // At rest under gravity alone every vertex of a free body falls with g.
    const VolumeMesh mesh = tet_bar(3, 2, 2, {1, 0.5, 0.5});
    const FemModel model(mesh, one_material(mesh, kRubber), {});
    DynamicSolver solver(model, {});
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(3 * model.vertex_count());
    const FullState state = solver.start(none, none, gravity_force(model, {1, 2, -9.81}));
    for (Eigen::Index v = 0; v < model.vertex_count(); ++v)
        EXPECT_LE((state.a.segment<3>(3 * v) - Eigen::Vector3d(1, 2, -9.81)).norm(), 1e-8);
}

TEST(Dynamics, AStepThatFailsLeavesTheStateAndNoNaN) {
    const Swing bar;
    DynamicSolver solver(bar.model, {.dt = 10, .max_newton = 3});
    FullState state = solver.start(bar.none, bar.none, bar.none);
    const FullState before = state;
    Eigen::VectorXd huge = bar.none;
    huge[bar.far()] = 1e15;
    const auto report = solver.step(state, huge);
    EXPECT_TRUE(state.u.allFinite() && state.v.allFinite() && state.a.allFinite());
    if (!report.converged) {
        EXPECT_TRUE(state.u == before.u && state.v == before.v && state.time == before.time);
    }
    huge[0] = std::nan("");
    EXPECT_THROW(solver.step(state, huge), InputError);
}

TEST(Dynamics, OptionsOutOfRangeAreRefused) {
    const Swing bar;
    EXPECT_THROW(DynamicSolver(bar.model, {.dt = 0}), InputError);
    EXPECT_THROW(DynamicSolver(bar.model, {.dt = -1e-3}), InputError);
    EXPECT_THROW(DynamicSolver(bar.model, {.dt = std::nan("")}), InputError);
    EXPECT_THROW(DynamicSolver(bar.model, {.alpha = -1}), InputError);
    EXPECT_THROW(DynamicSolver(bar.model, {.beta = -1}), InputError);
}

}  // namespace
}  // namespace limber::build
