// SPDX-License-Identifier: Apache-2.0
#include "build/scene/constraint_targets.h"

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

Constraints constraints_at(const Scene& scene, std::size_t body, double end, double slack) {
    Constraints all;
    all.priority = scene.bodies[body].constraint_settings.priority;
    all.positions_by = scene.bodies[body].constraint_settings.positions_by;
    bool exercised = false;
    for (const SceneConstraint& constraint : scene.constraints) {
        const bool acts = end > constraint.from + slack && end <= constraint.to + slack;
        if (constraint.body != body || !acts) continue;
        const std::vector<VertexTarget> targets = targets_at(constraint, scene.bodies[body], end);
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
    return all;
}

}  // namespace limber::build
