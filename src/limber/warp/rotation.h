// SPDX-License-Identifier: Apache-2.0
// Rotations from rotation vectors w (rad), and their mean along the path from zero to w.
//     R(w)  = exp([w]×)            = I + s [w]× + c [w]×²                     docs/math/warping.md (5)
//     R̃(w) = ∫₀¹ exp(τ[w]×) dτ    = I + c [w]× + e [w]×²                                         (6)
// with s = sin θ/θ, c = (1 - cos θ)/θ², e = (θ - sin θ)/θ³, θ = |w|: even functions of θ, so smooth ones of
// θ². No branch and no call, so that loops over vertices become vector code.
#pragma once
#include <limber/rigid/cross_matrix.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace limber {

template <class Scalar>
struct RotationFactors {
    Scalar s, c, e;
};

// θ² below this; above, e loses no digit that matters to its own formula.
template <class Scalar>
inline constexpr Scalar kSeriesBelow = Scalar(1);

namespace rotation_detail {

// 1/n! for n = first, first + 2, …, with alternating signs, as a polynomial in x: Horner's scheme unrolled.
template <class Scalar, int n, int last>
inline Scalar alternating_series(Scalar x, double one_over_factorial) {
    if constexpr (n >= last)
        return Scalar(one_over_factorial);
    else
        return Scalar(one_over_factorial) -
               x * alternating_series<Scalar, n + 2, last>(x, one_over_factorial / ((n + 1.0) * (n + 2.0)));
}

// The last power that matters to sine and cosine up to π/2, and to e up to θ = 1.
template <class Scalar>
inline constexpr bool kIsFloat = std::is_same_v<Scalar, float>;
template <class Scalar>
inline constexpr int kLastOfSine = kIsFloat<Scalar> ? 13 : 23;
template <class Scalar>
inline constexpr int kLastOfCosine = kIsFloat<Scalar> ? 14 : 24;
template <class Scalar>
inline constexpr int kLastOfE = kIsFloat<Scalar> ? 11 : 21;

}  // namespace rotation_detail

// From θ², which must be finite and not negative. Accurate to a few units in the last place of 1 up to some
// turns; beyond, the angle loses digits as θ itself does, but the result is always that of some rotation.
template <class Scalar>
inline RotationFactors<Scalar> rotation_factors(Scalar theta_squared) {
    namespace d = rotation_detail;
    // Smallest: its square root divides without loss, and sin θ/θ is 1 there.
    const Scalar t = theta_squared > Scalar(1e-30) ? theta_squared : Scalar(1e-30);
    const Scalar theta = std::sqrt(t);
    // θ - 2πk by Cody and Waite: the first part of 2π has 8 bits, so k times it is exact for long.
    constexpr Scalar round_here = d::kIsFloat<Scalar> ? Scalar(12582912.0) : Scalar(6755399441055744.0);
    const Scalar turns = theta * Scalar(0.15915494309189533577) + round_here - round_here;
    constexpr double two_pi_high = 6.28125, two_pi_low = 0.0019353071795864769253;
    Scalar half = Scalar(0.5) * ((theta - turns * Scalar(two_pi_high)) - turns * Scalar(two_pi_low));
    constexpr Scalar right_angle = Scalar(1.5707963267948966192);
    half = half > right_angle ? right_angle : half;
    half = half < -right_angle ? -right_angle : half;
    const Scalar x = half * half;
    const Scalar sine = half * d::alternating_series<Scalar, 1, d::kLastOfSine<Scalar>>(x, 1.0);
    const Scalar cosine = d::alternating_series<Scalar, 0, d::kLastOfCosine<Scalar>>(x, 1.0);
    const Scalar per_theta = 1 / theta;
    const Scalar sine_per_theta = sine * per_theta;
    const Scalar s = 2 * sine_per_theta * cosine;
    const Scalar series = d::alternating_series<Scalar, 3, d::kLastOfE<Scalar>>(t, 1.0 / 6);
    const Scalar direct = (1 - s) * (per_theta * per_theta);
    return {s, 2 * sine_per_theta * sine_per_theta, t < kSeriesBelow<Scalar> ? series : direct};
}

inline Eigen::Matrix3d rotation_matrix(const Eigen::Vector3d& w) {
    const auto f = rotation_factors(w.squaredNorm());
    const Eigen::Matrix3d W = cross_matrix(w);
    return Eigen::Matrix3d::Identity() + f.s * W + f.c * W * W;
}

inline Eigen::Matrix3d mean_rotation(const Eigen::Vector3d& w) {
    const auto f = rotation_factors(w.squaredNorm());
    const Eigen::Matrix3d W = cross_matrix(w);
    return Eigen::Matrix3d::Identity() + f.c * W + f.e * W * W;
}

// R(w)ᵀ v = R(-w) v
inline Eigen::Vector3d rotate_back(const Eigen::Vector3d& w, const Eigen::Vector3d& v) {
    const auto f = rotation_factors(w.squaredNorm());
    const Eigen::Vector3d wv = w.cross(v);
    return v - f.s * wv + f.c * w.cross(wv);
}

// The rotation vector of an orientation nearest to w: whole turns about its axis are free.
inline Eigen::Vector3d nearest_rotation(const Eigen::Quaterniond& orientation, const Eigen::Vector3d& w) {
    constexpr double turn = 2 * std::numbers::pi;
    const double sine = orientation.vec().norm();
    // Hardly a rotation, or whole turns about any axis: what is left, 2·sine rad, is not worth another axis.
    if (sine < 5e-10) {
        const double turns = std::round(w.norm() / turn);
        return turns > 0 ? turns * turn * w.normalized()
                         : Eigen::Vector3d(std::copysign(2, orientation.w()) * orientation.vec());
    }
    const Eigen::Vector3d axis = orientation.vec() / sine;
    const double angle = 2 * std::atan2(sine, orientation.w());
    return (angle + turn * std::round((w.dot(axis) - angle) / turn)) * axis;
}

// d(R̃(w) y)/dw                                                                                   (17)
inline Eigen::Matrix3d mean_rotation_jacobian(const Eigen::Vector3d& w, const Eigen::Vector3d& y) {
    const double t = w.squaredNorm();
    const auto f = rotation_factors(t);
    const double c_slope = t < 1e-4 ? -1.0 / 12 + t / 180 : (f.s - 2 * f.c) / t;   // (dc/dθ)/θ
    const double e_slope = t < 1e-4 ? -1.0 / 60 + t / 1260 : (f.c - 3 * f.e) / t;  // (de/dθ)/θ
    const Eigen::Vector3d wy = w.cross(y), wwy = w.cross(wy);
    return -f.c * cross_matrix(y) + (c_slope * wy + e_slope * wwy) * w.transpose() +
           f.e * (w.dot(y) * Eigen::Matrix3d::Identity() + w * y.transpose() - 2 * y * w.transpose());
}

}  // namespace limber
