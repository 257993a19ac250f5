// SPDX-License-Identifier: Apache-2.0
#include "build/scene/world_threads.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace limber::build {

struct WorldThreads::Arena {
    tbb::task_arena arena;
};

WorldThreads::WorldThreads(int threads) {
    // TBB has no more than the machine and warns of those who ask.
    const int most = tbb::info::default_concurrency();
    if (threads != 1)
        arena_ =
            std::make_unique<Arena>(Arena{tbb::task_arena(threads == 0 ? most : std::min(threads, most))});
}
WorldThreads::~WorldThreads() = default;

ParallelFor WorldThreads::parallel_for() const {
    if (!arena_) return {};
    return {[](void* context, int count, ParallelFor::Task task, void* data) {
                static_cast<Arena*>(context)->arena.execute(
                    [&] { tbb::parallel_for(0, count, [&](int i) { task(data, i); }); });
            },
            arena_.get()};
}

}  // namespace limber::build
