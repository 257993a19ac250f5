// SPDX-License-Identifier: Apache-2.0
// Soft bodies in contact: free ones against obstacles, rigid bodies and each other, and warped ones. Equation
// numbers: docs/math/contact.md.
#include "tests/limber/world/soft_models.h"

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
using test::converged_steps;
using test::mass_of;
using test::ModelPtr;
using test::soft_block;
using test::soft_settings;

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

double energy_of(const WorldBody& body) {
    return body.kinetic_energy() + body.elastic_energy();
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
    const test::Momenta start = test::momenta_of(world, {one, two});
    bool touched = false;
    for (int i = 0; i < 500; ++i) {
        converged_steps(world, 1);
        touched |= world.report().contact.touching > 0;
    }
    EXPECT_TRUE(touched);
    const test::Momenta end = test::momenta_of(world, {one, two});
    EXPECT_LE((end.linear - start.linear).norm(), 1e-10 * kMassOfBlock);
    // Both impulses of a contact act in one point.
    EXPECT_LE((end.angular - start.angular).norm(), 1e-10 * kMassOfBlock);
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
