// SPDX-License-Identifier: Apache-2.0
#include "models/isosurface.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber::models {
namespace {

using Eigen::Vector3d;

// Nodes i, j, k of the grid, x fastest; cell (i, j, k) has node (i, j, k) as its lowest corner.
struct Grid {
    Vector3d origin;
    double cell;
    std::array<int, 3> nodes;

    std::size_t index(int i, int j, int k) const {
        return (static_cast<std::size_t>(k) * static_cast<std::size_t>(nodes[1]) +
                static_cast<std::size_t>(j)) *
                   static_cast<std::size_t>(nodes[0]) +
               static_cast<std::size_t>(i);
    }
    Vector3d at(int i, int j, int k) const { return origin + cell * Vector3d(i, j, k); }
};

// The mean of the places where the cell's edges cross the surface; then a few Newton steps onto it.
Vector3d vertex_in_cell(const Grid& grid, const std::vector<double>& value, const Field& field, int i, int j,
                        int k) {
    Vector3d sum(0, 0, 0);
    int crossings = 0;
    for (int corner = 0; corner < 8; ++corner)
        for (int axis = 0; axis < 3; ++axis) {
            if ((corner >> axis) & 1) continue;
            const int other = corner | (1 << axis);
            const std::array<int, 3> a{i + (corner & 1), j + ((corner >> 1) & 1), k + ((corner >> 2) & 1)};
            const std::array<int, 3> b{i + (other & 1), j + ((other >> 1) & 1), k + ((other >> 2) & 1)};
            const double va = value[grid.index(a[0], a[1], a[2])], vb = value[grid.index(b[0], b[1], b[2])];
            if ((va < 0) == (vb < 0)) continue;
            const double t = va / (va - vb);
            sum += (1 - t) * grid.at(a[0], a[1], a[2]) + t * grid.at(b[0], b[1], b[2]);
            ++crossings;
        }
    Vector3d p = sum / crossings;
    for (int pass = 0; pass < 2; ++pass) {
        const auto [f, g] = slope(field, p, 0.05 * grid.cell);
        const Vector3d step = f / std::max(g.squaredNorm(), 0.25) * g;
        p -= step * std::min(1.0, 0.3 * grid.cell / std::max(step.norm(), 1e-300));
    }
    return p;
}

// A cell face whose corners are inside and outside in turn would make an edge with four triangles. The nearer
// of its two outside corners goes inside; since none goes outside, the sweeps end.
void resolve_ambiguous_faces(const Grid& grid, std::vector<double>& value) {
    const auto [nx, ny, nz] = grid.nodes;
    bool changed = true;
    while (changed) {
        changed = false;
        for (int k = 0; k + 1 < nz; ++k)
            for (int j = 0; j + 1 < ny; ++j)
                for (int i = 0; i + 1 < nx; ++i)
                    for (int axis = 0; axis < 3; ++axis) {
                        const std::array<int, 3> u{axis == 2, axis == 0, axis == 1},
                            v{axis == 1, axis == 2, axis == 0};
                        const auto corner = [&](int a, int b) -> double& {
                            return value[grid.index(i + a * u[0] + b * v[0], j + a * u[1] + b * v[1],
                                                    k + a * u[2] + b * v[2])];
                        };
                        const std::array<double*, 4> ring{&corner(0, 0), &corner(1, 0), &corner(1, 1),
                                                          &corner(0, 1)};
                        const auto inside = [&](std::size_t c) { return *ring[c] < 0; };
                        if (inside(0) != inside(2) || inside(1) != inside(3) || inside(0) == inside(1))
                            continue;
                        double &a = *ring[inside(0) ? 1 : 0], &b = *ring[inside(0) ? 3 : 2];
                        (a < b ? a : b) = -1e-6 * grid.cell;
                        changed = true;
                    }
    }
}

}  // namespace

// Corners e_i of a regular tetrahedron: sum e_i = 0, sum e_i e_iT = 4/3 I.
Slope slope(const Field& field, const Vector3d& at, double step) {
    static const std::array<Vector3d, 4> kCorners = {
        {Vector3d(1, 1, 1), Vector3d(1, -1, -1), Vector3d(-1, 1, -1), Vector3d(-1, -1, 1)}};
    Slope result{0, Vector3d::Zero()};
    for (const Vector3d& corner : kCorners) {
        const Vector3d e = corner / std::sqrt(3.0);
        const double f = field(at + step * e);
        result.value += f / 4;
        result.gradient += 3 / (4 * step) * f * e;
    }
    return result;
}

build::SurfaceMesh isosurface(const Field& field, const Eigen::AlignedBox3d& box, double cell) {
    Grid grid{box.min(), cell, {}};
    for (std::size_t k = 0; k < 3; ++k)
        grid.nodes[k] = static_cast<int>(std::ceil(box.sizes()[static_cast<Eigen::Index>(k)] / cell)) + 1;
    const auto [nx, ny, nz] = grid.nodes;
    std::vector<double> value(grid.index(nx - 1, ny - 1, nz - 1) + 1);
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i)
                value[grid.index(i, j, k)] = field(grid.at(i, j, k));
    resolve_ambiguous_faces(grid, value);

    build::SurfaceMesh mesh;
    std::vector<int> vertex_of_cell(value.size(), -1);
    for (int k = 0; k + 1 < nz; ++k)
        for (int j = 0; j + 1 < ny; ++j)
            for (int i = 0; i + 1 < nx; ++i) {
                int inside = 0;
                for (int corner = 0; corner < 8; ++corner)
                    inside += value[grid.index(i + (corner & 1), j + ((corner >> 1) & 1),
                                               k + ((corner >> 2) & 1))] < 0;
                if (inside == 0 || inside == 8) continue;
                vertex_of_cell[grid.index(i, j, k)] = static_cast<int>(mesh.vertices.size());
                mesh.vertices.push_back(vertex_in_cell(grid, value, field, i, j, k));
            }

    // Each grid edge that crosses the surface makes a quad of the vertices in the four cells round it.
    for (int k = 1; k + 1 < nz; ++k)
        for (int j = 1; j + 1 < ny; ++j)
            for (int i = 1; i + 1 < nx; ++i)
                for (int axis = 0; axis < 3; ++axis) {
                    const std::array<int, 3> step{axis == 0, axis == 1, axis == 2};
                    const bool first = value[grid.index(i, j, k)] < 0;
                    const bool second = value[grid.index(i + step[0], j + step[1], k + step[2])] < 0;
                    if (first == second) continue;
                    // u and v are the next axes in cyclic order: the cells run counter-clockwise about the
                    // edge.
                    const std::array<int, 3> u{axis == 2, axis == 0, axis == 1},
                        v{axis == 1, axis == 2, axis == 0};
                    const auto cell_vertex = [&](int a, int b) {
                        return vertex_of_cell[grid.index(i - a * u[0] - b * v[0], j - a * u[1] - b * v[1],
                                                         k - a * u[2] - b * v[2])];
                    };
                    std::array<int, 4> quad{cell_vertex(1, 1), cell_vertex(0, 1), cell_vertex(0, 0),
                                            cell_vertex(1, 0)};
                    if (!first) std::swap(quad[1], quad[3]);
                    const auto length = [&](int a, int b) {
                        return (mesh.vertices[static_cast<std::size_t>(a)] -
                                mesh.vertices[static_cast<std::size_t>(b)])
                            .squaredNorm();
                    };
                    // Cut along the shorter diagonal.
                    if (length(quad[0], quad[2]) <= length(quad[1], quad[3])) {
                        mesh.triangles.push_back({quad[0], quad[1], quad[2]});
                        mesh.triangles.push_back({quad[0], quad[2], quad[3]});
                    } else {
                        mesh.triangles.push_back({quad[0], quad[1], quad[3]});
                        mesh.triangles.push_back({quad[1], quad[2], quad[3]});
                    }
                }
    return mesh;
}

}  // namespace limber::models
