// SPDX-License-Identifier: Apache-2.0
// Haptic devices through C: the driver's call, and devices of a world.
#include "tests/c/c_models.h"

#include <limber/world/session.h>

#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

namespace limber::test {
namespace {

TEST(CLink, IsCalledByADriverWhileTheSimulationAnswers) {
    limber_link* link = nullptr;
    ASSERT_EQ(limber_link_create(0.001, 1, 0, 10, 5, &link), LIMBER_OK);
    std::atomic<bool> end{false};
    std::thread simulation([&] {
        double position[3], readings;
        while (!end.load()) {
            if (limber_link_read(link, position, &readings) != LIMBER_OK || readings == 0) continue;
            const double force[3] = {-100 * position[0], -100 * position[1], -100 * position[2]};
            limber_link_answer(link, force);
        }
    });
    for (int k = 0; k < 20000; ++k) {
        const double position[3] = {1e-5 * k, 1e-5 * k, 1e-5 * k};
        double force[3];
        uint32_t events;
        ASSERT_EQ(limber_link_exchange(link, position, force, &events), LIMBER_OK);
        ASSERT_EQ(force[0], force[2]);
        ASSERT_LE(std::hypot(force[0], force[1], force[2]), 10 * (1 + 1e-12));
    }
    end = true;
    simulation.join();
    const double bad[3] = {NAN, 0, 0}, far[3] = {50, 0, 0};
    double force[3];
    uint32_t events;
    ASSERT_EQ(limber_link_exchange(link, bad, force, &events), LIMBER_OK);
    EXPECT_TRUE(events & LIMBER_READING_NOT_FINITE);
    ASSERT_EQ(limber_link_exchange(link, far, force, &events), LIMBER_OK);
    EXPECT_TRUE(events & LIMBER_READING_JUMPED);
    EXPECT_TRUE(std::isfinite(force[0]));
    double numbers[LIMBER_LINK_NUMBERS];
    ASSERT_EQ(limber_link_numbers(link, numbers, LIMBER_LINK_NUMBERS), LIMBER_OK);
    EXPECT_EQ(numbers[0], 20002);
    EXPECT_EQ(numbers[1], 1);
    EXPECT_EQ(numbers[2], 1);
    EXPECT_EQ(limber_link_numbers(link, numbers, 3), LIMBER_WRONG_SIZE);
    EXPECT_EQ(limber_link_exchange(link, nullptr, force, &events), LIMBER_NULL);
    EXPECT_EQ(limber_link_free(link), LIMBER_OK);
    EXPECT_EQ(limber_link_exchange(link, far, force, &events), LIMBER_BAD_HANDLE);
    EXPECT_EQ(limber_link_create(0, 1, 0, 10, 5, &link), LIMBER_REFUSED);
}

TEST(CDevice, MovesTouchesAndIsReplayed) {
    const OpenModel soft(soft_bytes()), box(box_bytes());
    const OpenWorld world;
    world.add_models(soft, box);
    world.apply(R"({"gravity": [0, 0, 0]})");
    world.apply(R"({"add": {"name": "b", "model": "box", "method": "rigid", "density": 100}})");
    world.apply(R"({"add_device": {"name": "stylus", "radius": 0.05, "position": [2, 0, 0]}})");
    ASSERT_EQ(limber_world_set_dt(world.handle, 0.001), LIMBER_OK);
    uint32_t device = 0;
    ASSERT_EQ(limber_world_find_device(world.handle, "stylus", 6, &device), LIMBER_OK);
    ASSERT_EQ(limber_recording_start(world.handle), LIMBER_OK);
    double numbers[LIMBER_DEVICE_NUMBERS];
    double most = 0;
    // Into the box from the side: it is pushed away.
    for (int k = 0; k < 600; ++k) {
        const double position[3] = {k == 300 ? NAN : 2 - 0.004 * k, 0, 0};
        ASSERT_EQ(limber_device_move(world.handle, device, position), LIMBER_OK);
        ASSERT_EQ(limber_world_step(world.handle, 1, nullptr), LIMBER_OK);
        ASSERT_EQ(limber_device_numbers(world.handle, device, numbers, LIMBER_DEVICE_NUMBERS), LIMBER_OK);
        most = std::max(most, numbers[6]);
    }
    EXPECT_GT(most, 0.01);  // N: the hand is pushed back
    double momenta[6];
    ASSERT_EQ(limber_body_numbers(world.handle, 1, LIMBER_MOMENTA, momenta, 6), LIMBER_OK);
    EXPECT_LT(momenta[0], 0);
    const char* text = nullptr;
    ASSERT_EQ(limber_world_devices(world.handle, &text), LIMBER_OK);
    EXPECT_EQ(nlohmann::json::parse(text)[0]["name"], "stylus");
    ASSERT_EQ(limber_recording_stop(world.handle, &text), LIMBER_OK);
    const std::string recorded = text;
    ASSERT_EQ(limber_replay_start(world.handle, recorded.data(), recorded.size()), LIMBER_OK)
        << limber_error();
    ASSERT_EQ(limber_world_step(world.handle, 600, nullptr), LIMBER_OK);
    ASSERT_EQ(limber_world_find_device(world.handle, "stylus", 6, &device), LIMBER_OK);
    double again[LIMBER_DEVICE_NUMBERS];
    ASSERT_EQ(limber_device_numbers(world.handle, device, again, LIMBER_DEVICE_NUMBERS), LIMBER_OK);
    // Position, proxy, force: bodies have new ids, which change nothing.
    for (int i = 0; i < 9; ++i)
        EXPECT_EQ(again[i], numbers[i]) << i;
    EXPECT_EQ(limber_device_move(world.handle, 99, numbers), LIMBER_REFUSED);
}

}  // namespace
}  // namespace limber::test
