// SPDX-License-Identifier: Apache-2.0
// How a rigid support moves in time: a shake, or poses that were sampled, such as those of a skeleton's bone.
#pragma once
#include <limber/input_error.h>
#include <limber/rigid/frame.h>

#include <Eigen/Core>
#include <optional>
#include <variant>
#include <vector>

namespace limber {

// The support oscillates by amplitude (1 - cos ωt) along a direction, for whole periods: it begins and ends
// at rest.
struct Shake {
    Eigen::Vector3d direction = Eigen::Vector3d::UnitX();  // of unit length
    double amplitude = 0;                                  // m
    double hz = 1;
    int periods = 1;
};

// Poses at even times, relative to where the support began. At rest before the first and after the last one.
struct PosePath {
    double rate = 30;  // poses per second
    std::vector<Pose> poses;
};

using SupportPath = std::variant<Shake, PosePath>;

// Numbers that are not finite or not positive, a direction or quaternions not of unit length (to 1e-6), no
// pose at all.
std::optional<InputError> path_problem(const SupportPath& path);

struct SupportMoment {
    Pose pose;  // relative to where the support began
    FrameMotion motion;
    bool over = false;  // it stands still from here on
};

// Seconds since it began; of a path without a problem. Allocate nothing. Motions of sampled poses are central
// differences at the poses, and linear in between; orientations take the short way.
SupportMoment at(const Shake& shake, double seconds);
SupportMoment at(const PosePath& path, double seconds);
SupportMoment at(const SupportPath& path, double seconds);

}  // namespace limber
