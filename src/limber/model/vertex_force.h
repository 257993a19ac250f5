// SPDX-License-Identifier: Apache-2.0
// A force on a vertex of a body.
#pragma once
#include <Eigen/Core>

namespace limber {

struct VertexForce {
    int vertex;             // of the surface
    Eigen::Vector3d force;  // N, world axes
};

}  // namespace limber
