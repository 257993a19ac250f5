// SPDX-License-Identifier: Apache-2.0
// Modal derivatives by what they mean: statics, momentum, tangent modes. docs/math/basis.md.
#include "build/basis/basis.h"
#include "build/fem/statics.h"
#include "tests/build/basis/bodies.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>
#include <tbb/global_control.h>

#include <cmath>

namespace limber::build {
namespace {

Eigen::VectorXd force_at(const FemModel& model, const Eigen::VectorXd& u) {
    Eigen::VectorXd R;
    internal_force(model, u, R);
    return R;
}

class QuadraticForces : public ::testing::TestWithParam<Cells> {};

// R is a cubic: with R(0) = 0, R(u) + R(-u) = 2 Q(u, u) exactly, and Q(a, b) by polarisation.
TEST_P(QuadraticForces, AreTheEvenPartOfTheForce) {
    const VolumeMesh mesh = shuffled(box_mesh({3, 2, 2}, {1, 0.4, 0.5}, GetParam(), 0.2), 2);
    for (const BrickQuadrature quadrature :
         {BrickQuadrature::Standard, BrickQuadrature::Exact, BrickQuadrature::Selective}) {
        const FemModel model(mesh, two_materials(mesh), {0, 1, 2}, {.brick_quadrature = quadrature});
        Eigen::MatrixXd shapes(3 * model.vertex_count(), 3);
        for (int i = 0; i < 3; ++i)
            shapes.col(i) = random_vector(shapes.rows(), unsigned(i + 1));
        const auto Q = [&](const Eigen::VectorXd& u) -> Eigen::VectorXd {
            return 0.5 * (force_at(model, u) + force_at(model, -u));
        };
        const Eigen::MatrixXd forces = quadratic_forces(model, shapes, {{0, 0}, {2, 1}});
        const Eigen::VectorXd same = -2 * Q(shapes.col(0));
        const Eigen::VectorXd mixed =
            -0.5 * (Q(shapes.col(2) + shapes.col(1)) - Q(shapes.col(2) - shapes.col(1)));
        EXPECT_LE((forces.col(0) - same).norm(), 1e-12 * same.norm());
        EXPECT_LE((forces.col(1) - mixed).norm(), 1e-12 * mixed.norm());
    }
}
INSTANTIATE_TEST_SUITE_P(Meshes, QuadraticForces, ::testing::Values(Cells::Tets, Cells::Bricks, Cells::Mixed),
                         [](const auto& mesh) { return name_of(mesh.param); });

// Under the load KΨp the static shape is Ψp + ½ΣΦ_ij p_i p_j + O(p³): halving p divides the error by eight.
TEST(ModalDerivatives, AreTheSecondOrderOfStaticShapes) {
    for (const Cells cells : {Cells::Bricks, Cells::Tets}) {
        const FemModel model = held_bar(cells);
        const ModesResult modes = solve_modes(model, {.count = 3});
        const Eigen::MatrixXd derivatives = modal_derivatives(model, modes, MassKind::Consistent);
        ASSERT_EQ(derivatives.cols(), 6);
        Eigen::VectorXd none;
        SparseMatrix K;
        force_and_stiffness(model, Eigen::VectorXd::Zero(3 * model.vertex_count()), none, K);
        const auto error = [&](double size) {
            const Eigen::Vector3d p = size * Eigen::Vector3d(0.8, -0.5, 0.3);
            const Eigen::VectorXd linear = modes.shapes * p;
            const Eigen::VectorXd load =
                model.expand_from_free(K.selfadjointView<Eigen::Lower>() * model.restrict_to_free(linear));
            const StaticResult shape = solve_static(model, load, {.tolerance = 1e-12});
            EXPECT_TRUE(shape.converged);
            Eigen::VectorXd expected = linear;
            for (int i = 0, column = 0; i < 3; ++i)
                for (int j = i; j < 3; ++j, ++column)  // ½ of the sum over i and j: off the diagonal twice
                    expected += (i == j ? 0.5 : 1.0) * p[i] * p[j] * derivatives.col(column);
            return (shape.u - expected).norm();
        };
        // Tip displacements of 10 and 5 per mille of the length: the fourth order is a per cent of the third.
        const double size = 0.01 / (modes.shapes * Eigen::Vector3d(0.8, -0.5, 0.3)).cwiseAbs().maxCoeff();
        const double slope = std::log2(error(size) / error(size / 2));
        EXPECT_NEAR(slope, 3, 0.1) << name_of(cells);
    }
}

TEST(ModalDerivatives, SolveTheSystemOnAHeldBody) {
    const FemModel model = held_bar();
    const ModesResult modes = solve_modes(model, {.count = 2});
    const Eigen::MatrixXd derivatives = modal_derivatives(model, modes, MassKind::Consistent);
    const Eigen::MatrixXd loads = quadratic_forces(model, modes.shapes, {{0, 0}, {0, 1}, {1, 1}});
    Eigen::VectorXd none;
    SparseMatrix K;
    force_and_stiffness(model, Eigen::VectorXd::Zero(3 * model.vertex_count()), none, K);
    const Eigen::MatrixXd left = dense(K) * free_part(model, derivatives), right = free_part(model, loads);
    EXPECT_LE((left - right).norm(), 1e-9 * right.norm());  // condition of K times rounding
}

// Two parts that hang together nowhere: twelve rigid motions.
FemModel two_free_boxes() {
    VolumeMesh mesh = box_mesh({3, 2, 2}, {1, 0.4, 0.3}, Cells::Bricks);
    const VolumeMesh other = box_mesh({2, 2, 2}, {0.5, 0.4, 0.3}, Cells::Tets);
    const int shift = int(mesh.vertices.size());
    for (const Vertex& x : other.vertices)
        mesh.vertices.push_back(x + Eigen::Vector3d(3, 0, 0));
    for (Tet tet : other.tets) {
        for (int& v : tet)
            v += shift;
        mesh.tets.push_back(tet);
    }
    return FemModel(mesh, uniform_material(mesh, {1e6, 0.3, 1000}), {});
}

TEST(ModalDerivatives, OfFreeBodiesCarryNoMomentum) {
    for (const MassKind kind : {MassKind::Consistent, MassKind::Lumped})
        for (const FemModel& model : {free_bar(), two_free_boxes()}) {
            const ModesResult modes = solve_modes(model, {.count = 3, .mass = kind});
            const Eigen::MatrixXd derivatives = modal_derivatives(model, modes, kind);
            ASSERT_GE(modes.rigid_shapes.cols(), 6);
            const Eigen::MatrixXd M = dense_mass(model, kind);
            for (Eigen::Index i = 0; i < derivatives.cols(); ++i) {
                const Eigen::VectorXd phi = derivatives.col(i), momenta = M * phi;
                const double norm = std::sqrt(phi.dot(momenta));
                ASSERT_GT(norm, 0);
                // Orthogonal to all rigid motions, part by part.
                EXPECT_LE((modes.rigid_shapes.transpose() * momenta).norm(), 1e-10 * norm);
                // Linear and angular momentum of the velocity field phi, written out; the mass is 10 to 100
                // kg.
                Eigen::Vector3d linear = Eigen::Vector3d::Zero(), angular = Eigen::Vector3d::Zero();
                for (Eigen::Index v = 0; v < model.vertex_count(); ++v) {
                    linear += momenta.segment<3>(3 * v);
                    angular += model.mesh().vertices[std::size_t(v)].cross(momenta.segment<3>(3 * v));
                }
                EXPECT_LE(linear.norm(), 1e-8 * norm);
                EXPECT_LE(angular.norm(), 1e-8 * norm);
            }
        }
}

// Inertia relief: what KΦ leaves of the load is an inertia force of a rigid motion.
TEST(ModalDerivatives, OfFreeBodiesBalanceTheLoadUpToInertia) {
    const FemModel model = free_bar(Cells::Tets);
    const ModesResult modes = solve_modes(model, {.count = 2});
    const Eigen::MatrixXd derivatives = modal_derivatives(model, modes, MassKind::Consistent);
    const Eigen::MatrixXd loads = quadratic_forces(model, modes.shapes, {{0, 0}, {0, 1}, {1, 1}});
    Eigen::VectorXd none;
    SparseMatrix K;
    force_and_stiffness(model, Eigen::VectorXd::Zero(3 * model.vertex_count()), none, K);
    const Eigen::MatrixXd Y = modes.rigid_shapes, MY = dense_mass(model, MassKind::Consistent) * Y;
    const Eigen::MatrixXd balanced = loads - MY * (Y.transpose() * loads);
    EXPECT_LE((dense(K) * derivatives - balanced).norm(), 1e-8 * balanced.norm());
}

// Eq. 29: Ψ_i + pΦ_ij is a mode of the body deformed by pΨ_j up to O(p²), held or free.
TEST(TangentModeDerivatives, FollowTheModesOfTheDeformedBody) {
    for (const FemModel& model : {held_bar(), free_bar()}) {
        const ModesResult modes = solve_modes(model, {.count = 4});
        const Eigen::MatrixXd derivatives = tangent_mode_derivatives(model, modes, MassKind::Consistent);
        ASSERT_EQ(derivatives.cols(), 16);
        const Eigen::MatrixXd M = dense_mass(model, MassKind::Consistent);
        for (const auto& [i, j] : {std::pair{0, 0}, {2, 1}, {1, 2}}) {
            const auto residual = [&, i = i, j = j](double p) {
                Eigen::VectorXd none;
                SparseMatrix K;
                force_and_stiffness(model, p * modes.shapes.col(j), none, K);
                const Eigen::VectorXd x =
                    model.restrict_to_free(modes.shapes.col(i) + p * derivatives.col(4 * i + j));
                const Eigen::VectorXd Kx = K.selfadjointView<Eigen::Lower>() * x, Mx = M * x;
                return (Kx - x.dot(Kx) / x.dot(Mx) * Mx).norm();
            };
            const double p = 0.004 / modes.shapes.col(j).cwiseAbs().maxCoeff();
            EXPECT_NEAR(std::log2(residual(p) / residual(p / 2)), 2, 0.15) << i << " " << j;
        }
    }
}

TEST(ModalDerivatives, HaveTheSameBytesOnAnyNumberOfThreads) {
    const FemModel model = free_bar();
    const ModesResult modes = solve_modes(model, {.count = 9});  // 45 right sides: two blocks
    const auto with = [&](std::size_t threads) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        return modal_derivatives(model, modes, MassKind::Consistent);
    };
    EXPECT_EQ(with(1), with(2));
}

TEST(ModalDerivatives, RefuseABodyWithAHingedPart) {
    // Two cubes that share one edge only: the second swings about it.
    VolumeMesh mesh = box_mesh({1, 1, 1}, {1, 1, 1}, Cells::Bricks);
    const VolumeMesh other = box_mesh({1, 1, 1}, {1, 1, 1}, Cells::Bricks);
    std::vector<int> id;
    for (const Vertex& x : other.vertices) {
        const Vertex moved = x + Eigen::Vector3d(1, 1, 0);
        const auto same = std::find(mesh.vertices.begin(), mesh.vertices.end(), moved);
        id.push_back(int(same - mesh.vertices.begin()));
        if (same == mesh.vertices.end()) mesh.vertices.push_back(moved);
    }
    Brick second = other.bricks[0];
    for (int& v : second)
        v = id[std::size_t(v)];
    mesh.bricks.push_back(second);
    std::vector<int> fixed;
    for (int v = 0; v < int(mesh.vertices.size()); ++v)
        if (mesh.vertices[std::size_t(v)].x() == 0) fixed.push_back(v);
    const FemModel model(mesh, uniform_material(mesh, {}), fixed);
    ModesResult modes;
    modes.shapes = model.expand_from_free(random_vector(model.free_dofs(), 1));
    modes.eigenvalues = Eigen::VectorXd::Ones(1);
    EXPECT_THROW(modal_derivatives(model, modes, MassKind::Consistent), InputError);
}

TEST(ModalDerivatives, RefuseModesThatAreNotThere) {
    const FemModel model = held_bar();
    EXPECT_THROW(modal_derivatives(model, {}, MassKind::Consistent), InputError);
    EXPECT_THROW(tangent_mode_derivatives(model, {}, MassKind::Consistent), InputError);
    ModesResult other;
    other.shapes = Eigen::MatrixXd::Ones(6, 1);
    EXPECT_THROW(modal_derivatives(model, other, MassKind::Consistent), InputError);
}

}  // namespace
}  // namespace limber::build
