// SPDX-License-Identifier: Apache-2.0
#include <limber/haptics/device_input.h>

#include <gtest/gtest.h>

#include <limits>

namespace limber {
namespace {

using Eigen::Vector3d;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(DeviceInput, PassesWhatAHandCanDoAsItIs) {
    DeviceInput state;
    for (int k = 0; k < 1000; ++k) {
        const Vector3d x(0.002 * k, 0, -0.001 * k);  // 2.2 m/s
        EXPECT_EQ(take_reading({5, 0.001}, x, state), x);
    }
    EXPECT_EQ(state.report.jumps + state.report.not_finite, 0);
    EXPECT_EQ(state.report.readings, 1000);
}

TEST(DeviceInput, KeepsTheLastPositionWhereAReadingIsNotFinite) {
    DeviceInput state;
    EXPECT_EQ(take_reading({5, 0.001}, {kNan, 0, 0}, state), Vector3d::Zero());  // nothing is known yet
    EXPECT_EQ(take_reading({5, 0.001}, {1, 2, 3}, state), Vector3d(1, 2, 3));
    for (const Vector3d& bad : {Vector3d(kNan, 0, 0), Vector3d(0, kInfinity, 0), Vector3d(0, 0, -kInfinity),
                                Vector3d(kNan, kNan, kNan)})
        EXPECT_EQ(take_reading({5, 0.001}, bad, state), Vector3d(1, 2, 3));
    EXPECT_EQ(state.report.not_finite, 5);
    EXPECT_EQ(state.report.jumps, 0);
}

TEST(DeviceInput, FollowsAJumpAtTheLargestSpeed) {
    DeviceInput state;
    take_reading({5, 0.001}, {0, 0, 0}, state);
    // 1 m away: 200 readings of 5 mm.
    for (int k = 1; k < 200; ++k)
        EXPECT_NEAR(take_reading({5, 0.001}, {1, 0, 0}, state).x(), 0.005 * k, 1e-12);
    EXPECT_EQ(take_reading({5, 0.001}, {1, 0, 0}, state), Vector3d(1, 0, 0));
    EXPECT_NEAR(double(state.report.jumps), 199, 1);
    EXPECT_EQ(state.report.largest_jump, 1);
}

TEST(DeviceInput, StaysFiniteWhateverIsRead) {
    DeviceInput state;
    take_reading({5, 0.001}, {0, 0, 0}, state);
    for (const Vector3d& far :
         {Vector3d(1e308, 1e308, 1e308), Vector3d(-1e308, 0, 0), Vector3d(1e200, 0, 0)}) {
        const Vector3d before = state.position;
        const Vector3d after = take_reading({5, 0.001}, far, state);
        EXPECT_TRUE(after.allFinite());
        EXPECT_LE((after - before).norm(), 0.005 * (1 + 1e-12));
    }
    EXPECT_EQ(state.report.jumps, 3);
}

TEST(DeviceInput, RefusesLimitsThatMeanNothing) {
    EXPECT_EQ(device_input_problem({0, 0.001})->where, "max_speed");
    EXPECT_EQ(device_input_problem({5, kNan})->where, "period");
    EXPECT_FALSE(device_input_problem({5, 0.001}));
}

}  // namespace
}  // namespace limber
