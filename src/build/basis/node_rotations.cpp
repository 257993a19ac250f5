// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md.
#include "build/basis/node_rotations.h"

#include "build/mesh/element_shape.h"

#include <Eigen/LU>
#include <cassert>
#include <vector>

namespace limber::build {
namespace {

using Entry = Eigen::Triplet<double>;

// Row a: the gradient of the barycentric coordinate of corner a, 1/m.
Eigen::Matrix<double, 4, 3> tet_gradients(const VolumeMesh& mesh, const Tet& tet) {
    Eigen::Matrix3d edges;
    for (int a = 0; a < 3; ++a)
        edges.col(a) = mesh.vertices[std::size_t(tet[a + 1])] - mesh.vertices[std::size_t(tet[0])];
    Eigen::Matrix<double, 4, 3> b;
    b.bottomRows<3>() = edges.inverse();
    b.row(0) = -b.bottomRows<3>().colwise().sum();
    return b;
}

// At corner a of the unit cube, which is its vertex kBrickNode[corner].
BrickGradients brick_gradients_at(const BrickPoints& points, int corner) {
    const BrickGradients dN = brick_gradients(Eigen::Vector3d(corner & 1, corner >> 1 & 1, corner >> 2 & 1));
    return dN * (points * dN).inverse();
}

// ½ curl u = ½ Σ_a b_a × u_a, times the vertex's share of its average.                            (2)
template <class Vertices, class Gradients>
void add_half_curl(int vertex, double share, const Vertices& corners, const Gradients& b,
                   std::vector<Entry>& out) {
    for (int a = 0; a < b.rows(); ++a) {
        const Eigen::Vector3d h = 0.5 * share * b.row(a);
        const int row = 3 * vertex, column = 3 * corners[std::size_t(a)];
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;  // (h × u)_i = h_j u_k - h_k u_j
            out.emplace_back(row + i, column + k, h[j]);
            out.emplace_back(row + i, column + j, -h[k]);
        }
    }
}

}  // namespace

Eigen::SparseMatrix<double, Eigen::RowMajor> node_rotation_matrix(const VolumeMesh& mesh) {
    std::vector<double> share(mesh.vertices.size(), 0);  // one over the number of elements
    for (const Tet& tet : mesh.tets)
        for (const int v : tet)
            ++share[std::size_t(v)];
    for (const Brick& brick : mesh.bricks)
        for (const int v : brick)
            ++share[std::size_t(v)];
    for (double& s : share)
        if (s > 0) s = 1 / s;

    std::vector<Entry> entries;
    entries.reserve(mesh.tets.size() * 4 * 4 * 6 + mesh.bricks.size() * 8 * 8 * 6);
    for (const Tet& tet : mesh.tets) {
        const auto b = tet_gradients(mesh, tet);
        for (const int v : tet)
            add_half_curl(v, share[std::size_t(v)], tet, b, entries);
    }
    for (const Brick& brick : mesh.bricks) {
        const BrickPoints points = points_of(mesh, brick);
        for (int corner = 0; corner < 8; ++corner) {
            const int v = brick[std::size_t(kBrickNode[std::size_t(corner)])];
            add_half_curl(v, share[std::size_t(v)], brick, brick_gradients_at(points, corner), entries);
        }
    }
    const auto size = 3 * Eigen::Index(mesh.vertices.size());
    Eigen::SparseMatrix<double, Eigen::RowMajor> W(size, size);
    W.setFromTriplets(entries.begin(), entries.end());
    return W;
}

Eigen::MatrixXd modal_rotations(const VolumeMesh& mesh, const Eigen::MatrixXd& shapes) {
    assert(shapes.rows() == 3 * Eigen::Index(mesh.vertices.size()));
    return node_rotation_matrix(mesh) * shapes;
}

}  // namespace limber::build
