// SPDX-License-Identifier: Apache-2.0
// A box of equal bricks, or of six tetrahedra to each brick (Kuhn's subdivision: one tetrahedron for every
// order in which the axes can be walked from corner 000 to corner 111; neighbours match without any
// colouring).
#include "models/models.h"

#include <limber/input_error.h>

#include <fmt/format.h>
#include <cmath>
#include <cstdint>

namespace limber::models {
namespace {

constexpr std::int64_t kMostCells = 20'000'000;

void check(const std::array<int, 3>& cells, const Eigen::Vector3d& size) {
    for (const int n : cells)
        if (n < 1)
            throw InputError{"bar --cells",
                             fmt::format("{} x {} x {} cells make no bar", cells[0], cells[1], cells[2]),
                             "give at least 1 along every axis, such as --cells 10,2,2"};
    // Each factor is below 2^31, so divide instead of multiplying all three.
    const std::int64_t layer = std::int64_t{cells[0]} * cells[1];
    if (layer > kMostCells || layer > kMostCells / cells[2])
        throw InputError{
            "bar --cells",
            fmt::format("{} x {} x {} cells are more than {}", cells[0], cells[1], cells[2], kMostCells),
            "choose fewer cells"};
    for (Eigen::Index k = 0; k < 3; ++k)
        if (!(size[k] > 0) || !std::isfinite(size[k]))
            throw InputError{"bar --size", fmt::format("{} m is no length", size[k]),
                             "give three positive lengths in metres, such as --size 1,0.2,0.2"};
}

}  // namespace

build::VolumeMesh bar(std::array<int, 3> cells, const Eigen::Vector3d& size, BarElements elements) {
    check(cells, size);
    const auto [nx, ny, nz] = cells;
    build::VolumeMesh mesh;
    for (int k = 0; k <= nz; ++k)
        for (int j = 0; j <= ny; ++j)
            for (int i = 0; i <= nx; ++i)
                mesh.vertices.emplace_back(size.x() * i / nx, size.y() * j / ny, size.z() * k / nz);

    const std::array<int, 3> stride{1, nx + 1, (nx + 1) * (ny + 1)};
    // The axes in the order in which they are walked; even permutations give positive tetrahedra as they are.
    constexpr int kEven[3][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
    constexpr int kOdd[3][3] = {{0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
    const auto along = [&](int axis) { return stride[static_cast<std::size_t>(axis)]; };
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) {
                const int v = i * stride[0] + j * stride[1] + k * stride[2];
                const auto [x, y, z] = stride;
                const int far = v + x + y + z;
                if (elements == BarElements::Bricks) {
                    mesh.bricks.push_back({v, v + x, v + x + y, v + y, v + z, v + x + z, far, v + y + z});
                    continue;
                }
                for (const auto& walk : kEven)
                    mesh.tets.push_back({v, v + along(walk[0]), v + along(walk[0]) + along(walk[1]), far});
                for (const auto& walk : kOdd)
                    mesh.tets.push_back({v, v + along(walk[0]) + along(walk[1]), v + along(walk[0]), far});
            }
    return mesh;
}

}  // namespace limber::models
