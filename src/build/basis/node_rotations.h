// SPDX-License-Identifier: Apache-2.0
// How a displacement field rotates the material at each vertex, to first order. docs/math/warping.md.
#pragma once
#include "build/mesh/volume_mesh.h"

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace limber::build {

// W, 3n x 3n: the rotation vectors w = W u (rad) of the vertices are the plain averages over their elements
// of ½ curl u, in bricks taken at the vertex itself. Rows of vertices without an element are empty. (2), (3)
// The elements must be sound (require_sound).
Eigen::SparseMatrix<double, Eigen::RowMajor> node_rotation_matrix(const VolumeMesh& mesh);

// Ψ = W Φ for the displacement fields in the columns of `shapes`, 3n x k.                        (4)
Eigen::MatrixXd modal_rotations(const VolumeMesh& mesh, const Eigen::MatrixXd& shapes);

}  // namespace limber::build
