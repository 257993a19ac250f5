// SPDX-License-Identifier: Apache-2.0
#include <limber/integrate/implicit_step.h>

#include "tests/limber/integrate/cubic_spring.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace limber::testing {
namespace {

// |f - M a - C v - R| over the largest of the four, written out.
double residual_of(const CubicSpring& spring, const Motion& m, double alpha, double beta,
                   const Eigen::VectorXd& f) {
    const Eigen::VectorXd inertia = spring.M * (m.a + alpha * m.v),
                          damping = beta * spring.stiffness(m.u) * m.v,
                          force = (spring.k + spring.c * m.u.squaredNorm()) * m.u;
    return (f - inertia - damping - force).norm() /
           std::max({f.norm(), inertia.norm(), damping.norm(), force.norm()});
}

TEST(ImplicitStep, NewmarkFollowsItsFormulasAndMeetsTheEquation) {
    CubicSpring spring{.c = 500};
    const double alpha = 0.7, beta = 0.01, dt = 0.05;
    const Motion before = moving(spring, alpha, beta);
    Motion after = before;
    ImplicitWork work;
    const Eigen::VectorXd f = Eigen::Vector3d(3, -4, 5);
    const StepReport report = implicit_step(spring, after, f, dt, {.alpha = alpha, .beta = beta}, work);
    ASSERT_TRUE(report.converged);
    // The textbook's form, beta = 1/4 and gamma = 1/2. Rounding only.
    EXPECT_LE((after.u - before.u - dt * before.v - dt * dt / 4 * (before.a + after.a)).norm(), 1e-14);
    EXPECT_LE((after.v - before.v - dt / 2 * (before.a + after.a)).norm(), 1e-13);
    const double residual = residual_of(spring, after, alpha, beta, f);
    EXPECT_LE(residual, 1e-8);                      // the default tolerance
    EXPECT_NEAR(report.residual, residual, 1e-13);  // rounding of the reported number
}

TEST(ImplicitStep, BackwardEulerFollowsItsFormulasAndMeetsTheEquation) {
    CubicSpring spring{.c = 500};
    const double alpha = 0.7, beta = 0.01, dt = 0.05;
    const Motion before = moving(spring, alpha, beta);
    Motion after = before;
    ImplicitWork work;
    ASSERT_TRUE(implicit_step(spring, after, kNoForce, dt,
                              {.scheme = ImplicitScheme::BackwardEuler, .alpha = alpha, .beta = beta}, work)
                    .converged);
    EXPECT_LE((after.u - before.u - dt * after.v).norm(), 1e-14);  // rounding only
    EXPECT_LE((after.v - before.v - dt * after.a).norm(), 1e-13);
    EXPECT_LE(residual_of(spring, after, alpha, beta, kNoForce), 1e-8);
}

TEST(ImplicitStep, NewmarkKeepsTheEnergyOfALinearBody) {
    CubicSpring spring;
    Motion motion = moving(spring, 0, 0);
    const double before = spring.energy(motion);
    ImplicitWork work;
    for (int i = 0; i < 1000; ++i)
        ASSERT_TRUE(implicit_step(spring, motion, kNoForce, 0.1, {.tolerance = 1e-13}, work).converged);
    EXPECT_NEAR(spring.energy(motion), before, 1e-10 * before);  // a thousand residuals of 1e-13
}

// Residuals of the first Newton iterations of a step, from the report of steps with a fixed number of them.
std::vector<double> newton_history(CubicSpring spring, int count) {
    std::vector<double> residuals;
    for (int n = 1; n <= count; ++n) {
        Motion motion = moving(spring, 0.5, 0.05);
        ImplicitWork work;
        const StepReport report =
            implicit_step(spring, motion, kNoForce, 0.1,
                          {.alpha = 0.5, .beta = 0.05, .max_newton = n, .fixed_newton = true}, work);
        EXPECT_TRUE(report.converged);
        EXPECT_EQ(report.iterations, n);
        residuals.push_back(report.residual);  // before the last correction
    }
    return residuals;
}

TEST(ImplicitStep, NewtonDoublesItsDigitsWithStiffnessDamping) {
    const auto exact = newton_history({.c = 500}, 10);
    int seen = 0;
    for (std::size_t i = 0; i + 1 < exact.size(); ++i)
        if (exact[i] < 0.05 && exact[i + 1] > 1e-14) {
            EXPECT_LE(exact[i + 1], 20 * exact[i] * exact[i])
                << i;  // the constant is the problem's, of order one
            ++seen;
        }
    EXPECT_GE(seen, 2);
    EXPECT_LE(exact.back(), 1e-13);  // rounding

    // Without the derivative of K(u) v it only gains a constant factor each time.
    const auto inexact = newton_history({.c = 500, .exact_matrix = false}, 10);
    EXPECT_GT(inexact[9], 1e-3 * inexact[8]);
}

TEST(ImplicitStep, OneLinearisedStepIsAcceptedAsItIs) {
    CubicSpring spring{.c = 500};
    Motion motion = moving(spring, 0, 0);
    ImplicitWork work;
    const StepReport report =
        implicit_step(spring, motion, kNoForce, 0.1, {.max_newton = 1, .fixed_newton = true}, work);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.iterations, 1);
    EXPECT_GT(residual_of(spring, motion, 0, 0, kNoForce), 1e-8);  // not solved, by choice
}

TEST(ImplicitStep, ARefusedStepLeavesTheMotionAsItWas) {
    const auto refused = [](CubicSpring spring, const ImplicitOptions& options, const Eigen::VectorXd& f) {
        Motion motion = moving(spring, 0, 0);
        const Motion before = motion;
        ImplicitWork work;
        const StepReport report = implicit_step(spring, motion, f, 0.1, options, work);
        EXPECT_TRUE(motion.u == before.u && motion.v == before.v && motion.a == before.a);
        return !report.converged;
    };
    EXPECT_TRUE(refused({.c = 500}, {.max_newton = 2}, kNoForce));      // not yet there
    EXPECT_TRUE(refused({.c = 500, .solvable = false}, {}, kNoForce));  // no solution of the linear system
    const Eigen::VectorXd nan = Eigen::VectorXd::Constant(3, std::numeric_limits<double>::quiet_NaN());
    EXPECT_TRUE(refused({.c = 500}, {}, nan));
    EXPECT_TRUE(refused({.c = 500}, {.max_newton = 1, .fixed_newton = true}, nan));
}

TEST(ImplicitStep, RestStaysRest) {
    CubicSpring spring{.c = 500};
    Motion motion{kNoForce, kNoForce, kNoForce};
    ImplicitWork work;
    const StepReport report = implicit_step(spring, motion, kNoForce, 0.1, {}, work);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(report.residual, 0);
    EXPECT_EQ(motion.u.norm(), 0);
}

}  // namespace
}  // namespace limber::testing
