// SPDX-License-Identifier: Apache-2.0
// What a user did to a scene, by step number: docs/recording.md.
#pragma once
#include "build/scene/body_change.h"

#include <limber/rigid/frame.h>
#include <limber/warp/constraints.h>

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

namespace limber::build {

// A spring from a vertex to a point: the force is stiffness (target - x), by the position at the start of a
// step.
struct Spring {
    int vertex = 0;                   // of the surface
    Eigen::Vector3d target{0, 0, 0};  // m
    double stiffness = 0;             // N/m
};

// What changes before the step of this number; what is not named stays.
struct ReplayInput {
    long long step = 0;
    std::optional<std::optional<Spring>> pull;  // an empty one lets go
    std::optional<Constraints> pins;            // of the warped bodies; an empty one lets go
    std::optional<FrameMotion> frame;
    std::optional<Eigen::Vector3d> gravity;               // m/s^2
    std::optional<double> dt;                             // s
    std::vector<std::pair<std::size_t, BodyChange>> set;  // by body
};

struct Replay {
    long long steps = 0;
    std::vector<ReplayInput> inputs;  // by step
};

}  // namespace limber::build
