// SPDX-License-Identifier: Apache-2.0
// The two bars that are measured: 15 x 15 x 33 cubes of six tets each, and 15 x 15 x 50 bricks, of 1 cm, both
// fixed at the end z = 0.
#pragma once
#include "build/fem/model.h"
#include "models/models.h"

namespace limber::bench {

inline build::FemModel fixed_bar(std::array<int, 3> cells, models::BarElements elements,
                                 build::FemOptions options = {}) {
    const Eigen::Vector3d size = Eigen::Vector3d(cells[0], cells[1], cells[2]) * 0.01;
    build::VolumeMesh mesh = models::bar(cells, size, elements);
    std::vector<int> fixed;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        if (mesh.vertices[v].z() < 1e-9) fixed.push_back(static_cast<int>(v));
    return build::FemModel(std::move(mesh), {}, std::move(fixed), options);
}

inline const build::FemModel& tet_bar() {
    static const build::FemModel model = fixed_bar({15, 15, 33}, models::BarElements::Tets);
    return model;
}
inline const build::FemModel& brick_bar() {
    static const build::FemModel model = fixed_bar({15, 15, 50}, models::BarElements::Bricks);
    return model;
}
// 3 x 3 x 3 points instead of 2 x 2 x 2.
inline const build::FemModel& exact_brick_bar() {
    static const build::FemModel model =
        fixed_bar({15, 15, 50}, models::BarElements::Bricks, {.brick_quadrature = BrickQuadrature::Exact});
    return model;
}

}  // namespace limber::bench
