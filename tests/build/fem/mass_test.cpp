// SPDX-License-Identifier: Apache-2.0
// Consistent and lumped mass, gravity: docs/math/stvk.md, section 5.
#include "build/fem/assemble.h"

#include "sample_meshes.h"
#include "slow_stvk.h"

#include <gtest/gtest.h>

namespace limber::build {
namespace {

// ∫ ρ N_a N_b I by 5 Gauss points per direction: exact up to degree nine on bricks, and far beyond on tets.
Eigen::MatrixXd slow_mass(const VolumeMesh& mesh, const MaterialMap& materials) {
    const Eigen::Index n = 3 * Eigen::Index(mesh.vertices.size());
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
    const auto add = [&](const auto& vertices, const std::vector<SlowPoint>& points, double density) {
        for (const SlowPoint& p : points)
            for (Eigen::Index a = 0; a < p.N.size(); ++a)
                for (Eigen::Index b = 0; b < p.N.size(); ++b)
                    for (int i = 0; i < 3; ++i)
                        M(3 * vertices[a] + i, 3 * vertices[b] + i) += density * p.weight * p.N[a] * p.N[b];
    };
    for (std::size_t e = 0; e < mesh.tets.size(); ++e)
        add(mesh.tets[e], tet_points(mesh, mesh.tets[e], 5), materials.of(e).density);
    for (std::size_t e = 0; e < mesh.bricks.size(); ++e)
        add(mesh.bricks[e], brick_points(mesh, mesh.bricks[e], 5),
            materials.of(mesh.tets.size() + e).density);
    return M;
}

class EveryMass : public testing::TestWithParam<Cells> {
 protected:
    // Every vertex moved, so that no face of a brick is flat.
    VolumeMesh mesh = [] {
        VolumeMesh m = shuffled(box_mesh({3, 2, 2}, kSize, GetParam(), 0.3), 7);
        const Eigen::VectorXd noise = 0.02 * random_vector(3 * Eigen::Index(m.vertices.size()), 2);
        for (std::size_t v = 0; v < m.vertices.size(); ++v)
            m.vertices[v] += noise.segment<3>(3 * Eigen::Index(v));
        return m;
    }();
    MaterialMap materials = two_materials(mesh);
    FemModel model{mesh, materials, {}};
};

TEST_P(EveryMass, ConsistentMassIsTheExactIntegral) {
    const Eigen::MatrixXd expected = slow_mass(mesh, materials);
    EXPECT_LE((dense(mass_matrix(model, MassKind::Consistent)) - expected).norm(), 1e-13 * expected.norm());
}

TEST_P(EveryMass, LumpedMassHasTheRowSumsOnItsDiagonal) {
    const Eigen::VectorXd rows = slow_mass(mesh, materials).rowwise().sum();
    const Eigen::MatrixXd lumped = dense(mass_matrix(model, MassKind::Lumped));
    EXPECT_LE((lumped.diagonal() - rows).norm(), 1e-13 * rows.norm());
    EXPECT_EQ((lumped - Eigen::MatrixXd(lumped.diagonal().asDiagonal())).norm(), 0);
    EXPECT_GT(lumped.diagonal().minCoeff(), 0);
}

TEST_P(EveryMass, TheMassOfAllVerticesIsDensityTimesVolume) {
    const double expected = slow_mass(mesh, materials).sum() / 3;
    EXPECT_NEAR(total_mass(model), expected, 1e-13 * expected);
    for (const MassKind kind : {MassKind::Consistent, MassKind::Lumped})
        EXPECT_NEAR(dense(mass_matrix(model, kind)).sum() / 3, expected, 1e-13 * expected);
}

TEST_P(EveryMass, BothKindsHaveThePatternOfTheStiffness) {
    Eigen::VectorXd R;
    SparseMatrix K;
    force_and_stiffness(model, Eigen::VectorXd::Zero(3 * model.vertex_count()), R, K);
    for (const MassKind kind : {MassKind::Consistent, MassKind::Lumped}) {
        const SparseMatrix M = mass_matrix(model, kind);
        ASSERT_EQ(M.nonZeros(), K.nonZeros());
        EXPECT_TRUE(std::equal(M.outerIndexPtr(), M.outerIndexPtr() + M.cols() + 1, K.outerIndexPtr()));
        EXPECT_TRUE(std::equal(M.innerIndexPtr(), M.innerIndexPtr() + M.nonZeros(), K.innerIndexPtr()));
    }
}

TEST_P(EveryMass, FixedVerticesLoseTheirRowsAndColumns) {
    const FemModel held(mesh, materials, {3, 8});
    const Eigen::MatrixXd full = slow_mass(mesh, materials),
                          part = dense(mass_matrix(held, MassKind::Consistent));
    const Eigen::VectorXd lumped = dense(mass_matrix(held, MassKind::Lumped)).diagonal();
    for (int v = 0; v < int(held.vertex_count()); ++v) {
        const int i = held.free_index(v);
        if (i < 0) continue;
        // A free vertex keeps the mass that it shares with fixed ones.
        EXPECT_NEAR(lumped[3 * i], full.row(3 * v).sum(), 1e-13 * full.row(3 * v).sum());
        for (int w = 0; w < int(held.vertex_count()); ++w) {
            const int j = held.free_index(w);
            if (j < 0) continue;
            EXPECT_NEAR(part(3 * i, 3 * j), full(3 * v, 3 * w), 1e-13 * full.maxCoeff());
        }
    }
}

TEST_P(EveryMass, GravityIsTheMassTimesTheAcceleration) {
    const Eigen::Vector3d g(1, -9.81, 2);
    const Eigen::VectorXd f = gravity_force(model, g);
    const Eigen::VectorXd expected = slow_mass(mesh, materials) * g.replicate(model.vertex_count(), 1);
    EXPECT_LE((f - expected).norm(), 1e-13 * expected.norm());
    Eigen::Vector3d total = Eigen::Vector3d::Zero();
    for (Eigen::Index v = 0; v < model.vertex_count(); ++v)
        total += f.segment<3>(3 * v);
    EXPECT_LE((total - total_mass(model) * g).norm(), 1e-13 * total.norm());
}

INSTANTIATE_TEST_SUITE_P(Mass, EveryMass, testing::Values(Cells::Bricks, Cells::Tets, Cells::Mixed),
                         [](const auto& test) { return name_of(test.param); });

TEST(Mass, ProductsOfLinearFieldsAreExactOnADistortedBox) {
    // Linear fields lie in the space of both elements, so p·M·q = ∫ ρ p q over the box.
    const double density = 900;
    for (const Cells cells : {Cells::Bricks, Cells::Tets}) {
        const VolumeMesh mesh = box_mesh({3, 3, 3}, kSize, cells, 0.3);
        const FemModel model(mesh, uniform_material(mesh, {1e6, 0.3, density}), {});
        const SparseMatrix M = mass_matrix(model, MassKind::Consistent);
        const auto field = [&](int axis) {
            Eigen::VectorXd f = Eigen::VectorXd::Zero(3 * model.vertex_count());
            for (Eigen::Index v = 0; v < model.vertex_count(); ++v)
                f[3 * v] = mesh.vertices[v][axis];
            return f;
        };
        const double volume = kSize.prod();
        const double xx = field(0).dot(M.selfadjointView<Eigen::Lower>() * field(0));
        const double xy = field(0).dot(M.selfadjointView<Eigen::Lower>() * field(1));
        EXPECT_NEAR(xx, density * volume * kSize[0] * kSize[0] / 3, 1e-13 * xx);
        EXPECT_NEAR(xy, density * volume * kSize[0] * kSize[1] / 4, 1e-13 * xy);
    }
}

TEST(Mass, OneTetHasATenthOnTheDiagonalAndATwentiethBesideIt) {
    VolumeMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.tets = {{0, 1, 2, 3}};
    const FemModel model(mesh, uniform_material(mesh, {1e6, 0.3, 600}), {});  // 100 kg
    const Eigen::MatrixXd M = dense(mass_matrix(model, MassKind::Consistent));
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
            EXPECT_NEAR(M(3 * a, 3 * b), a == b ? 10 : 5, 1e-13);
}

}  // namespace
}  // namespace limber::build
