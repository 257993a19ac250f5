// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/warp_bodies.h"

#include "build/mesh/tetrahedralize.h"
#include "models/models.h"

#include <array>

namespace limber::bench {
namespace {

using build::SurfaceMesh;
using Eigen::Vector3d;
using Cells = std::array<int, 3>;

// The skin of a box with its corner at the origin: 2 (ab + bc + ca) squares, two vertices more.
SurfaceMesh box_skin(const Cells& cells, const Vector3d& size) {
    SurfaceMesh mesh;
    const auto [a, b, c] = cells;
    std::vector<int> id(std::size_t((a + 1) * (b + 1) * (c + 1)), -1);
    const auto vertex = [&](const std::array<int, 3>& at) {
        int& v = id[std::size_t(at[0] + (a + 1) * (at[1] + (b + 1) * at[2]))];
        if (v < 0) {
            v = int(mesh.vertices.size());
            mesh.vertices.emplace_back(size[0] * at[0] / a, size[1] * at[1] / b, size[2] * at[2] / c);
        }
        return v;
    };
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const int side : {0, 1}) {
            const std::size_t u = (axis + 1) % 3, w = (axis + 2) % 3;
            for (int i = 0; i < cells[u]; ++i)
                for (int j = 0; j < cells[w]; ++j) {
                    std::array<int, 4> quad{};
                    for (const auto& [k, du, dw] : {std::tuple(0, 0, 0), std::tuple(1, 1, 0),
                                                    std::tuple(2, 1, 1), std::tuple(3, 0, 1)}) {
                        std::array<int, 3> at{};
                        at[axis] = side * cells[axis];
                        at[u] = i + du;
                        at[w] = j + dw;
                        quad[std::size_t(side == 1 ? k : 3 - k)] = vertex(at);
                    }
                    mesh.triangles.push_back({quad[0], quad[1], quad[2]});
                    mesh.triangles.push_back({quad[0], quad[2], quad[3]});
                }
        }
    return mesh;
}

WarpBodyMesh box(const Cells& cells, const Cells& skin_cells, const Vector3d& size) {
    WarpBodyMesh body{models::bar(cells, size, models::BarElements::Tets), box_skin(skin_cells, size), 0, {}};
    body.faces = body.surface.triangles.size() / 2;
    for (std::size_t v = 0; v < body.volume.vertices.size(); ++v)
        if (body.volume.vertices[v].x() < 1e-9) body.fixed.push_back(int(v));
    return body;
}

}  // namespace

WarpBodyMesh bar_body() {
    return box({10, 2, 2}, {20, 4, 4}, {1, 0.2, 0.2});
}

WarpBodyMesh potbelly_body() {
    return box({10, 10, 2}, {16, 16, 8}, {0.5, 0.5, 0.12});
}

WarpBodyMesh jelly_box_body() {
    return box({15, 4, 4}, {36, 10, 10}, {1.5, 0.4, 0.4});
}

WarpBodyMesh flubber_body() {
    return box({45, 3, 2}, {65, 10, 10}, {3, 0.2, 0.14});
}

WarpBodyMesh dinosaur_body() {
    const double coarse = 0.0149, ratio = 4;  // give nearly the paper's counts, without slivers
    WarpBodyMesh body{
        build::tetrahedralize(models::dinosaur(coarse), {.max_radius_edge_ratio = ratio}, "dinosaur"),
        models::dinosaur(),
        0,
        {}};
    body.faces = body.surface.triangles.size();
    for (std::size_t v = 0; v < body.volume.vertices.size(); ++v)
        if (body.volume.vertices[v].z() < 0.008) body.fixed.push_back(int(v));
    return body;
}

}  // namespace limber::bench
