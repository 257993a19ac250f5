// SPDX-License-Identifier: Apache-2.0
// The hard cases of contact: stacks, arches, cards, thin plates, mass ratios.
#include "tests/limber/world/contact_scene.h"

#include <gtest/gtest.h>

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
using test::steps;

ContactSettings never_asleep() {
    ContactSettings settings;
    settings.sleep = Sleeping::Off;
    return settings;
}

double height_of(const World& world, BodyId id) {
    return world.body(id)->rigid_state()->position.z();
}

TEST(ContactStack, TenBlocksStandAndTheLowestCarriesAll) {
    World world({.gravity = test::kDown, .contact = never_asleep()});
    add_floor(world);
    std::vector<BodyId> blocks;
    double weight = 0;
    for (int i = 0; i < 10; ++i) {
        blocks.push_back(add_box(world, {.size = {0.2, 0.2, 0.1}, .place = {0, 0, 0.05 + 0.1 * i}}));
        weight += 9.81 * mass_of(world, blocks.back());
    }
    steps(world, 1500);
    double floor = 0;
    for (const WorldContact& contact : world.contacts())
        if (contact.obstacle.number != 0) floor += contact.force.z();
    EXPECT_NEAR(floor, weight, 1e-3 * weight);
    for (int i = 0; i < 10; ++i) {
        EXPECT_NEAR(height_of(world, blocks[std::size_t(i)]), 0.05 + 0.1 * i, 1e-3) << i;
        EXPECT_LE(world.body(blocks[std::size_t(i)])->velocity(0).norm(), 1e-4) << i;
    }
}

TEST(ContactStack, AHeavyBlockRestsOnAThousandTimesLighterOne) {
    World world({.gravity = test::kDown, .contact = never_asleep()});
    add_floor(world);
    const BodyId light = add_box(world, {.size = {0.2, 0.2, 0.2}, .place = {0, 0, 0.1}, .density = 1});
    const BodyId heavy = add_box(world, {.size = {0.2, 0.2, 0.2}, .place = {0, 0, 0.3}, .density = 1000});
    steps(world, 1500);
    const double weight = 9.81 * (mass_of(world, light) + mass_of(world, heavy));
    double floor = 0;
    for (const WorldContact& contact : world.contacts())
        if (contact.obstacle.number != 0) floor += contact.force.z();
    EXPECT_NEAR(floor, weight, 1e-3 * weight);
    EXPECT_NEAR(height_of(world, heavy), 0.3, 1e-3);
    EXPECT_NEAR(height_of(world, light), 0.1, 1e-3);
}

TEST(ContactStack, PinchedBetweenTwoWallsABlockDoesNotCreep) {
    World world({.gravity = test::kDown, .contact = never_asleep()});
    ObstacleDef wall;
    wall.friction = 0.8;
    wall.shape = BoxShape{{0.1, 1, 1}};
    wall.pose.position = {-0.05 - 0.1 + 2e-5, 0, 0};
    test::added(world, wall);
    wall.pose.position = {0.05 + 0.1 - 2e-5, 0, 0};
    test::added(world, wall);
    const BodyId box = add_box(world, {.size = {0.2, 0.2, 0.1}, .touch = {0.8}});
    steps(world, 1000);
    const double start = height_of(world, box);
    steps(world, 1000);
    EXPECT_LE(std::abs(height_of(world, box) - start), 1e-7);  // 0.1 µm/s
}

TEST(ContactStack, AFastBodyDoesNotPassThroughAThinPlate) {
    for (const double speed : {30.0, 100.0}) {
        World world({.contact = never_asleep()});
        ObstacleDef plate;
        plate.shape = BoxShape{{1, 1, 0.001}};
        test::added(world, plate);
        for (int phase = 0; phase < 10; ++phase) {
            const BodyId box = add_box(world, {.size = {0.05, 0.05, 0.05},
                                               .place = {0, 0, 0.2 + 0.01 * phase * speed / 100},
                                               .velocity = {0, 0, -speed},
                                               .touch = {.layers = 1}});
            for (int i = 0; i < 30; ++i)
                world.step(1e-3);
            EXPECT_GT(height_of(world, box), 0) << speed << " " << phase;
            ASSERT_TRUE(world.remove(box).ok());
        }
    }
}

constexpr double kCardLength = 0.09, kCardWidth = 0.06, kCardThickness = 0.002, kCardTilt = 0.35;  // m, rad

// Two cards that lean on each other: upper edges meet at x, lower edges stand at z.
void add_leaning_cards(World& world, double x, double z, std::vector<BodyId>& cards) {
    for (const double side : {-1.0, 1.0}) {
        const Quaterniond turned(AngleAxisd(-side * kCardTilt, Vector3d::UnitY()));
        const Vector3d up = turned * Vector3d(0, 0, 0.5 * kCardLength);
        const Vector3d place(x + side * (std::abs(up.x()) + 0.5 * kCardThickness / std::cos(kCardTilt)), 0,
                             z + up.z() + 0.5 * kCardThickness * std::sin(kCardTilt));
        cards.push_back(add_box(world, {.size = {kCardThickness, kCardWidth, kCardLength},
                                        .place = place,
                                        .turned = turned,
                                        .density = 700,
                                        .touch = {0.8}}));
    }
}

void expect_cards_stand(World& world, const std::vector<BodyId>& cards) {
    steps(world, 500);
    std::vector<double> before;
    for (const BodyId card : cards)
        before.push_back(height_of(world, card));
    steps(world, 1500);
    for (std::size_t i = 0; i < cards.size(); ++i) {
        EXPECT_GT(height_of(world, cards[i]), 0.4 * kCardLength) << i;
        EXPECT_NEAR(height_of(world, cards[i]), before[i], 1e-4) << i;
    }
}

TEST(ContactStack, TwoCardsLeanOnEachOther) {
    World world({.gravity = test::kDown, .contact = never_asleep()});
    add_floor(world);
    std::vector<BodyId> cards;
    add_leaning_cards(world, 0, 0, cards);
    expect_cards_stand(world, cards);
}

TEST(ContactStack, AHouseOfCardsOfTwoStoreysStands) {
    World world({.gravity = test::kDown, .contact = never_asleep()});
    add_floor(world);
    std::vector<BodyId> cards;
    for (const double x : {-0.036, 0.036})
        add_leaning_cards(world, x, 0, cards);
    const double top = kCardLength * std::cos(kCardTilt) + kCardThickness * std::sin(kCardTilt);
    cards.push_back(add_box(world, {.size = {0.1, kCardWidth, kCardThickness},
                                    .place = {0, 0, top + 0.5 * kCardThickness},
                                    .density = 700,
                                    .touch = {0.8}}));
    add_leaning_cards(world, 0, top + kCardThickness, cards);
    expect_cards_stand(world, cards);
    EXPECT_GT(height_of(world, cards.back()), top + 0.4 * kCardLength);
}

// They leave each other by the way out of their common volume, no faster than a body leaves an obstacle. (32)
TEST(ContactStack, BoxesThatBeginInOneAnotherLeaveNoFasterThanTheDissipationAllows) {
    for (const double dissipation : {0.5, 1.0, 2.0})
        for (const double size : {0.2, 0.1}) {
            ContactSettings settings = never_asleep();
            settings.dissipation = dissipation;
            World world({.contact = settings});
            const BodyId one = add_box(world, {.size = {0.2, 0.2, 0.2}});
            const BodyId two = add_box(world, {.size = {size, size, size}, .place = {0.03, 0.02, 0.1}});
            double fastest = 0;
            for (int i = 0; i < 1000; ++i) {
                steps(world, 1);
                const auto velocity = [&](BodyId id) { return world.body(id)->flight()->velocity; };
                fastest = std::max(fastest, (velocity(two) - velocity(one)).norm());
            }
            EXPECT_LE(fastest, 1.2 / dissipation) << size;
            EXPECT_GT(fastest, 0.1 / dissipation) << size;
            EXPECT_EQ(world.report().contact.touching, 0) << size;
            EXPECT_GT(height_of(world, two) - height_of(world, one), 0.1 + 0.5 * size) << size;
        }
}

// Wholly inside nothing is near its surface: it does not touch until it comes to the wall, from within.
TEST(ContactStack, ABoxThatBeginsInsideAnotherDoesNotTouchIt) {
    World world({.contact = never_asleep()});
    const BodyId outer = add_box(world, {.size = {1, 1, 1}});
    const BodyId inner = add_box(world, {.size = {0.1, 0.1, 0.1}, .velocity = {0.1, 0, 0}});
    steps(world, 100);
    EXPECT_EQ(world.report().contact.touching, 0);
    EXPECT_NEAR(world.body(inner)->rigid_state()->position.x(), 0.01, 1e-12);
    EXPECT_EQ(world.body(outer)->rigid_state()->momentum, Vector3d(Vector3d::Zero()));
}

// Wedges with their joints on the radii of a half ring: seven stones of a semicircle.
std::shared_ptr<const Model> voussoir(double inner, double outer, double depth, double half_angle) {
    Model model;
    model.name = "stone";
    model.surface = test::box_surface({1, 1, 1});
    for (Vector3d& x : model.surface.vertices) {
        const double radius = x.z() > 0 ? outer : inner, angle = x.x() > 0 ? half_angle : -half_angle;
        x = {radius * std::sin(angle), depth * x.y(), radius * std::cos(angle)};
    }
    return std::make_shared<const Model>(std::move(model));
}

constexpr int kStones = 7;
constexpr double kInner = 0.3, kOuter = 0.45;  // m

std::vector<BodyId> add_arch(World& world, double friction) {
    add_floor(world);
    const double half = M_PI / (2 * kStones);
    const std::shared_ptr<const Model> stone = voussoir(kInner, kOuter, 0.2, half);
    std::vector<BodyId> ids;
    for (int i = 0; i < kStones; ++i) {
        BodyDef def;
        def.model = stone;
        def.method = Method::Rigid;
        def.settings = RigidSettings{.density = 2000};
        def.pose.orientation = AngleAxisd(-0.5 * M_PI + (2 * i + 1) * half, Vector3d::UnitY());
        def.touch.friction = friction;
        ids.push_back(test::added(world, std::move(def)));
    }
    // The lowest stones would slide outwards: abutments hold them.
    for (const double side : {-1.0, 1.0}) {
        ObstacleDef abutment;
        abutment.shape = BoxShape{{0.2, 0.4, 0.2}};
        abutment.pose.position = {side * (kOuter + 0.1), 0, 0.1};
        test::added(world, abutment);
    }
    return ids;
}

// What friction must be at least: the joint at θ_k = (2k + 1) 90°/7 from the crown carries the k + ½ stones
// above it and the thrust H, the same in all joints, within atan µ of its normal. In stones,
//     (k + ½)/tan(θ_k + atan µ) ≤ H ≤ (k + ½)/tan(θ_k − atan µ),   k = 0, 1, 2.
bool may_stand(double friction) {
    double least = 0, most = 1e300;
    for (int k = 0; k < 3; ++k) {
        const double angle = (2 * k + 1) * M_PI / (2 * kStones), slack = std::atan(friction);
        if (angle + slack < M_PI / 2) least = std::max(least, (k + 0.5) / std::tan(angle + slack));
        if (angle > slack) most = std::min(most, (k + 0.5) / std::tan(angle - slack));
    }
    return least <= most;
}

TEST(ContactStack, AnArchOfSevenStonesStands) {
    for (const double friction : {0.9, 0.3}) {
        ASSERT_TRUE(may_stand(friction));
        World world({.gravity = test::kDown, .contact = never_asleep()});
        const std::vector<BodyId> ids = add_arch(world, friction);
        std::vector<double> heights;
        steps(world, 1000);
        for (const BodyId id : ids)
            heights.push_back(height_of(world, id));
        steps(world, 1000);
        for (std::size_t i = 0; i < ids.size(); ++i)
            EXPECT_NEAR(height_of(world, ids[i]), heights[i], 1e-4) << i << ", friction " << friction;
        EXPECT_GT(height_of(world, ids[kStones / 2]), 0.33);
    }
}

TEST(ContactStack, AnArchWithTooLittleFrictionFalls) {
    constexpr double kTooLittle = 0.05;
    ASSERT_FALSE(may_stand(kTooLittle));
    World world({.gravity = test::kDown, .contact = never_asleep()});
    const std::vector<BodyId> ids = add_arch(world, kTooLittle);
    steps(world, 2000);
    EXPECT_LT(height_of(world, ids[kStones / 2]), 0.5 * kOuter);
}

}  // namespace
}  // namespace limber
