// SPDX-License-Identifier: Apache-2.0
#include "realtime/deadline_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace limber::realtime {
namespace {

TEST(DurationHistogram, TellsQuantilesOfSortedTimesToTwoPercent) {
    DurationHistogram histogram;
    std::mt19937 random(3);
    std::lognormal_distribution<double> times(std::log(5e-6), 1.0);
    std::vector<double> all;
    for (int i = 0; i < 100000; ++i) {
        all.push_back(times(random));
        histogram.add(all.back());
    }
    EXPECT_EQ(histogram.worst_place(), std::max_element(all.begin(), all.end()) - all.begin());
    std::sort(all.begin(), all.end());
    double sum = 0;
    for (const double each : all)
        sum += each;
    EXPECT_NEAR(histogram.mean(), sum / 1e5, 1e-12 * sum);
    EXPECT_EQ(histogram.worst(), all.back());
    for (const double fraction : {0.5, 0.9, 0.99, 0.999, 0.9999}) {
        const double exact = all[static_cast<std::size_t>(std::ceil(fraction * 1e5)) - 1];
        EXPECT_GE(histogram.quantile(fraction), exact);
        EXPECT_LE(histogram.quantile(fraction), exact * std::exp2(1.0 / kBinsPerOctave) * (1 + 1e-12));
    }
    EXPECT_EQ(histogram.quantile(1), all.back());
}

TEST(DurationHistogram, TakesEveryNumber) {
    DurationHistogram histogram;
    EXPECT_EQ(histogram.mean(), 0);
    EXPECT_EQ(histogram.quantile(0.999), 0);
    histogram.add(std::numeric_limits<double>::quiet_NaN());
    histogram.add(-1);
    histogram.add(0);
    EXPECT_EQ(histogram.bin_count(0), 3);
    histogram.add(1e300);
    EXPECT_EQ(histogram.bin_count(DurationHistogram::kBins - 1), 1);
    EXPECT_EQ(histogram.count(), 4);
    EXPECT_EQ(histogram.worst(), 1e300);
}

TEST(DurationHistogram, PutsATimeBetweenTheEdgesOfItsBin) {
    for (const double time : {2e-8, 1e-6, 3.3e-5, 1e-3, 0.7}) {
        DurationHistogram histogram;
        histogram.add(time);
        for (int bin = 0; bin < DurationHistogram::kBins; ++bin)
            if (histogram.bin_count(bin) > 0) {
                EXPECT_LE(DurationHistogram::edge(bin), time * (1 + 1e-12));
                EXPECT_GE(DurationHistogram::edge(bin + 1), time * (1 - 1e-12));
            }
    }
}

}  // namespace
}  // namespace limber::realtime
