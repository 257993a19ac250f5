// SPDX-License-Identifier: Apache-2.0
#include "limber/rigid/support_path.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>
#include <string>

namespace limber {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

// m and 1/s: velocities and accelerations stay finite.
constexpr double kLargestPath = 1e12, kFastestPath = 1e9;

std::optional<InputError> problem_of(const Shake& shake) {
    if (!shake.direction.allFinite() || !(std::abs(shake.amplitude) <= kLargestPath))
        return InputError{"shake", "its direction is not finite, or its amplitude is not within 1e12 m", ""};
    if (std::abs(shake.direction.norm() - 1) > 1e-6)
        return InputError{"shake", "its direction has length " + number(shake.direction.norm()),
                          "normalise it"};
    if (!(shake.hz > 0 && shake.hz <= kFastestPath))
        return InputError{"shake", number(shake.hz) + " Hz is not above 0 and up to 1e9", "2"};
    if (shake.periods < 1)
        return InputError{"shake", std::to_string(shake.periods) + " periods were given", "at least 1"};
    return std::nullopt;
}

std::optional<InputError> problem_of(const PosePath& path) {
    if (!(path.rate > 0 && path.rate <= kFastestPath))
        return InputError{"support path",
                          number(path.rate) + " poses per second are not above 0 and up to 1e9", "30"};
    if (path.poses.empty()) return InputError{"support path", "it has no poses", ""};
    for (std::size_t i = 0; i < path.poses.size(); ++i) {
        const Pose& pose = path.poses[i];
        const bool sound =
            pose.position.norm() <= kLargestPath && std::abs(pose.orientation.norm() - 1) <= 1e-6;
        if (!sound)
            return InputError{"support path",
                              "pose " + std::to_string(i) +
                                  " is not within 1e12 m, or its quaternion is not of unit length",
                              ""};
    }
    return std::nullopt;
}

Vector3d mixed(const Vector3d& a, const Vector3d& b, double part) {
    return a + part * (b - a);
}

}  // namespace

std::optional<InputError> path_problem(const SupportPath& path) {
    return std::visit([](const auto& one) { return problem_of(one); }, path);
}

SupportMoment at(const Shake& shake, double seconds) {
    SupportMoment out;
    out.over = seconds * shake.hz >= shake.periods;
    if (out.over || !(seconds >= 0)) return out;
    const double omega = 2 * std::numbers::pi * shake.hz;
    out.pose.position = shake.amplitude * (1 - std::cos(omega * seconds)) * shake.direction;
    out.motion.velocity = shake.amplitude * omega * std::sin(omega * seconds) * shake.direction;
    out.motion.acceleration = shake.amplitude * omega * omega * std::cos(omega * seconds) * shake.direction;
    return out;
}

SupportMoment at(const PosePath& path, double seconds) {
    assert(!path.poses.empty());
    const auto last = static_cast<std::ptrdiff_t>(path.poses.size()) - 1;
    const auto pose = [&](std::ptrdiff_t i) -> const Pose& {
        return path.poses[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i, 0, last))];
    };
    SupportMoment out;
    const double position = std::max(0.0, seconds * path.rate);
    out.over = position >= static_cast<double>(last);
    if (out.over) {
        out.pose = pose(last);
        out.motion.orientation = out.pose.orientation;
        return out;
    }
    const auto low = static_cast<std::ptrdiff_t>(position);
    const double part = position - static_cast<double>(low);
    const auto motion_at = [&](std::ptrdiff_t i) {
        return motion_of({pose(i - 1), pose(i), pose(i + 1)}, 1 / path.rate);
    };
    const FrameMotion a = motion_at(low), b = motion_at(low + 1);
    Quaterniond next = pose(low + 1).orientation;
    if (a.orientation.dot(next) < 0) next.coeffs() *= -1;
    out.pose.position = mixed(pose(low).position, pose(low + 1).position, part);
    out.pose.orientation =
        Quaterniond(a.orientation.coeffs() + part * (next.coeffs() - a.orientation.coeffs())).normalized();
    out.motion = {.orientation = out.pose.orientation,
                  .velocity = mixed(a.velocity, b.velocity, part),
                  .acceleration = mixed(a.acceleration, b.acceleration, part),
                  .angular_velocity = mixed(a.angular_velocity, b.angular_velocity, part),
                  .angular_acceleration = mixed(a.angular_acceleration, b.angular_acceleration, part)};
    return out;
}

SupportMoment at(const SupportPath& path, double seconds) {
    return std::visit([&](const auto& one) { return at(one, seconds); }, path);
}

}  // namespace limber
