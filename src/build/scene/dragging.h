// SPDX-License-Identifier: Apache-2.0
// The constraints of one warped body in time: who is held now, and where to.
#pragma once
#include "build/scene/running_body.h"
#include "build/scene/scene.h"

#include <vector>

namespace limber::build {

// The targets of a constraint's vertices at a time, in the frame of the body.
struct VertexTarget {
    Eigen::Vector3d displacement;    // from rest, m
    Eigen::Quaterniond orientation;  // of its local frame
};
std::vector<VertexTarget> targets_at(const SceneConstraint& constraint, const SceneBody& body, double time);

class Dragging {
 public:
    Dragging(const Scene& scene, std::size_t body);
    // Before the step that ends at that time; `slack` on the times of the scene.
    void aim(double end, double slack, RunningBody& running);

 private:
    const SceneBody* body_;
    Constraints kind_;  // without targets
    std::vector<const SceneConstraint*> constraints_;
    std::vector<bool> active_;
};

}  // namespace limber::build
