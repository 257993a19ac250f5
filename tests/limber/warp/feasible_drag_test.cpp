// SPDX-License-Identifier: Apache-2.0
// Drags whose targets are shapes of the body: how many frames one solve of at most 20 iterations meets.
#include "tests/limber/warp/feasible_drag.h"

#include "tests/limber/warp/dragged_bar.h"

#include <gtest/gtest.h>

#include <iostream>

namespace limber {
namespace {

using namespace test;

struct Dragged {
    const char* name;
    int modes, positions, orientations;
    double met;  // of the frames, to 1e-6 of the size
};
class Feasible : public testing::TestWithParam<Dragged> {};

// Ten drags of 200 frames; the slender bar is 1 m long. What is not met is where the energy budget ends: a
// shape with all modes bent by up to 1 rad may have more energy than its targets justify.
TEST_P(Feasible, DragsAreMetInMostFramesAndErrorsAreReported) {
    const auto& [name, modes, positions, orientations, met] = GetParam();
    const auto shared =
        share_warp(std::make_shared<const WarpModel>(warp_of(clamped(slender_bar()), modes))).value();
    int frames = 0, met_frames = 0;
    double largest = 0;
    for (unsigned seed = 0; seed < 10; ++seed) {
        FeasibleDrag drag(shared, 1, 1, seed);
        WarpBody body = make_warp_body(shared, {.step = kSteps[seed % 2], .beta = 0.01}).value();
        Constraints constraints = drag.constraints(positions, orientations);
        ASSERT_TRUE(body.set_constraints(constraints).ok());
        for (int i = 0; i < 200; ++i) {
            drag.move(constraints);
            ASSERT_TRUE(body.set_constraints(constraints).ok());
            ASSERT_TRUE(body.step(kFrame).converged);
            const ConstraintReport& report = body.constraint_report();
            double error = 0;
            for (const PositionConstraint& c : constraints.positions)
                error = std::max(error, (body.displacement(c.vertex) - c.displacement).norm());
            ASSERT_NEAR(report.position_error, error, 1e-12);
            ASSERT_LE(report.iterations, kMostConstraintIterations);
            ++frames;
            met_frames += error <= 1e-6 ? 1 : 0;
            largest = std::max(largest, error);
        }
        EXPECT_LE(farthest(body), 3) << seed;
    }
    std::cout << "met in " << met_frames << " of " << frames << " frames, largest error " << largest
              << " m\n";
    EXPECT_GE(met_frames, met * frames);
}

INSTANTIATE_TEST_SUITE_P(Drags, Feasible,
                         testing::Values(Dragged{"OneOfTwentyModes", 20, 1, 0, 0.97},
                                         Dragged{"TwoOfTwentyModes", 20, 2, 0, 0.97},
                                         Dragged{"ThreeOfTwentyModes", 20, 3, 0, 0.99},
                                         Dragged{"FourOfTwentyModes", 20, 4, 0, 0.99},
                                         Dragged{"OneAndOneOfTwentyModes", 20, 1, 1, 0.99},
                                         Dragged{"TwoAndOneOfTwentyModes", 20, 2, 1, 0.99},
                                         Dragged{"OneOfEightModes", 8, 1, 0, 0.97},
                                         Dragged{"TwoOfEightModes", 8, 2, 0, 0.99}),
                         [](const auto& dragged) { return dragged.param.name; });

}  // namespace
}  // namespace limber
