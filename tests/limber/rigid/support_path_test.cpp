// SPDX-License-Identifier: Apache-2.0
// Paths with known derivatives: what a support that follows them tells is compared with calculus.
#include "limber/rigid/support_path.h"

#include "tests/limber/reduced/allocation_counter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace limber::test {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

const Vector3d kSpinAxis = Vector3d(2, -1, 2) / 3;

// A curve that turns ever faster about a tilted axis.
Pose sampled_pose(double t) {
    return {{std::sin(t), t * t, std::cos(2 * t)},
            Quaterniond(Eigen::AngleAxisd(1.5 * t + 0.7 * t * t, kSpinAxis))};
}

PosePath sampled_path(double rate) {
    PosePath path;
    path.rate = rate;
    for (int i = 0; i <= int(rate); ++i)
        path.poses.push_back(sampled_pose(i / rate));
    return path;
}

TEST(Shake, ItsAccelerationIsTheSecondDerivativeOfItsPath) {
    const Shake shake{.direction = Vector3d(0.6, 0, 0.8), .amplitude = 0.03, .hz = 4, .periods = 3};
    const double h = 1e-5;
    for (const double t : {0.01, 0.1, 0.33, 0.7}) {
        const Vector3d expected = (at(shake, t + h).pose.position - 2 * at(shake, t).pose.position +
                                   at(shake, t - h).pose.position) /
                                  (h * h);
        // Differences: h² ω⁴ a / 12 = 1e-7, and rounding over h².
        EXPECT_LE((at(shake, t).motion.acceleration - expected).norm(), 1e-5 * expected.norm() + 1e-5);
        EXPECT_FALSE(at(shake, t).over);
    }
    // Twice the amplitude after half a period; at rest at both ends.
    EXPECT_LE((at(shake, 0.125).pose.position - 0.06 * shake.direction).norm(), 1e-15);
    EXPECT_EQ(at(shake, 0).pose.position.norm(), 0);
    EXPECT_TRUE(at(shake, 0.75).over);
    EXPECT_EQ(at(shake, 0.75).motion.acceleration.norm(), 0);
    EXPECT_EQ(at(shake, 9).pose.position.norm(), 0);
}

TEST(PosePath, ItsMotionConvergesToTheDerivativesOfTheCurve) {
    const auto error = [](double rate) {
        const PosePath path = sampled_path(rate);
        const double t = 0.4321;
        const SupportMoment found = at(path, t);
        const Pose exact = sampled_pose(t);
        EXPECT_FALSE(found.over);
        EXPECT_EQ(found.motion.orientation.coeffs(), found.pose.orientation.coeffs());
        return (found.pose.position - exact.position).norm() +
               found.pose.orientation.angularDistance(exact.orientation) +
               (found.motion.acceleration - Vector3d(-std::sin(t), 2, -4 * std::cos(2 * t))).norm() +
               (found.motion.angular_velocity - (1.5 + 1.4 * t) * kSpinAxis).norm() +
               (found.motion.angular_acceleration - 1.4 * kSpinAxis).norm();
    };
    EXPECT_LE(error(50), 5e-3);
    // Second order: a hundredth of the error at ten times the rate, but for where t lies between poses.
    EXPECT_LE(error(500), 0.03 * error(50));
}

TEST(PosePath, AtThePosesItIsThere) {
    PosePath path = sampled_path(20);
    path.poses[7].orientation.coeffs() *= -1;  // the same orientation
    for (std::size_t i = 0; i + 1 < path.poses.size(); ++i) {
        const SupportMoment found = at(path, double(i) / 20 + 1e-12);
        EXPECT_LE((found.pose.position - path.poses[i].position).norm(), 1e-9);
        EXPECT_LE(found.pose.orientation.angularDistance(path.poses[i].orientation), 1e-7);
    }
    const SupportMoment end = at(path, 1);
    EXPECT_TRUE(end.over);
    EXPECT_EQ(end.pose.position, path.poses.back().position);
    EXPECT_EQ(end.motion.angular_velocity.norm() + end.motion.acceleration.norm(), 0);
    EXPECT_EQ(at(path, -1).pose.position, path.poses.front().position);
    EXPECT_TRUE(at(PosePath{.rate = 30, .poses = {Pose{}}}, 0).over);  // one pose: it stands still
}

TEST(SupportPath, TellingWhereItIsAllocatesNothing) {
    const SupportPath path = sampled_path(30), shake = Shake{.amplitude = 1};
    const long before = allocations_so_far();
    double sum = 0;
    for (int i = 0; i < 100; ++i)
        sum += at(path, 0.01 * i).pose.position.norm() + at(shake, 0.01 * i).pose.position.norm();
    EXPECT_EQ(allocations_so_far(), before);
    EXPECT_GT(sum, 0);
}

TEST(SupportPath, BadPathsAreNamed) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(path_problem(Shake{.amplitude = 0.1}));
    EXPECT_TRUE(path_problem(Shake{.direction = {1, 1, 0}}));
    EXPECT_TRUE(path_problem(Shake{.amplitude = nan}));
    EXPECT_TRUE(path_problem(Shake{.amplitude = 1e300}));
    EXPECT_TRUE(path_problem(Shake{.hz = 0}));
    EXPECT_TRUE(path_problem(Shake{.hz = 1e200}));
    EXPECT_TRUE(path_problem(Shake{.periods = 0}));
    PosePath path = sampled_path(10);
    EXPECT_FALSE(path_problem(path));
    path.poses[3].orientation.coeffs() *= 2;
    EXPECT_NE(path_problem(path)->problem.find("pose 3"), std::string::npos);
    EXPECT_TRUE(path_problem(PosePath{}));
    path = sampled_path(10);
    path.rate = nan;
    EXPECT_TRUE(path_problem(path));
}

}  // namespace
}  // namespace limber::test
