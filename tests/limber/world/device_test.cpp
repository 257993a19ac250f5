// SPDX-License-Identifier: Apache-2.0
// Haptic devices in a world: docs/math/haptics.md.
#include <limber/haptics/simulated_device.h>
#include <limber/world/world.h>

#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/world/test_world.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace limber {
namespace {

using Eigen::Vector3d;
using test::added;
using test::applied;

constexpr double kDt = 0.001;

// A box of 0.2 x 0.2 x 0.1 m and 1 kg, its top at z = 0.1, on a floor or in space.
struct BoxAndDevice {
    World world;
    BodyId box;
    DeviceId device;

    enum class Floor { No, Yes };
    BoxAndDevice(Floor floor, const DeviceSettings& settings, const Vector3d& position)
        : world({.gravity = floor == Floor::Yes ? Vector3d(0, 0, -9.81) : Vector3d::Zero()}) {
        RigidSettings rigid;
        rigid.density = 250;
        box = added(world, {.name = "box",
                            .model = test::box_model({0.2, 0.2, 0.1}),
                            .method = Method::Rigid,
                            .settings = rigid});
        // Wherever the model has its origin, the box stands on z = 0 and about the z axis.
        Vector3d low = Vector3d::Constant(1e9), high = -low;
        for (const Vector3d& x : world.body(box)->model()->surface.vertices) {
            low = low.cwiseMin(x);
            high = high.cwiseMax(x);
        }
        const Vector3d middle = (low + high) / 2;
        PlaceBody place{.body = box, .pose = {}};
        place.pose.position = {-middle.x(), -middle.y(), -low.z()};
        applied(world, place);
        if (floor == Floor::Yes) {
            const auto made = world.add(ObstacleDef{.name = "floor", .shape = PlaneShape{}});
            EXPECT_TRUE(made.ok());
        }
        const auto made = world.add(DeviceDef{.name = "stylus", .settings = settings, .position = position});
        EXPECT_TRUE(made.ok());
        device = made.value();
    }
    const WorldDevice& stylus() const { return *world.device(device); }
    void move(const Vector3d& to) { applied(world, MoveDevice{device, to}); }
};

TEST(Device, MovesWithoutForceWhereNothingIsTouched) {
    BoxAndDevice scene(BoxAndDevice::Floor::No, {}, {0, 0, 0.5});
    for (int k = 1; k <= 200; ++k) {
        scene.move({0.001 * k, 0, 0.5});
        scene.world.step(kDt);
        EXPECT_LE(scene.stylus().force().norm(), 1e-9);  // N
    }
    EXPECT_LE((scene.stylus().proxy() - Vector3d(0.2, 0, 0.5)).norm(), 1e-9);
    EXPECT_EQ(scene.stylus().contacts(), 0);
}

TEST(Device, GivesTheBodyTheImpulseThatTheHandGives) {
    // In space, without mass of the proxy: all that the hand gives goes to the box.
    BoxAndDevice scene(BoxAndDevice::Floor::No, {.radius = 0.02}, {0.03, 0.02, 0.15});
    Vector3d given = Vector3d::Zero();
    int touched = 0;
    for (int k = 1; k <= 600; ++k) {
        scene.move({0.03 + 1e-5 * k, 0.02, 0.15 - 0.0002 * k});
        scene.world.step(kDt);
        given -= kDt * scene.stylus().force();
        touched += scene.stylus().contacts() > 0;
    }
    EXPECT_GT(touched, 10);
    const auto& state = std::get<RigidBody>(scene.world.body(scene.box)->kind()).state();
    EXPECT_GT(given.norm(), 1e-3);  // N s
    EXPECT_LE((state.momentum - given).norm(), 1e-10 * given.norm());
}

TEST(Device, FeelsWhatTheFloorCarries) {
    // At rest the spring of the coupling, the contact and the floor carry the same force.
    const DeviceSettings settings{.radius = 0.02, .stiffness = 500, .damping = 2};
    BoxAndDevice scene(BoxAndDevice::Floor::Yes, settings, {0, 0, 0.125});
    for (int k = 1; k <= 3000; ++k) {
        scene.move({0, 0, std::max(0.08, 0.125 - 0.0001 * k)});
        scene.world.step(kDt);
        ASSERT_TRUE(scene.stylus().proxy().allFinite());
    }
    const WorldDevice& stylus = scene.stylus();
    EXPECT_GT(stylus.contacts(), 0);
    const double stretch = stylus.proxy().z() - stylus.position().z();
    // The ball, centre at 0.12 on top of the box, is pressed in by the depth of its contact; the device is at
    // 0.08. The box itself sinks into the floor by 30 N/(k · 0.04 m²), some 30 µm.
    EXPECT_NEAR(stretch + stylus.depth(), 0.04, 2e-4);  // m
    EXPECT_NEAR(stylus.force().z(), settings.stiffness * stretch, 1e-6 * stylus.force().z());
    double from_device = 0, from_floor = 0;
    for (const WorldContact& contact : scene.world.contacts())
        (contact.device.number != 0 ? from_device : from_floor) += contact.force.z();
    EXPECT_NEAR(from_device, -stylus.force().z(), 1e-6 * stylus.force().z());
    EXPECT_NEAR(from_floor, 9.81 + stylus.force().z(), 1e-3 * from_floor);
}

TEST(Device, SticksToWhatItPressesAndSlipsOffWhatItDoesNot) {
    // Pressed with N, pulled sideways by less or more than µN; the box is on the floor with the same µ, so
    // what slips first is the proxy.
    for (const double friction : {0.1, 1.0}) {
        BoxAndDevice scene(BoxAndDevice::Floor::Yes, {.radius = 0.02, .friction = friction}, {0, 0, 0.125});
        for (int k = 1; k <= 2000; ++k) {
            scene.move({k < 1000 ? 0 : 2e-5 * (k - 1000), 0, std::max(0.08, 0.125 - 0.0001 * k)});
            scene.world.step(kDt);
        }
        // Pressed by 20 N and pulled by up to 500 N/m · 2 cm = 10 N; µ = √(own · 0.5). What sticks gives way
        // like its contact spring, as stiff along the surface as across it, and then stays.
        const WorldDevice& stylus = scene.stylus();
        const double slid = stylus.proxy().x();
        const double elastic = std::abs(stylus.force().x()) * stylus.depth() / stylus.force().z();
        for (int k = 0; k < 1000; ++k)
            scene.world.step(kDt);
        if (friction < 0.5) {
            EXPECT_GT(slid, 0.005);
        } else {
            EXPECT_LT(slid, 1.5 * elastic);
            EXPECT_NEAR(stylus.proxy().x(), slid, 2e-5);  // m: it stands
        }
    }
}

TEST(Device, GivesNoEnergyWhereItClaimsToBePassive) {
    // A hand drops a simulated device on the box and leans on it; the coupling was limited.
    const SimulatedDevice hardware{0.1, 0.6, kDt, 0};
    const DeviceSettings settings{
        .radius = 0.02, .stiffness = 5000, .damping = 0.2, .device_damping = hardware.damping};
    BoxAndDevice scene(BoxAndDevice::Floor::Yes, settings, {0, 0, 0.14});
    SimulatedDeviceState state;
    state.position = {0, 0, 0.14};
    double given = 0;
    int touched = 0;
    for (int k = 0; k < 4000; ++k) {
        scene.move(state.position);
        scene.world.step(kDt);
        touched += scene.stylus().contacts() > 0;
        Hand hand;
        hand.force = {0.3 * std::sin(0.02 * k), 0, -3 + 2 * std::sin(0.1 * k)};
        advance(hardware, hand, scene.stylus().force(), state);
        given = std::max(given, state.work_of_force - state.dissipated);
    }
    EXPECT_GT(touched, 1000);
    EXPECT_TRUE(scene.stylus().claims_passivity());
    EXPECT_LT(scene.stylus().coupling().scale, 1);
    EXPECT_LE(given, 1e-6);                                    // J
    EXPECT_LE(scene.stylus().passivity().most_given(), 1e-6);  // J, as the loop sees it
    EXPECT_GT(scene.stylus().passivity().dissipated(), 0);
}

TEST(Device, ClampsAndReportsReadingsThatMeanNothing) {
    BoxAndDevice scene(BoxAndDevice::Floor::Yes, {}, {0, 0, 0.3});
    scene.move(Vector3d::Constant(std::numeric_limits<double>::quiet_NaN()));
    scene.world.step(kDt);
    EXPECT_EQ(scene.stylus().position(), Vector3d(0, 0, 0.3));
    EXPECT_EQ(scene.stylus().readings().not_finite, 1);
    scene.move({0, 0, -1e300});
    for (int k = 0; k < 200; ++k) {
        const Vector3d before = scene.stylus().position();
        scene.world.step(kDt);
        EXPECT_LE((scene.stylus().position() - before).norm(), 5 * kDt * (1 + 1e-9));
        EXPECT_TRUE(scene.stylus().force().allFinite());
        EXPECT_LE(scene.stylus().force().norm(), scene.stylus().settings().max_force * (1 + 1e-12));
    }
    EXPECT_EQ(scene.stylus().readings().jumps, 200);
    EXPECT_TRUE(scene.world.body(scene.box)->position(0).allFinite());
}

TEST(Device, GoesOnBitByBitFromASavedState) {
    BoxAndDevice scene(BoxAndDevice::Floor::Yes, {.radius = 0.02, .device_damping = 1}, {0, 0, 0.13});
    const auto at = [](int k) { return Vector3d(1e-5 * k, 0, 0.13 - 1e-4 * std::min(k, 400)); };
    for (int k = 0; k < 300; ++k) {
        scene.move(at(k));
        scene.world.step(kDt);
    }
    ASSERT_GT(scene.stylus().contacts(), 0);
    const WorldState saved = scene.world.save();
    World copy = scene.world.clone();
    const auto go_on = [&](World& world, DeviceId device) {
        std::vector<double> out;
        for (int k = 300; k < 500; ++k) {
            applied(world, MoveDevice{device, at(k)});
            world.step(kDt);
            for (int i = 0; i < 3; ++i) {
                out.push_back(world.device(device)->proxy()[i]);
                out.push_back(world.device(device)->force()[i]);
            }
            out.push_back(world.device(device)->passivity().absorbed());
        }
        return out;
    };
    const auto first = go_on(scene.world, scene.device);
    ASSERT_TRUE(scene.world.restore(saved).ok());
    EXPECT_EQ(go_on(scene.world, scene.device), first);
    EXPECT_EQ(go_on(copy, copy.devices()[0].id()), first);
}

TEST(Device, TakesNoMemoryInAWarmStep) {
    BoxAndDevice scene(BoxAndDevice::Floor::Yes, {.radius = 0.02}, {0, 0, 0.13});
    const auto poke = [&] {
        for (int k = 0; k < 800; ++k) {
            const MoveDevice input{scene.device, {0, 0, 0.13 - 0.03 * std::abs(std::sin(0.01 * k))}};
            ASSERT_TRUE(scene.world.apply(input).ok());
            scene.world.step(kDt);
        }
    };
    poke();
    const long before = test::allocations_so_far();
    poke();
    EXPECT_EQ(test::allocations_so_far(), before);
}

TEST(Device, IsRefusedWhereItsNumbersMeanNothing) {
    World world;
    const auto where = [&](const DeviceSettings& settings) {
        const auto made = world.add(DeviceDef{.name = "d", .settings = settings});
        return made.ok() ? std::string("ok") : made.error().where;
    };
    EXPECT_EQ(where({.radius = 0}), "device d: radius");
    EXPECT_EQ(where({.stiffness = 0}), "device d: stiffness");
    EXPECT_EQ(where({.stiffness = 1e30}), "device d: stiffness");
    EXPECT_EQ(where({.damping = -1}), "device d: damping");
    EXPECT_EQ(where({.mass = -1}), "device d: mass");
    EXPECT_EQ(where({.device_damping = NAN}), "device d: device_damping");
    EXPECT_EQ(where({.max_speed = 0}), "device d: max_speed");
    EXPECT_EQ(where({.max_force = 0}), "device d: max_force");
    EXPECT_EQ(where({.friction = -1}), "device d: friction");
    EXPECT_TRUE(world.devices().empty());
    EXPECT_EQ(where({}), "ok");
    EXPECT_EQ(where({}), "device d: name");
    EXPECT_FALSE(world.apply(MoveDevice{DeviceId{}, {0, 0, 0}}).ok());
    const DeviceId id = *world.find_device("d");
    EXPECT_TRUE(world.remove(id).ok());
    EXPECT_FALSE(world.remove(id).ok());
    EXPECT_FALSE(world.apply(MoveDevice{id, {0, 0, 0}}).ok());
}

}  // namespace
}  // namespace limber
