// SPDX-License-Identifier: Apache-2.0
// Where something is led to in time: nodes of animated files, or poses at times.
#pragma once
#include "build/animation/node_tree.h"

#include <limber/rigid/frame.h>

#include <memory>
#include <vector>

namespace limber::build {

struct Guide {
    struct Node {
        std::shared_ptr<const NodeTree> tree;
        int node = 0;
    };
    std::vector<Node> nodes;  // at least one; of several, the mean

    Pose at(double time) const;
};

// world_from_a · a_from_b
Pose operator*(const Pose& a, const Pose& b);
Eigen::Vector3d operator*(const Pose& a, const Eigen::Vector3d& x);
Pose inverse(const Pose& pose);

}  // namespace limber::build
