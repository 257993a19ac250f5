// SPDX-License-Identifier: Apache-2.0
#include "build/fem/sparse_cholesky.h"

#include "build/fem/assemble.h"
#include "sample_meshes.h"

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include <cmath>
#include <cstring>
#include <limits>
#include <thread>
#include <utility>

namespace limber::build {
namespace {

// K(0) + shift·M of a small box.
class Box {
 public:
    explicit Box(Cells cells, std::vector<int> fixed = {})
        : mesh_(box_mesh({3, 3, 4}, {0.3, 0.3, 0.5}, cells, 0.2)),
          model_(mesh_, two_materials(mesh_), std::move(fixed)) {}
    SparseMatrix matrix(double shift) const {
        Eigen::VectorXd R;
        SparseMatrix K;
        force_and_stiffness(model_, Eigen::VectorXd::Zero(3 * model_.vertex_count()), R, K);
        K.coeffs() += shift * mass_matrix(model_, MassKind::Consistent).coeffs();
        return K;
    }

 private:
    VolumeMesh mesh_;
    FemModel model_;
};

double relative_residual(const SparseMatrix& A, const Eigen::MatrixXd& X, const Eigen::MatrixXd& B) {
    return (A.selfadjointView<Eigen::Lower>() * X - B).norm() / B.norm();
}

SparseMatrix lower_of(const Eigen::MatrixXd& full) {
    return SparseMatrix(Eigen::MatrixXd(full.triangularView<Eigen::Lower>()).sparseView());
}

TEST(SparseCholesky, SolvesFiniteElementSystems) {
    for (const Cells cells : {Cells::Tets, Cells::Bricks, Cells::Mixed}) {
        const SparseMatrix A = Box(cells, {0, 1, 2, 3, 4, 5}).matrix(0);
        SparseCholesky cholesky(A);
        ASSERT_TRUE(cholesky.factorize(A));
        const Eigen::MatrixXd B = random_vector(7 * A.rows(), 1).reshaped(A.rows(), 7);
        const Eigen::MatrixXd X = cholesky.solve(B);
        // Backward stable: the residual is rounding times the condition, some 1e4 here.
        EXPECT_LE(relative_residual(A, X, B), 1e-11);
        Eigen::VectorXd one = B.col(3);
        cholesky.solve_in_place(one);
        EXPECT_LE((one - X.col(3)).norm(), 1e-11 * one.norm());
    }
}

TEST(SparseCholesky, AgreesWithADenseSolver) {
    const SparseMatrix A = Box(Cells::Tets).matrix(1e4);
    const Eigen::VectorXd b = random_vector(A.rows(), 2);
    SparseCholesky cholesky(A);
    ASSERT_TRUE(cholesky.factorize(A));
    const Eigen::VectorXd expected = dense(A).ldlt().solve(b);
    EXPECT_LE((cholesky.solve(b) - expected).norm(), 1e-10 * expected.norm());  // rounding times condition
}

TEST(SparseCholesky, FactorsNewValuesOnTheSamePattern) {
    const Box box(Cells::Bricks);
    SparseCholesky cholesky(box.matrix(0));
    const Eigen::MatrixXd b = random_vector(box.matrix(0).rows(), 3);
    for (const double shift : {1e3, 1e5, 1e4}) {
        const SparseMatrix A = box.matrix(shift);
        ASSERT_TRUE(cholesky.factorize(A));
        EXPECT_LE(relative_residual(A, cholesky.solve(b), b), 1e-10);
    }
}

TEST(SparseCholesky, SaysWhenTheMatrixIsNotPositiveDefiniteAndRecovers) {
    const Box box(Cells::Tets);
    const SparseMatrix good = box.matrix(1e4), indefinite = box.matrix(-1e4);
    SparseCholesky cholesky(good);
    EXPECT_TRUE(cholesky.factorize(good));
    EXPECT_FALSE(cholesky.factorize(indefinite));
    EXPECT_FALSE(cholesky.factorize(-good));
    EXPECT_FALSE(cholesky.factorize(0 * good));
    ASSERT_TRUE(cholesky.factorize(good));
    const Eigen::MatrixXd b = random_vector(good.rows(), 4);
    EXPECT_LE(relative_residual(good, cholesky.solve(b), b), 1e-10);
}

TEST(SparseCholesky, RefusesMatricesThatAreNotFinite) {
    const SparseMatrix good = Box(Cells::Tets).matrix(1e4);
    SparseCholesky cholesky(good);
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        for (const Eigen::Index place :
             {Eigen::Index{0}, Eigen::Index{4}, good.nonZeros() / 2, good.nonZeros() - 1}) {
            SparseMatrix A = good;
            A.valuePtr()[place] = bad;
            EXPECT_FALSE(cholesky.factorize(A)) << bad << " at " << place;
        }
    EXPECT_TRUE(cholesky.factorize(good));
}

TEST(SparseCholesky, TakesAnySizeAndPattern) {
    // Sizes that are no multiple of three, or are one without the blocks of a vertex.
    for (const int size : {1, 2, 3, 4, 6, 9, 30, 31}) {
        Eigen::MatrixXd full = Eigen::MatrixXd::Zero(size, size);
        const Eigen::VectorXd noise = random_vector(4 * size, unsigned(size));
        for (int i = 0; i < 2 * size; ++i) {
            const int row = int(std::abs(noise[2 * i]) * size) % size,
                      column = int(std::abs(noise[2 * i + 1]) * size) % size;
            full(row, column) = full(column, row) = 0.5;
        }
        full.diagonal().setConstant(size + 1);  // dominant, so positive definite
        const SparseMatrix A = lower_of(full);
        SparseCholesky cholesky(A);
        ASSERT_TRUE(cholesky.factorize(A)) << size;
        const Eigen::MatrixXd B = random_vector(2 * size, 6).reshaped(size, 2);
        EXPECT_LE(relative_residual(A, cholesky.solve(B), B), 1e-13) << size;
    }
}

TEST(SparseCholesky, OfOneFreeTetNeedsItsMass) {
    VolumeMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.tets = {{0, 1, 2, 3}};
    const FemModel model(mesh, uniform_material(mesh, {1e6, 0.3, 600}), {});
    Eigen::VectorXd R;
    SparseMatrix K;
    force_and_stiffness(model, Eigen::VectorXd::Zero(12), R, K);
    const SparseMatrix M = mass_matrix(model, MassKind::Consistent);
    SparseCholesky cholesky(K);
    EXPECT_TRUE(cholesky.factorize(K + M));
    EXPECT_FALSE(cholesky.factorize(K - M));  // six rigid modes at -1
}

TEST(SparseCholesky, HasNothingToDoWithoutUnknowns) {
    const SparseMatrix none(0, 0);
    SparseCholesky cholesky(none);
    EXPECT_TRUE(cholesky.factorize(none));
    EXPECT_EQ(cholesky.solve(Eigen::MatrixXd(0, 3)).cols(), 3);
    Eigen::VectorXd nothing(0);
    cholesky.solve_in_place(nothing);
    EXPECT_EQ(nothing.size(), 0);
}

TEST(SparseCholesky, NoRightSidesGiveNoSolutions) {
    const SparseMatrix A = Box(Cells::Tets).matrix(1e4);
    SparseCholesky cholesky(A);
    ASSERT_TRUE(cholesky.factorize(A));
    EXPECT_EQ(cholesky.solve(Eigen::MatrixXd(A.rows(), 0)).cols(), 0);
}

TEST(SparseCholesky, SeveralThreadsMaySolveWithOneFactor) {
    const SparseMatrix A = Box(Cells::Bricks).matrix(1e4);
    SparseCholesky cholesky(A);
    ASSERT_TRUE(cholesky.factorize(A));
    const Eigen::VectorXd b = random_vector(A.rows(), 8);
    const Eigen::VectorXd expected = cholesky.solve(b);
    std::vector<Eigen::VectorXd> results(4);
    {
        std::vector<std::jthread> threads;
        for (Eigen::VectorXd& result : results)
            threads.emplace_back([&] {
                for (int i = 0; i < 20; ++i)
                    result = cholesky.solve(b);
            });
    }
    for (const Eigen::VectorXd& result : results)
        EXPECT_EQ(result, expected);
}

TEST(SparseCholesky, MovesKeepTheFactor) {
    const SparseMatrix A = Box(Cells::Tets).matrix(1e4);
    SparseCholesky first(A);
    ASSERT_TRUE(first.factorize(A));
    const Eigen::MatrixXd b = random_vector(A.rows(), 9);
    SparseCholesky second(std::move(first));
    EXPECT_LE(relative_residual(A, second.solve(b), b), 1e-10);
    SparseCholesky third(SparseMatrix(0, 0));
    third = std::move(second);
    EXPECT_LE(relative_residual(A, third.solve(b), b), 1e-10);
}

}  // namespace
}  // namespace limber::build
