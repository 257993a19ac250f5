// SPDX-License-Identifier: Apache-2.0
// Small irregular meshes and random fields for the tests of src/build/fem.
#pragma once
#include "build/mesh/material.h"
#include "build/mesh/volume_mesh.h"

#include <Eigen/Geometry>
#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

namespace limber::build {

inline const Eigen::Vector3d kSize(0.4, 0.3, 0.35);  // of boxes, m

enum class Cells { Bricks, Tets, Mixed };  // Mixed: every second layer in x is tets; they share vertices

inline Eigen::VectorXd random_vector(Eigen::Index size, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Eigen::VectorXd v(size);
    for (double& x : v)
        x = uniform(engine);
    return v;
}

inline Eigen::Matrix3d random_rotation(unsigned seed) {
    const Eigen::VectorXd q = random_vector(4, seed);
    return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

// The six tets of a cube round its diagonal 0-6, in the order of Brick.
inline void add_tets_of(const Brick& c, std::vector<Tet>& out) {
    for (const auto& [a, b] :
         std::array<std::array<int, 2>, 6>{{{1, 2}, {2, 3}, {3, 7}, {7, 4}, {4, 5}, {5, 1}}})
        out.push_back({c[0], c[a], c[b], c[6]});
}

// A box of nx x ny x nz cells with sides `size`, m; inner vertices are moved by up to `distortion` of a cell.
inline VolumeMesh box_mesh(std::array<int, 3> n, const Eigen::Vector3d& size, Cells cells,
                           double distortion = 0, unsigned seed = 1) {
    VolumeMesh mesh;
    const Eigen::Vector3d cell = size.cwiseQuotient(Eigen::Vector3d(n[0], n[1], n[2]));
    const int vertices = (n[0] + 1) * (n[1] + 1) * (n[2] + 1);
    const Eigen::VectorXd noise = random_vector(3 * vertices, seed);
    for (int k = 0; k <= n[2]; ++k)
        for (int j = 0; j <= n[1]; ++j)
            for (int i = 0; i <= n[0]; ++i) {
                Vertex x = cell.cwiseProduct(Eigen::Vector3d(i, j, k));
                const bool inner = i > 0 && i < n[0] && j > 0 && j < n[1] && k > 0 && k < n[2];
                if (inner)
                    x += distortion *
                         cell.cwiseProduct(noise.segment<3>(3 * Eigen::Index(mesh.vertices.size())));
                mesh.vertices.push_back(x);
            }
    const auto id = [&](int i, int j, int k) { return (k * (n[1] + 1) + j) * (n[0] + 1) + i; };
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i) {
                const Brick c = {
                    id(i, j, k),     id(i + 1, j, k),     id(i + 1, j + 1, k),     id(i, j + 1, k),
                    id(i, j, k + 1), id(i + 1, j, k + 1), id(i + 1, j + 1, k + 1), id(i, j + 1, k + 1)};
                if (cells == Cells::Bricks || (cells == Cells::Mixed && i % 2 == 0))
                    mesh.bricks.push_back(c);
                else
                    add_tets_of(c, mesh.tets);
            }
    return mesh;
}

// The same mesh with its vertices in another order, so that local and global orders disagree.
inline VolumeMesh shuffled(VolumeMesh mesh, unsigned seed) {
    std::vector<int> new_id(mesh.vertices.size());
    for (std::size_t v = 0; v < new_id.size(); ++v)
        new_id[v] = int(v);
    std::shuffle(new_id.begin(), new_id.end(), std::mt19937(seed));
    const std::vector<Vertex> old = mesh.vertices;
    for (std::size_t v = 0; v < old.size(); ++v)
        mesh.vertices[new_id[v]] = old[v];
    for (Tet& tet : mesh.tets)
        for (int& v : tet)
            v = new_id[v];
    for (Brick& brick : mesh.bricks)
        for (int& v : brick)
            v = new_id[v];
    return mesh;
}

inline std::string name_of(Cells cells) {
    return cells == Cells::Bricks ? "Bricks" : cells == Cells::Tets ? "Tets" : "Mixed";
}

// The whole symmetric matrix of a lower triangle.
inline Eigen::MatrixXd dense(const Eigen::SparseMatrix<double>& lower) {
    Eigen::MatrixXd full = lower;
    full.triangularView<Eigen::StrictlyUpper>() = full.transpose();
    return full;
}

inline MaterialMap uniform_material(const VolumeMesh& mesh, const Material& material) {
    return {{{"default", material}}, std::vector<int>(mesh.element_count(), 0)};
}

// Two groups, every third element in the second.
inline MaterialMap two_materials(const VolumeMesh& mesh) {
    MaterialMap map{{{"default", {1e6, 0.45, 1000}}, {"stiff", {3e7, 0.2, 2700}}}, {}};
    for (std::size_t e = 0; e < mesh.element_count(); ++e)
        map.group_of_element.push_back(e % 3 == 0);
    return map;
}

// u(x) = (A - I) x + t at every vertex.
inline Eigen::VectorXd affine_displacement(const VolumeMesh& mesh, const Eigen::Matrix3d& A,
                                           const Eigen::Vector3d& t = Eigen::Vector3d::Zero()) {
    Eigen::VectorXd u(3 * Eigen::Index(mesh.vertices.size()));
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        u.segment<3>(3 * Eigen::Index(v)) = A * mesh.vertices[v] + t - mesh.vertices[v];
    return u;
}

}  // namespace limber::build
