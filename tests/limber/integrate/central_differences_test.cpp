// SPDX-License-Identifier: Apache-2.0
#include <limber/integrate/central_differences.h>

#include "tests/limber/integrate/cubic_spring.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

namespace limber::testing {
namespace {

double highest_omega(const CubicSpring& spring) {
    const Eigen::Matrix3d K = spring.stiffness(Eigen::Vector3d::Zero());
    return std::sqrt(Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix3d>(K, spring.M).eigenvalues()[2]);
}

// The end of a run of two seconds; empty if a step was refused.
Eigen::VectorXd end(const CubicSpring& spring, int steps, double alpha, double beta, double duration = 2) {
    CubicSpring body = spring;
    Motion motion = moving(body, alpha, beta);
    CentralWork work;
    for (int i = 0; i < steps; ++i)
        if (!central_step(body, motion, kNoForce, duration / steps, alpha, beta, 1e6, work).converged)
            return {};
    return motion.u;
}

TEST(CentralDifferences, AreOfSecondOrderWithoutDampingAndOfFirstWithIt) {
    // The damping force is taken half a step late: an error of first order, small as the damping.
    const CubicSpring spring{.c = 500};
    for (const auto& [alpha, beta, order] : {std::tuple(0.0, 0.0, 2.0), std::tuple(0.5, 0.002, 1.0)}) {
        const Eigen::VectorXd a = end(spring, 2000, alpha, beta), b = end(spring, 4000, alpha, beta),
                              c = end(spring, 8000, alpha, beta);
        EXPECT_NEAR(std::log2((a - b).norm() / (b - c).norm()), order, 0.2);
    }
}

TEST(CentralDifferences, HoldBelowTheLimitAndBreakAboveItDampedOrNot) {
    const CubicSpring spring;
    for (const auto& [alpha, beta] : {std::pair(0.0, 0.0), std::pair(2.0, 0.0), std::pair(0.0, 0.05)}) {
        const double limit = central_stable_dt(highest_omega(spring), alpha, beta);
        EXPECT_GT(end(spring, 5000, alpha, beta, 5000 * 0.999 * limit).size(), 0);
        EXPECT_EQ(end(spring, 5000, alpha, beta, 5000 * 1.01 * limit).size(), 0);
    }
    EXPECT_DOUBLE_EQ(central_stable_dt(10, 0, 0), 0.2);  // 2 / omega
}

TEST(CentralDifferences, ARefusedStepLeavesTheMotionAsItWas) {
    CubicSpring spring{.c = 500};
    Motion motion = moving(spring, 0, 0);
    const Motion before = motion;
    CentralWork work;
    EXPECT_FALSE(central_step(spring, motion, kNoForce, 0.1, 0, 0, /*limit=*/1e-3, work).converged);
    EXPECT_FALSE(
        central_step(spring, motion, Eigen::VectorXd::Constant(3, std::nan("")), 0.1, 0, 0, 1e6, work)
            .converged);
    EXPECT_TRUE(motion.u == before.u && motion.v == before.v && motion.a == before.a);
}

}  // namespace
}  // namespace limber::testing
