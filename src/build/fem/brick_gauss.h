// SPDX-License-Identifier: Apache-2.0
// Gauss points of the unit cube, on which element_shape.h defines the brick. docs/math/stvk.md, section 4.
#pragma once
#include <Eigen/Core>
#include <vector>

namespace limber::build {

struct GaussPoint {
    Eigen::Vector3d xi;  // in [0,1]^3
    double weight;       // they sum to 1
};

// The tensor product of 2 or 3 points per direction: exact up to degree 3 or 5 in each coordinate.
std::vector<GaussPoint> brick_gauss_points(int per_direction);

}  // namespace limber::build
