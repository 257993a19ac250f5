// SPDX-License-Identifier: Apache-2.0
#include <limber/integrate/average_vector_field.h>

#include "tests/limber/integrate/cubic_spring.h"

#include <gtest/gtest.h>

#include <cmath>

namespace limber::testing {
namespace {

// K at the end of the step as well.
struct AveragedSpring : CubicSpring {
    Eigen::Vector3d end = Eigen::Vector3d::Zero();
    void linearize_end(const Eigen::VectorXd& u, Eigen::VectorXd& out) {
        end = u;
        force(u, out);
    }
    LinearReport solve(const TangentWeights& weights, const Eigen::VectorXd& v, const Eigen::VectorXd& b,
                       double, Eigen::VectorXd& out) const {
        const Eigen::Vector3d w = v;
        const Eigen::Matrix3d A =
            weights.mass * M + weights.stiffness * stiffness(at) + weights.end * stiffness(end) +
            weights.rate * 2 * c *
                (at.dot(w) * Eigen::Matrix3d::Identity() + at * w.transpose() + w * at.transpose());
        out = A.partialPivLu().solve(b);
        return {.solved = true, .iterations = 1, .refactored = true};
    }
};

TEST(AverageVectorField, FollowsItsFormulas) {
    // The mean force by Gauss's rule of four points instead of Simpson's: both are exact.
    AveragedSpring spring{{.c = 500}};
    const double alpha = 0.7, beta = 0.01, dt = 0.05;
    const Motion before = moving(spring, alpha, beta);
    Motion after = before;
    AverageWork work;
    const Eigen::VectorXd f = Eigen::Vector3d(3, -4, 5);
    ASSERT_TRUE(average_step(spring, after, f, dt, {.alpha = alpha, .beta = beta, .tolerance = 1e-13}, work)
                    .converged);
    const Eigen::Vector3d delta = after.u - before.u, middle = before.u + delta / 2;
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    for (const auto& [x, weight] :
         {std::pair(0.339981043584856, 0.652145154862546), std::pair(0.861136311594053, 0.347854845137454)})
        for (const double sign : {-1.0, 1.0}) {
            const Eigen::Vector3d u = before.u + 0.5 * (1 + sign * x) * delta;
            mean += 0.5 * weight * (spring.k + spring.c * u.squaredNorm()) * u;
        }
    const Eigen::Vector3d expected =
        f - mean - alpha * spring.M * delta / dt - beta * spring.stiffness(middle) * delta / dt;
    EXPECT_LE((spring.M * (after.v - before.v) / dt - expected).norm(), 1e-11 * mean.norm());
    EXPECT_LE((delta - dt / 2 * (before.v + after.v)).norm(), 1e-14);
    // a is what the equation says at the end.
    const Eigen::Vector3d a =
        spring.acceleration(after.u, after.v, alpha, beta) + spring.M.inverse() * Eigen::Vector3d(f);
    EXPECT_LE((after.a - a).norm(), 1e-12 * a.norm());
}

TEST(AverageVectorField, KeepsTheEnergyAtAnyStep) {
    for (const double dt : {0.01, 0.1, 1.0, 10.0}) {
        AveragedSpring spring{{.c = 500}};
        Motion motion = moving(spring, 0, 0);
        const double before = spring.energy(motion);
        AverageWork work;
        for (int i = 0; i < 1000; ++i)
            ASSERT_TRUE(average_step(spring, motion, kNoForce, dt, {.tolerance = 1e-13}, work).converged)
                << dt;
        EXPECT_NEAR(spring.energy(motion), before, 1e-10 * before) << dt;  // a thousand residuals of 1e-13
    }
}

TEST(AverageVectorField, ARefusedStepLeavesTheMotionAsItWas) {
    AveragedSpring spring{{.c = 500}};
    Motion motion = moving(spring, 0, 0);
    const Motion before = motion;
    AverageWork work;
    const StepReport far = average_step(spring, motion, kNoForce, 0.1, {.limit = 1e-6}, work);
    EXPECT_FALSE(far.converged);
    EXPECT_EQ(far.problem, StepProblem::BlowUp);
    const StepReport slow = average_step(spring, motion, kNoForce, 0.1, {.max_newton = 1}, work);
    EXPECT_EQ(slow.problem, StepProblem::NotSolved);
    const Eigen::VectorXd nan = Eigen::VectorXd::Constant(3, std::nan(""));
    EXPECT_EQ(average_step(spring, motion, nan, 0.1, {}, work).problem, StepProblem::BlowUp);
    EXPECT_TRUE(motion.u == before.u && motion.v == before.v && motion.a == before.a);
}

}  // namespace
}  // namespace limber::testing
