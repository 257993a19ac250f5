// SPDX-License-Identifier: Apache-2.0
// A saved state is the whole state: a restored world goes on bit by bit.
#include "tests/limber/world/test_world.h"

#include <limber/world/world.h>

#include <gtest/gtest.h>

#include <thread>

namespace limber {
namespace {

using namespace test;
using Eigen::Quaterniond;
using Eigen::Vector3d;

// What a user does while the world runs: pulls, edits, constraints that move, other steps.
void thousand_steps(World& world, const BodiesOfEveryKind& bodies) {
    for (int i = 0; i < 1000; ++i) {
        if (i % 100 == 20) {
            StvkSettings settings = std::get<StvkSettings>(world.body(bodies.stvk)->settings());
            settings.materials[0].young *= 1.1;
            applied(world, SetSettings{bodies.stvk, settings});
        }
        if (i % 100 == 40) {
            WarpSettings settings = std::get<WarpSettings>(world.body(bodies.linear)->settings());
            settings.young_scale *= 0.9;
            applied(world, SetSettings{bodies.linear, settings});
        }
        if (i == 500) applied(world, SetSettings{bodies.rigid, RigidSettings{.density = 300}});
        if (i % 50 == 10) applied(world, SetSprings{bodies.rigid, {{3, {1, 0.01 * i, 2}, 0.5}}});
        if (i % 50 == 30) applied(world, SetGravity{{0, 0.001 * i, -0.5}});
        world.step(i % 7 == 0 ? 2e-3 : 5e-3);
    }
}

TEST(WorldState, RestoredWorldsGoOnBitByBit) {
    for (const PositionMethod by :
         {PositionMethod::Predicted, PositionMethod::Newton, PositionMethod::Previous}) {
        World world({.gravity = {0.1, 0, -0.3}});
        const BodiesOfEveryKind bodies(world);
        Constraints constraints;
        constraints.positions = {{7, {0.1, 0, 0.05}}, {12, {0, 0.1, 0}}};
        constraints.orientations = {{9, Quaterniond(Eigen::AngleAxisd(0.5, Vector3d(1, 1, 0).normalized()))}};
        constraints.positions_by = by;
        applied(world, SetConstraints{bodies.warp, constraints, 0.2});
        applied(world, SetSprings{bodies.stvk, {{3, {1.5, 2, 3}, 5}}});
        applied(world, SetForces{bodies.twin, {{4, {0.2, 0, 0}}}, {}});
        applied(world, FollowPath{bodies.linear, Shake{Vector3d::UnitY(), 0.1, 2, 5}});
        for (int i = 0; i < 25; ++i)  // constraints and the support are on their way
            world.step(5e-3);
        const WorldState saved = world.save();
        thousand_steps(world, bodies);
        const std::vector<double> first = numbers_of(world);
        ASSERT_TRUE(world.restore(saved).ok());
        thousand_steps(world, bodies);
        EXPECT_EQ(numbers_of(world), first);
        // Also where bodies were removed and added meanwhile.
        ASSERT_TRUE(world.restore(saved).ok());
        ASSERT_TRUE(world.remove(bodies.stvk).ok());
        added(world, {.model = bodies.soft});
        world.step(5e-3);
        ASSERT_TRUE(world.restore(saved).ok());
        thousand_steps(world, bodies);
        EXPECT_EQ(numbers_of(world), first);
    }
}

TEST(WorldState, StepsAfterASaveLeaveItAsItWas) {
    World world({.gravity = {0, 0, -1}});
    const BodiesOfEveryKind bodies(world);
    const std::vector<double> before = numbers_of(world);
    const WorldState saved = world.save();
    for (int i = 0; i < 10; ++i)
        world.step(5e-3);
    EXPECT_NE(numbers_of(world), before);
    ASSERT_TRUE(world.restore(saved).ok());
    EXPECT_EQ(numbers_of(world), before);
}

TEST(WorldState, AClonedWorldGoesOnBitByBitUnderIdsOfItsOwn) {
    World world({.gravity = {0.1, 0, -0.3}});
    BodiesOfEveryKind bodies(world);
    Constraints constraints;
    constraints.positions = {{7, {0.1, 0, 0.05}}};
    applied(world, SetConstraints{bodies.warp, constraints, 0.2});
    applied(world, SetSprings{bodies.stvk, {{3, {1.5, 2, 3}, 5}}});
    applied(world, SetForces{bodies.twin, {{4, {0.2, 0, 0}}}, {}});
    for (int i = 0; i < 25; ++i)
        world.step(5e-3);
    World second = world.clone();
    EXPECT_EQ(second.body(bodies.stvk), nullptr);  // of another world
    EXPECT_FALSE(second.restore(world.save()).ok());
    const BodiesOfEveryKind first_ids = bodies;
    for (BodyId* id : {&bodies.stvk, &bodies.twin, &bodies.warp, &bodies.linear, &bodies.rigid})
        id->world = second.bodies()[0].id().world;
    thousand_steps(world, first_ids);
    const std::vector<double> first = numbers_of(world);
    thousand_steps(second, bodies);
    EXPECT_EQ(numbers_of(second), first);
    EXPECT_EQ(numbers_of(world), first);  // nothing that moves is shared
    EXPECT_GT(added(second, {.model = bodies.soft}).number, bodies.rigid.number);
}

TEST(WorldState, AWholeStateGoesOnBitByBitAndOneOfAnotherKindIsRefused) {
    World world({.gravity = {0, 0, -1}});
    const BodiesOfEveryKind bodies(world);
    for (int i = 0; i < 10; ++i)
        world.step(5e-3);
    const auto state_of = [&](BodyId id) {
        return std::visit(
            [&](const auto& body) {
                return RestoreState{id, body.state()};
            },
            world.body(id)->kind());
    };
    std::vector<RestoreState> states;
    for (const BodyId id : bodies.all())
        states.push_back(state_of(id));
    const auto of_bodies = [&] {
        std::vector<double> all = numbers_of(world);
        return std::vector<double>(all.begin() + 2, all.end());  // without the world's time and steps
    };
    for (int i = 0; i < 10; ++i)
        world.step(5e-3);
    const std::vector<double> after = of_bodies();
    for (const RestoreState& state : states)
        applied(world, state);
    for (int i = 0; i < 10; ++i)
        world.step(5e-3);
    EXPECT_EQ(of_bodies(), after);
    const Status other = world.apply(RestoreState{bodies.rigid, states[0].state});
    ASSERT_FALSE(other.ok());
    EXPECT_EQ(other.error().where, "body rigid: state");
    EXPECT_EQ(of_bodies(), after);
}

// Also while another thread steps the first: clones share nothing that moves.
TEST(WorldState, ACloneGoesOnBitByBitInAnotherThread) {
    World world({.gravity = {0, 0, -1}});
    const BodiesOfEveryKind bodies(world);
    applied(world, SetSprings{bodies.stvk, {{3, {1.5, 2, 3}, 5}}});
    for (int i = 0; i < 10; ++i)
        world.step(5e-3);
    World copy = world.clone();
    std::thread other([&] {
        for (int i = 0; i < 500; ++i)
            copy.step(5e-3);
    });
    for (int i = 0; i < 500; ++i)
        world.step(5e-3);
    other.join();
    EXPECT_EQ(numbers_of(copy), numbers_of(world));
    EXPECT_EQ(copy.body(bodies.stvk), nullptr);  // ids name their world
}

}  // namespace
}  // namespace limber
