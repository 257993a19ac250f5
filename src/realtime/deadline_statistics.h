// SPDX-License-Identifier: Apache-2.0
// How long the steps of a loop took: a histogram with fixed bins, so that counting takes no memory and always
// the same time.
#pragma once
#include <array>
#include <cstdint>

namespace limber::realtime {

// 32 bins per factor of two, from 10 ns on: a quantile is told to 2.2%.
inline constexpr int kBinsPerOctave = 32;
inline constexpr int kOctaves = 30;         // to 10.7 s
inline constexpr double kFirstEdge = 1e-8;  // s

class DurationHistogram {
 public:
    void add(double seconds);  // NaN and negative count as 0

    std::int64_t count() const { return count_; }
    double mean() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : 0; }  // s
    double worst() const { return worst_; }                                              // s
    std::int64_t worst_place() const { return worst_place_; }  // of the first such duration, from 0
    // The time that a fraction of all (0 to 1) did not exceed, s: the upper edge of its bin, or the worst.
    double quantile(double fraction) const;

    static constexpr int kBins = kBinsPerOctave * kOctaves + 1;
    // From edge(bin) to edge(bin + 1), s; the first bin also holds what is shorter, the last what is longer.
    static double edge(int bin);
    std::int64_t bin_count(int bin) const { return bins_[static_cast<std::size_t>(bin)]; }

 private:
    std::array<std::int64_t, kBins> bins_{};
    std::int64_t count_ = 0, worst_place_ = 0;
    double sum_ = 0, worst_ = 0;
};

// Of a periodic loop.
struct DeadlineStatistics {
    DurationHistogram work;      // from the start of a step's work to its end, on the clock
    DurationHistogram cpu;       // the part of it in which the thread ran on a processor
    DurationHistogram lateness;  // from when a step should have begun to when it did
    std::int64_t steps = 0;
    std::int64_t misses = 0;   // steps whose work ended after the next should have begun
    std::int64_t skipped = 0;  // periods that were left out after a halt of the whole loop
};

}  // namespace limber::realtime
