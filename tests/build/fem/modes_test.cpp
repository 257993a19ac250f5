// SPDX-License-Identifier: Apache-2.0
#include "build/fem/modes.h"

#include "bars.h"
#include "build/fem/rigid_motions.h"
#include "dense_system.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <numbers>

namespace limber::build::testing {
namespace {

// All eigenvalues, ascending, by the dense solver.
Eigen::VectorXd dense_eigenvalues(const FemModel& model, MassKind mass) {
    const Eigen::MatrixXd K = dense_stiffness(model, Eigen::VectorXd::Zero(model.free_dofs()));
    const Eigen::MatrixXd M = dense(mass_matrix(model, mass));
    return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M, Eigen::EigenvaluesOnly)
        .eigenvalues();
}

// The eigenvalue problem's own rounding: eps lambda_max / lambda is under 1e-10 for these small bodies.
void expect_eigenvalues(const ModesResult& result, const Eigen::VectorXd& expected) {
    ASSERT_TRUE(result.converged);
    ASSERT_EQ(result.eigenvalues.size(), expected.size());
    for (Eigen::Index i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(result.eigenvalues[i], expected[i], 1e-8 * expected[i]) << "mode " << i;
}

TEST(Modes, AgreeWithADenseSolver) {
    for (const MassKind mass : {MassKind::Consistent, MassKind::Lumped})
        for (const bool tets : {false, true}) {
            const VolumeMesh mesh =
                tets ? tet_bar(8, 3, 3, {1, 0.3, 0.3}) : brick_bar(8, 3, 3, {1, 0.3, 0.3});
            const FemModel model = cantilever(distort(mesh, 3, 0.0), kRubber);
            const ModesResult result = solve_modes(model, {.count = 20, .mass = mass});
            expect_eigenvalues(result, dense_eigenvalues(model, mass).head(20));
            EXPECT_EQ(result.rigid_shapes.cols(), 0);
        }
}

TEST(Modes, ShapesAreMassOrthonormalAndZeroWhereHeld) {
    const FemModel model = cantilever(brick_bar(10, 3, 3, {1, 0.3, 0.3}), kRubber);
    const ModesResult result = solve_modes(model, {.count = 12});
    const Eigen::MatrixXd M = dense(mass_matrix(model, MassKind::Consistent));
    const Eigen::MatrixXd K = dense_stiffness(model, Eigen::VectorXd::Zero(model.free_dofs()));
    Eigen::MatrixXd X(model.free_dofs(), 12);
    for (int i = 0; i < 12; ++i)
        X.col(i) = model.restrict_to_free(result.shapes.col(i));
    // The Lanczos basis is orthonormal to rounding, and eigenvectors follow to the tolerance 1e-10.
    EXPECT_LE((X.transpose() * M * X - Eigen::MatrixXd::Identity(12, 12)).norm(), 1e-9);
    for (int i = 0; i < 12; ++i) {
        const Eigen::VectorXd Kx = K * X.col(i);
        const double residual = (Kx - result.eigenvalues[i] * (M * X.col(i))).norm() / Kx.norm();
        EXPECT_NEAR(result.residuals[i], residual, 1e-9);
        EXPECT_LE(residual, 1e-6);  // 1e-10 in the inverted problem, times sqrt(lambda_max / lambda_1)
        EXPECT_NEAR(result.frequencies_hz[i], std::sqrt(result.eigenvalues[i]) / (2 * std::numbers::pi),
                    1e-12);
        // Of entries that symmetry makes equal, the first is positive.
        const double largest = result.shapes.col(i).lpNorm<Eigen::Infinity>();
        Eigen::Index first = 0;
        while (std::abs(result.shapes(first, i)) < (1 - 1e-6) * largest)
            ++first;
        EXPECT_GT(result.shapes(first, i), 0);
        for (const int v : model.fixed_vertices())
            EXPECT_EQ(result.shapes.col(i).segment<3>(3 * v).norm(), 0);
    }
}

TEST(Modes, TheSameInputGivesTheSameBytes) {
    const FemModel model = cantilever(brick_bar(10, 3, 3, {1, 0.3, 0.3}), kRubber);
    const ModesResult first = solve_modes(model, {.count = 10}), second = solve_modes(model, {.count = 10});
    EXPECT_TRUE(first.shapes == second.shapes);
    EXPECT_TRUE(first.eigenvalues == second.eigenvalues);
}

TEST(Modes, AFreeBodyHasExactlySixRigidModesReportedApart) {
    const FemModel model = free_body(brick_bar(8, 3, 3, {1, 0.3, 0.3}), kRubber);
    const ModesResult result = solve_modes(model, {.count = 15});
    ASSERT_EQ(result.rigid_shapes.cols(), 6);
    expect_eigenvalues(result, dense_eigenvalues(model, MassKind::Consistent).segment(6, 15));

    const Eigen::MatrixXd M = dense(mass_matrix(model, MassKind::Consistent));
    const Eigen::MatrixXd K = dense_stiffness(model, Eigen::VectorXd::Zero(model.free_dofs()));
    const Eigen::MatrixXd& rigid = result.rigid_shapes;  // all vertices are free
    EXPECT_LE((rigid.transpose() * M * rigid - Eigen::MatrixXd::Identity(6, 6)).norm(), 1e-12);  // rounding
    EXPECT_LE((K * rigid).norm(), 1e-12 * K.norm() * rigid.norm());                              // rounding
    EXPECT_LE((result.shapes.transpose() * M * rigid).norm(), 1e-9);  // deflated in every product
}

TEST(Modes, TwoSeparateBodiesHaveTwelveRigidModes) {
    const VolumeMesh bar = brick_bar(5, 2, 2, {1, 0.3, 0.3});
    const FemModel model = free_body(both(bar, moved(tet_bar(4, 2, 2, {0.8, 0.3, 0.3}), {0, 2, 0})), kRubber);
    const ModesResult result = solve_modes(model, {.count = 10});
    ASSERT_EQ(result.rigid_shapes.cols(), 12);
    expect_eigenvalues(result, dense_eigenvalues(model, MassKind::Consistent).segment(12, 10));
}

TEST(Modes, ABallJointLeavesThreeRigidMotionsAndAHingeOne) {
    const VolumeMesh bar = brick_bar(8, 3, 3, {1, 0.3, 0.3});
    const auto held_where = [&](auto condition) {
        return FemModel(bar, one_material(bar, kRubber), vertices_where(bar, condition));
    };
    const FemModel joint = held_where([](const Vertex& x) { return x.norm() < 1e-9; });
    const FemModel hinge = held_where([](const Vertex& x) { return x.x() < 1e-9 && x.z() < 1e-9; });
    const FemModel clamp = held_where([](const Vertex& x) { return x.x() < 1e-9; });
    EXPECT_EQ(rigid_motions(clamp).cols(), 0);
    for (const auto& [model, motions] : {std::pair(&joint, 3), std::pair(&hinge, 1)}) {
        const ModesResult result = solve_modes(*model, {.count = 10});
        ASSERT_EQ(result.rigid_shapes.cols(), motions);
        expect_eigenvalues(result, dense_eigenvalues(*model, MassKind::Consistent).segment(motions, 10));
        const Eigen::MatrixXd R = rigid_motions(*model);
        for (const int v : model->fixed_vertices())
            EXPECT_EQ(R.middleRows<3>(3 * v).norm(), 0);
    }
}

// Twelve equal square bars: every bending frequency comes 24 times, far more often than a block of Lanczos'
// method is wide.
TEST(Modes, RepeatedEigenvaluesComeOutComplete) {
    const VolumeMesh bar = brick_bar(3, 1, 1, {1, 0.2, 0.2});
    VolumeMesh all = bar;
    for (int i = 1; i < 12; ++i)
        all = both(std::move(all), moved(bar, {0, 1.0 * i, 0}));
    const FemModel model = cantilever(all, kRubber);
    const ModesResult result = solve_modes(model, {.count = 40});
    expect_eigenvalues(result, dense_eigenvalues(model, MassKind::Consistent).head(40));
}

TEST(Modes, ASmallMeshGivesAllItsModes) {
    const FemModel model = cantilever(brick_bar(1, 1, 1, {1, 1, 1}), kRubber);
    const ModesResult result = solve_modes(model, {.count = 12});
    expect_eigenvalues(result, dense_eigenvalues(model, MassKind::Consistent));
}

TEST(Modes, AskingForTooManyOrNoneIsRefused) {
    const FemModel held = cantilever(brick_bar(1, 1, 1, {1, 1, 1}), kRubber);
    const FemModel loose = free_body(brick_bar(1, 1, 1, {1, 1, 1}), kRubber);
    EXPECT_THROW(solve_modes(held, {.count = 13}), InputError);
    EXPECT_THROW(solve_modes(loose, {.count = 19}), InputError);  // 24 - 6 = 18
    EXPECT_NO_THROW(solve_modes(loose, {.count = 18}));
    EXPECT_THROW(solve_modes(held, {.count = 0}), InputError);
    EXPECT_THROW(solve_modes(held, {.count = -1}), InputError);
}

// Two blocks that share an edge: the loose one swings about it without any strain, though it is not rigid
// motion of the whole.
TEST(Modes, APartThatHangsByAnEdgeSwingsAtFrequencyZero) {
    VolumeMesh mesh = brick_bar(5, 3, 3, {1, 1, 1});
    VolumeMesh other = moved(brick_bar(5, 3, 3, {1, 1, 1}), {1, 0, 1});
    // Weld the second block's edge x = 1, z = 1 to the first one's.
    const int first_count = static_cast<int>(mesh.vertices.size());
    std::vector<int> to(other.vertices.size());
    for (std::size_t v = 0; v < other.vertices.size(); ++v) {
        to[v] = -1;
        for (int w = 0; w < first_count; ++w)
            if ((mesh.vertices[std::size_t(w)] - other.vertices[v]).norm() < 1e-9) to[v] = w;
        if (to[v] < 0) {
            to[v] = static_cast<int>(mesh.vertices.size());
            mesh.vertices.push_back(other.vertices[v]);
        }
    }
    for (Brick brick : other.bricks) {
        for (int& v : brick)
            v = to[std::size_t(v)];
        mesh.bricks.push_back(brick);
    }
    const FemModel model = cantilever(mesh, kRubber);
    const ModesResult result = solve_modes(model, {.count = 5});
    ASSERT_TRUE(result.converged);
    EXPECT_EQ(result.rigid_shapes.cols(), 0);
    EXPECT_LE(std::abs(result.eigenvalues[0]), 1e-6 * result.eigenvalues[1]);  // rounding of K
}

}  // namespace
}  // namespace limber::build::testing
