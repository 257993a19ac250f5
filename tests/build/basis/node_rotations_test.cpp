// SPDX-License-Identifier: Apache-2.0
#include "build/basis/node_rotations.h"

#include "tests/build/fem/sample_meshes.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

namespace limber::build {
namespace {

class NodeRotations : public ::testing::TestWithParam<Cells> {
 protected:
    // Every element has a shape of its own.
    const VolumeMesh mesh = shuffled(box_mesh({4, 3, 3}, {1, 0.7, 0.5}, GetParam(), 0.25), 3);

    Eigen::VectorXd field(const Eigen::Matrix3d& gradient, const Eigen::Vector3d& shift) const {
        return affine_displacement(mesh, Eigen::Matrix3d::Identity() + gradient, shift);
    }
};

TEST_P(NodeRotations, AnInfinitesimalRigidMotionTurnsEveryVertexByItsRotationVector) {
    const Eigen::Vector3d w(0.3, -0.7, 0.2), shift(5, -3, 2);
    Eigen::Matrix3d cross;
    cross << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
    const Eigen::VectorXd turned = modal_rotations(mesh, field(cross, shift));
    for (Eigen::Index v = 0; v < turned.size() / 3; ++v)
        EXPECT_LE((turned.segment<3>(3 * v) - w).norm(), 1e-12);  // rounding of shifts ten times the edges
}

TEST_P(NodeRotations, ALinearFieldTurnsEveryVertexByHalfItsCurl) {
    const Eigen::Matrix3d G = random_vector(9, 5).reshaped(3, 3);
    const Eigen::Vector3d w = 0.5 * Eigen::Vector3d(G(2, 1) - G(1, 2), G(0, 2) - G(2, 0), G(1, 0) - G(0, 1));
    const Eigen::VectorXd turned = modal_rotations(mesh, field(G, {0, 0, 0}));
    for (Eigen::Index v = 0; v < turned.size() / 3; ++v)
        EXPECT_LE((turned.segment<3>(3 * v) - w).norm(), 1e-13);
}

TEST_P(NodeRotations, StretchAloneTurnsNothing) {
    const Eigen::Matrix3d A = random_vector(9, 6).reshaped(3, 3);
    EXPECT_LE(modal_rotations(mesh, field(A + A.transpose(), {0, 0, 0})).lpNorm<Eigen::Infinity>(), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Of, NodeRotations, ::testing::Values(Cells::Bricks, Cells::Tets, Cells::Mixed),
                         [](const auto& cells) { return name_of(cells.param); });

// On axis-parallel bricks the field (x y, 0, 0) is trilinear, so its curl -x e_z at the vertices is exact.
TEST(NodeRotation, BricksKnowTheCurlOfABilinearFieldAtTheVertex) {
    const VolumeMesh mesh = box_mesh({3, 2, 2}, {1, 0.6, 0.4}, Cells::Bricks);
    Eigen::VectorXd u = Eigen::VectorXd::Zero(3 * Eigen::Index(mesh.vertices.size()));
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        u[3 * Eigen::Index(v)] = mesh.vertices[v].x() * mesh.vertices[v].y();
    const Eigen::VectorXd turned = modal_rotations(mesh, u);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        EXPECT_LE((turned.segment<3>(3 * Eigen::Index(v)) - Eigen::Vector3d(0, 0, -mesh.vertices[v].x() / 2))
                      .norm(),
                  1e-14);
}

// Two tets of very different size share a face: the vertex takes the plain average, not one by volume.
TEST(NodeRotation, IsThePlainAverageOverTheTetsOfAVertex) {
    VolumeMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -9}};
    mesh.tets = {{0, 1, 2, 3}, {0, 2, 1, 4}};
    Eigen::VectorXd u = Eigen::VectorXd::Zero(15);
    u[3 * 3 + 0] = 1;  // the upper tet alone: u = (z, 0, 0), ½ curl = ½ e_y
    const Eigen::VectorXd turned = modal_rotations(mesh, u);
    const Eigen::Vector3d upper(0, 0.5, 0);
    EXPECT_LE((turned.segment<3>(9) - upper).norm(), 1e-15);
    EXPECT_LE((turned.segment<3>(0) - 0.5 * upper).norm(), 1e-15);
    EXPECT_EQ(turned.segment<3>(12).norm(), 0);
}

TEST(NodeRotation, AVertexWithoutElementsDoesNotTurn) {
    VolumeMesh mesh = box_mesh({1, 1, 1}, {1, 1, 1}, Cells::Bricks);
    mesh.vertices.emplace_back(3, 3, 3);
    const auto W = node_rotation_matrix(mesh);
    EXPECT_EQ(W.rows(), 27);
    EXPECT_EQ(Eigen::VectorXd(W * random_vector(27, 1)).tail<3>().norm(), 0);
}

}  // namespace
}  // namespace limber::build
