// SPDX-License-Identifier: Apache-2.0
// The error at matched phase of motions that are known. docs/math/validation.md (4).
#include "build/validate/shape_error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace limber::test {
namespace {

using namespace build;

constexpr int kPeriod = 100;  // frames

// A surface of one vertex that follows two coordinates: x and y of a body that is at rest until time 0, then
// turns and decays.
Eigen::Vector2d motion(double t, double frequency = 1) {
    if (t < 0) return {0, 0};
    const double phase = 2 * std::numbers::pi * frequency * t / kPeriod;
    return std::exp(-t / 500) * Eigen::Vector2d(std::sin(phase), 0.3 * std::sin(2 * phase));
}

double error_of(const std::function<Eigen::Vector2d(double)>& full,
                const std::function<Eigen::Vector2d(double)>& reduced) {
    const Eigen::MatrixXd basis = (Eigen::MatrixXd(3, 2) << 2, 0, 0, 2, 0, 0).finished();
    const Eigen::VectorXd areas = Eigen::VectorXd::Constant(1, 0.7);
    ShapeError error(basis, areas);
    for (int i = 0; i <= 5 * kPeriod; ++i)
        error.add_full(basis * full(i));
    for (int i = 0; i <= 5 * kPeriod + kPeriod / 2; ++i)
        error.add_reduced(reduced(i));
    return error.relative(kPeriod / 2).value();
}

TEST(ShapeError, AMotionThatIsOnlyShiftedHasNone) {
    const auto now = [](double t) { return motion(t); };
    // Differences of squares: half of the digits.
    EXPECT_LE(error_of(now, now), 1e-7);
    EXPECT_LE(error_of(now, [](double t) { return motion(t - 30); }), 1e-7);
    EXPECT_LE(error_of([](double t) { return motion(t - 30); }, now), 1e-7);
    // Between frames a line stands for the curve: (2 ω dt)²/8 of the faster part.
    EXPECT_LE(error_of(now, [](double t) { return motion(t - 12.4); }),
              std::pow(4 * std::numbers::pi / kPeriod, 2) / 8);
}

TEST(ShapeError, ASwingOfAnotherHeightIsNoShift) {
    // Half a sine is even about its peak: no shift makes 0.8 of it larger.
    const auto sine = [](double t) {
        return Eigen::Vector2d(std::sin(2 * std::numbers::pi * t / kPeriod), 0);
    };
    EXPECT_NEAR(error_of(sine, [&](double t) -> Eigen::Vector2d { return 0.8 * sine(t); }), 0.2, 2e-3);
}

TEST(ShapeError, AnotherFrequencyLeavesWhatDriftsWithinHalfAPeriod) {
    // A phase that drifts by ±e π/2 about the best shift: rms e π/(2 √3) of the motion, whereas the motions
    // themselves are a quarter of a period apart in the end.
    const double e = 0.05;
    const auto sine = [](double t) {
        return Eigen::Vector2d(std::sin(2 * std::numbers::pi * t / kPeriod), 0);
    };
    const double found = error_of(sine, [&](double t) { return sine((1 + e) * t); });
    EXPECT_NEAR(found, e * std::numbers::pi / (2 * std::sqrt(3.0)),
                0.35 * e);  // it depends on where pieces begin
    EXPECT_GT(found, 0.3 * e);
}

TEST(ShapeError, AShapeThatTheBasisDoesNotHaveCountsInFull) {
    const Eigen::MatrixXd basis = (Eigen::MatrixXd(3, 1) << 1, 0, 0).finished();
    const Eigen::VectorXd areas = Eigen::VectorXd::Ones(1);
    ShapeError error(basis, areas);
    for (int i = 0; i < 50; ++i) {
        error.add_full(Eigen::Vector3d(3, 4, 0));
        error.add_reduced(Eigen::VectorXd::Constant(1, 3));
    }
    EXPECT_NEAR(error.relative(10).value(), 0.8, 1e-12);
}

TEST(ShapeError, WhatDoesNotMoveHasNoError) {
    const Eigen::MatrixXd basis = Eigen::MatrixXd::Ones(3, 1);
    const Eigen::VectorXd areas = Eigen::VectorXd::Ones(1);
    ShapeError error(basis, areas);
    error.add_full(Eigen::Vector3d::Zero());
    error.add_reduced(Eigen::VectorXd::Zero(1));
    EXPECT_FALSE(error.relative(5));
}

}  // namespace
}  // namespace limber::test
