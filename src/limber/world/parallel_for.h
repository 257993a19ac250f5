// SPDX-License-Identifier: Apache-2.0
// Threads are the caller's: how a world runs what may run at the same time. docs/world.md, "Threads".
#pragma once
#include <atomic>
#include <type_traits>

namespace limber {

// One pointer and what it is called with, so that a step allocates nothing and C can pass it on.
struct ParallelFor {
    using Task = void (*)(void* data, int index);
    // Calls task(data, i) once for each i from 0 to count - 1, in any order, in any threads, and returns when
    // all have returned. Null: the world does it, one after the other.
    void (*run)(void* context, int count, Task task, void* data) = nullptr;
    void* context = nullptr;
};

// task(i) for each i, once; which runs first must not matter to it. Each call that the caller's threads make
// takes the next index, whichever it names: what they call twice is not done twice, and what they leave out
// is done here.
template <class F>
void for_each_index(const ParallelFor& parallel, int count, F&& task) {
    if (!parallel.run || count < 2) {
        for (int i = 0; i < count; ++i)
            task(i);
        return;
    }
    struct Shared {
        std::remove_reference_t<F>& task;
        int count;
        std::atomic<int> next{0};
        bool take() {
            int i = next.load(std::memory_order_relaxed);
            while (i < count && !next.compare_exchange_weak(i, i + 1, std::memory_order_relaxed)) {
            }
            if (i < count) task(i);
            return i < count;
        }
    } shared{task, count};
    parallel.run(
        parallel.context, count, [](void* data, int) { static_cast<Shared*>(data)->take(); }, &shared);
    while (shared.take()) {
    }
}

}  // namespace limber
