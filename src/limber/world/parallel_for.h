// SPDX-License-Identifier: Apache-2.0
// Threads are the caller's: how a world runs what may run at the same time. docs/world.md, "Threads".
#pragma once
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

// task(i) for each i; which runs first must not matter to it.
template <class F>
void for_each_index(const ParallelFor& parallel, int count, F&& task) {
    if (!parallel.run || count < 2) {
        for (int i = 0; i < count; ++i)
            task(i);
        return;
    }
    using Plain = std::remove_reference_t<F>;
    parallel.run(
        parallel.context, count, [](void* data, int i) { (*static_cast<Plain*>(data))(i); }, &task);
}

}  // namespace limber
