// SPDX-License-Identifier: Apache-2.0
#include "build/scene/dragging.h"

#include <algorithm>

namespace limber::build {

std::vector<VertexTarget> targets_at(const SceneConstraint& constraint, const SceneBody& body, double time) {
    const std::vector<Eigen::Vector3d>& rest = body.model->surface.vertices;
    const Pose body_from_world = inverse(body.pose_at(time));
    std::vector<VertexTarget> out;
    if (constraint.fastened) {
        // Now from t = 0: what the guide did meanwhile, seen from the body.
        const Pose moved =
            body_from_world * constraint.target.at(time) * inverse(constraint.target.at(0)) * body.pose_at(0);
        for (const int v : constraint.vertices) {
            const Eigen::Vector3d& x = rest[static_cast<std::size_t>(v)];
            out.push_back({moved * x - x, moved.orientation});
        }
        return out;
    }
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    for (const int v : constraint.vertices)
        mean += rest[static_cast<std::size_t>(v)] / static_cast<double>(constraint.vertices.size());
    Pose there = body_from_world * constraint.target.at(time);
    if (constraint.what == Constrained::Position) there.orientation.setIdentity();
    for (const int v : constraint.vertices) {
        const Eigen::Vector3d& x = rest[static_cast<std::size_t>(v)];
        out.push_back({there * Eigen::Vector3d(x - mean) - x, there.orientation});
    }
    return out;
}

Dragging::Dragging(const Scene& scene, std::size_t body) : body_(&scene.bodies[body]) {
    kind_.priority = body_->grip.priority;
    kind_.positions_by = body_->grip.positions_by;
    for (const SceneConstraint& constraint : scene.constraints)
        if (constraint.body == body) constraints_.push_back(&constraint);
    active_.assign(constraints_.size(), false);
}

void Dragging::aim(double end, double slack, RunningBody& running) {
    bool changed = false;
    for (std::size_t i = 0; i < active_.size(); ++i) {
        const bool now = end > constraints_[i]->from + slack && end <= constraints_[i]->to + slack;
        changed |= now != active_[i];
        active_[i] = now;
    }
    if (!changed && std::find(active_.begin(), active_.end(), true) == active_.end()) return;
    Constraints all = kind_;
    bool exercised = false;
    for (std::size_t i = 0; i < active_.size(); ++i) {
        if (!active_[i]) continue;
        const SceneConstraint& constraint = *constraints_[i];
        const std::vector<VertexTarget> targets = targets_at(constraint, *body_, end);
        for (std::size_t k = 0; k < targets.size(); ++k) {
            if (constraint.what != Constrained::Orientation)
                all.positions.push_back({constraint.vertices[k], targets[k].displacement});
            if (constraint.what != Constrained::Position)
                all.orientations.push_back({constraint.vertices[k], targets[k].orientation});
        }
        const auto& pushed = constraint.exercised.empty() ? constraint.vertices : constraint.exercised;
        all.exercised.insert(all.exercised.end(), pushed.begin(), pushed.end());
        exercised |= !constraint.exercised.empty();
    }
    std::sort(all.exercised.begin(), all.exercised.end());
    all.exercised.erase(std::unique(all.exercised.begin(), all.exercised.end()), all.exercised.end());
    if (!exercised) all.exercised.clear();
    running.set_constraints(all);
}

}  // namespace limber::build
