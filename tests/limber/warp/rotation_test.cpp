// SPDX-License-Identifier: Apache-2.0
#include "limber/warp/rotation.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <numbers>

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// On both sides of every case of the code: zero, the series' end at 1, half and whole turns, many turns.
constexpr std::array kAngles = {0.0, 1e-200, 1e-16, 1e-9,  1e-5, 1e-2, 0.5,  0.999, 1.001,
                                1.5, 3.14,   3.15,  6.283, 6.29, 9.43, 50.0, 300.0};
const Vector3d kAxis = Vector3d(1, -2, 0.5).normalized();

Matrix3d by_angle_axis(const Vector3d& w) {
    const double angle = w.norm();
    return angle > 0 ? Eigen::AngleAxisd(angle, w / angle).toRotationMatrix() : Matrix3d::Identity();
}

// ∫₀¹ exp(τ[w]×) dτ by Gauss' rule of five points in many intervals: far below rounding.
Matrix3d mean_by_quadrature(const Vector3d& w) {
    const std::array<double, 5> x = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                                     0.9061798459386640};
    const std::array<double, 5> weight = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                          0.4786286704993665, 0.2369268850561891};
    const int intervals = 20 + int(5 * w.norm());
    Matrix3d sum = Matrix3d::Zero();
    for (int i = 0; i < intervals; ++i)
        for (std::size_t k = 0; k < 5; ++k)
            sum += weight[k] / (2 * intervals) * by_angle_axis((i + 0.5 + 0.5 * x[k]) / intervals * w);
    return sum;
}

TEST(Rotation, IsTheExponentialOfItsVector) {
    for (const double angle : kAngles)
        EXPECT_LE((rotation_matrix(angle * kAxis) - by_angle_axis(angle * kAxis)).norm(),
                  1e-15 * (5 + 2 * angle))  // the angle itself is rounded
            << angle;
}

TEST(Rotation, TheMeanIsTheIntegralOfItsDefinition) {
    for (const double angle : kAngles)
        EXPECT_LE((mean_rotation(angle * kAxis) - mean_by_quadrature(angle * kAxis)).norm(), 3e-14) << angle;
}

TEST(Rotation, BackIsTheTranspose) {
    const Vector3d v(0.3, 2, -1);
    for (const double angle : kAngles) {
        const Vector3d w = angle * kAxis;
        EXPECT_LE((rotate_back(w, v) - by_angle_axis(w).transpose() * v).norm(), 1e-14 * (1 + angle))
            << angle;
    }
}

// d/dτ (τ R̃(τw)) = R(τw): by central differences, whose error is of order step².
TEST(Rotation, IsTheDerivativeOfItsMean) {
    const double step = 1e-5;
    for (const double angle : {0.0, 0.3, 0.99999, 1.0, 2.0, 6.0}) {
        const Vector3d w = angle * kAxis;
        const Matrix3d slope =
            ((1 + step) * mean_rotation((1 + step) * w) - (1 - step) * mean_rotation((1 - step) * w)) /
            (2 * step);
        EXPECT_LE((slope - rotation_matrix(w)).norm(), 1e-8) << angle;
    }
}

// RᵀṘ = [R̃ᵀẇ]×, what the Coriolis force is made of.
TEST(Rotation, TheLocalFrameSpinsByTheMeanOfTheRate) {
    const Vector3d w(0.8, -0.4, 1.1), rate(0.5, 2, -0.3);
    const double step = 1e-5;
    const Matrix3d slope = (rotation_matrix(w + step * rate) - rotation_matrix(w - step * rate)) / (2 * step);
    const Matrix3d spin = rotation_matrix(w).transpose() * slope;
    EXPECT_LE((spin - cross_matrix(mean_rotation(w).transpose() * rate)).norm(), 1e-8);
}

TEST(Rotation, FloatsAgreeWithDoublesToTheirRounding) {
    for (const double angle : kAngles) {
        const auto f = rotation_factors(float(angle * angle));
        const auto d = rotation_factors(double(float(angle * angle)));
        const double tolerance = 6e-7 + 2e-7 * angle;  // a few ulp of 1, and of the angle
        EXPECT_NEAR(f.s, d.s, tolerance / (1 + angle)) << angle;
        EXPECT_NEAR(f.c, d.c, tolerance / (1 + angle)) << angle;
        EXPECT_NEAR(f.e, d.e, tolerance / (1 + angle)) << angle;
    }
}

TEST(Rotation, AnyFiniteAngleGivesBoundedNumbers) {
    for (double square = 1e-38; square < 1e30; square *= 7) {
        for (const auto& [s, c, e] :
             {rotation_factors(square),
              RotationFactors<double>{rotation_factors(float(square)).s, rotation_factors(float(square)).c,
                                      rotation_factors(float(square)).e}}) {
            EXPECT_LE(std::abs(s), 1.000001);
            EXPECT_LE(std::abs(c), 0.500001);
            EXPECT_LE(std::abs(e), 0.1666668);
        }
    }
}

// Rounding leaves a whole turn a little off, about any axis. What is kept of it is met to 1e-9 rad.
TEST(Rotation, AWholeTurnStaysOneWhateverRoundingAdds) {
    const Vector3d w = 2 * std::numbers::pi * kAxis;
    for (const Vector3d& noise :
         {Vector3d(0, 0, 0), Vector3d(1e-17, 0, 0), Vector3d(0, 1e-11, 0), Vector3d(0, 0, -4e-10)}) {
        const Eigen::Quaterniond target = Eigen::Quaterniond(1, noise.x(), noise.y(), noise.z()).normalized();
        const Vector3d near = nearest_rotation(target, w);
        EXPECT_LE((near - w).norm(), 1e-9);
        EXPECT_LE(Eigen::Quaterniond(rotation_matrix(near)).angularDistance(target), 1e-9);
        // Near rest nothing is given away.
        EXPECT_EQ(nearest_rotation(target, 0.1 * kAxis), 2 * target.vec());
        EXPECT_EQ(nearest_rotation(Eigen::Quaterniond(-target.coeffs()), 0.1 * kAxis), 2 * target.vec());
    }
}

}  // namespace
}  // namespace limber
