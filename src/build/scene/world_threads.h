// SPDX-License-Identifier: Apache-2.0
// TBB's threads for the steps of a world.
#pragma once
#include <limber/world/parallel_for.h>

#include <memory>

namespace limber::build {

// Outlives the worlds that use it; several may, one after the other or at the same time.
class WorldThreads {
 public:
    // 1: none; 0, or more than the machine has: as many as it has.
    explicit WorldThreads(int threads);
    ~WorldThreads();
    ParallelFor parallel_for() const;

 private:
    struct Arena;
    std::unique_ptr<Arena> arena_;  // null: none
};

}  // namespace limber::build
