// SPDX-License-Identifier: Apache-2.0
// What a warped body's state holds, and what trial and commit do with it.
#include "limber/warp/shared_warp.h"
#include "tests/limber/warp/dragged_bar.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace limber {
namespace {

using namespace test;
using Eigen::Quaterniond;
using Eigen::VectorXd;

void append(const WarpState& state, std::vector<double>& out) {
    out.push_back(state.time);
    out.push_back(state.surplus);
    for (const VectorXd* x : {&state.q, &state.v, &state.previous_q})
        out.insert(out.end(), x->begin(), x->end());
    for (const Eigen::Vector3d& w : state.rotations)
        out.insert(out.end(), w.begin(), w.end());
}

bool same_bytes(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

std::vector<double> bytes_of(const WarpState& state) {
    std::vector<double> out;
    append(state, out);
    return out;
}

// Everything that may change from step to step does: targets, step sizes, forces, material, kind of step,
// shape, Coriolis force.
void change_and_step(WarpBody& body, const Constraints& constraints, int i) {
    const double t = i * kFrame;
    for (int k = 0; k < int(constraints.positions.size()); ++k)
        ASSERT_TRUE(body.set_position_target(k, (1 - 0.5 * k) * drag(t)).ok());
    for (int k = 0; k < int(constraints.orientations.size()); ++k)
        ASSERT_TRUE(body.set_orientation_target(k, twist(t)).ok());
    if (i % 100 == 0) {
        WarpSettings settings = body.settings();
        const int phase = i / 100;
        settings.step = phase % 2 == 0 ? OscillatorStep::SemiImplicit : OscillatorStep::ClosedForm;
        settings.young_scale = phase % 3 == 0 ? 1 : 2;
        settings.density_scale = phase % 5 == 0 ? 1 : 1.5;
        settings.coriolis = phase % 4 == 1 ? LocalCoriolis::On : LocalCoriolis::Off;
        settings.warping = phase % 7 == 6   ? Warping::Linear
                           : phase % 7 == 5 ? Warping::Local
                                            : Warping::Warped;
        ASSERT_TRUE(body.set(settings).ok());
    }
    body.clear_forces();
    ASSERT_TRUE(body.add_force({kMiddle, {0, 20 * std::sin(t), 0}}).ok());
    ASSERT_TRUE(body.step(i % 3 == 0 ? kFrame : i % 3 == 1 ? 0.5 * kFrame : 0.01).converged) << i;
}

struct Held {
    const char* name;
    Constraints constraints;
};
class Saved : public testing::TestWithParam<Held> {};

TEST_P(Saved, ARestoredBodyGoesOnBitByBit) {
    Constraints constraints = GetParam().constraints;
    const auto shared = share_warp(std::make_shared<const WarpModel>(bar_model())).value();
    for (const PositionMethod method :
         {PositionMethod::Predicted, PositionMethod::Newton, PositionMethod::Previous}) {
        constraints.positions_by = method;
        WarpBody body = make_warp_body(shared, {.alpha = 1, .gravity = {0, 0, -9.81}}).value();
        ASSERT_TRUE(body.set_constraints(constraints).ok());
        const int begin = 37, end = begin + 1000;
        for (int i = 0; i < begin; ++i)
            change_and_step(body, constraints, i);
        const WarpState saved = body.state();
        const WarpSettings settings = body.settings();
        const auto run = [&](WarpBody& b) {
            std::vector<double> out;
            for (int i = begin; i < end; ++i) {
                change_and_step(b, constraints, i);
                append(b.state(), out);
                for (const int v : {kTip, kMiddle})
                    for (const double x : b.displacement(v))
                        out.push_back(x);
            }
            return out;
        };
        WarpBody copy = body.clone();
        const std::vector<double> first = run(body);
        // The same body, one that never moved, and a clone.
        ASSERT_TRUE(body.set(settings).ok());
        ASSERT_TRUE(body.set_state(saved).ok());
        EXPECT_TRUE(same_bytes(run(body), first)) << int(method);
        WarpBody fresh = make_warp_body(shared, settings).value();
        ASSERT_TRUE(fresh.set_constraints(constraints).ok());
        ASSERT_TRUE(fresh.set_state(saved).ok());
        EXPECT_TRUE(same_bytes(run(fresh), first)) << int(method);
        EXPECT_TRUE(same_bytes(run(copy), first)) << int(method);
    }
}

INSTANTIATE_TEST_SUITE_P(
    WarpState, Saved,
    testing::Values(
        Held{"Free", {}}, Held{"Position", {.positions = {{kTip, {0, 0, 0}}}}},
        Held{"Orientation", {.orientations = {{kTip, Quaterniond::Identity()}}, .exercised = kAround}},
        Held{"Both",
             {.positions = {{kTip, {0, 0, 0}}}, .orientations = {{kMiddle, Quaterniond::Identity()}}}},
        Held{"Contradictory",
             {.positions = {{kTip, {0, 0, 0}}, {kTip, {0, 0, 0}}},
              .orientations = {{kTip, Quaterniond::Identity()}},
              .priority = TaskPriority::OrientationFirst}},
        Held{"ByTheMiddle",
             {.positions = {{kTip, {0, 0, 0}}},
              .orientations = {{kTip, Quaterniond::Identity()}},
              .exercised = {kMiddle}}}),
    [](const auto& held) { return held.param.name; });

TEST(WarpState, RotationVectorsThatDoNotFitTheConstraintsAreRefused) {
    WarpBody body = bar_body();
    WarpState state = body.state();
    state.rotations = {{0.1, 0, 0}};
    EXPECT_FALSE(body.set_state(state).ok());
    ASSERT_TRUE(body.set_constraints({.orientations = {{kTip, Quaterniond::Identity()}}}).ok());
    EXPECT_TRUE(body.set_state(state).ok());
    EXPECT_EQ(body.state().rotations[0], state.rotations[0]);
    state.rotations[0].x() = kNaN;
    EXPECT_FALSE(body.set_state(state).ok());
    state.rotations.clear();
    state.previous_q = VectorXd::Zero(3);
    EXPECT_FALSE(body.set_state(state).ok());
    state.previous_q.resize(0);
    EXPECT_TRUE(body.set_state(state).ok());
    EXPECT_EQ(body.state().previous_q, body.state().q);
}

// As contact asks: a trial, another one under other forces, then the step.
TEST(WarpState, ATrialChangesNothingUntilItIsCommitted) {
    for (const OscillatorStep step : kSteps) {
        WarpBody body = bar_body(step);
        ASSERT_TRUE(body.set_constraints({.positions = {{kMiddle, {0, 0, 0.01}}},
                                          .orientations = {{kTip, twist(0.3)}},
                                          .positions_by = PositionMethod::Newton})
                        .ok());
        for (int i = 0; i < 5; ++i)
            body.step(kFrame);
        WarpBody stepped = body.clone(), pushed = body.clone();
        const std::vector<double> before = bytes_of(body.state());
        const double error = body.constraint_report().position_error;
        ASSERT_TRUE(body.add_force({kTip, {0, 500, 0}}).ok());
        ASSERT_TRUE(body.trial(kFrame).converged);
        EXPECT_TRUE(same_bytes(bytes_of(body.state()), before));
        EXPECT_EQ(body.constraint_report().position_error, error);
        body.clear_forces();
        ASSERT_TRUE(body.trial(kFrame).converged);
        body.commit();
        stepped.step(kFrame);
        EXPECT_TRUE(same_bytes(bytes_of(body.state()), bytes_of(stepped.state())));
        EXPECT_FALSE(same_bytes(bytes_of(body.state()), before));
        const std::vector<double> after = bytes_of(body.state());
        body.commit();  // a trial is taken once
        EXPECT_TRUE(same_bytes(bytes_of(body.state()), after));
        ASSERT_TRUE(pushed.trial(kFrame).converged);
        ASSERT_TRUE(pushed.set_state(pushed.state()).ok());  // discards it
        pushed.commit();
        EXPECT_TRUE(same_bytes(bytes_of(pushed.state()), before));
    }
}

TEST(WarpState, ATrialThatLeavesTheBoundsStopsTheBodyOnlyWhenCommitted) {
    WarpBody body = bar_body();
    body.step(kFrame);
    const VectorXd v = body.state().v;
    ASSERT_TRUE(body.add_force({kTip, {1e30, 0, 0}}).ok());
    EXPECT_EQ(body.trial(kFrame).problem, StepProblem::BlowUp);
    EXPECT_EQ(body.state().v, v);
    body.commit();
    EXPECT_EQ(body.state().v, VectorXd::Zero(12));
    EXPECT_EQ(body.state().time, kFrame);
}

TEST(WarpState, BodiesOfOneModelShareWhatFollowsFromIt) {
    const auto model = std::make_shared<const WarpModel>(bar_model());
    const auto shared = share_warp(model).value();
    EXPECT_EQ(shared->model, model);
    WarpBody a = make_warp_body(shared).value(), b = make_warp_body(shared, {.alpha = 1}).value();
    WarpBody alone = make_warp_body(model).value();
    EXPECT_EQ(&a.model(), model.get());
    EXPECT_EQ(&b.model(), model.get());
    EXPECT_GE(shared.use_count(), 3);  // here and in two bodies
    for (WarpBody* body : {&a, &alone}) {
        ASSERT_TRUE(body->add_force({kTip, {0, 10, 0}}).ok());
        body->step(kFrame);
    }
    EXPECT_TRUE(same_bytes(bytes_of(a.state()), bytes_of(alone.state())));
}

}  // namespace
}  // namespace limber
