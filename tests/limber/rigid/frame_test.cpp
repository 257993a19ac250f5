// SPDX-License-Identifier: Apache-2.0
#include "limber/rigid/frame.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace limber {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

// A frame that flies a curve while it turns ever faster about a tilted axis.
const Vector3d kFrameAxis = Vector3d(1, 2, -2) / 3;
double angle(double t) {
    return 0.4 + 1.5 * t + 0.7 * t * t;
}
Pose pose(double t) {
    return {{std::sin(t), t * t, std::cos(2 * t)}, Quaterniond(Eigen::AngleAxisd(angle(t), kFrameAxis))};
}
FrameMotion motion(double t) {
    return {.orientation = pose(t).orientation,
            .acceleration = {-std::sin(t), 2, -4 * std::cos(2 * t)},
            .angular_velocity = (1.5 + 1.4 * t) * kFrameAxis,
            .angular_acceleration = 1.4 * kFrameAxis};
}

// A point that rests in the frame must be pushed by its acceleration in the world, seen from the frame.
TEST(SupportFrame, InertiaIsMinusTheAccelerationOfAPointThatRidesAlong) {
    const Vector3d X(0.3, -0.8, 0.5), g(0.1, -9.81, 0.2);
    const double t = 0.6, h = 1e-4;
    const auto world = [&](double at) -> Vector3d { return pose(at).position + pose(at).orientation * X; };
    const Vector3d acceleration = (world(t + h) - 2 * world(t) + world(t - h)) / (h * h);
    const InertialField field = inertial_field(motion(t), g);
    const Vector3d expected = pose(t).orientation.conjugate() * (g - acceleration);
    // Rounding divided by h² and the differences' own h².
    EXPECT_LE((field.uniform + field.linear * X - expected).norm(), 1e-6);
}

TEST(SupportFrame, DifferencesOfPosesConvergeAtSecondOrder) {
    const auto error = [](double h) {
        const FrameMotion found = motion_of({pose(0.5 - h), pose(0.5), pose(0.5 + h)}, h),
                          exact = motion(0.5);
        return (found.acceleration - exact.acceleration).norm() +
               (found.angular_velocity - exact.angular_velocity).norm() +
               (found.angular_acceleration - exact.angular_acceleration).norm();
    };
    EXPECT_LE(error(1e-3), 1e-5);
    EXPECT_NEAR(error(2e-2) / error(1e-2), 4, 0.1);
}

TEST(SupportFrame, TheSignOfAQuaternionDoesNotMatterToItsTurn) {
    const double h = 0.01;
    Pose flipped = pose(0.5);
    flipped.orientation.coeffs() *= -1;
    const FrameMotion a = motion_of({pose(0.5 - h), pose(0.5), pose(0.5 + h)}, h);
    const FrameMotion b = motion_of({pose(0.5 - h), flipped, pose(0.5 + h)}, h);
    EXPECT_LE((a.angular_velocity - b.angular_velocity).norm(), 1e-12);
    EXPECT_LE((a.angular_acceleration - b.angular_acceleration).norm(), 1e-9);
}

TEST(SupportFrame, ATurnTooSmallToNormaliseIsStillSeen) {
    const Quaterniond small(1, 1e-11, 0, 0);
    const FrameMotion found = motion_of({Pose{}, {{0, 0, 0}, small}, {{0, 0, 0}, small}}, 1);
    EXPECT_NEAR(found.angular_velocity.x(), 1e-11, 1e-20);
}

// Not finite, so that set_frame refuses it whatever else it says.
TEST(SupportFrame, PosesThatAreNoneGiveAMotionThatIsRefused) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Pose good = pose(0.5);
    Pose nowhere = good, twisted = good, scaled = good, none = good, far = good;
    nowhere.position.y() = nan;
    twisted.orientation.x() = nan;
    scaled.orientation.coeffs() *= 2;
    none.orientation.coeffs().setZero();
    far.position.x() = 1e308;
    for (const Pose& bad : {nowhere, twisted, scaled, none, far})
        for (std::size_t i = 0; i < 3; ++i) {
            std::array<Pose, 3> poses{good, good, good};
            poses[i] = bad;
            EXPECT_TRUE(frame_problem(motion_of(poses, 0.01)));
        }
    for (const double dt : {0.0, -0.01, nan})
        EXPECT_TRUE(frame_problem(motion_of({good, good, good}, dt)));
    EXPECT_FALSE(frame_problem(motion_of({good, good, good}, 0.01)));
}

// A position that jumps by d between two frames of a support at rest: d/dt², then -d/dt², then nothing.
TEST(SupportFrame, AJumpIsOnePushAndOnePull) {
    const Pose here, there{{3, 0, 0}, Quaterniond::Identity()};
    const double dt = 1.0 / 30;
    EXPECT_NEAR(motion_of({here, here, there}, dt).acceleration.x(), 2700, 1e-9);
    EXPECT_NEAR(motion_of({here, there, there}, dt).acceleration.x(), -2700, 1e-9);
    EXPECT_EQ(motion_of({there, there, there}, dt).acceleration.x(), 0);
}

TEST(SupportFrame, RefusesWhatIsNoFrame) {
    EXPECT_FALSE(frame_problem({}));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(frame_problem({.acceleration = {nan, 0, 0}}));
    EXPECT_TRUE(frame_problem({.angular_velocity = {0, nan, 0}}));
    EXPECT_TRUE(frame_problem({.angular_acceleration = {0, 0, 1 / 0.0}}));
    EXPECT_TRUE(frame_problem({.orientation = Quaterniond(0, 0, 0, 0)}));
    EXPECT_TRUE(frame_problem({.orientation = Quaterniond(2, 0, 0, 0)}));
    EXPECT_TRUE(frame_problem({.orientation = Quaterniond(nan, 0, 0, 0)}));
}

}  // namespace
}  // namespace limber
