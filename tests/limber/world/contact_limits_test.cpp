// SPDX-License-Identifier: Apache-2.0
// Where a limit of contact is reached, the step says so. And what the automatic values do at any size.
#include "tests/limber/world/contact_scene.h"
#include "tests/limber/world/fine_pyramid.h"

#include <limber/world/obstacle_json.h>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

namespace limber {
namespace {

using Eigen::Vector3d;
using test::add_box;
using test::add_floor;
using test::mass_of;
using test::ModelPtr;
using test::steps;

TEST(ContactLimits, MoreThanTwentyThousandContactsAreLeftOutAndCounted) {
    World world({.gravity = test::kDown});
    add_floor(world);
    const int n = 145;
    const BodyId id = test::added(world, {.model = test::fine_pyramid(n), .method = Method::Rigid});
    steps(world, 20);
    const ContactReport& report = world.report().contact;
    EXPECT_EQ(report.points, 20000);
    EXPECT_EQ(report.left_out, std::size_t((n + 1) * (n + 1) - 20000));
    // Those that are left carry it.
    const double weight = 9.81 * mass_of(world, id);
    EXPECT_NEAR(world.body(id)->contacts().force.z(), weight, 0.05 * weight);
    EXPECT_GT(world.body(id)->rigid_state()->position.z(), 0.1);
}

TEST(ContactLimits, AStepThatReachesNoLimitReportsNone) {
    World world({.gravity = test::kDown});
    add_floor(world);
    add_box(world, {.place = {0, 0, 0.06}, .velocity = {0.3, 0, 0}});
    add_box(world, {.place = {0.02, 0.01, 0.17}});
    for (int i = 0; i < 500; ++i) {
        steps(world, 1);
        const ContactReport& report = world.report().contact;
        EXPECT_EQ(report.left_out + report.cut_short + report.refused, 0u);
        EXPECT_EQ(report.reverted, 0);
        EXPECT_EQ(report.speeds_off, 0) << report.speed_error;
    }
}

TEST(ContactLimits, TheReportInJsonHasEveryField) {
    ContactReport report;
    report.enabled = true;
    report.speed_error = 0.5;
    report.not_converged = 1;
    report.speeds_off = 2;
    report.radii_unsettled = 3;
    report.reverted = 4;
    report.left_out = 5;
    report.cut_short = 6;
    report.refused = 7;
    const nlohmann::json json = describe_contact(report);
    EXPECT_EQ(json["speed_error"], 0.5);
    EXPECT_EQ(json["not_converged"], 1);
    EXPECT_EQ(json["speeds_off"], 2);
    EXPECT_EQ(json["radii_unsettled"], 3);
    EXPECT_EQ(json["reverted"], 4);
    EXPECT_EQ(json["left_out"], 5);
    EXPECT_EQ(json["cut_short"], 6);
    EXPECT_EQ(json["refused"], 7);
}

TEST(ContactLimits, AutomaticValuesSuitACentimetreAndAHundredMetres) {  // (50)
    for (const double size : {0.01, 1.0, 100.0}) {
        World world({.gravity = test::kDown});
        add_floor(world);
        const BodyId box =
            add_box(world, {.size = Vector3d(2, 2, 1) * size,
                            .place = {0, 0, 0.6 * size},
                            .turned = Eigen::Quaterniond(Eigen::AngleAxisd(0.05, Vector3d::UnitY()))});
        // Ten times the time that it takes to fall its own height.
        const int count = static_cast<int>(10 * std::sqrt(2 * size / 9.81) / 1e-3) + 600;
        steps(world, count);
        const WorldBody& body = *world.body(box);
        EXPECT_NEAR(body.rigid_state()->position.z(), 0.5 * size, 1e-3 * size) << size;
        EXPECT_LE(body.contacts().depth, 1e-3 * size) << size;
        EXPECT_TRUE(body.asleep()) << size;
    }
}

TEST(ContactLimits, BodiesThatAreRemovedLeaveNothingBehind) {
    World world;
    ContactSettings settings;
    settings.self = SelfContact::On;
    test::applied(world, SetContact{settings});
    for (const Method method : {Method::Stvk, Method::Warp, Method::Rigid}) {
        ModelPtr model = method == Method::Rigid ? test::box_model({0.1, 0.1, 0.1}) : test::soft_model();
        const std::weak_ptr<const Model> watched = model;
        const BodyId id = test::added(world, {.model = std::move(model), .method = method});
        world.step(1e-3);
        ASSERT_TRUE(world.remove(id).ok());
        world.step(1e-3);
        EXPECT_TRUE(watched.expired()) << int(method);
    }
}

}  // namespace
}  // namespace limber
