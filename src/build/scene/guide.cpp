// SPDX-License-Identifier: Apache-2.0
#include "build/scene/guide.h"

namespace limber::build {

// Rotations are averaged as quaternions on one side, which is right to second order in what is between them.
Pose Guide::at(double time) const {
    if (nodes.size() == 1) return pose_of(*nodes[0].tree, nodes[0].node, time);
    Pose mean;
    Eigen::Vector4d sum = Eigen::Vector4d::Zero();
    for (const Node& each : nodes) {
        const Pose pose = pose_of(*each.tree, each.node, time);
        mean.position += pose.position / static_cast<double>(nodes.size());
        sum += (sum.dot(pose.orientation.coeffs()) < 0 ? -1 : 1) * pose.orientation.coeffs();
    }
    if (sum.norm() > 1e-6) mean.orientation = Eigen::Quaterniond(sum).normalized();
    return mean;
}

Pose operator*(const Pose& a, const Pose& b) {
    return {a.position + a.orientation * b.position, (a.orientation * b.orientation).normalized()};
}

Eigen::Vector3d operator*(const Pose& a, const Eigen::Vector3d& x) {
    return a.position + a.orientation * x;
}

Pose inverse(const Pose& pose) {
    const Eigen::Quaterniond back = pose.orientation.conjugate();
    return {back * -pose.position, back};
}

}  // namespace limber::build
