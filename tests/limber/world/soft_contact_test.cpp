// SPDX-License-Identifier: Apache-2.0
// Soft bodies in contact: free ones against obstacles, rigid bodies and each other, and warped ones. Equation
// numbers: docs/math/contact.md.
#include "build/recipe/recipe.h"
#include "tests/build/fem/bars.h"
#include "tests/limber/world/contact_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace limber {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using test::add_box;
using test::add_floor;
using test::mass_of;
using test::ModelPtr;

// Bricks about the origin; `fix` holds vertices, none: it is free.
ModelPtr built(build::VolumeMesh mesh, const std::vector<std::string>& fix = {}, double young = 1e6) {
    build::Recipe recipe;
    recipe.fix = fix;
    recipe.materials.young = young;
    recipe.materials.poisson = 0.4;
    recipe.materials.density = 1000;
    recipe.modes = 8;
    recipe.rank = build::parse_rank("16");
    return build::build_model({std::move(mesh), "soft", {}}, recipe).model;
}
ModelPtr soft_block(const Vector3d& size, const std::vector<std::string>& fix = {}, double young = 1e6) {
    return built(build::testing::moved(build::testing::brick_bar(4, 4, 2, size), -0.5 * size), fix, young);
}
const ModelPtr& block() {
    static const ModelPtr model = soft_block({0.2, 0.2, 0.1});
    return model;
}
constexpr double kMassOfBlock = 4;  // kg

BodyDef damped_block(double height) {
    StvkSettings settings;
    settings.alpha = 1;
    settings.beta = 0.005;
    return {.model = block(), .settings = settings, .pose = {{0, 0, height}, Quaterniond::Identity()}};
}

ContactSettings soft_settings(double dissipation = 1, double friction = 0.5) {
    ContactSettings settings;
    settings.dissipation = dissipation;
    settings.friction = friction;
    settings.sleep = Sleeping::Off;
    return settings;
}

double energy_of(const WorldBody& body) {
    return body.kinetic_energy() + body.elastic_energy();
}

void converged_steps(World& world, int count) {
    for (int i = 0; i < count; ++i) {
        world.step(1e-3);
        ASSERT_EQ(world.report().not_converged, 0) << "step " << i;
        ASSERT_EQ(world.report().contact.not_converged, 0) << "step " << i;
    }
}

// Forces on the body from one side of a pair, N, upwards.
double force_between(const World& world, BodyId upper, BodyId lower) {
    double sum = 0;
    for (const WorldContact& contact : world.contacts()) {
        if (contact.a == upper && contact.b == lower) sum += contact.force.z();
        if (contact.a == lower && contact.b == upper) sum -= contact.force.z();
    }
    return sum;
}

TEST(SoftContact, ABounceKeepsItsTotalEnergy) {
    for (const double speed : {0.5, 2.0})
        for (const double tilt : {0.0, 0.4}) {
            World world({.contact = soft_settings(0, 0)});  // weightless, d = 0
            add_floor(world);
            const BodyId id = test::added(
                world,
                {.model = block(),
                 .pose = {{0, 0, 0.16}, Quaterniond(AngleAxisd(tilt, Vector3d(1, 0.5, 0).normalized()))},
                 .velocity = {0, 0, -speed}});
            const double start = energy_of(*world.body(id));
            double most = start;
            bool touched = false;
            for (int i = 0; i < 1500; ++i) {
                converged_steps(world, 1);
                most = std::max(most, energy_of(*world.body(id)));
                touched |= world.report().contact.touching > 0;
            }
            EXPECT_TRUE(touched);
            EXPECT_EQ(world.report().contact.touching, 0);
            EXPECT_GT(world.body(id)->flight()->velocity.z(), 0);
            EXPECT_LE(most, 1.001 * start) << speed << " m/s, " << tilt;
            EXPECT_GE(energy_of(*world.body(id)), 0.85 * start) << speed << " m/s, " << tilt;
        }
}

TEST(SoftContact, ASoftBlockOnASoftBlockIsCarriedByItsWeight) {
    World world({.gravity = test::kDown, .contact = soft_settings()});
    add_floor(world);
    const BodyId lower = test::added(world, damped_block(0.0501)),
                 upper = test::added(world, damped_block(0.1503));
    converged_steps(world, 3000);
    const double weight = 9.81 * kMassOfBlock;
    EXPECT_NEAR(force_between(world, upper, lower), weight, 1e-3 * weight);
    EXPECT_NEAR(world.body(upper)->contacts().force.z(), weight, 1e-3 * weight);
    EXPECT_NEAR(world.body(lower)->contacts().force.z(), weight,
                1e-3 * weight);  // its own: 2 from below, 1 from above
    EXPECT_LE(world.body(upper)->kinetic_energy(), 1e-8);
    EXPECT_LE(world.body(upper)->contacts().depth, 1e-3 * 0.1);
}

TEST(SoftContact, SoftBodiesThatCollideKeepTheirMomentum) {
    World world({.contact = soft_settings(0.5, 0.4)});
    const BodyId one = test::added(world, {.model = block(), .velocity = {0, 0, 1}});
    const BodyId two =
        test::added(world, {.model = block(),
                            .pose = {{0.05, 0.03, 0.13}, Quaterniond(AngleAxisd(0.2, Vector3d::UnitX()))},
                            .velocity = {0, 0, -1},
                            .angular_velocity = {0, 2, 1}});
    const auto momentum = [&]() -> Vector3d {
        return world.body(one)->rigid_state()->momentum + world.body(two)->rigid_state()->momentum;
    };
    const auto angular = [&] {
        Vector3d sum = Vector3d::Zero();
        for (const BodyId id : {one, two}) {
            const RigidState s = *world.body(id)->rigid_state();
            sum += s.position.cross(s.momentum) + s.angular_momentum;
        }
        return sum;
    };
    const Vector3d p = momentum(), L = angular();
    bool touched = false;
    for (int i = 0; i < 500; ++i) {
        converged_steps(world, 1);
        touched |= world.report().contact.touching > 0;
    }
    EXPECT_TRUE(touched);
    EXPECT_LE((momentum() - p).norm(), 1e-10 * kMassOfBlock);
    // Friction acts on the two surfaces, which are a gap of less than a margin (2 mm) apart.
    EXPECT_LE((angular() - L).norm(), 2e-3 * kMassOfBlock);
}

TEST(SoftContact, AFreeSoftBlockAndARigidOneCarryEachOther) {
    for (const bool soft_below : {true, false}) {
        World world({.gravity = test::kDown, .contact = soft_settings()});
        add_floor(world);
        const BodyId soft = test::added(world, damped_block(soft_below ? 0.0501 : 0.1503));
        const BodyId rigid = add_box(world, {.place = {0, 0, soft_below ? 0.1503 : 0.0501}});
        converged_steps(world, 3000);
        const double weight = 9.81 * (soft_below ? mass_of(world, rigid) : kMassOfBlock);
        const BodyId upper = soft_below ? rigid : soft, lower = soft_below ? soft : rigid;
        EXPECT_NEAR(force_between(world, upper, lower), weight, 1e-3 * weight) << soft_below;
        double floor = 0;
        for (const WorldContact& contact : world.contacts())
            if (contact.obstacle.number != 0) floor += contact.force.z();
        const double both = 9.81 * (mass_of(world, rigid) + kMassOfBlock);
        EXPECT_NEAR(floor, both, 1e-3 * both) << soft_below;
    }
}

TEST(SoftContact, AWarpedSlabCarriesARigidBlock) {
    World world({.gravity = test::kDown, .contact = soft_settings()});
    WarpSettings settings;
    settings.alpha = 1;
    settings.beta = 0.005;
    const BodyId slab = test::added(
        world,
        {.model = soft_block({0.4, 0.4, 0.1}, {"z<-0.049"}), .method = Method::Warp, .settings = settings});
    const BodyId rigid = add_box(world, {.place = {0.02, 0.01, 0.1002}});
    converged_steps(world, 3000);
    const double weight = 9.81 * mass_of(world, rigid);
    EXPECT_NEAR(force_between(world, rigid, slab), weight, 1e-3 * weight);
    EXPECT_NEAR(world.body(slab)->contacts().force.z(), -weight, 1e-3 * weight);
    EXPECT_GT(world.body(slab)->elastic_energy(), 0);
}

}  // namespace
}  // namespace limber
