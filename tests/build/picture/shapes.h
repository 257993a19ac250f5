// SPDX-License-Identifier: Apache-2.0
// Small surfaces that the tests of the picture draw.
#pragma once
#include "build/picture/draw.h"

namespace limber::build {

// Two triangles: the square of side 2 about `middle`, with the normal z.
inline SurfaceMesh square(const Eigen::Vector3d& middle) {
    SurfaceMesh mesh;
    for (const auto& [x, y] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)})
        mesh.vertices.push_back(middle + Eigen::Vector3d(x, y, 0));
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    return mesh;
}

inline SurfaceMesh cube() {
    SurfaceMesh mesh;
    for (int corner = 0; corner < 8; ++corner)
        mesh.vertices.emplace_back(corner & 1, (corner >> 1) & 1, (corner >> 2) & 1);
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

inline Eigen::Vector3i pixel_of(const Image& image, int x, int y) {
    const auto at = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                         static_cast<std::size_t>(x));
    return {image.rgb[at], image.rgb[at + 1], image.rgb[at + 2]};
}

}  // namespace limber::build
