// SPDX-License-Identifier: Apache-2.0
#include "tests/soak/pile.h"

#include <gtest/gtest.h>

namespace limber::soak {
namespace {

#ifdef NDEBUG
constexpr int kBodies = 60;  // ./bench pour has 200
#else
constexpr int kBodies = 8;  // the sanitizers take their time
#endif

// Whatever the order in which they come to rest: nobody leaves through a wall, and all fall asleep.
TEST(Pour, BodiesOfFiveModelsComeToRestInABox) {
    Pile pile = pour(small_bodies(6), kBodies);
    ASSERT_EQ(pile.world.bodies().size(), static_cast<std::size_t>(kBodies));
    constexpr double kStep = 2e-3;  // s
    int refused = 0, steps = 0, asleep = 0;
    for (; steps < 10000 && asleep < kBodies; ++steps) {
        if (!pile.step(kStep)) ++refused;
        asleep = pile.world.report().contact.asleep;
        if (steps % 100 == 0) {
            ASSERT_EQ(problem_of(pile), "") << "step " << steps;
        }
    }
    EXPECT_EQ(asleep, kBodies) << "after " << steps << " steps";
    EXPECT_EQ(problem_of(pile), "");
    EXPECT_EQ(refused, 0);
    RecordProperty("steps", steps);
}

}  // namespace
}  // namespace limber::soak
