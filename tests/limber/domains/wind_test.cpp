// SPDX-License-Identifier: Apache-2.0
// Drag against closed forms, and gusts against what is promised of them. docs/math/domains.md, section 9.
#include "plate_tree.h"

#include "../reduced/allocation_counter.h"

#include <limber/domains/domains_body.h>

#include <cmath>

namespace limber::test {
namespace {

using Eigen::Vector3d;

DomainsBody free_plates(const Plate& plate, int count, const Vector3d& gravity = Vector3d::Zero()) {
    DomainsSettings settings;
    settings.mount = RootMount::Free;
    settings.gravity = gravity;
    auto made = make_domains_body(plate_tree(plate, count), settings);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().where + made.error().problem);
    return std::move(made).value();
}

std::shared_ptr<const Wind> air(const WindSettings& settings) {
    EXPECT_FALSE(wind_problem(settings));
    return std::make_shared<const Wind>(settings);
}

// m v̇ = mg − ½ρCAv²: v = v_t tanh(gt/v_t), v_t² = 2mg/(ρCA).
TEST(Wind, AFallingPlateReachesItsTerminalVelocity) {
    const Plate plate;
    const double g = 9.81, C = 1.2;
    DomainsBody body = free_plates(plate, 1, Vector3d(0, 0, -g));
    body.set_wind(air({.velocity = Vector3d::Zero(), .drag = C}), 0, Vector3d::Zero());
    // Four sides of the plate's edge lie along the fall and add nothing.
    const double terminal = std::sqrt(2 * plate.mass() * g / (kAirDensity * C * plate.area()));
    const double dt = 0.001;
    double worst = 0;
    for (int k = 1; k <= 3000; ++k) {
        ASSERT_TRUE(body.step(dt).converged);
        worst = std::max(worst, std::abs(body.velocity().z() + terminal * std::tanh(g * k * dt / terminal)));
    }
    std::printf("terminal velocity %.4f m/s; worst deviation on the way %.2g m/s\n", terminal, worst);
    EXPECT_LE(worst, 1e-4 * terminal);  // 5.5e-6 m/s were measured; |u| is that of the start of the step
    EXPECT_NEAR(body.velocity().z(), -terminal, 1e-6 * terminal);
}

// Pressure acts along the normal: of a wind at an angle the plate feels ½ρC A|u| times the normal part.
TEST(Wind, APlateIsPushedAlongItsNormal) {
    Plate plate;
    plate.thickness = 1e-6;  // hardly any edge
    DomainsBody body = free_plates(plate, 1);
    const Vector3d wind(3, 0, 4);
    body.set_wind(air({.velocity = wind}), 0, Vector3d::Zero());
    const double dt = 1e-9;  // so short that the plate does not move yet
    ASSERT_TRUE(body.step(dt).converged);
    const Vector3d force = body.momentum().momentum / dt;
    const double expected = 0.5 * kAirDensity * plate.area() * 5 * 4;
    EXPECT_NEAR(force.z(), expected, 1e-4 * expected);
    EXPECT_LE(std::hypot(force.x(), force.y()), 1e-4 * expected);
}

// A leaf so light that explicit drag would explode: h c/m is about 2e5.
TEST(Wind, ALightLeafTakesTheSpeedOfTheWindAtOneSixtiethOfASecond) {
    Plate plate;
    plate.density = 0.001;
    DomainsBody body = free_plates(plate, 3);
    ASSERT_TRUE(body.place({}, Vector3d(0, 0, -20), Vector3d(30, 5, -40)).ok());
    const Vector3d wind(0, 0, 2);
    body.set_wind(air({.velocity = wind}), 0, Vector3d::Zero());
    const double start = body.kinetic_energy(), mass = body.mass();
    const double at_wind = 0.5 * mass * wind.squaredNorm();
    double most = 0;
    for (int k = 0; k < 600; ++k) {
        ASSERT_TRUE(body.step(1.0 / 60).converged);
        most = std::max(most, body.kinetic_energy());
    }
    std::printf("kinetic energy %.3g J, then at most %.3g J, at the wind's speed %.3g J\n", start, most,
                at_wind);
    EXPECT_LE(most, start);
    // Along the normals of the plates it moves with the air.
    const Vector3d n = body.pose().orientation * Vector3d::UnitZ();
    EXPECT_NEAR(n.dot(body.velocity() - wind), 0, 0.02 * wind.norm());
}

// A scaled instance feels the drag of a plate that was built at its size.
TEST(Wind, AScaledInstanceFeelsTheDragOfARebuiltOne) {
    const auto pushed = [](double scale, double side) {
        Plate plate;
        plate.side = side;
        plate.thickness = 0.01 * side;
        auto model = std::make_shared<Model>(*plate_tree(plate, 2));
        auto tree = std::make_shared<DomainsModel>(*model->domains);
        tree->domains[0].scale = scale;
        auto made = tree_model(tree);
        EXPECT_TRUE(made.ok());
        DomainsSettings settings;
        settings.mount = RootMount::Free;
        auto body = make_domains_body(std::make_shared<const Model>(std::move(made).value()), settings);
        EXPECT_TRUE(body.ok());
        body.value().set_wind(air({.velocity = Vector3d(1, 2, 3), .gusts = 0.5, .seed = 3}), 0,
                              Vector3d::Zero());
        EXPECT_TRUE(body.value().place({}, Vector3d(0.1, 0, 0), Vector3d(1, -2, 3)).ok());
        for (int k = 0; k < 50; ++k)
            EXPECT_TRUE(body.value().step(0.01).converged);
        return body.value().rigid_state();
    };
    const RigidState a = pushed(3, 0.1), b = pushed(1, 0.3);
    EXPECT_LE((a.position - b.position).norm(), 1e-10 * b.position.norm());
    EXPECT_LE((a.momentum - b.momentum).norm(), 1e-10 * b.momentum.norm());
    EXPECT_LE((a.angular_momentum - b.angular_momentum).norm(), 1e-10 * b.angular_momentum.norm());
}

TEST(Wind, GustsHaveTheGivenStrengthAreSmoothAndRepeatBySeed) {
    const WindSettings settings{.velocity = Vector3d(5, 0, 1), .gusts = 0.3, .seed = 7};
    const Wind wind(settings), same(settings),
        other({.velocity = Vector3d(5, 0, 1), .gusts = 0.3, .seed = 8});
    const Vector3d place(3, -2, 1);
    Vector3d sum = Vector3d::Zero(), square = sum;
    const int count = 200000;
    for (int k = 0; k < count; ++k) {
        const Vector3d w = wind.at(0.01 * k, place) - settings.velocity;
        sum += w;
        square += w.cwiseAbs2();
        if (k % 1000 == 0) {
            ASSERT_EQ(wind.at(0.01 * k, place), same.at(0.01 * k, place));
        }
    }
    const double expected = 0.3 * settings.velocity.norm();
    // 2,000 s have 200 periods of the slowest wave.
    EXPECT_LE((sum / count).norm(), 0.01 * expected);
    for (const double s : square)
        EXPECT_NEAR(std::sqrt(s / count), expected, 0.01 * expected);
    EXPECT_GT((wind.at(1, place) - other.at(1, place)).norm(), 0.01);
    // 6 Hz is the fastest: in a millisecond, or on a millimetre, nothing jumps.
    EXPECT_LE((wind.at(1.001, place) - wind.at(1, place)).norm(), 0.2 * expected);
    EXPECT_LE((wind.at(1, place + Vector3d(0, 0.001, 0)) - wind.at(1, place)).norm(), 0.05 * expected);
}

TEST(Wind, AWarmStepInGustsAllocatesNothing) {
    DomainsBody body = free_plates({}, 20, Vector3d(0, 0, -9.81));
    const auto wind = air({.velocity = Vector3d(4, 1, 0), .gusts = 0.4, .seed = 1});
    body.set_wind(wind, 0, Vector3d::Zero());
    body.step(0.01);
    const long before = allocations_so_far();
    for (int k = 1; k < 10; ++k) {
        body.set_wind(wind, 0.01 * k, Vector3d::Zero());
        body.step(0.01);
    }
    EXPECT_EQ(allocations_so_far(), before);
}

TEST(Wind, SettingsThatNoWindHasAreRefused) {
    for (const WindSettings& bad :
         {WindSettings{.velocity = Vector3d(NAN, 0, 0)}, WindSettings{.velocity = Vector3d(2000, 0, 0)},
          WindSettings{.drag = -1}, WindSettings{.gusts = NAN}, WindSettings{.seed = -1}}) {
        const auto problem = wind_problem(bad);
        ASSERT_TRUE(problem);
        EXPECT_FALSE(problem->try_this.empty());
    }
}

}  // namespace
}  // namespace limber::test
