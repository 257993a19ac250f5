// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md.
#include "limber/rigid/frame.h"

#include "limber/rigid/cross_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

// The rotation vector of the short way round.
Eigen::Vector3d turn_between(const Eigen::Quaterniond& from, const Eigen::Quaterniond& to) {
    Eigen::Quaterniond turn = to * from.conjugate();
    if (turn.w() < 0) turn.coeffs() *= -1;
    const double sine = turn.vec().norm();
    const double angle = 2 * std::atan2(sine, turn.w());
    return sine > 1e-9 ? Eigen::Vector3d(angle / sine * turn.vec()) : Eigen::Vector3d(2 * turn.vec());
}

bool is_unit(const Eigen::Quaterniond& q) {
    return std::abs(q.norm() - 1) <= 1e-6;
}

}  // namespace

std::optional<InputError> frame_problem(const FrameMotion& frame) {
    if (!frame.velocity.allFinite() || !frame.acceleration.allFinite() ||
        !frame.angular_velocity.allFinite() || !frame.angular_acceleration.allFinite() ||
        !frame.orientation.coeffs().allFinite())
        return InputError{"frame", "its orientation or motion is not finite", ""};
    if (!is_unit(frame.orientation))
        return InputError{
            "frame",
            "the quaternion of its orientation has length " + std::to_string(frame.orientation.norm()),
            "normalise it"};
    return std::nullopt;
}

std::optional<InputError> pose_problem(const Pose& pose) {
    if (!pose.position.allFinite() || !pose.orientation.coeffs().allFinite())
        return InputError{"pose", "its position or rotation is not finite", ""};
    if (!is_unit(pose.orientation))
        return InputError{"pose",
                          "the quaternion of its rotation has length " + number(pose.orientation.norm()),
                          "normalise it"};
    return std::nullopt;
}

Eigen::Quaterniond exp_rotation(const Eigen::Vector3d& w) {
    const double angle = w.norm();
    const double sine = angle > 1e-4 ? std::sin(0.5 * angle) / angle : 0.5 - angle * angle / 48;
    return {std::cos(0.5 * angle), sine * w.x(), sine * w.y(), sine * w.z()};
}

FrameMotion motion_of(const std::array<Pose, 3>& poses, double dt) {
    const bool sound = dt > 0 && std::all_of(poses.begin(), poses.end(),
                                             [](const Pose& p) { return is_unit(p.orientation); });
    if (!sound) return {.acceleration = Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN())};
    const Eigen::Vector3d before = turn_between(poses[0].orientation, poses[1].orientation) / dt;
    const Eigen::Vector3d after = turn_between(poses[1].orientation, poses[2].orientation) / dt;
    return {.orientation = poses[1].orientation,
            .velocity = (poses[2].position - poses[0].position) / (2 * dt),
            .acceleration = (poses[2].position - 2 * poses[1].position + poses[0].position) / (dt * dt),
            .angular_velocity = 0.5 * (before + after),
            .angular_acceleration = (after - before) / dt};
}

InertialField inertial_field(const FrameMotion& frame, const Eigen::Vector3d& gravity) {
    const Eigen::Quaterniond frame_from_world = frame.orientation.conjugate();
    const Eigen::Matrix3d spin = cross_matrix(frame_from_world * frame.angular_velocity);
    const Eigen::Matrix3d spin_up = cross_matrix(frame_from_world * frame.angular_acceleration);
    return {.uniform = frame_from_world * (gravity - frame.acceleration),
            .linear = -(spin_up + spin * spin)};  // (12)
}

}  // namespace limber
