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

const WarpModel& slender_model() {
    static const WarpModel model = warp_of(clamped(slender_bar()), 20);
    return model;
}

const WarpModel& model_of_few_modes() {
    static const WarpModel model = warp_of(clamped(slender_bar()), 8);
    return model;
}

Quaterniond turn(const Vector3d& w) {
    return Quaterniond(AngleAxisd(w.norm(), w.stableNormalized()));
}

// What the shape itself misses, m and rad, whatever the report says.
struct Errors {
    double position = 0, orientation = 0;
};
Errors errors_of(const WarpBody& body, const Constraints& m) {
    Errors errors;
    for (const PositionConstraint& c : m.positions)
        errors.position = std::max(errors.position, (body.displacement(c.vertex) - c.displacement).norm());
    for (const OrientationConstraint& c : m.orientations)
        errors.orientation =
            std::max(errors.orientation, c.orientation.angularDistance(turn(body.rotation(c.vertex))));
    return errors;
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
                            turn(turns[i] * std::sin(t * (0.7 + 0.2 * double(i))));
                        ASSERT_TRUE(body.set_orientation_target(int(i), m.orientations[i].orientation).ok());
                    }
                    ASSERT_TRUE(body.step(kFrame).converged);
                    const Errors errors = errors_of(body, m);
                    const double missed = priority == TaskPriority::PositionFirst
                                              ? errors.position
                                              : 1e3 * errors.orientation;  // 1e-9 rad
                    ASSERT_LE(missed, 1e-6) << int(step) << " " << seed << " " << frame;
                    // Of both tasks, met or not.
                    ASSERT_NEAR(body.constraint_report().position_error, errors.position, 1e-12);
                    ASSERT_NEAR(body.constraint_report().orientation_error, errors.orientation, 1e-12);
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

struct Scattered {
    const char* name;
    unsigned seed;
    int positions;
    const WarpModel& (*model)();
};
class Anywhere : public testing::TestWithParam<Scattered> {};

// Vertices drawn from the outer half of the bar, also next to each other, each led its own way by up to 0.35
// m along each axis: 12 or 15 of 20 coordinates are spoken for, or 6 of 8. Without a search these miss by 0.1
// m and more; without starts at the modes' own shapes the second misses, without crumpled ones the last two
// do, and the third under the sanitizers' rounding without starts next to the best shape.
TEST_P(Anywhere, PositionsAreMetWhateverShapeThatTakes) {
    const auto& [name, seed, count, model] = GetParam();
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::uniform_int_distribution<int> section(4, 10), across(0, 2);
    std::vector<Vector3d> moves;
    Constraints m{.positions_by = PositionMethod::Newton};
    while (int(m.positions.size()) < count) {
        const int j = across(engine), k = across(engine), i = section(engine);
        const int at = vertex(i, k, j);
        if (std::any_of(m.positions.begin(), m.positions.end(),
                        [&](const auto& c) { return c.vertex == at; }))
            continue;
        m.positions.push_back({at, Vector3d::Zero()});
        const double z = uniform(engine), y = uniform(engine), x = uniform(engine);
        moves.push_back(0.35 * Vector3d(x, y, z));
    }
    WarpBody body = body_of(
        model(),
        {.step = seed % 2 == 1 ? OscillatorStep::ClosedForm : OscillatorStep::SemiImplicit, .beta = 0.01});
    ASSERT_TRUE(body.set_constraints(m).ok());
    for (int frame = 0; frame < 150; ++frame) {
        for (std::size_t i = 0; i < m.positions.size(); ++i) {
            m.positions[i].displacement = moves[i] * std::sin(frame * kFrame * (1 + 0.3 * double(i)));
            ASSERT_TRUE(body.set_position_target(int(i), m.positions[i].displacement).ok());
        }
        ASSERT_TRUE(body.step(kFrame).converged);
        ASSERT_LE(errors_of(body, m).position, 1e-6) << frame;
    }
}

INSTANTIATE_TEST_SUITE_P(Priority, Anywhere,
                         testing::Values(Scattered{"FourOfTwentyModes", 14, 4, slender_model},
                                         Scattered{"FiveOfTwentyModes", 29, 5, slender_model},
                                         Scattered{"FiveOthers", 18, 5, slender_model},
                                         Scattered{"TwoOfEightModes", 7, 2, model_of_few_modes}),
                         [](const auto& set) { return set.param.name; });

// A step that misses by little is worth a long search, the next ones are not, nor are targets that plainly
// contradict each other: a pin out of reach must not slow the body down. Two places for one vertex, so that
// half the distance is missing whatever is tried.
TEST(Priority, TargetsThatCannotBeMetAreSearchedForWidelyOnce) {
    const int tip = vertex(10, 1, 1);
    const auto iterations = [&](WarpBody& body, double missing) {
        EXPECT_TRUE(body.step(kFrame).converged);
        EXPECT_NEAR(body.constraint_report().position_error, missing, 0.01 * missing);
        return body.constraint_report().iterations;
    };
    const auto body_between = [&](double missing) {
        WarpBody body = body_of(slender_model(), {.beta = 0.01});
        EXPECT_TRUE(body.set_constraints({.positions = {{tip, {0, 0, 0.2}}, {tip, {0, 0, 0.2 - 2 * missing}}},
                                          .positions_by = PositionMethod::Newton})
                        .ok());
        return body;
    };
    WarpBody near = body_between(0.005), plain = body_between(0.2);
    const int wide = iterations(near, 0.005);
    EXPECT_GT(wide, 2 * 20);  // both sides of every mode
    EXPECT_LT(iterations(plain, 0.2), wide / 2);
    for (int i = 0; i < 30; ++i) {
        EXPECT_LT(iterations(near, 0.005), wide / 2) << i;
        EXPECT_LT(iterations(plain, 0.2), wide / 2) << i;
    }
}

}  // namespace
}  // namespace limber
