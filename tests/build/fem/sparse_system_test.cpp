// SPDX-License-Identifier: Apache-2.0
#include "build/fem/sparse_system.h"

#include "build/fem/highest_frequency.h"
#include "build/fem/shifted_cholesky.h"
#include "tests/build/fem/bars.h"
#include "tests/build/fem/dense_system.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

namespace limber::build {
namespace {

using namespace limber::build::testing;

// Smooth and not small: stretches, bends and twists a bar of length 1.
Eigen::VectorXd wavy(const FemModel& model, double amplitude, double phase) {
    Eigen::VectorXd u(3 * model.vertex_count());
    for (int v = 0; v < model.vertex_count(); ++v) {
        const Vertex& x = model.mesh().vertices[std::size_t(v)];
        u.segment<3>(3 * v) =
            amplitude * x.x() *
            Eigen::Vector3d(std::sin(3 * x.y() + phase), x.x() + std::cos(5 * x.z() + phase),
                            std::sin(2 * x.x() - phase));
    }
    return model.restrict_to_free(u);
}

TEST(SparseSystem, SolvesWhatADenseSolverSolvesForShortAndLongSteps) {
    const FemModel model = cantilever(tet_bar(6, 2, 2, {1, 0.3, 0.3}), kRubber);
    SparseSystem sparse(model, MassKind::Consistent);
    DenseSystem slow{model};
    const Eigen::VectorXd u = wavy(model, 0.05, 0), v = wavy(model, 2, 1), b = wavy(model, 10, 2);
    // dt of 0.1 ms, 10 ms and 10 s: the diagonal, the diagonal with many iterations or a factor, a factor.
    for (const double dt : {1e-4, 1e-2, 10.0})
        for (const double beta : {0.0, 1e-3}) {
            const TangentWeights weights{4 / (dt * dt), 1 + 2 * beta / dt, beta};
            Eigen::VectorXd force, x, expected;
            sparse.linearize(u, force);
            slow.linearize(u, force);
            slow.solve(weights, v, b, 0, expected);
            const LinearReport report = sparse.solve(weights, v, b, 1e-10, x);
            ASSERT_TRUE(report.solved);
            // The tolerance times the condition, at most 1e4 here.
            EXPECT_LE((x - expected).norm(), 1e-6 * expected.norm()) << "dt = " << dt << ", beta = " << beta;
        }
}

TEST(SparseSystem, AnIndefiniteMatrixGivesADirectionDownhill) {
    // Crushed to half its length, K(u) is indefinite; without mass there is no factor without a shift.
    const FemModel model = cantilever(brick_bar(4, 1, 1, {1, 0.2, 0.2}), {1e6, 0, 1000});
    Eigen::VectorXd crushed = Eigen::VectorXd::Zero(3 * model.vertex_count());
    for (int v = 0; v < model.vertex_count(); ++v)
        crushed[3 * v] = -0.5 * model.mesh().vertices[std::size_t(v)].x();
    SparseSystem system(model, MassKind::Consistent);
    Eigen::VectorXd force, x;
    system.linearize(model.restrict_to_free(crushed), force);
    ASSERT_LT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(dense(system.stiffness())).eigenvalues()[0], 0);
    const Eigen::VectorXd b = wavy(model, 1, 0);
    const LinearReport report = system.solve({.mass = 0, .stiffness = 1, .rate = 0}, b, b, 1e-8, x);
    EXPECT_TRUE(report.solved);
    EXPECT_TRUE(report.refactored);
    EXPECT_GT(x.dot(b), 0);
}

TEST(SparseSystem, ALooseSolveStillKeepsTheTotalForceOfAFreeBody) {
    const FemModel model = free_body(tet_bar(5, 2, 2, {1, 0.3, 0.3}), kRubber);
    SparseSystem system(model, MassKind::Consistent);
    Eigen::VectorXd force, x;
    system.linearize(wavy(model, 0.05, 0), force);
    const double mass = 4 / 1e-4;
    const Eigen::VectorXd b = wavy(model, 10, 2) + Eigen::VectorXd::Ones(model.free_dofs());
    ASSERT_TRUE(system.solve({.mass = mass, .stiffness = 1, .rate = 0}, b, b, 0.1, x).solved);
    Eigen::VectorXd Mx;
    system.mass_times(x, Mx);
    const auto total = [](const Eigen::VectorXd& f) -> Eigen::Vector3d {
        return f.reshaped(3, f.size() / 3).rowwise().sum();
    };
    EXPECT_LE((total(b) - mass * total(Mx)).norm(),
              1e-12 * b.lpNorm<1>());  // rounding, not the tolerance 0.1
}

TEST(SparseSystem, TheHighestFrequencyIsBoundedFromAboveWithinATenthOfAPercent) {
    for (const bool tets : {false, true}) {
        const FemModel model =
            cantilever(tets ? tet_bar(6, 2, 3, {1, 0.3, 0.3}) : brick_bar(6, 2, 3, {1, 0.3, 0.3}), kRubber);
        SparseSystem system(model, MassKind::Lumped);
        const Eigen::VectorXd mass = diagonal_of(system.mass());
        const Eigen::VectorXd scale = mass.cwiseSqrt().cwiseInverse();
        const Eigen::MatrixXd A = scale.asDiagonal() * dense(system.stiffness()) * scale.asDiagonal();
        const double exact =
            std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly)
                          .eigenvalues()
                          .maxCoeff());
        const double found = highest_frequency(system.stiffness(), mass);
        EXPECT_GE(found, 0.999 * exact);
        EXPECT_LE(found, 1.001 * exact);
    }
}

TEST(ShiftedCholesky, LeavesTheMatrixAsItWasAndFindsASmallShift) {
    const FemModel model = cantilever(brick_bar(3, 1, 1, {1, 0.2, 0.2}), kRubber);
    SparseSystem system(model, MassKind::Lumped);
    SparseMatrix A = system.stiffness();
    const Eigen::VectorXd D = diagonal_of(A);
    SparseCholesky factor(A);
    EXPECT_EQ(factorize_shifted(factor, A, D), 0.0);
    // K - 0.5 D is indefinite: any shift of at least 0.5 makes it definite, and the series grows by four.
    for (Eigen::Index j = 0; j < A.cols(); ++j)
        A.coeffRef(j, j) -= 0.5 * D[j];
    const SparseMatrix before = A;
    const std::optional<double> shift = factorize_shifted(factor, A, D);
    ASSERT_TRUE(shift);
    EXPECT_GT(*shift, 0);
    EXPECT_LE(*shift, 4 * 0.5);
    EXPECT_EQ((A - before).norm(), 0);
}

}  // namespace
}  // namespace limber::build
