// SPDX-License-Identifier: Apache-2.0
// 200 bodies of five models poured into a box: a whole pour, from the first step until all are asleep or 10 s
// have passed. And the first second of 60 bodies in one thread and in two.
#include "benchmarks/report.h"
#include "tests/soak/pile.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace limber::bench::pour_bench {
namespace {

constexpr int kBodies = 200, kRank = 6;
constexpr double kStep = 2e-3, kLongest = 10;  // s

void pour_bodies(benchmark::State& state) {
    using Clock = std::chrono::steady_clock;
    static const std::vector<soak::SmallBody> kinds = soak::small_bodies(kRank);
    double seconds = 0, worst = 0;
    int steps = 0, refused = 0, asleep = 0;
    std::size_t most_contacts = 0;
    std::string problem;
    double deepest = 0;
    for (auto _ : state) {
        soak::Pile pile = soak::pour(kinds, kBodies);
        const auto start = Clock::now();
        auto last = start;
        for (; steps * kStep < kLongest && asleep < kBodies; ++steps) {
            if (!pile.step(kStep)) ++refused;
            asleep = pile.world.report().contact.asleep;
            most_contacts =
                std::max(most_contacts, static_cast<std::size_t>(pile.world.report().contact.touching));
            const auto now = Clock::now();
            worst = std::max(worst, std::chrono::duration<double>(now - last).count());
            last = now;
        }
        seconds = std::chrono::duration<double>(last - start).count();
        deepest = pile.deepest;
        problem = soak::problem_of(pile);
    }
    state.counters["real_time_factor"] = steps * kStep / seconds;
    state.counters["simulated_s"] = steps * kStep;
    state.counters["step_mean_ms"] = 1e3 * seconds / steps;
    state.counters["step_worst_ms"] = 1e3 * worst;
    state.counters["asleep"] = asleep;
    state.counters["most_contacts"] = static_cast<double>(most_contacts);
    state.counters["not_converged_steps"] = refused;
    state.counters["deepest_mm"] = 1e3 * deepest;
    if (!problem.empty()) state.SkipWithError(problem.c_str());
}

// Mean of a step, ms.
double first_second(const ParallelFor& parallel_for) {
    using Clock = std::chrono::steady_clock;
    constexpr int kFewer = 60, kSteps = 500;
    static const std::vector<soak::SmallBody> kinds = soak::small_bodies(kRank);
    soak::Pile pile = soak::pour(kinds, kFewer, parallel_for);
    const auto start = Clock::now();
    for (int i = 0; i < kSteps; ++i)
        pile.step(kStep);
    return 1e3 * std::chrono::duration<double>(Clock::now() - start).count() / kSteps;
}

void pour_with_threads(benchmark::State& state) {
    tbb::task_arena two(2);
    const ParallelFor parallel_for{[](void* arena, int count, ParallelFor::Task task, void* data) {
                                       static_cast<tbb::task_arena*>(arena)->execute([&] {
                                           tbb::parallel_for(0, count, [&](int i) { task(data, i); });
                                       });
                                   },
                                   &two};
    double serial = 0, threaded = 0;
    for (auto _ : state) {
        serial = first_second({});
        threaded = first_second(parallel_for);
    }
    state.counters["step_1_thread_ms"] = serial;
    state.counters["step_2_threads_ms"] = threaded;
    state.counters["factor"] = serial / threaded;
}

[[maybe_unused]] const bool registered = [] {
    add("pour", "60_bodies_threads", {}, pour_with_threads)->Unit(benchmark::kSecond)->Iterations(1);
    add("pour", "200_bodies", {}, pour_bodies)->Unit(benchmark::kSecond)->Iterations(1);
    return true;
}();

}  // namespace
}  // namespace limber::bench::pour_bench
