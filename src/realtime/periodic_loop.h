// SPDX-License-Identifier: Apache-2.0
// A loop at a fixed rate on a thread of its own, with deadlines that are absolute times: an error of one
// period does not shift the next. The run-time library starts no threads; this folder does, for the programs.
#pragma once
#include "realtime/deadline_statistics.h"

#include <cstdint>
#include <functional>
#include <string>

namespace limber::realtime {

struct LoopOptions {
    double rate_hz = 1000;
    std::int64_t steps = 1000;
};

// Called in the loop's thread.
struct LoopWork {
    // Outside the time that is measured: a simulated device, a recording. May be empty.
    std::function<void(std::int64_t step)> before;
    std::function<void(std::int64_t step)> work;
    // After each step; false ends the loop. May be empty.
    std::function<bool(const DeadlineStatistics& so_far)> after;
    // In the caller's thread, ten times a second while the loop runs: it may print, and read what the work
    // wrote to a LatestValue. May be empty.
    std::function<void()> meanwhile;
};

struct LoopReport {
    DeadlineStatistics statistics;
    double seconds = 0;         // from the first step to the end of the last, on the clock
    bool is_real_time = false;  // the thread had a real-time priority (SCHED_FIFO)
    std::string
        scheduling;  // which, or why not: "SCHED_FIFO 80", "normal priority (Operation not permitted)"
};

// Returns when the loop has ended; an exception of the work ends it and is thrown here.
LoopReport run_loop(const LoopOptions& options, const LoopWork& work);

}  // namespace limber::realtime
