// SPDX-License-Identifier: Apache-2.0
// Local numbering of tets and bricks: their faces, corners and shape functions.
#pragma once
#include "build/mesh/volume_mesh.h"

#include <Eigen/Core>
#include <array>

namespace limber::build {

// Corners of each face, counter-clockwise seen from outside a positive element.
inline constexpr std::array<std::array<int, 3>, 4> kTetFaces{{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
inline constexpr std::array<std::array<int, 4>, 6> kBrickFaces{
    {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};

// The corner of the unit cube at (b & 1, b >> 1 & 1, b >> 2 & 1) is node kBrickNode[b]; the table is its own
// inverse.
inline constexpr std::array<int, 8> kBrickNode{0, 1, 3, 2, 4, 5, 7, 6};

using BrickPoints = Eigen::Matrix<double, 3, 8>;  // one column per node

inline BrickPoints points_of(const VolumeMesh& mesh, const Brick& brick) {
    BrickPoints x;
    for (int n = 0; n < 8; ++n)
        x.col(n) = mesh.vertices[static_cast<std::size_t>(brick[static_cast<std::size_t>(n)])];
    return x;
}

using BrickWeights = Eigen::Matrix<double, 8, 1>;
using BrickGradients = Eigen::Matrix<double, 8, 3>;

// Trilinear shape functions on the unit cube, xi in [0,1]^3 inside: x(xi) = X N(xi).
inline BrickWeights brick_weights(const Eigen::Vector3d& xi) {
    BrickWeights N;
    for (int b = 0; b < 8; ++b)
        N[kBrickNode[static_cast<std::size_t>(b)]] =
            (b & 1 ? xi[0] : 1 - xi[0]) * (b & 2 ? xi[1] : 1 - xi[1]) * (b & 4 ? xi[2] : 1 - xi[2]);
    return N;
}

// Row n: dN_n / dxi; the Jacobian of the map is J = X dN.
inline BrickGradients brick_gradients(const Eigen::Vector3d& xi) {
    BrickGradients dN;
    for (int b = 0; b < 8; ++b) {
        const double f[3] = {b & 1 ? xi[0] : 1 - xi[0], b & 2 ? xi[1] : 1 - xi[1], b & 4 ? xi[2] : 1 - xi[2]};
        const double s[3] = {b & 1 ? 1. : -1., b & 2 ? 1. : -1., b & 4 ? 1. : -1.};
        dN.row(kBrickNode[static_cast<std::size_t>(b)]) << s[0] * f[1] * f[2], f[0] * s[1] * f[2],
            f[0] * f[1] * s[2];
    }
    return dN;
}

}  // namespace limber::build
