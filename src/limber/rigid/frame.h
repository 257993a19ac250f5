// SPDX-License-Identifier: Apache-2.0
// The rigid frame that a body hangs on, and the inertial forces of its motion. docs/math/warping.md,
// section 5.
#pragma once
#include <limber/input_error.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <optional>

namespace limber {

// How the frame stands and moves at one moment; vectors in world axes. At rest unless said otherwise.
struct FrameMotion {
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  // world_from_frame, of unit length
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();               // of the frame's origin, m/s
    Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();           // m/s²
    Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();       // rad/s
    Eigen::Vector3d angular_acceleration = Eigen::Vector3d::Zero();   // rad/s²
};

// Numbers that are not finite, a quaternion that is not of unit length (to 1e-6).
std::optional<InputError> frame_problem(const FrameMotion& frame);

// Where the frame is: world = position + orientation · frame.
struct Pose {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
};

// world_from_a · a_from_b
inline Pose operator*(const Pose& a, const Pose& b) {
    return {a.position + a.orientation * b.position, (a.orientation * b.orientation).normalized()};
}
inline Eigen::Vector3d operator*(const Pose& a, const Eigen::Vector3d& x) {
    return a.position + a.orientation * x;
}
inline Pose inverse(const Pose& pose) {
    const Eigen::Quaterniond back = pose.orientation.conjugate();
    return {back * -pose.position, back};
}
// Numbers that are not finite, a quaternion that is not of unit length (to 1e-6).
std::optional<InputError> pose_problem(const Pose& pose);

// exp([w]×) of a rotation vector, rad.
Eigen::Quaterniond exp_rotation(const Eigen::Vector3d& w);

// The motion at the middle one of three poses dt seconds apart, by differences: exact to O(dt²). Turns take
// the short way. A pose that jumps gives one large push (docs/math/warping.md, section 5). Poses that are not
// finite or not of unit length, a dt that is not positive: a motion that is not finite, which bodies refuse.
FrameMotion motion_of(const std::array<Pose, 3>& poses, double dt);

// Force on a node of mass m and moment s = Σ_j M_ij X_j, in the frame's axes: m uniform + linear s.   (12)
struct InertialField {
    Eigen::Vector3d uniform = Eigen::Vector3d::Zero();  // m/s²
    Eigen::Matrix3d linear = Eigen::Matrix3d::Zero();   // 1/s²
};
// gravity: m/s², world axes.
InertialField inertial_field(const FrameMotion& frame, const Eigen::Vector3d& gravity);

}  // namespace limber
