// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "build/fem/model.h"

#include <Eigen/Geometry>

namespace limber::build {

// The diagonal of the body's bounding box at rest, m.
inline double body_size(const FemModel& model) {
    Eigen::AlignedBox3d box;
    for (const Vertex& x : model.mesh().vertices)
        box.extend(x);
    return box.diagonal().norm();
}

}  // namespace limber::build
