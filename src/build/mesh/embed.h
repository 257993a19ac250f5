// SPDX-License-Identifier: Apache-2.0
// A surface carried by a volume mesh: displacements go out by interpolation, forces come in by its transpose.
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh/volume_mesh.h"

#include <Eigen/Core>
#include <vector>

namespace limber::build {

// Point p follows the nodes of one element: u(p) = sum_a weight_a u(node_a). The weights sum to one;
// barycentric in tets, trilinear in bricks. A point outside takes those of the nearest element, continued
// from its nearest point along their gradient, so that rigid motions stay rigid and weights grow only with
// the distance.
struct Embedding {
    struct Anchor {
        int element = -1;
        std::array<int, 8> nodes{};  // 4 used for a tet
        std::array<double, 8> weights{};
        int count = 0;
        double distance = 0;  // m outside the element, 0 inside
    };
    std::vector<Anchor> anchors;  // one per embedded point
    std::size_t volume_vertices = 0;
};

Embedding embed(const VolumeMesh& volume, const std::vector<Vertex>& points);

// 3·points = W · 3·volume vertices, both ordered 3·vertex + component.
Eigen::VectorXd interpolate(const Embedding& embedding, const Eigen::VectorXd& volume_displacement);
// 3·volume vertices = Wᵀ · 3·points: work is preserved exactly.
Eigen::VectorXd spread_forces(const Embedding& embedding, const Eigen::VectorXd& point_forces);

}  // namespace limber::build
