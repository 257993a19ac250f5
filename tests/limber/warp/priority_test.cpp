// SPDX-License-Identifier: Apache-2.0
// Many positions and orientations at once: what comes first is met. docs/math/warping.md, section 8.
#include "limber/warp/rotation.h"
#include "limber/warp/warp_body.h"
#include "tests/limber/warp/bar.h"
#include "tests/limber/warp/random_warp_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace limber {
namespace {

using namespace test;
using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr std::array kSteps = {OscillatorStep::SemiImplicit, OscillatorStep::ClosedForm};

const WarpModel& slender_model() {
    static const WarpModel model = warp_of(clamped(slender_bar()), 20);
    return model;
}

Quaterniond turn(const Vector3d& w) {
    return Quaterniond(AngleAxisd(w.norm(), w.stableNormalized()));
}

struct Sets {
    const char* name;
    int positions, orientations;
};
class Mixed : public testing::TestWithParam<Sets> {};

// Vertices of different sections of the bar, each led its own way by up to 0.35 m and 1 rad along each axis.
TEST_P(Mixed, TheTaskThatComesFirstIsMetInEveryFrame) {
    const auto& [name, positions, orientations] = GetParam();
    for (const OscillatorStep step : kSteps)
        for (const TaskPriority priority : {TaskPriority::PositionFirst, TaskPriority::OrientationFirst})
            for (unsigned seed = 0; seed < 2; ++seed) {
                std::mt19937 engine(seed);
                const auto draw = [&] {
                    std::uniform_real_distribution<double> uniform(-1, 1);
                    return Vector3d(uniform(engine), uniform(engine), uniform(engine));
                };
                std::array<int, 5> sections = {2, 4, 6, 8, 10};
                std::shuffle(sections.begin(), sections.end(), engine);
                std::uniform_int_distribution<int> across(0, 2);
                WarpBody body = body_of(slender_model(), {.step = step, .beta = 0.01 * seed});
                Manipulation m{.priority = priority, .method = PositionMethod::Newton};
                std::vector<Vector3d> moves, turns;
                for (int i = 0; i < positions + orientations; ++i) {
                    const int at = vertex(sections[std::size_t(i)], across(engine), across(engine));
                    if (i < positions) {
                        moves.push_back(0.35 * draw());
                        m.positions.push_back({at, Vector3d::Zero()});
                    } else {
                        turns.push_back(draw());
                        m.orientations.push_back({at, Quaterniond::Identity()});
                    }
                }
                ASSERT_FALSE(body.set_manipulation(m));
                for (int frame = 0; frame < 150; ++frame) {
                    for (int i = 0; i < positions; ++i)
                        ASSERT_FALSE(body.move_position(
                            i, moves[std::size_t(i)] * std::sin(frame * kFrame * (1 + 0.3 * i))));
                    for (int i = 0; i < orientations; ++i)
                        ASSERT_FALSE(body.turn_orientation(
                            i, turn(turns[std::size_t(i)] * std::sin(frame * kFrame * (0.7 + 0.2 * i)))));
                    ASSERT_TRUE(body.step(kFrame).converged);
                    const ManipulationReport& report = body.manipulation_report();
                    const double missed = priority == TaskPriority::PositionFirst
                                              ? report.position_error
                                              : 1e3 * report.orientation_error;  // 1e-9 rad
                    ASSERT_LE(missed, 1e-6) << int(step) << " " << seed << " " << frame;
                    if (frame % 15 == 0) {
                        ASSERT_LE(farthest(body), 10) << int(step) << " " << seed << " " << frame;
                    }
                }
            }
}

INSTANTIATE_TEST_SUITE_P(Priority, Mixed,
                         testing::Values(Sets{"OneAndOne", 1, 1}, Sets{"OneAndTwo", 1, 2},
                                         Sets{"TwoAndOne", 2, 1}, Sets{"TwoAndTwo", 2, 2},
                                         Sets{"ThreeAndOne", 3, 1}, Sets{"ThreeAndTwo", 3, 2}),
                         [](const auto& sets) { return sets.param.name; });

}  // namespace
}  // namespace limber
