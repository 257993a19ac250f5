// SPDX-License-Identifier: Apache-2.0
// Bodies treated absurdly: nothing that is not a number comes out, and every such step says so.
// docs/math/newmark.md, section 5.
#include "limber/reduced/stvk_body.h"

#include "tests/limber/reduced/test_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace limber {
namespace {

using namespace test;
using Eigen::VectorXd;

const double kInfinity = std::numeric_limits<double>::infinity();

std::vector<StvkSettings> all_settings() {
    std::vector<StvkSettings> all;
    for (const StvkIntegrator integrator : {StvkIntegrator::Newmark, StvkIntegrator::CentralDifferences,
                                            StvkIntegrator::BackwardEuler, StvkIntegrator::EnergyPreserving})
        for (const int newton : {0, 1, 3})
            for (const StvkPrecision precision : {StvkPrecision::Double, StvkPrecision::Float})
                for (const bool damped : {false, true})
                    all.push_back({.integrator = integrator,
                                   .newton = newton,
                                   .alpha = damped ? 0.1 : 0,
                                   .beta = damped ? 0.01 : 0,
                                   .strain_rate = damped ? 0.01 : 0,
                                   .gravity = {0, -9.81, 0},
                                   .precision = precision});
    return all;
}

// Finite, and within a thousand body lengths; a refused step leaves q and time.
void step_and_check(StvkBody& body, double dt) {
    const StvkState before = body.state();
    const StepReport report = body.step(dt);
    const StvkState& after = body.state();
    EXPECT_TRUE(after.q.allFinite() && after.v.allFinite() && after.a.allFinite());
    EXPECT_TRUE(std::isfinite(body.kinetic_energy()));
    EXPECT_TRUE(std::isfinite(body.elastic_energy()));
    EXPECT_EQ(report.converged, report.problem == StepProblem::None);
    if (report.converged) return;
    EXPECT_EQ(after.q, before.q);
    EXPECT_EQ(after.time, before.time);
    if (report.problem == StepProblem::BlowUp)
        EXPECT_EQ(after.v.norm(), 0);
    else
        EXPECT_EQ(after.v, before.v);
}

// It still works when it is treated well again.
void expect_alive(StvkBody& body) {
    body.clear_forces();
    ASSERT_TRUE(body.set_state({0, VectorXd::Zero(4), VectorXd::Zero(4), VectorXd::Zero(4)}).ok());
    for (int i = 0; i < 5; ++i)
        EXPECT_TRUE(body.step(1e-3).converged);
}

TEST(BodyContained, AForceOfAMillionTimesGravity) {
    const ModelPtr model = random_body_ptr(4, 11);
    for (const StvkSettings& settings : all_settings()) {
        StvkBody body = body_of(model, settings);
        ASSERT_TRUE(body.add_force({.vertex = 3, .force = {3e6, 9.81e6, -1e6}}).ok());
        for (int i = 0; i < 50; ++i)
            step_and_check(body, 1e-2);
        expect_alive(body);
    }
}

TEST(BodyContained, AStepAThousandTimesTooLong) {
    const ModelPtr model = random_body_ptr(4, 12);
    for (const StvkSettings& settings : all_settings()) {
        StvkBody body = body_of(model, settings);
        place(body, random_vector(4, 3), random_vector(4, 4, 10));
        const double dt = 1000 * body.stable_dt();
        for (int i = 0; i < 50; ++i)
            step_and_check(body, dt);
        expect_alive(body);
    }
}

TEST(BodyContained, StatesAsLargeAsAreAllowed) {
    const ModelPtr model = random_body_ptr(4, 13);
    for (const StvkSettings& settings : all_settings())
        for (const double v : {1.0, 1e10, 1e150, 1e300}) {
            StvkBody body = body_of(model, settings);
            // 900 body lengths; |U_i| is at most sqrt(3) at a vertex, the body about 3 long.
            ASSERT_TRUE(body.set_state({0, VectorXd::Constant(4, 900), VectorXd::Constant(4, v),
                                        VectorXd::Constant(4, -v)})
                            .ok());
            for (int i = 0; i < 10; ++i)
                step_and_check(body, 1e-2);
            expect_alive(body);
        }
}

TEST(BodyContained, ABlowUpOfCentralDifferencesIsReportedAndStopped) {
    StvkBody body = body_of(random_body_ptr(4, 14), {.integrator = StvkIntegrator::CentralDifferences});
    place(body, random_vector(4, 3), random_vector(4, 4));
    const double dt = 3 * body.stable_dt();
    bool stopped = false;
    for (int i = 0; i < 200 && !stopped; ++i)
        stopped = body.step(dt).problem == StepProblem::BlowUp;
    EXPECT_TRUE(stopped);
    EXPECT_EQ(body.state().v.norm(), 0);
}

TEST(BodyContained, TimeStepsThatAreNoneAreRefused) {
    StvkBody body = body_of(random_body_ptr(4, 15));
    place(body, random_vector(4, 3), random_vector(4, 4));
    const StvkState before = body.state();
    for (const double dt : {0.0, -1e-3, kNaN, kInfinity, -kInfinity}) {
        const StepReport report = body.step(dt);
        EXPECT_FALSE(report.converged);
        EXPECT_EQ(report.problem, StepProblem::TimeStep);
    }
    for (const double dt : {1e-300, 1e-30, 1e30, 1e300})
        step_and_check(body, dt);
    ASSERT_TRUE(body.set_state(before).ok());
    EXPECT_TRUE(body.step(1e-3).converged);
}

TEST(BodyContained, AnUnmetToleranceLeavesTheMotionAndSaysSo) {
    StvkBody body = body_of(random_body_ptr(4, 16), {.newton = 0, .tolerance = 1e-300});
    place(body, random_vector(4, 3), random_vector(4, 4));
    // Rounding is accepted where the tolerance cannot be met.
    for (int i = 0; i < 20; ++i)
        step_and_check(body, 1e-2);
    EXPECT_GT(body.state().time, 0);
}

TEST(BodyContained, AnIndefiniteMatrixIsShiftedAndSearchedAndCounted) {
    // K = k + 6 b q + 6 c q² is negative about q = -b/(2c) with b² = 0.95 k c: at a long step, 4/dt² + K < 0.
    const double k = 4, c = 9, b = std::sqrt(0.95 * k * c), q = -b / (2 * c), dt = 10;
    const double K = k + 6 * b * q + 6 * c * q * q;
    ASSERT_LT(4 / (dt * dt) + K, 0);
    for (const StvkIntegrator integrator :
         {StvkIntegrator::Newmark, StvkIntegrator::BackwardEuler, StvkIntegrator::EnergyPreserving}) {
        StvkBody body = body_of(oscillator(k, b, c), {.integrator = integrator, .newton = 0});
        place(body, one(q), one(0));
        const StepReport report = body.step(dt);
        EXPECT_TRUE(report.converged);
        EXPECT_GE(report.shifts, 1);
        EXPECT_LE(report.residual, 1e-8);
    }
    // Backward Euler with a very long step finds the bottom of the valley, not the top of the hill.
    StvkBody body = body_of(oscillator(k, b, c), {.integrator = StvkIntegrator::BackwardEuler, .newton = 0});
    place(body, one(q), one(0));
    for (int i = 0; i < 60; ++i)
        EXPECT_TRUE(body.step(100).converged);
    EXPECT_NEAR(body.state().q[0], 0, 1e-6);

    // A body that is not indefinite needs neither.
    StvkBody stiff = body_of(oscillator(4, 0, 9), {.newton = 0});
    place(stiff, one(1), one(0));
    for (int i = 0; i < 100; ++i) {
        const StepReport report = stiff.step(0.01);
        EXPECT_EQ(report.shifts, 0);
        EXPECT_EQ(report.line_searches, 0);
    }
}

}  // namespace
}  // namespace limber
