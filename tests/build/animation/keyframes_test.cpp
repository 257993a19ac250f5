// SPDX-License-Identifier: Apache-2.0
// What lies between keys, against closed forms.
#include "build/animation/keyframes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace limber::build {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Keyframes keys(Interpolation interpolation, std::vector<double> times, std::vector<double> values) {
    return {interpolation, std::make_shared<const std::vector<double>>(std::move(times)),
            std::make_shared<const std::vector<double>>(std::move(values))};
}

double angle_between(const Quaterniond& a, const Quaterniond& b) {
    return a.angularDistance(b);
}

TEST(Keyframes, StepsHoldTheirValueUntilTheNextKey) {
    const Keyframes k = keys(Interpolation::Step, {1, 2, 4}, {1, 0, 0, 2, 0, 0, 3, 0, 0});
    for (const auto& [time, x] :
         {std::pair(0.0, 1.0), {1.0, 1.0}, {1.999, 1.0}, {2.0, 2.0}, {3.9, 2.0}, {9.0, 3.0}})
        EXPECT_EQ(vector_at(k, time).x(), x) << time;
}

TEST(Keyframes, LinesAreStraightAndEndsAreHeld) {
    const Keyframes k = keys(Interpolation::Linear, {1, 3}, {0, 10, -2, 4, 20, 2});
    EXPECT_EQ(vector_at(k, 1.5), Vector3d(1, 12.5, -1));
    EXPECT_EQ(vector_at(k, -5), Vector3d(0, 10, -2));
    EXPECT_EQ(vector_at(k, 5), Vector3d(4, 20, 2));
}

// Slerp: the angle grows evenly about one axis.
TEST(Keyframes, RotationsGoAlongTheGreatArcAtAnEvenPace) {
    const Vector3d axis = Vector3d(1, 2, -2) / 3;
    const Quaterniond a(AngleAxisd(0.3, axis)), b(AngleAxisd(2.1, axis));
    std::vector<double> values(a.coeffs().begin(), a.coeffs().end());
    values.insert(values.end(), b.coeffs().begin(), b.coeffs().end());
    const Keyframes k = keys(Interpolation::Linear, {0, 2}, values);
    for (double t = 0; t <= 2; t += 0.125)
        EXPECT_LE(angle_between(rotation_at(k, t), Quaterniond(AngleAxisd(0.3 + 0.9 * t, axis))), 1e-7) << t;
    // The same rotation with the other sign is not a long way round. (1e-7: an angle from a cosine near 1.)
    for (std::size_t i = 4; i < 8; ++i)
        values[i] *= -1;
    const Keyframes negated = keys(Interpolation::Linear, {0, 2}, values);
    EXPECT_LE(angle_between(rotation_at(negated, 1), Quaterniond(AngleAxisd(1.2, axis))), 1e-7);
}

// A cubic Hermite spline repeats any cubic whose values and slopes it is given.
TEST(Keyframes, CubicSplinesRepeatACubic) {
    const auto cubic = [](double t) { return Vector3d(1 - t + 2 * t * t * t, t * t, -3 * t * t * t + t); };
    const auto slope = [](double t) { return Vector3d(-1 + 6 * t * t, 2 * t, -9 * t * t + 1); };
    std::vector<double> times = {0.5, 1.25, 3}, values;
    for (const double t : times)
        for (const Vector3d& part : {slope(t), cubic(t), slope(t)})
            values.insert(values.end(), part.begin(), part.end());
    const Keyframes k = keys(Interpolation::CubicSpline, times, values);
    for (double t = 0.5; t <= 3; t += 0.05)
        EXPECT_LE((vector_at(k, t) - cubic(t)).norm(), 1e-12) << t;  // rounding of numbers up to 80
    EXPECT_EQ(vector_at(k, 7), cubic(3));
}

TEST(Keyframes, RotationsOnASplineHaveUnitLength) {
    const Keyframes k = keys(Interpolation::CubicSpline, {0, 1},
                             {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0});
    // Half of the way from none to half a turn about z, by symmetry a quarter turn.
    EXPECT_LE(angle_between(rotation_at(k, 0.5), Quaterniond(AngleAxisd(M_PI / 2, Vector3d::UnitZ()))), 1e-7);
    for (double t = 0; t <= 1; t += 0.1)
        EXPECT_NEAR(rotation_at(k, t).norm(), 1, 1e-15);
}

TEST(Keyframes, SmoothPathsBeginAndEndAtRestAndPassTheirValues) {
    const Keyframes k = smooth_keyframes({0, 1, 2}, {0, 0, 0, 1, 0, 0, 3, 0, 0}, 3);
    EXPECT_EQ(vector_at(k, 1).x(), 1);
    const double h = 1e-6;
    const auto speed = [&](double t) { return (vector_at(k, t + h) - vector_at(k, t - h)).x() / (2 * h); };
    EXPECT_NEAR(speed(h), 0, 1e-5);  // h f'' is left
    EXPECT_NEAR(speed(2 - h), 0, 1e-5);
    EXPECT_NEAR(speed(1), 1.5, 1e-5);  // (3 - 0) / 2 s
}

}  // namespace
}  // namespace limber::build
