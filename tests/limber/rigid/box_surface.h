// SPDX-License-Identifier: Apache-2.0
// Closed surfaces with known moments.
#pragma once
#include <limber/model/model.h>

#include <Eigen/Core>
#include <memory>

namespace limber::test {

// A box about `centre` with outward triangles.
inline ModelSurface box_surface(const Eigen::Vector3d& size,
                                const Eigen::Vector3d& centre = Eigen::Vector3d::Zero()) {
    ModelSurface out;
    for (int corner = 0; corner < 8; ++corner) {
        const Eigen::Vector3d side((corner & 1) - 0.5, ((corner >> 1) & 1) - 0.5, ((corner >> 2) & 1) - 0.5);
        out.vertices.push_back(centre + side.cwiseProduct(size));
        out.input_vertex.push_back(corner);
    }
    out.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                     {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return out;
}

inline std::shared_ptr<const Model> box_model(const Eigen::Vector3d& size,
                                              const Eigen::Vector3d& centre = Eigen::Vector3d::Zero()) {
    Model model;
    model.name = "box";
    model.surface = box_surface(size, centre);
    return std::make_shared<const Model>(std::move(model));
}

}  // namespace limber::test
