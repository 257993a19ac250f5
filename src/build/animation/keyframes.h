// SPDX-License-Identifier: Apache-2.0
// Values at times and what lies between them, as glTF 2.0 says (appendix C): steps, straight lines (great
// arcs for rotations), cubic splines.
#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <memory>
#include <vector>

namespace limber::build {

enum class Interpolation { Step, Linear, CubicSpline };

// Before the first time and after the last one the value there holds.
struct Keyframes {
    Interpolation interpolation = Interpolation::Linear;
    // s, ascending, at least one; shared, since many nodes of a file have the same.
    std::shared_ptr<const std::vector<double>> times;
    // For each time 3 numbers (a vector) or 4 (a quaternion x y z w); of a cubic spline three times as many:
    // the slope before, the value, the slope behind (per second).
    std::shared_ptr<const std::vector<double>> values;
};

Eigen::Vector3d vector_at(const Keyframes& keys, double time);
// Of unit length; between two of them by the short way.
Eigen::Quaterniond rotation_at(const Keyframes& keys, double time);

// A spline through values of `width` numbers that starts and ends at rest; in between it passes each one with
// the slope from its neighbours. Quaternions are taken on the side of the one before.
Keyframes smooth_keyframes(std::vector<double> times, std::vector<double> values, int width);

}  // namespace limber::build
