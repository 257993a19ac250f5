// SPDX-License-Identifier: Apache-2.0
// The constraints of one warped body in time: which act now, and their targets.
#pragma once
#include "build/scene/scene.h"

#include <limber/warp/constraints.h>

#include <vector>

namespace limber::build {

// The targets of a constraint's vertices at a time, in the frame of the body.
struct VertexTarget {
    Eigen::Vector3d displacement;    // from rest, m
    Eigen::Quaterniond orientation;  // of its local frame
};
std::vector<VertexTarget> targets_at(const SceneConstraint& constraint, const SceneBody& body, double time);

// Of the constraints that act in the step that ends then; `slack` on their times, s.
Constraints constraints_at(const Scene& scene, std::size_t body, double end, double slack);

}  // namespace limber::build
