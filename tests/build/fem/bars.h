// SPDX-License-Identifier: Apache-2.0
// Small bars for the tests of finite elements: bricks, tets, and both with moved vertices.
#pragma once
#include "build/fem/model.h"

#include <array>
#include <random>
#include <utility>
#include <vector>

namespace limber::build::testing {

// Of paper 2's bar.
inline const Material kRubber{.young = 1e6, .poisson = 0.3, .density = 1000};

// A box [0, size] of nx x ny x nz equal bricks; x runs fastest in the numbering of vertices and bricks.
inline VolumeMesh brick_bar(int nx, int ny, int nz, const Eigen::Vector3d& size) {
    VolumeMesh mesh;
    for (int k = 0; k <= nz; ++k)
        for (int j = 0; j <= ny; ++j)
            for (int i = 0; i <= nx; ++i)
                mesh.vertices.emplace_back(size.x() * i / nx, size.y() * j / ny, size.z() * k / nz);
    const auto id = [&](int i, int j, int k) { return i + (nx + 1) * (j + (ny + 1) * k); };
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i)
                mesh.bricks.push_back({id(i, j, k), id(i + 1, j, k), id(i + 1, j + 1, k), id(i, j + 1, k),
                                       id(i, j, k + 1), id(i + 1, j, k + 1), id(i + 1, j + 1, k + 1),
                                       id(i, j + 1, k + 1)});
    return mesh;
}

// The same box with every brick cut into six tets round the diagonal 0-6 (Kuhn's cut: faces match).
inline VolumeMesh tet_bar(int nx, int ny, int nz, const Eigen::Vector3d& size) {
    VolumeMesh mesh = brick_bar(nx, ny, nz, size);
    for (const Brick& b : mesh.bricks) {
        const std::array<int, 7> ring{b[1], b[2], b[3], b[7], b[4], b[5], b[1]};
        for (std::size_t e = 0; e < 6; ++e)
            mesh.tets.push_back({b[0], ring[e], ring[e + 1], b[6]});
    }
    mesh.bricks.clear();
    return mesh;
}

// Moves every vertex by up to `amount` m along each axis; the same seed gives the same mesh.
inline VolumeMesh distort(VolumeMesh mesh, unsigned seed, double amount) {
    std::mt19937 random(seed);
    for (Vertex& x : mesh.vertices)
        for (int c = 0; c < 3; ++c)
            x[c] += amount * (2.0 * random() / std::mt19937::max() - 1.0);
    return mesh;
}

// Both meshes side by side as one: the second body's vertices and elements come last of their kind.
inline VolumeMesh both(VolumeMesh first, const VolumeMesh& second) {
    const int shift = static_cast<int>(first.vertices.size());
    first.vertices.insert(first.vertices.end(), second.vertices.begin(), second.vertices.end());
    for (Tet tet : second.tets) {
        for (int& v : tet)
            v += shift;
        first.tets.push_back(tet);
    }
    for (Brick brick : second.bricks) {
        for (int& v : brick)
            v += shift;
        first.bricks.push_back(brick);
    }
    return first;
}

inline VolumeMesh moved(VolumeMesh mesh, const Eigen::Vector3d& by) {
    for (Vertex& x : mesh.vertices)
        x += by;
    return mesh;
}

template <class Condition>
std::vector<int> vertices_where(const VolumeMesh& mesh, Condition condition) {
    std::vector<int> ids;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        if (condition(mesh.vertices[v])) ids.push_back(static_cast<int>(v));
    return ids;
}

inline MaterialMap one_material(const VolumeMesh& mesh, const Material& material) {
    return {{{"default", material}}, std::vector<int>(mesh.element_count(), 0)};
}

// Held where x < 1e-9.
inline FemModel cantilever(VolumeMesh mesh, const Material& material, FemOptions options = {}) {
    auto materials = one_material(mesh, material);
    auto fixed = vertices_where(mesh, [](const Vertex& x) { return x.x() < 1e-9; });
    return FemModel(std::move(mesh), std::move(materials), std::move(fixed), options);
}

inline FemModel free_body(VolumeMesh mesh, const Material& material, FemOptions options = {}) {
    auto materials = one_material(mesh, material);
    return FemModel(std::move(mesh), std::move(materials), {}, options);
}

}  // namespace limber::build::testing
