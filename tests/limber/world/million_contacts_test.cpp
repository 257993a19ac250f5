// SPDX-License-Identifier: Apache-2.0
// A million contacts: the narrowest are kept, the rest is counted, and the step ends.
// docs/math/contact.md, section 3, Limits.
#include "tests/limber/world/contact_scene.h"
#include "tests/limber/world/fine_pyramid.h"

#include <gtest/gtest.h>

#include <numbers>
#include <utility>

namespace limber::test {
namespace {

using Eigen::Vector3d;

constexpr std::size_t kMost = 20000;  // DetectOptions::most_contacts

// They are spread over the whole base, so it does not tip over.
TEST(AMillionContacts, OfABodyOnAFloorAreCutToTheNarrowest) {
    World world({.gravity = kDown});
    add_floor(world);
    const BodyId id = added(world, {.model = fine_pyramid(999), .method = Method::Rigid});
    for (int i = 0; i < 3; ++i) {
        steps(world, 1);
        const ContactReport& report = world.report().contact;
        ASSERT_EQ(static_cast<std::size_t>(report.points), kMost);
        ASSERT_EQ(report.left_out, 1'000'000 - kMost);
    }
    const WorldBody& body = *world.body(id);
    EXPECT_LE(Eigen::AngleAxisd(body.pose().orientation).angle(), 1e-3);
    EXPECT_GT(body.contacts().force.z(), 0);
}

// Base to base, and 40 bodies in one place: triangles without number are near each other.
TEST(AMillionContacts, BetweenBodiesEndTheSearch) {
    for (const auto& [count, n] : {std::pair{2, 999}, {40, 100}}) {
        World world;
        const ModelPtr model = fine_pyramid(n);
        for (int i = 0; i < count; ++i) {
            BodyDef def{.model = model};
            def.method = Method::Rigid;
            def.pose = {
                {0, 0, 1e-4 * (i % 2)},
                Eigen::Quaterniond(Eigen::AngleAxisd(i % 2 == 1 ? 0 : std::numbers::pi, Vector3d::UnitX()))};
            added(world, def);
        }
        applied(world, SetContact{ContactSettings{}});
        for (int i = 0; i < 2; ++i) {
            world.step(1e-3);
            const ContactReport& report = world.report().contact;
            EXPECT_LE(static_cast<std::size_t>(report.points), kMost);
            EXPECT_GT(report.cut_short, 0u);
        }
        for (const WorldBody& body : world.bodies())
            EXPECT_TRUE(body.pose().position.allFinite());
    }
}

}  // namespace
}  // namespace limber::test
