// SPDX-License-Identifier: Apache-2.0
// The two approaches against their closed form: after n steps of fraction f the error is (1 - f)ⁿ (1 + n f).
#include "limber/warp/constraint_motion.h"

#include "limber/warp/rotation.h"
#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/warp/random_warp_model.h"

#include <gtest/gtest.h>

#include <cmath>

namespace limber::test {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

VertexPlacement at_rest(int) {
    return {};
}

Constraints position_target(int vertex, const Vector3d& displacement) {
    Constraints out;
    out.positions = {{vertex, displacement}};
    return out;
}

TEST(ConstraintMotion, PositionsFollowTheClosedForm) {
    const Vector3d target(0.3, -0.2, 0.5);
    ConstraintMotion motion;
    set_target(motion, position_target(7, target), at_rest);
    const double f = 0.1;
    for (int n = 1; n <= 60; ++n) {
        advance(motion, f);
        const double left = std::pow(1 - f, n) * (1 + n * f);
        EXPECT_LE((motion.present.positions[0].displacement - (1 - left) * target).norm(), 1e-14);
    }
    EXPECT_FALSE(arrived(motion));
    int steps = 60;
    for (; steps < 1000 && !arrived(motion); ++steps)
        advance(motion, f);
    EXPECT_LE(steps, 220);  // 0.9ⁿ (1 + n/10) is 1e-7 near n = 180
    EXPECT_EQ(motion.present.positions[0].displacement, target);
    EXPECT_EQ(motion.present.positions[0].vertex, 7);
}

TEST(ConstraintMotion, AWholeStepAndMoreArriveAtOnce) {
    for (const double fraction : {1.0, 50.0}) {
        ConstraintMotion motion;
        set_target(motion, position_target(0, {1, 2, 3}), at_rest);
        advance(motion, fraction);
        EXPECT_TRUE(arrived(motion));
    }
}

TEST(ConstraintMotion, OrientationsTakeTheShortWayWhateverTheSignOfTheQuaternion) {
    const Vector3d axis = Vector3d(1, -2, 2) / 3;
    for (const double sign : {1.0, -1.0}) {
        Constraints target;
        target.orientations = {{2, Quaterniond(AngleAxisd(2.5, axis))}};
        target.orientations[0].orientation.coeffs() *= sign;
        ConstraintMotion motion;
        set_target(motion, target, at_rest);
        double before = 0;
        int steps = 0;
        for (; steps < 1000 && !arrived(motion); ++steps) {
            advance(motion, 0.2);
            const AngleAxisd turned(motion.present.orientations[0].orientation);
            EXPECT_NEAR(motion.present.orientations[0].orientation.norm(), 1, 1e-14);
            EXPECT_GE(turned.angle(), before - 1e-7);
            EXPECT_LE(turned.angle(), 2.5 + 1e-7);
            if (turned.angle() > 1e-3) {
                EXPECT_LE((turned.axis() - axis).norm(), 1e-9);
            }
            before = turned.angle();
        }
        EXPECT_LE(steps, 200);
        EXPECT_EQ(motion.present.orientations[0].orientation.coeffs(),
                  target.orientations[0].orientation.coeffs());
    }
}

TEST(ConstraintMotion, AMovedTargetIsFollowedFromWhereThingsAre) {
    ConstraintMotion motion;
    set_target(motion, position_target(1, {1, 0, 0}), at_rest);
    for (int i = 0; i < 5; ++i)
        advance(motion, 0.1);
    const Vector3d before = motion.present.positions[0].displacement;
    const Vector3d first = motion.first.positions[0].displacement;
    Constraints target = position_target(1, {0, 1, 0});
    target.positions.push_back({9, {0, 0, 1}});
    target.positions_by = PositionMethod::Newton;
    set_target(motion, target, [](int vertex) {
        EXPECT_EQ(vertex, 9);  // the other is under way
        return VertexPlacement{.displacement = {0, 0, 0.25}};
    });
    EXPECT_EQ(motion.present.positions[0].displacement, before);
    EXPECT_EQ(motion.first.positions[0].displacement, first);
    EXPECT_EQ(motion.present.positions[1].displacement.z(), 0.25);
    EXPECT_EQ(motion.present.positions_by, PositionMethod::Newton);
    // The speed has no jump: the next step goes on nearly as the one before.
    advance(motion, 0.1);
    const Vector3d expected = before + 0.1 * (first + 0.1 * (Vector3d(0, 1, 0) - first) - before);
    EXPECT_LE((motion.present.positions[0].displacement - expected).norm(), 1e-15);
    set_target(motion, {}, at_rest);
    EXPECT_TRUE(arrived(motion));
    EXPECT_TRUE(motion.present.positions.empty());
}

TEST(ConstraintMotion, ItBeginsWhereTheBodyIs) {
    WarpBody body = body_of(random_warp_model(4, 5, 6));
    ASSERT_TRUE(body.set_state({0, Eigen::Vector4d(0.3, -0.2, 0.1, 0.05), Eigen::Vector4d::Zero()}).ok());
    const VertexPlacement found = placement_of(body, 3);
    EXPECT_EQ(found.displacement, body.displacement(3));
    const Vector3d w = body.rotation(3);
    const Quaterniond expected(AngleAxisd(w.norm(), w.normalized()));
    EXPECT_LE(found.orientation.angularDistance(expected), 1e-7);
}

TEST(ConstraintMotion, AdvancingAllocatesNothing) {
    Constraints target = position_target(1, {1, 0, 0});
    target.orientations = {{2, Quaterniond(AngleAxisd(1, Vector3d::UnitX()))}};
    ConstraintMotion motion;
    set_target(motion, target, at_rest);
    const long before = allocations_so_far();
    for (int i = 0; i < 300; ++i)
        advance(motion, 0.1);
    EXPECT_EQ(allocations_so_far(), before);
    EXPECT_TRUE(arrived(motion));
}

}  // namespace
}  // namespace limber::test
