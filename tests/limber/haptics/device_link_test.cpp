// SPDX-License-Identifier: Apache-2.0
#include <limber/haptics/device_link.h>

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <thread>

namespace limber {
namespace {

using Eigen::Vector3d;

TEST(DeviceLink, BringsPositionsOneWayAndForcesTheOther) {
    DeviceLink link({});
    EXPECT_EQ(link.reading().readings, 0);
    EXPECT_EQ(link.exchange({1, 2, 3}).force, Vector3d::Zero());  // nothing was answered yet
    EXPECT_EQ(link.reading().position, (std::array<double, 3>{1, 2, 3}));
    EXPECT_EQ(link.reading().readings, 1);
    link.answer({0, 0, -4});
    const auto out = link.exchange({1, 2, 3});
    EXPECT_EQ(out.force, Vector3d(0, 0, -4));
    EXPECT_EQ(out.events, 0u);
}

TEST(DeviceLink, ClampsAndReportsWhatADeviceMayNotSay) {
    DeviceLink link({});
    link.exchange({0, 0, 0});
    EXPECT_EQ(link.exchange(Vector3d::Constant(std::numeric_limits<double>::quiet_NaN())).events,
              kReadingNotFinite);
    EXPECT_EQ(link.exchange({1, 0, 0}).events, kReadingJumped);
    EXPECT_NEAR(link.reading().position[0], 0.005, 1e-15);
    EXPECT_EQ(link.report().not_finite, 1);
    EXPECT_EQ(link.report().jumps, 1);
    EXPECT_EQ(link.report().largest_jump, 1);
}

TEST(DeviceLink, NeverGivesAForceThatIsTooLargeOrNoNumber) {
    DeviceLink link({.hardware = {.max_force = 3}});
    link.answer({0, 30, 40});
    auto out = link.exchange({0, 0, 0});
    EXPECT_EQ(out.events, kForceCut);
    EXPECT_NEAR((out.force - Vector3d(0, 1.8, 2.4)).norm(), 0, 1e-12);
    link.answer({0, std::numeric_limits<double>::infinity(), 0});
    out = link.exchange({0, 0, 0});
    EXPECT_EQ(out.events, kForceNotFinite);
    EXPECT_EQ(out.force, Vector3d::Zero());
    link.answer({1e308, 1e308, 1e308});
    EXPECT_NEAR(link.exchange({0, 0, 0}).force.norm(), 3, 1e-12);
    EXPECT_EQ(link.report().forces_cut, 2);
    EXPECT_EQ(link.report().forces_not_finite, 1);
}

TEST(DeviceLink, FadesAForceThatNobodyRenews) {
    DeviceLink link({.stale_after = 0.01});
    link.answer({2, 0, 0});
    for (int k = 0; k <= 10; ++k)
        EXPECT_EQ(link.exchange({0, 0, 0}).force.x(), 2) << k;
    double last = 2;
    for (int k = 11; k <= 20; ++k) {
        const auto out = link.exchange({0, 0, 0});
        EXPECT_EQ(out.events, std::uint32_t(kForceStale));
        EXPECT_LT(out.force.x(), last);
        last = out.force.x();
    }
    EXPECT_EQ(link.exchange({0, 0, 0}).force.x(), 0);
    link.answer({2, 0, 0});
    EXPECT_EQ(link.exchange({0, 0, 0}).force.x(), 2);
}

TEST(DeviceLink, ObservesTheEnergyThatItGives) {
    DeviceLink link({.hardware = {.damping = 2, .period = 0.001}});
    link.answer({1, 0, 0});
    link.exchange({0, 0, 0});
    link.exchange({0.001, 0, 0});  // 1 mJ with the force; the damping takes 2·1e-6/0.001 = 2 mJ
    EXPECT_NEAR(link.report().absorbed, -0.001, 1e-15);
    EXPECT_NEAR(link.report().dissipated, 0.002, 1e-15);
    EXPECT_EQ(link.report().most_given, 0);
}

TEST(DeviceLink, ServesTwoThreadsThatDoNotWait) {
    DeviceLink link({});
    std::atomic<bool> end{false};
    long mixed = 0;
    // The simulation answers (−x, −y, −z); the driver's readings have x = y = z.
    std::thread simulation([&] {
        while (!end.load()) {
            const DeviceReading r = link.reading();
            link.answer({-r.position[0], -r.position[1], -r.position[2]});
            (void)link.report();
        }
    });
    for (int k = 0; k < 200000; ++k) {
        const Vector3d f = link.exchange(Vector3d::Constant(1e-6 * k)).force;
        if (f.x() != f.y() || f.y() != f.z() || f.x() > 0) ++mixed;
    }
    end = true;
    simulation.join();
    EXPECT_EQ(mixed, 0);
}

TEST(DeviceLink, RefusesNumbersThatMeanNothing) {
    EXPECT_EQ(device_link_problem({.stale_after = 0})->where, "stale_after");
    EXPECT_EQ(device_link_problem({.max_speed = -1})->where, "max_speed");
    EXPECT_EQ(device_link_problem({.hardware = {.period = -1}})->where, "period");
    EXPECT_FALSE(device_link_problem({}));
}

}  // namespace
}  // namespace limber
