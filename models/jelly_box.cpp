// SPDX-License-Identifier: Apache-2.0
// The jelly box of Choi & Ko 2005: 0.6 x 0.44 x 1.4 m with round edges, filled with bricks, about the pelvis
// of the skeleton that it follows.
#include "models/models.h"

#include <cmath>

namespace limber::models {

build::VolumeMesh jelly_box() {
    const Eigen::Vector3d half(0.3, 0.22, 0.7);
    build::VolumeMesh mesh = bar({12, 8, 28}, 2 * half, BarElements::Bricks);
    for (build::Vertex& x : mesh.vertices) {
        // From the cube |p|∞ = s to the rounder |p|₈ = s, ever less towards the middle.
        const Eigen::Vector3d p = (x - half).cwiseQuotient(half);
        const double s = p.cwiseAbs().maxCoeff(), round = std::pow(p.array().abs().pow(8).sum(), 0.125);
        const double share = s * s;
        const double factor = round > 0 ? 1 + share * (s / round - 1) : 1;
        x = factor * p.cwiseProduct(half);
    }
    return mesh;
}

}  // namespace limber::models
