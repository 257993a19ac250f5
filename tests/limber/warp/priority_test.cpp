// SPDX-License-Identifier: Apache-2.0
// Many positions and orientations at once: what comes first is met. docs/math/warping.md, section 8.
#include "limber/warp/rotation.h"
#include "limber/warp/warp_body.h"
#include "tests/limber/warp/bar.h"
#include "tests/limber/warp/random_warp_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <random>
#include <vector>

namespace limber {
namespace {

using namespace test;
using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

const WarpModel& slender_model() {
    static const WarpModel model = warp_of(clamped(slender_bar()), 20);
    return model;
}

Quaterniond rotated(const Vector3d& w) {
    return Quaterniond(AngleAxisd(w.norm(), w.stableNormalized()));
}

// The errors of the shape itself, m and rad, whatever the report says.
struct Errors {
    double position = 0, orientation = 0;
};
Errors errors_of(const WarpBody& body, const Constraints& m) {
    Errors errors;
    for (const PositionConstraint& c : m.positions)
        errors.position = std::max(errors.position, (body.displacement(c.vertex) - c.displacement).norm());
    for (const OrientationConstraint& c : m.orientations)
        errors.orientation =
            std::max(errors.orientation, c.orientation.angularDistance(rotated(body.rotation(c.vertex))));
    return errors;
}

struct Sets {
    const char* name;
    int positions, orientations;
    double met;  // of the frames, with positions first
};
class Mixed : public testing::TestWithParam<Sets> {};

// Vertices of different sections of the bar, each led on its own path by up to 0.35 m and 1 rad along each
// axis. Orientations are linear in q. Four and more constraints, whose targets no shape of the body gave, may
// need more iterations than one step has, or another branch of shapes.
TEST_P(Mixed, TheTaskThatComesFirstIsMet) {
    const auto& [name, positions, orientations, met] = GetParam();
    int frames = 0, met_frames = 0;
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
                Constraints m{.priority = priority, .positions_by = PositionMethod::Newton};
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
                ASSERT_TRUE(body.set_constraints(m).ok());
                for (int frame = 0; frame < 150; ++frame) {
                    const double t = frame * kFrame;
                    for (std::size_t i = 0; i < m.positions.size(); ++i) {
                        m.positions[i].displacement = moves[i] * std::sin(t * (1 + 0.3 * double(i)));
                        ASSERT_TRUE(body.set_position_target(int(i), m.positions[i].displacement).ok());
                    }
                    for (std::size_t i = 0; i < m.orientations.size(); ++i) {
                        m.orientations[i].orientation =
                            rotated(turns[i] * std::sin(t * (0.7 + 0.2 * double(i))));
                        ASSERT_TRUE(body.set_orientation_target(int(i), m.orientations[i].orientation).ok());
                    }
                    ASSERT_TRUE(body.step(kFrame).converged);
                    const Errors errors = errors_of(body, m);
                    if (priority == TaskPriority::PositionFirst) {
                        ++frames;
                        met_frames += errors.position <= 1e-6 ? 1 : 0;
                    } else {
                        ASSERT_LE(errors.orientation, 1e-9) << int(step) << " " << seed << " " << frame;
                    }
                    ASSERT_LE(body.constraint_report().iterations, kMostConstraintIterations);
                    // Of both tasks, met or not.
                    ASSERT_NEAR(body.constraint_report().position_error, errors.position, 1e-12);
                    ASSERT_NEAR(body.constraint_report().orientation_error, errors.orientation, 1e-12);
                    if (frame % 15 == 0) {
                        ASSERT_LE(farthest(body), 10) << int(step) << " " << seed << " " << frame;
                    }
                }
            }
    std::cout << "positions first: met in " << met_frames << " of " << frames << " frames\n";
    EXPECT_GE(met_frames, met * frames);
}

INSTANTIATE_TEST_SUITE_P(Priority, Mixed,
                         testing::Values(Sets{"OneAndOne", 1, 1, 1}, Sets{"OneAndTwo", 1, 2, 1},
                                         Sets{"TwoAndOne", 2, 1, 1}, Sets{"TwoAndTwo", 2, 2, 0.97},
                                         Sets{"ThreeAndOne", 3, 1, 0.99}, Sets{"ThreeAndTwo", 3, 2, 0.85}),
                         [](const auto& sets) { return sets.param.name; });

// Two places for one vertex: half the distance is left whatever is tried, and no step takes longer for it.
TEST(Priority, TargetsThatCannotBeMetTakeNoMoreIterationsThanAStepHas) {
    const int tip = vertex(10, 1, 1);
    for (const double error : {0.005, 0.2}) {
        WarpBody body = body_of(slender_model(), {.beta = 0.01});
        ASSERT_TRUE(body.set_constraints({.positions = {{tip, {0, 0, 0.2}}, {tip, {0, 0, 0.2 - 2 * error}}},
                                          .positions_by = PositionMethod::Newton})
                        .ok());
        for (int i = 0; i < 30; ++i) {
            ASSERT_TRUE(body.step(kFrame).converged);
            ASSERT_NEAR(body.constraint_report().position_error, error, 0.01 * error) << i;
            ASSERT_LE(body.constraint_report().iterations, kMostConstraintIterations);
        }
    }
}

}  // namespace
}  // namespace limber
