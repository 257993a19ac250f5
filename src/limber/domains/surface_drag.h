// SPDX-License-Identifier: Apache-2.0
// Drag of a part in moving air, one matrix for its whole surface. docs/math/domains.md, section 9.
#pragma once
#include <limber/domains/interface_motion.h>
#include <limber/model/model.h>

#include <Eigen/Core>

namespace limber {

// D = ½∫ Jᵀ n nᵀ J dA over the surface at rest, J = [1, −X̃, U]: the velocity of a point by the twist (v, ω)
// of the frame and q̇. Of a part as it was built; an instance of s times its lengths has s²·diag(1, s, s) D
// diag(1, s, s).                                                                                       (26)
struct SurfaceDrag {
    Eigen::MatrixXd D;  // 6 + r rows
    // Where the speed of the air is taken: the centre of the area, and how it moves with q; the mean squared
    // distance of the surface from it, m².
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    Eigen::Matrix3Xd centre_basis;  // 3 x r
    double spread = 0;
};
SurfaceDrag surface_drag(const ModelSurface& surface, int rank);

}  // namespace limber
