// SPDX-License-Identifier: Apache-2.0
#include "build/fem/dynamics.h"

#include "build/fem/modes.h"
#include "build/fem/statics.h"
#include "tests/build/fem/bars.h"
#include "tests/build/fem/dense_system.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <cmath>

namespace limber::build {
namespace {

using namespace limber::build::testing;

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

// From rest, pushed by a force that swells and fades over one period: the motion is large and smooth, so that
// the order shows. (A sudden release excites waves that no step of this length resolves.)
TEST(Dynamics, NewmarkIsOfSecondOrderAndEulerOfFirst) {
    const Swing bar;
    const Eigen::VectorXd push = gravity_force(bar.model, {0, 3, -12});
    const auto end = [&](Integrator integrator, int steps) {
        DynamicSolver solver(bar.model,
                             {.integrator = integrator, .dt = bar.period() / steps, .tolerance = 1e-10});
        FullState state = solver.start(bar.none, bar.none, bar.none);
        for (int i = 1; i <= steps; ++i)
            EXPECT_TRUE(solver.step(state, std::pow(std::sin(M_PI * i / steps), 2) * push).converged);
        return state.u;
    };
    const Eigen::VectorXd exact =
        end(Integrator::Newmark, 1600);               // its own error is 1/64 of that of 200 steps
    EXPECT_GT(exact.lpNorm<Eigen::Infinity>(), 0.1);  // large: a tenth of the length and more
    const auto order = [&](Integrator integrator) {
        return std::log2((end(integrator, 100) - exact).norm() / (end(integrator, 200) - exact).norm());
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

TEST(Dynamics, FullStepsWithStiffnessDampingTakeFewIterations) {
    // With the derivative of K(u)v in the matrix the digits double (tests/limber/integrate shows it): from 1
    // to 1e-10 in at most six iterations.
    const Swing bar;
    DynamicSolver solver(bar.model, {.dt = bar.period() / 50, .beta = 0.05 / bar.omega, .tolerance = 1e-10});
    FullState state = solver.start(0.1 * bar.shape, 0.1 * bar.omega * bar.shape, bar.none);
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

TEST(Dynamics, AFreeBodyFliesStraightWithoutStrain) {
    // No force is at work, so only rounding is left to compare the residual with: the step must still
    // converge.
    const VolumeMesh mesh = tet_bar(3, 2, 2, {1, 0.5, 0.5});
    const FemModel model(mesh, one_material(mesh, kRubber), {});
    for (const Integrator integrator :
         {Integrator::Newmark, Integrator::BackwardEuler, Integrator::CentralDifferences}) {
        DynamicSolver solver(model, {.integrator = integrator, .dt = 1e-3});
        const Eigen::VectorXd none = Eigen::VectorXd::Zero(3 * model.vertex_count());
        Eigen::VectorXd v = none;
        for (Eigen::Index i = 0; i < model.vertex_count(); ++i)
            v.segment<3>(3 * i) = Eigen::Vector3d(100, -20, 3);
        FullState state = solver.start(none, v, none);
        for (int i = 0; i < 100; ++i)
            ASSERT_TRUE(solver.step(state, none).converged) << i;
        EXPECT_NEAR(state.time, 0.1, 1e-12);
        EXPECT_LE((state.u - 0.1 * v).lpNorm<Eigen::Infinity>(),
                  1e-9);  // rounding of 10 m, over the frequencies
        EXPECT_LE((state.v - v).lpNorm<Eigen::Infinity>(), 1e-7);
    }
}

TEST(Dynamics, CentralDifferencesAndNewmarkAgreeForShortSteps) {
    const Swing bar;
    const auto end = [&](Integrator integrator) {
        DynamicSolver solver(bar.model,
                             {.integrator = integrator, .dt = bar.period() / 4000, .mass = MassKind::Lumped});
        FullState state = solver.start(bar.none, bar.none, bar.none);
        const Eigen::VectorXd push = gravity_force(bar.model, {0, 0, -9.81});
        for (int i = 1; i <= 1000; ++i)
            EXPECT_TRUE(solver.step(state, std::pow(std::sin(M_PI * i / 2000), 2) * push).converged);
        return state.u;
    };
    const Eigen::VectorXd newmark = end(Integrator::Newmark), central = end(Integrator::CentralDifferences);
    EXPECT_LE((newmark - central).norm(),
              1e-4 * newmark.norm());  // both are of second order: (omega dt)^2 = 2e-6
}

TEST(Dynamics, AFixedNumberOfIterationsIsAccepted) {
    const Swing bar;
    for (const int n : {1, 2}) {
        DynamicSolver solver(bar.model, {.dt = bar.period() / 100, .max_newton = n, .fixed_newton = true});
        FullState state = solver.start(0.1 * bar.shape, bar.none, bar.none);
        const auto report = solver.step(state, bar.none);
        EXPECT_TRUE(report.converged);
        EXPECT_EQ(report.iterations, n);
        EXPECT_GT(state.time, 0);
    }
}

// Nobody looks at the residual afterwards, so a linear solve that stops early would be wrong motion. The
// reference solves densely and directly; 1e-8 is what 1e-10 of the residual may become in the displacement.
TEST(Dynamics, FixedIterationsAreThoseOfExactLinearSolves) {
    const VolumeMesh mesh = tet_bar(4, 1, 1, {1, 0.2, 0.2});
    const FemModel held = cantilever(mesh, kRubber), flying = free_body(mesh, kRubber);
    for (const FemModel* body : {&held, &flying})
        for (const ImplicitScheme scheme : {ImplicitScheme::Newmark, ImplicitScheme::BackwardEuler})
            for (const int newton : {1, 2})
                for (const double dt : {1e-4, 1e-2}) {  // the diagonal preconditions, and a factor
                    const FemModel& model = *body;
                    const double beta = newton == 1 ? 1e-3 : 0;
                    const Eigen::VectorXd f = gravity_force(model, {0, 3, -9.81}),
                                          none = Eigen::VectorXd::Zero(f.size());
                    DynamicSolver solver(
                        model, {.integrator = scheme == ImplicitScheme::Newmark ? Integrator::Newmark
                                                                                : Integrator::BackwardEuler,
                                .dt = dt,
                                .alpha = 0.1,
                                .beta = beta,
                                .max_newton = newton,
                                .fixed_newton = true});
                    FullState state = solver.start(none, none, none);
                    DenseSystem exact{model};
                    Motion motion{model.restrict_to_free(none), model.restrict_to_free(none),
                                  model.restrict_to_free(none)};
                    ImplicitWork work;
                    for (int i = 0; i < 5; ++i) {
                        const StepReport report = solver.step(state, f);
                        ASSERT_TRUE(report.converged);
                        EXPECT_EQ(report.iterations, newton);
                        ASSERT_TRUE(implicit_step(exact, motion, model.restrict_to_free(f), dt,
                                                  {.scheme = scheme,
                                                   .alpha = 0.1,
                                                   .beta = beta,
                                                   .max_newton = newton,
                                                   .fixed_newton = true},
                                                  work)
                                        .converged);
                        EXPECT_LE((model.restrict_to_free(state.u) - motion.u).norm(), 1e-8 * motion.u.norm())
                            << "step " << i << " of " << dt << " s";
                    }
                }
}

TEST(Dynamics, OptionsOutOfRangeAreRefused) {
    const Swing bar;
    EXPECT_THROW(DynamicSolver(bar.model, {.dt = 0}), InputError);
    EXPECT_THROW(DynamicSolver(bar.model, {.dt = -1e-3}), InputError);
    EXPECT_THROW(DynamicSolver(bar.model, {.dt = std::nan("")}), InputError);
    EXPECT_THROW(DynamicSolver(bar.model, {.alpha = -1}), InputError);
    EXPECT_THROW(DynamicSolver(bar.model, {.beta = -1}), InputError);
    EXPECT_THROW(DynamicSolver(bar.model, {.max_newton = 0}), InputError);
    EXPECT_THROW(DynamicSolver(bar.model, {.tolerance = 0}), InputError);
    DynamicSolver solver(bar.model, {});
    EXPECT_THROW(solver.start(bar.none.head(3), bar.none, bar.none), InputError);
    EXPECT_THROW(solver.start(bar.none, bar.none, bar.none.array() + std::nan("")), InputError);
}

}  // namespace
}  // namespace limber::build
