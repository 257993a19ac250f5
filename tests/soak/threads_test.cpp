// SPDX-License-Identifier: Apache-2.0
// Threads that a caller brings change no byte of a result.
#include "tests/soak/pile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace limber::soak {
namespace {

#ifdef NDEBUG
constexpr int kBodies = 20;
#else
constexpr int kBodies = 5;  // the sanitizers take their time
#endif
constexpr double kStep = 2e-3;  // s

// Threads that take the next index, as long as there is one. The slowest way to do it: it starts them anew.
struct Threads {
    int count;
    std::atomic<int> calls{0};

    ParallelFor parallel_for() {
        return {[](void* context, int tasks, ParallelFor::Task task, void* data) {
                    static_cast<Threads*>(context)->run(tasks, task, data);
                },
                this};
    }
    void run(int tasks, ParallelFor::Task task, void* data) {
        std::atomic<int> next{0};
        std::vector<std::thread> threads;
        ++calls;
        for (int i = 0; i < std::min(count, tasks); ++i)
            threads.emplace_back([&] {
                for (int k = next++; k < tasks; k = next++)
                    task(data, k);
            });
        for (std::thread& thread : threads)
            thread.join();
    }
};

// What is poured into a box, a rigid box that lies and falls asleep, beams that share their coefficients,
// warped beams; one of each is hit by what falls.
World scene(const ParallelFor& parallel_for) {
    static const std::vector<SmallBody> kinds = small_bodies(6);
    static const std::shared_ptr<const Model> beam = held_beam(8);
    Pile pile = pour(kinds, kBodies, parallel_for);
    World world = std::move(pile.world);
    world.add(free_body(kinds[4], {{3, 0, 0.0251}, Eigen::Quaterniond::Identity()})).value();
    ObstacleDef floor;
    floor.shape = PlaneShape{};
    floor.name = "ground";
    world.add(floor).value();
    for (int i = 0; i < 6; ++i) {
        BodyDef def;
        def.model = beam;
        def.method = i % 3 == 2 ? Method::Warp : Method::Stvk;
        def.pose.position = {5.0 + i, 0, 0.1};
        world.add(def).value();
        if (i < 3)
            world
                .add(free_body(kinds[std::size_t(i)],
                               {{5.25 + i, 0.02, 0.21}, Eigen::Quaterniond::Identity()}))
                .value();
    }
    return world;
}

std::vector<double> numbers_of(const World& world) {
    const ContactReport& contact = world.report().contact;
    std::vector<double> out = {world.time(),        contact.residual,           contact.depth,
                               contact.speed_error, double(contact.iterations), double(contact.points)};
    for (const WorldBody& body : world.bodies()) {
        out.insert(out.end(), body.q().begin(), body.q().end());
        out.insert(out.end(), body.v().begin(), body.v().end());
        const Pose pose = body.pose();
        out.insert(out.end(), pose.position.begin(), pose.position.end());
        out.insert(out.end(), pose.orientation.coeffs().begin(), pose.orientation.coeffs().end());
        for (const double x :
             {body.kinetic_energy(), body.elastic_energy(), double(body.report().iterations)})
            out.push_back(x);
    }
    for (const WorldContact& contact_of : world.contacts())
        out.insert(out.end(), contact_of.impulse.begin(), contact_of.impulse.end());
    return out;
}

TEST(Threads, EveryIndexIsDoneOnceWhateverTheCallerCalls) {
    constexpr int kTasks = 7;
    using Function = decltype(ParallelFor::run);
    const Function nothing = [](void*, int, ParallelFor::Task, void*) {};
    const Function all_twice = [](void*, int count, ParallelFor::Task task, void* data) {
        for (int i = 0; i < 2 * count; ++i)
            task(data, i / 2);
    };
    const Function one_beyond = [](void*, int, ParallelFor::Task task, void* data) { task(data, 1000); };
    Threads threads{3};
    for (const ParallelFor& parallel_for :
         {ParallelFor{}, ParallelFor{nothing, nullptr}, ParallelFor{all_twice, nullptr},
          ParallelFor{one_beyond, nullptr}, threads.parallel_for()}) {
        std::atomic<int> done[kTasks] = {};
        for_each_index(parallel_for, kTasks, [&](int i) { ++done[i]; });
        for (const std::atomic<int>& times : done)
            EXPECT_EQ(times, 1);
    }
}

TEST(Threads, ChangeNoByteOfAResult) {
    constexpr int kParts = 8, kStepsOfPart = 50;
    std::vector<std::vector<double>> expected;
    int most_islands = 0;
    {
        World world = scene({});
        for (int part = 0; part < kParts; ++part) {
            for (int i = 0; i < kStepsOfPart; ++i) {
                world.step(kStep);
                most_islands = std::max(most_islands, world.report().contact.islands);
            }
            expected.push_back(numbers_of(world));
        }
        EXPECT_GT(world.report().contact.asleep, 0);
    }
    ASSERT_GT(most_islands, 3);
    for (const int count : {1, 2, 8}) {
        Threads threads{count};
        World world = scene(threads.parallel_for());
        for (int part = 0; part < kParts; ++part) {
            for (int i = 0; i < kStepsOfPart; ++i)
                world.step(kStep);
            ASSERT_EQ(numbers_of(world), expected[std::size_t(part)]) << count << " threads, part " << part;
        }
        EXPECT_GT(threads.calls, kParts * kStepsOfPart);
    }
}

// A clone may be stepped beside the world that it was cloned from, also where both have threads.
TEST(Threads, ClonesStepBesideTheirOriginals) {
    Threads threads{2};
    World world = scene(threads.parallel_for());
    for (int i = 0; i < 20; ++i)
        world.step(kStep);
    World copy = world.clone();
    const WorldState saved = world.save();
    const auto play = [](World& each) {
        for (int i = 0; i < 20; ++i)
            each.step(kStep);
    };
    std::thread other([&] { play(copy); });
    play(world);
    other.join();
    EXPECT_EQ(numbers_of(copy), numbers_of(world));
    ASSERT_TRUE(world.restore(saved).ok());
    play(world);
    EXPECT_EQ(numbers_of(copy), numbers_of(world));
}

}  // namespace
}  // namespace limber::soak
