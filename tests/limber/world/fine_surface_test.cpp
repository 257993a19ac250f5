// SPDX-License-Identifier: Apache-2.0
// Bodies with fine surfaces: edges of a two-hundredth of the body, of which a fast one passes several in a
// step.
#include "tests/limber/world/soft_models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace limber::test {
namespace {

using Eigen::Vector3d;

// 0.47 m long, 0.24 m high, 56,000 triangles with edges of 2.6 mm.
ModelPtr dinosaur() {
    build::Recipe recipe;
    const build::BuildInput input = build::open_input("dinosaur", recipe);
    recipe.fix.clear();
    recipe.method = build::MethodChoice::Stvk;
    recipe.filling = build::Voxels{.resolution = 24};
    recipe.modes = 8;
    recipe.rank = build::parse_rank("12");
    return build::build_model(input, recipe).model;
}

class FineSurfaces : public testing::TestWithParam<double> {};

// 3 and 6 mm in a step. An overlap of v √(m/kA) for the mean of both masses on an area of a few cm² is some 5
// mm.
TEST_P(FineSurfaces, CollideAndSeparate) {
    constexpr double kSpeed = 3, kDeepest = 0.0125;
    static const ModelPtr model = dinosaur();
    World world({.contact = soft_settings()});
    const BodyId lower = added(world, {.model = model});
    BodyDef def{.model = model};
    def.method = Method::Rigid;
    def.settings = RigidSettings{.density = 500};
    def.pose.position = Vector3d(0.05, 0, 0.3);
    def.velocity = Vector3d(0, 0, -kSpeed);
    const BodyId upper = added(world, def);
    const Momenta start = momenta_of(world, {lower, upper});
    const WorldBody &one = *world.body(lower), &two = *world.body(upper);
    double told = 0, deepest = 0;
    int touched = 0;
    const double dt = GetParam();
    for (double t = 0; t < 0.1; t += dt) {
        world.step(dt);
        const ContactReport& contact = world.report().contact;
        ASSERT_EQ(world.report().not_converged, 0) << t;
        ASSERT_EQ(contact.cut_short, 0U) << t;
        told = std::max(told, contact.depth);
        if (contact.touching > 0 && touched++ % 4 == 0) deepest = std::max(deepest, overlap(one, two, 200));
    }
    EXPECT_GT(touched, 0);
    EXPECT_LE(told, kDeepest);
    EXPECT_LE(deepest, kDeepest);
    EXPECT_EQ(overlap(one, two, 200), 0);
    EXPECT_GT(two.flight()->velocity.z(), one.flight()->velocity.z());
    EXPECT_GT(two.rigid_state()->position.z() - one.rigid_state()->position.z(), 0.1);
    const Momenta end = momenta_of(world, {lower, upper});
    EXPECT_LE((end.linear - start.linear).norm(), 1e-10 * start.linear.norm());
    EXPECT_LE((end.angular - start.angular).norm(), 1e-10 * start.linear.norm());  // an arm of 1 m
}
INSTANTIATE_TEST_SUITE_P(Steps, FineSurfaces, testing::Values(1e-3, 2e-3));

}  // namespace
}  // namespace limber::test
