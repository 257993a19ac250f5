// SPDX-License-Identifier: Apache-2.0
// [w]×: the matrix of the cross product with w.
#pragma once
#include <Eigen/Core>

namespace limber {

inline Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& w) {
    Eigen::Matrix3d W;
    W << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
    return W;
}

}  // namespace limber
