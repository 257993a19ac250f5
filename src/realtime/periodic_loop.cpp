// SPDX-License-Identifier: Apache-2.0
#include "realtime/periodic_loop.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace limber::realtime {
namespace {

using Nanoseconds = std::int64_t;
constexpr Nanoseconds kSecond = 1000000000;

// After a halt of more than this (a machine that slept, a debugger) the loop goes on from the present instead
// of making up for it step by step.
constexpr Nanoseconds kLongestHalt = kSecond / 10;

// Above ordinary interrupts' threads (50), below the kernel's own (99).
constexpr int kPriority = 80;

Nanoseconds now_on(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return Nanoseconds(t.tv_sec) * kSecond + t.tv_nsec;
}

void sleep_until(Nanoseconds time) {
    const timespec t{static_cast<time_t>(time / kSecond), static_cast<long>(time % kSecond)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
    }
}

double seconds_of(Nanoseconds time) {
    return static_cast<double>(time) * 1e-9;
}

void ask_for_real_time(LoopReport& out) {
    sched_param parameters{};
    parameters.sched_priority = kPriority;
    const int problem = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
    out.is_real_time = problem == 0;
    out.scheduling = problem == 0 ? "SCHED_FIFO " + std::to_string(kPriority)
                                  : std::string("normal priority (") + std::strerror(problem) + ")";
}

void loop(const LoopOptions& options, const LoopWork& work, LoopReport& out) {
    ask_for_real_time(out);
    DeadlineStatistics& statistics = out.statistics;
    const Nanoseconds period = static_cast<Nanoseconds>(1e9 / options.rate_hz);
    const Nanoseconds first = now_on(CLOCK_MONOTONIC) + period;
    Nanoseconds due = first, ended = first;
    for (std::int64_t step = 0; step < options.steps; ++step, due += period) {
        if (work.before) work.before(step);
        sleep_until(due);
        Nanoseconds began = now_on(CLOCK_MONOTONIC);
        if (began - due > kLongestHalt) {
            const Nanoseconds halted = (began - due) / period;
            statistics.skipped += halted;
            due += halted * period;
        }
        statistics.lateness.add(seconds_of(began - due));

        const Nanoseconds cpu = now_on(CLOCK_THREAD_CPUTIME_ID);
        began = now_on(CLOCK_MONOTONIC);
        work.work(step);
        ended = now_on(CLOCK_MONOTONIC);
        statistics.cpu.add(seconds_of(now_on(CLOCK_THREAD_CPUTIME_ID) - cpu));
        statistics.work.add(seconds_of(ended - began));
        ++statistics.steps;
        if (ended > due + period) ++statistics.misses;
        if (work.after && !work.after(statistics)) break;
    }
    out.seconds = seconds_of(ended - first);
}

}  // namespace

LoopReport run_loop(const LoopOptions& options, const LoopWork& work) {
    auto out = std::make_unique<LoopReport>();  // histograms are too large for a stack
    std::exception_ptr problem;
    std::mutex mutex;
    std::condition_variable changed;
    bool ended = false;
    std::thread thread([&] {
        try {
            loop(options, work, *out);
        } catch (...) {
            problem = std::current_exception();
        }
        const std::lock_guard lock(mutex);
        ended = true;
        changed.notify_one();
    });
    {
        std::unique_lock lock(mutex);
        while (!changed.wait_for(lock, std::chrono::milliseconds(100), [&] { return ended; })) {
            lock.unlock();
            if (work.meanwhile) work.meanwhile();
            lock.lock();
        }
    }
    thread.join();
    if (problem) std::rethrow_exception(problem);
    return *out;
}

}  // namespace limber::realtime
