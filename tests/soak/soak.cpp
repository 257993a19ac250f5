// SPDX-License-Identifier: Apache-2.0
// Plays with a world for any number of steps and checks every one.   usage: limber_soak STEPS [SEED]
//   finite      every coordinate and velocity of every body
//   bounded     no body has more energy than its mass at 100 m/s, 5 kJ/kg. What is put in:
//               throws at 4 m/s from 1 m: 20 J/kg;
//               pushes of 3 N until the next act, 50 ms in the mean, a second once in 10⁸ pushes: 3 kJ/kg
//               then of the lightest box, 38 g; springs of 50 N/m, 0.1 m long when they begin: 7 J/kg. They
//               are let go of before a throw, which would carry the body off on its spring; the hand's
//               coupling of 300 N/m; materials that become up to 8 times as stiff
//   flat        the process takes no more memory at the end than after the first tenth, but for 4 MB
//   warm        of the steps before which nothing happened, in the second half, 1 in 10,000 allocates: lists
//               that grow to more contacts than there ever were
#include "tests/limber/reduced/allocation_counter.h"
#include "tests/soak/random_inputs.h"
#include "tests/soak/resident.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

namespace limber::soak {
namespace {

constexpr double kStep = 1e-3;     // s
constexpr double kFastest = 100;   // m/s
constexpr double kMoreMemory = 4;  // MB
constexpr double kMayAllocate = 1e-4;

double mass_of(const WorldBody& body) {
    if (const auto flight = body.flight()) return flight->mass;
    double mass = 0;
    for (const ModelGroup& group : body.model()->groups)
        mass += group.volume * group.material.density;
    return mass;
}

std::string problem_of(const World& world) {
    for (const WorldBody& body : world.bodies()) {
        const double energy = body.kinetic_energy() + body.elastic_energy();
        if (!body.q().allFinite() || !body.v().allFinite() || !body.pose().position.allFinite() ||
            !std::isfinite(energy))
            return body.name() + " is not finite";
        if (energy > 0.5 * mass_of(body) * kFastest * kFastest)
            return fmt::format("{} ({}) has {:.3g} J, {:.3g} J of them elastic", body.name(),
                               body.model()->name, energy, body.elastic_energy());
    }
    return {};
}

int play(long long steps, unsigned seed) {
    Player player(seed);
    World& world = player.world();
    long long warm = 0, allocating = 0, refused = 0, unsolved = 0, contacts = 0;
    double memory_before = 0, deepest = 0, slowest = 0;
    const auto start = std::chrono::steady_clock::now();
    for (long long i = 0; i < steps; ++i) {
        const std::string happened = player.act();
        const long before = test::allocations_so_far();
        const auto began = std::chrono::steady_clock::now();
        const WorldReport& report = world.step(kStep);
        slowest = std::max(slowest,
                           std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
        if (happened.empty() && 2 * i > steps) {
            ++warm;
            if (test::allocations_so_far() != before) ++allocating;
        }
        refused += report.not_converged;
        unsolved += report.contact.not_converged;
        contacts += report.contact.touching;
        deepest = std::max(deepest, report.contact.depth);
        if (const std::string problem = problem_of(world); !problem.empty()) {
            fmt::print("FAILED at step {} of seed {}, after \"{}\": {}\n", i, seed, happened, problem);
            return 1;
        }
        if (i == steps / 10) memory_before = resident_memory();
        if ((i + 1) % std::max(1LL, std::min(steps / 10, 100000LL)) == 0) {
            const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
            fmt::print(
                "{} steps, {:.0f} s: {:.2f} contacts in the mean, deepest {:.2g} m, slowest step {:.3g} ms, "
                "{:.1f} MB, {} steps of bodies refused, {} islands not solved\n",
                i + 1, seconds.count(), double(contacts) / double(i + 1), deepest, 1e3 * slowest,
                resident_memory(), refused, unsolved);
            std::fflush(stdout);
        }
    }
    for (const auto& [name, count] : player.done())
        fmt::print("{} {}  ", name, count);
    fmt::print("\n{} of {} warm steps allocated; memory {:.1f} MB, then {:.1f} MB\n", allocating, warm,
               memory_before, resident_memory());
    const bool is_flat = resident_memory() <= memory_before + kMoreMemory;
    const bool is_warm =
        static_cast<double>(allocating) <= std::max(50.0, kMayAllocate * static_cast<double>(warm));
    if (!is_flat) fmt::print("FAILED: the memory grew\n");
    if (!is_warm) fmt::print("FAILED: warm steps allocate\n");
    return is_flat && is_warm ? 0 : 1;
}

}  // namespace
}  // namespace limber::soak

int main(int argc, char** argv) {
    const long long steps = argc > 1 ? std::atoll(argv[1]) : 0;
    if (steps <= 0) {
        fmt::print(stderr, "usage: limber_soak STEPS [SEED]\n");
        return 1;
    }
    return limber::soak::play(steps, argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1u);
}
