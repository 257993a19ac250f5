// SPDX-License-Identifier: Apache-2.0
#include "realtime/deadline_statistics.h"

#include <algorithm>
#include <cmath>

namespace limber::realtime {

void DurationHistogram::add(double seconds) {
    if (!(seconds > 0)) seconds = 0;
    const double octaves = seconds > kFirstEdge ? std::log2(seconds / kFirstEdge) : 0;
    const int bin = static_cast<int>(std::min(octaves * kBinsPerOctave, double(kBins - 1)));
    ++bins_[static_cast<std::size_t>(bin)];
    if (seconds > worst_) {
        worst_ = seconds;
        worst_place_ = count_;
    }
    ++count_;
    sum_ += seconds;
}

double DurationHistogram::edge(int bin) {
    return kFirstEdge * std::exp2(static_cast<double>(bin) / kBinsPerOctave);
}

double DurationHistogram::quantile(double fraction) const {
    const auto wanted =
        static_cast<std::int64_t>(std::ceil(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(count_)));
    std::int64_t below = 0;
    for (int bin = 0; bin < kBins; ++bin) {
        below += bins_[static_cast<std::size_t>(bin)];
        if (below >= wanted) return std::min(edge(bin + 1), worst_);
    }
    return worst_;
}

}  // namespace limber::realtime
