// SPDX-License-Identifier: Apache-2.0
#include "build/fem/modes.h"

#include "tests/build/fem/bars.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <Eigen/Dense>

namespace limber::build {
namespace {

using namespace limber::build::testing;

const Material kRubber{.young = 1e6, .poisson = 0.3, .density = 1000};

FemModel held_at(const VolumeMesh& mesh, std::vector<int> fixed) {
    return FemModel(mesh, one_material(mesh, kRubber), std::move(fixed));
}

Eigen::MatrixXd dense(const SparseMatrix& lower) {
    return Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>();
}

// The independent answer: all eigenvalues of the dense pencil.
Eigen::VectorXd dense_eigenvalues(const FemModel& model, MassKind mass) {
    Eigen::VectorXd force;
    SparseMatrix stiffness;
    force_and_stiffness(model, Eigen::VectorXd::Zero(3 * model.vertex_count()), force, stiffness);
    return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(
               dense(stiffness), dense(mass_matrix(model, mass)), Eigen::EigenvaluesOnly)
        .eigenvalues();
}

// Large enough (540 free degrees of freedom) that Lanczos does the work.
TEST(Modes, LanczosFindsWhatADenseSolverFinds) {
    const FemModel model = cantilever(brick_bar(12, 2, 4, {1, 0.2, 0.25}), kRubber);
    for (const MassKind mass : {MassKind::Consistent, MassKind::Lumped}) {
        const Eigen::VectorXd expected = dense_eigenvalues(model, mass);
        const auto modes = solve_modes(model, {.count = 12, .mass = mass});
        ASSERT_TRUE(modes.converged);
        EXPECT_EQ(modes.rigid_shapes.cols(), 0);
        for (int i = 0; i < 12; ++i) {
            EXPECT_NEAR(modes.eigenvalues[i], expected[i], 1e-9 * expected[i])
                << i;  // rounding of both solvers
            EXPECT_NEAR(modes.frequencies_hz[i], std::sqrt(expected[i]) / (2 * M_PI), 1e-9 * expected[i]);
            EXPECT_LE(modes.residuals[i], 1e-8);
        }
        const SparseMatrix lower = mass_matrix(model, mass);
        Eigen::MatrixXd free(model.free_dofs(), 12);
        for (int i = 0; i < 12; ++i)
            free.col(i) = model.restrict_to_free(modes.shapes.col(i));
        const Eigen::MatrixXd gram = free.transpose() * (lower.selfadjointView<Eigen::Lower>() * free);
        EXPECT_LE((gram - Eigen::MatrixXd::Identity(12, 12)).cwiseAbs().maxCoeff(), 1e-9);  // mass-normalised
    }
}

TEST(Modes, RepeatedEigenvaluesComeOutComplete) {
    // Three equal separate bars of square section: every bending value stands six times, more than a block
    // holds.
    const VolumeMesh one = brick_bar(8, 2, 2, {1, 0.2, 0.2});
    const FemModel model = cantilever(both(both(one, moved(one, {0, 1, 0})), moved(one, {0, 2, 0})), kRubber);
    const Eigen::VectorXd expected = dense_eigenvalues(model, MassKind::Consistent);
    const auto modes = solve_modes(model, {.count = 14});
    ASSERT_TRUE(modes.converged);
    for (int i = 0; i < 14; ++i)
        EXPECT_NEAR(modes.eigenvalues[i], expected[i], 1e-8 * expected[i]) << i;
}

TEST(Modes, FreeBodiesReportSixRigidMotionsApartAndKeepTheElasticOnes) {
    const VolumeMesh mesh = brick_bar(10, 2, 3, {1, 0.2, 0.25});
    const FemModel model = held_at(mesh, {});
    const Eigen::VectorXd expected = dense_eigenvalues(model, MassKind::Consistent);
    const auto modes = solve_modes(model, {.count = 8});
    ASSERT_TRUE(modes.converged);
    EXPECT_EQ(modes.rigid_shapes.cols(), 6);
    for (int i = 0; i < 8; ++i)
        EXPECT_NEAR(modes.eigenvalues[i], expected[6 + i], 1e-8 * expected[6 + i]) << i;
}

TEST(RigidMotions, AreAsManyAsTheSupportsLeave) {
    const VolumeMesh bar = brick_bar(3, 1, 1, {1, 0.2, 0.2});
    EXPECT_EQ(rigid_motions(held_at(bar, {})).cols(), 6);
    EXPECT_EQ(rigid_motions(held_at(bar, {0})).cols(), 3);        // a ball joint
    EXPECT_EQ(rigid_motions(held_at(bar, {0, 1, 2})).cols(), 1);  // a hinge: three vertices on a line
    EXPECT_EQ(rigid_motions(held_at(bar, {0, 1, 4})).cols(), 0);
    EXPECT_EQ(rigid_motions(held_at(both(bar, moved(bar, {0, 1, 0})), {})).cols(), 12);
}

TEST(Modes, TheSameRunGivesTheSameBytes) {
    const FemModel model = cantilever(brick_bar(12, 3, 3, {1, 0.2, 0.2}), kRubber);
    const auto first = solve_modes(model, {.count = 6}), second = solve_modes(model, {.count = 6});
    EXPECT_TRUE(first.shapes == second.shapes);
    EXPECT_TRUE(first.eigenvalues == second.eigenvalues);
}

TEST(Modes, MoreThanTheMeshHasIsRefused) {
    const FemModel model = cantilever(brick_bar(1, 1, 1, {1, 1, 1}), kRubber);  // four free vertices
    EXPECT_EQ(solve_modes(model, {.count = 12}).eigenvalues.size(), 12);
    EXPECT_THROW(solve_modes(model, {.count = 13}), InputError);
    EXPECT_THROW(solve_modes(model, {.count = 0}), InputError);
}

}  // namespace
}  // namespace limber::build
