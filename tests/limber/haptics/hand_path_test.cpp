// SPDX-License-Identifier: Apache-2.0
#include <limber/haptics/hand_path.h>

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

using Eigen::Vector3d;

TEST(HandPath, GoesStraightFromKeyToKeyAndStandsAtItsEnds) {
    const HandPath path = {{1, {0, 0, 0}}, {2, {1, 2, 0}}, {4, {1, 0, 4}}};
    EXPECT_EQ(position_at(path, -5), Vector3d(0, 0, 0));
    EXPECT_EQ(position_at(path, 1), Vector3d(0, 0, 0));
    EXPECT_EQ(position_at(path, 1.5), Vector3d(0.5, 1, 0));
    EXPECT_EQ(position_at(path, 2), Vector3d(1, 2, 0));
    EXPECT_EQ(position_at(path, 3), Vector3d(1, 1, 2));
    EXPECT_EQ(position_at(path, 9), Vector3d(1, 0, 4));
    EXPECT_EQ(position_at({{3, {7, 8, 9}}}, 0), Vector3d(7, 8, 9));
}

TEST(HandPath, RefusesKeysThatMeanNothing) {
    EXPECT_EQ(hand_path_problem({})->where, "path");
    EXPECT_EQ(hand_path_problem({{0, {0, 0, 0}}, {0, {1, 0, 0}}})->where, "path[1]");
    EXPECT_EQ(hand_path_problem({{NAN, {0, 0, 0}}})->where, "path[0]");
    EXPECT_EQ(hand_path_problem({{0, {0, INFINITY, 0}}})->where, "path[0]");
    EXPECT_FALSE(hand_path_problem({{0, {0, 0, 0}}, {1, {1, 0, 0}}}));
}

}  // namespace
}  // namespace limber
