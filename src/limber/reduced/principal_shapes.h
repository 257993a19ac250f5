// SPDX-License-Identifier: Apache-2.0
// A recorded motion as a few shapes and their weights, for programs that can only add shapes.
#pragma once
#include <Eigen/Core>
#include <functional>

namespace limber {

struct PrincipalShapes {
    Eigen::MatrixXd shapes;   // 3s x k, orthonormal, those that move most first
    Eigen::MatrixXd weights;  // k x frames: field(frame) ≈ shapes · weights.col(frame)
    double error = 0;         // the largest distance of a vertex from where it belongs, m
};

// `field` gives the displacements of a frame, 3s entries. As many shapes as bring every vertex of every frame
// within `tolerance` (m) of its place, but at most `most`; then the error may be larger. One frame at a time
// is held in memory.
PrincipalShapes principal_shapes(const std::function<Eigen::VectorXd(Eigen::Index frame)>& field,
                                 Eigen::Index frames, double tolerance, Eigen::Index most);

}  // namespace limber
