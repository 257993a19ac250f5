// SPDX-License-Identifier: Apache-2.0
// Constraints that cannot be met, that come and go, and that jump: docs/math/warping.md, section 9.
#include "limber/warp/energy_budget.h"
#include "limber/warp/rotation.h"
#include "limber/warp/warp_body.h"
#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/warp/dragged_bar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

using namespace test;
using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Forces that act where they do little good, and what they are asked for.
struct Demand {
    const char* name;
    std::vector<int> exercised;
    double distance;  // of the targets, times the drag of 0.5 m
};
class Overdemanded : public testing::TestWithParam<Demand> {};

std::vector<Constraints> demands(const std::vector<int>& exercised) {
    const PositionConstraint tip{kTip, {0, 0, 0}}, corner{kCorner, {0, 0, 0}}, middle{kMiddle, {0, 0, 0}};
    const OrientationConstraint turned{kTip, twist(0)}, held{kMiddle, twist(0)};
    return {{.positions = {tip}, .exercised = exercised},
            {.orientations = {turned}, .exercised = exercised},
            {.positions = {tip}, .orientations = {turned}, .exercised = exercised},
            {.positions = {corner, middle}, .orientations = {turned, held}, .exercised = exercised},
            {.positions = {tip, tip}, .orientations = {turned, turned}, .exercised = exercised}};
}

// Ten seconds of a thirtieth. Ten lengths of the bar and ten times the way of the targets are far more than a
// body needs that is not carried away: what ran away went beyond 1e9.
TEST_P(Overdemanded, StaysNearItsTargetsAndSaysWhatItMisses) {
    const auto& [name, exercised, distance] = GetParam();
    int run = 0;
    for (Constraints m : demands(exercised))
        for (const TaskPriority priority : {TaskPriority::PositionFirst, TaskPriority::OrientationFirst}) {
            if ((m.positions.empty() || m.orientations.empty()) && priority != TaskPriority::PositionFirst)
                continue;
            m.priority = priority;
            m.positions_by = std::array{PositionMethod::Newton, PositionMethod::Predicted,
                                        PositionMethod::Previous}[std::size_t(run) % 3];
            WarpBody body =
                bar_body(run % 2 == 0 ? OscillatorStep::SemiImplicit : OscillatorStep::ClosedForm);
            ++run;
            ASSERT_TRUE(body.set_constraints(m).ok());
            for (int i = 0; i < 300; ++i) {
                for (std::size_t k = 0; k < m.positions.size(); ++k)
                    ASSERT_TRUE(body.set_position_target(int(k), distance * drag(i * kFrame)).ok());
                for (std::size_t k = 0; k < m.orientations.size(); ++k)
                    ASSERT_TRUE(body.set_orientation_target(int(k), twist(i * kFrame)).ok());
                ASSERT_TRUE(body.step(kFrame).converged) << run << " " << i;
                const ConstraintReport& report = body.constraint_report();
                double missed = 0;
                for (const PositionConstraint& c : m.positions)
                    missed =
                        std::max(missed, (body.displacement(c.vertex) - distance * drag(i * kFrame)).norm());
                ASSERT_NEAR(report.position_error, missed, 1e-12 * (1 + missed)) << run << " " << i;
                ASSERT_TRUE(std::isfinite(report.orientation_error));
                if (i % 10 == 0) {
                    ASSERT_LE(farthest(body), 10 * (1 + 0.6 * distance)) << run << " " << i;
                }
            }
            // Let go, it comes back.
            ASSERT_TRUE(body.set_constraints({}).ok());
            ASSERT_TRUE(body.set({.alpha = 3}).ok());
            for (int i = 0; i < 600; ++i)
                body.step(kFrame);
            ASSERT_LE(farthest(body), 1e-9) << run;
        }
}

INSTANTIATE_TEST_SUITE_P(
    Constraints, Overdemanded,
    testing::Values(Demand{"ByThemselves", {}, 1}, Demand{"ByThemselvesFarAway", {}, 10},
                    Demand{"AroundFarAway", kAround, 10}, Demand{"ByTheMiddle", {kMiddle}, 1},
                    Demand{"ByTheMiddleFarAway", {kMiddle}, 10}, Demand{"ByACorner", {kCorner}, 1},
                    Demand{"ByTheRoot", {vertex(1, 1, 1), vertex(1, 2, 2)}, 1},
                    Demand{"ByTheRootFarAway", {vertex(1, 1, 1), vertex(1, 2, 2)}, 10},
                    Demand{"ByTheMiddleSection", {vertex(5, 0, 0), vertex(5, 2, 2), vertex(5, 0, 2)}, 1}),
    [](const auto& demand) { return demand.param.name; });

// Forces on the middle section can hold the tip, and do, where they are many enough not to shake it.
TEST(ConstraintLimits, ForcesFarFromWhatTheyHoldMeetItWhereTheyCan) {
    for (const Warping warping : {Warping::Warped, Warping::Local})
        for (const TaskPriority priority : {TaskPriority::PositionFirst, TaskPriority::OrientationFirst}) {
            WarpBody body = body_of(bar_model(), {.warping = warping, .alpha = 1, .gravity = {0, 0, -9.81}});
            ASSERT_TRUE(
                body.set_constraints({.positions = {{kTip, {0, 0, 0}}},
                                      .orientations = {{kTip, twist(0)}},
                                      .exercised = {vertex(5, 0, 0), vertex(5, 2, 2), vertex(5, 0, 2)},
                                      .priority = priority,
                                      .positions_by = PositionMethod::Newton})
                    .ok());
            for (int i = 0; i < 300; ++i) {
                ASSERT_TRUE(body.set_position_target(0, drag(i * kFrame)).ok());
                ASSERT_TRUE(body.set_orientation_target(0, twist(i * kFrame)).ok());
                ASSERT_TRUE(body.step(kFrame).converged);
                ASSERT_LE(body.constraint_report().position_error, 1e-6) << i;
                ASSERT_LE(body.constraint_report().orientation_error, 1e-9) << i;
                ASSERT_EQ(body.constraint_report().fraction, 1);
            }
        }
}

TEST(ConstraintLimits, ConstraintsComeMoveAndGoWhileTheBodyRuns) {
    WarpBody body = bar_body();
    const auto run = [&](int steps, double position_tolerance, double orientation_tolerance) {
        for (int i = 0; i < steps; ++i) {
            ASSERT_TRUE(body.step(kFrame).converged);
            ASSERT_LE(body.constraint_report().position_error, position_tolerance);
            ASSERT_LE(body.constraint_report().orientation_error, orientation_tolerance);
        }
    };
    const auto hold = [&](const Constraints& m) {
        const VectorXd before = body.state().q;
        ASSERT_TRUE(body.set_constraints(m).ok());
        ASSERT_EQ(body.state().q, before);  // nothing jumps until the next step
    };
    run(20, 0, 0);  // none
    Constraints m{.positions = {{kTip, body.displacement(kTip)}}, .positions_by = PositionMethod::Newton};
    hold(m);
    run(20, 1e-6, 0);
    m.positions.push_back({kMiddle, {0, 0.02, 0}});  // a second one
    hold(m);
    run(20, 1e-6, 0);
    ASSERT_TRUE(body.set_position_target(1, {0, -0.02, 0.01}).ok());
    run(20, 1e-6, 0);
    m = {.positions = {{kTip, {0, 0.1, 0}}},  // another, with an orientation beside it
         .orientations = {{kTip, Quaterniond::Identity()}},
         .exercised = {kTip, kCorner, vertex(10, 0, 0), vertex(9, 0, 2), kMiddle},
         .positions_by = PositionMethod::Newton};
    hold(m);
    run(20, 1e-6, 1e-6);
    ASSERT_TRUE(body.set_orientation_target(0, twist(0.5)).ok());
    run(20, 1e-6, 1e-6);
    m.positions.clear();  // only the orientation
    hold(m);
    run(20, 0, 1e-9);
    ASSERT_TRUE(body.set({.alpha = 2}).ok());
    hold({});  // none again: back to rest
    run(1500, 0, 0);
    EXPECT_LE(farthest(body), 1e-9);
}

TEST(ConstraintLimits, ATargetThatJumpsIsMetOrTheBodyStaysBoundedAndComesBack) {
    for (const PositionMethod method : {PositionMethod::Newton, PositionMethod::Previous}) {
        WarpBody body = bar_body();
        ASSERT_TRUE(body.set_constraints({.positions = {{kTip, {0, 0, 0}}}, .positions_by = method}).ok());
        for (int i = 0; i < 60; ++i) {  // half a length back and forth, every tenth frame
            ASSERT_TRUE(body.set_position_target(0, {-0.1, i / 10 % 2 == 0 ? 0.5 : -0.5, 0}).ok());
            ASSERT_TRUE(body.step(kFrame).converged);
            if (method == PositionMethod::Newton) {
                ASSERT_LE(body.constraint_report().position_error, 1e-6) << i;
            }
            ASSERT_LE(farthest(body), 3) << i;
        }
        for (const double far : {1e2, 1e6}) {
            ASSERT_TRUE(body.set_position_target(0, {far, -far, far}).ok());
            for (int i = 0; i < 30; ++i) {
                ASSERT_TRUE(body.step(kFrame).converged);
                ASSERT_LE(farthest(body), 20 * far);
            }
        }
        ASSERT_TRUE(body.set_position_target(0, {0, 0, 0.1}).ok());
        for (int i = 0; i < 900; ++i)  // 30 s: damping alone takes 1e6 m down to e^(-15) of that
            ASSERT_TRUE(body.step(kFrame).converged);
        EXPECT_LE(body.constraint_report().position_error, 1e-6);
        EXPECT_LE(farthest(body), 1);
    }
}

TEST(ConstraintLimits, AFractionOfACorrectionLeavesTheEnergyThatIsAllowed) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const VectorXd lambda = VectorXd::LinSpaced(6, 1, 50), q = random_rows(6, 1, 4 * seed),
                       dq = 3 * random_rows(6, 1, 4 * seed + 2);
        const auto energy = [&](double fraction) {
            const VectorXd x = q + fraction * dq;
            return 0.5 * x.dot(lambda.cwiseProduct(x));
        };
        for (const double limit : {energy(0), 2 * energy(0), 0.7 * energy(1), 2 * energy(1)}) {
            const double allowed = std::max(limit, energy(0));
            const double fraction = affordable_fraction(lambda, q, dq, allowed);
            ASSERT_GE(fraction, 0);
            ASSERT_LE(fraction, 1);
            if (fraction < 1) {  // as much as is allowed, and no more
                EXPECT_NEAR(energy(fraction), allowed, 1e-12 * allowed);
                EXPECT_GT(energy(1), allowed);
            } else {
                EXPECT_LE(energy(1), allowed * (1 + 1e-12));
            }
        }
    }
}

}  // namespace
}  // namespace limber
