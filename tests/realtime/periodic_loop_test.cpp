// SPDX-License-Identifier: Apache-2.0
// The machine of the tests may be busy: nothing here asks for speed, only for what must hold whatever it
// does.
#include "realtime/periodic_loop.h"

#include <limber/haptics/latest_value.h>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace limber::realtime {
namespace {

using Clock = std::chrono::steady_clock;

TEST(PeriodicLoop, MakesEveryStepAndNoneBeforeItsTime) {
    std::vector<Clock::time_point> began;
    const auto start = Clock::now();
    const LoopReport report =
        run_loop({.rate_hz = 1000, .steps = 100}, {.before = {},
                                                   .work =
                                                       [&](std::int64_t step) {
                                                           EXPECT_EQ(step, std::int64_t(began.size()));
                                                           began.push_back(Clock::now());
                                                       },
                                                   .after = {},
                                                   .meanwhile = {}});
    EXPECT_EQ(report.statistics.steps, 100);
    EXPECT_EQ(report.statistics.work.count(), 100);
    // Step k begins k + 1 periods after the start or later, however late the ones before were: deadlines are
    // absolute. 1 µs for the rounding of clocks.
    for (std::size_t k = 0; k < began.size(); ++k)
        EXPECT_GE(began[k] - start, std::chrono::microseconds(1000 * (k + 1) - 1));
    EXPECT_FALSE(report.scheduling.empty());
}

TEST(PeriodicLoop, CountsTheStepsThatEndAfterTheirDeadline) {
    // Every tenth step takes 3 ms of 2: it misses its deadline whatever the machine does.
    const LoopReport report = run_loop({.rate_hz = 500, .steps = 50},
                                       {.before = {},
                                        .work =
                                            [&](std::int64_t step) {
                                                if (step % 10 == 0)
                                                    std::this_thread::sleep_for(std::chrono::milliseconds(3));
                                            },
                                        .after = {},
                                        .meanwhile = {}});
    EXPECT_GE(report.statistics.misses, 5);
    EXPECT_GE(report.statistics.work.worst(), 0.003);
    // The thread slept: its processor time is short.
    EXPECT_LT(report.statistics.cpu.mean(), 0.003);
}

TEST(PeriodicLoop, DoesNotMakeUpForALongHalt) {
    std::int64_t made = 0;
    const LoopReport report =
        run_loop({.rate_hz = 1000, .steps = 20},
                 {.before = {},
                  .work =
                      [&](std::int64_t step) {
                          ++made;
                          if (step == 5) std::this_thread::sleep_for(std::chrono::milliseconds(250));
                      },
                  .after = {},
                  .meanwhile = {}});
    EXPECT_EQ(made, 20);
    EXPECT_GE(report.statistics.skipped, 100);
}

TEST(PeriodicLoop, EndsWhenItIsToldTo) {
    const LoopReport report =
        run_loop({.rate_hz = 10000, .steps = 1000000},
                 {.before = {},
                  .work = [](std::int64_t) {},
                  .after = [](const DeadlineStatistics& so_far) { return so_far.steps < 7; },
                  .meanwhile = {}});
    EXPECT_EQ(report.statistics.steps, 7);
}

TEST(PeriodicLoop, BringsAnExceptionOfTheWorkToItsCaller) {
    EXPECT_THROW(run_loop({.rate_hz = 1000, .steps = 10},
                          {.before = {},
                           .work = [](std::int64_t) { throw std::runtime_error("no"); },
                           .after = {},
                           .meanwhile = {}}),
                 std::runtime_error);
}

TEST(PeriodicLoop, LetsASlowReaderSeeWholeValues) {
    struct Shown {
        std::int64_t step = 0, same = 0;
    };
    LatestValue<Shown> shown;
    std::atomic<bool> end{false};
    long wrong = 0, seen = 0;
    std::thread reader([&] {
        while (!end.load()) {
            if (const auto value = shown.read()) {
                ++seen;
                if (value->same != value->step) ++wrong;
            }
            std::this_thread::sleep_for(std::chrono::microseconds(700));
        }
    });
    run_loop({.rate_hz = 2000, .steps = 200}, {.before = {},
                                               .work =
                                                   [&](std::int64_t step) {
                                                       shown.write({step, step});
                                                   },
                                               .after = {},
                                               .meanwhile = {}});
    end = true;
    reader.join();
    EXPECT_GT(seen, 0);
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace limber::realtime
