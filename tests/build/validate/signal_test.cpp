// SPDX-License-Identifier: Apache-2.0
// Frequencies and amplitudes of signals that are known.
#include "build/validate/signal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace limber::test {
namespace {

using namespace build;

Eigen::VectorXd sampled(double dt, int samples, double (*f)(double)) {
    Eigen::VectorXd out(samples);
    for (int i = 0; i < samples; ++i)
        out[i] = f(i * dt);
    return out;
}

TEST(Signal, ASineCrossesZeroTwiceAPeriod) {
    const double dt = 0.003;
    const auto sine =
        sampled(dt, 1000, [](double t) { return 0.2 * std::sin(2 * std::numbers::pi * 2.5 * t); });
    const auto times = zero_crossings(sine, dt);
    ASSERT_EQ(times.size(), 14u);  // 3 s are 7.5 periods; the start does not count, nor does the end
    EXPECT_NEAR(times[0], 0.2, 1e-5);
    // Linear interpolation between samples: (2π f dt)³/… of a period, far below 1e-4.
    EXPECT_NEAR(crossing_frequency(times, times.size()), 2.5, 2.5e-4);
    EXPECT_NEAR(first_peak(sine, dt), 0.2, 0.2 * 1e-3);
}

TEST(Signal, SmallFastWavesOnTopDoNotCount) {
    const double dt = 0.001;
    const auto wavy = sampled(dt, 3000, [](double t) {
        return std::cos(2 * std::numbers::pi * t) + 0.08 * std::cos(2 * std::numbers::pi * 40 * t);
    });
    const auto times = zero_crossings(wavy, dt);
    ASSERT_EQ(times.size(), 6u);
    EXPECT_NEAR(crossing_frequency(times, 6), 1, 0.02);  // a wave of 0.08 shifts a passage by 0.08/(2π)
}

TEST(Signal, TheFirstPeakIsThatBeforeTheFirstPassage) {
    Eigen::VectorXd signal(6);
    signal << 0, -1, -2, 1, 5, -3;
    EXPECT_EQ(first_peak(signal, 1), 2);
}

TEST(Signal, WhatDoesNotMoveHasNoPassage) {
    EXPECT_TRUE(zero_crossings(Eigen::VectorXd::Zero(50), 1).empty());
    EXPECT_TRUE(zero_crossings(Eigen::VectorXd::Ones(50), 1).empty());
    EXPECT_TRUE(zero_crossings(Eigen::VectorXd(), 1).empty());
}

}  // namespace
}  // namespace limber::test
