// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/small_cholesky.h"

#include "tests/limber/reduced/test_model.h"

#include <gtest/gtest.h>

#include <limits>

namespace limber {
namespace {

using namespace test;

template <class Scalar>
void check_all_sizes(double tolerance) {
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
    using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
    for (int n = 1; n <= 41; ++n) {
        const Eigen::MatrixXd B = random_matrix(n, n, static_cast<unsigned>(n));
        const Eigen::MatrixXd A = B * B.transpose() + Eigen::MatrixXd::Identity(n, n);
        const Eigen::VectorXd x = random_vector(n, 77);
        Matrix lower = A.cast<Scalar>();
        lower.template triangularView<Eigen::StrictlyUpper>().setConstant(1e6f);  // never read
        SmallCholesky<Scalar> cholesky(n);
        for (int again = 0; again < 2; ++again) {  // a second matrix in the same memory
            ASSERT_TRUE(cholesky.factorize(lower)) << n;
            Vector b = (A * x).cast<Scalar>();
            cholesky.solve_in_place(b);
            EXPECT_LE((b.template cast<double>() - x).norm(), tolerance * n * x.norm()) << n;
        }
        ASSERT_TRUE(cholesky.factorize(lower, Scalar(2)));
        Vector b = (A * x + 2 * x).cast<Scalar>();
        cholesky.solve_in_place(b);
        EXPECT_LE((b.template cast<double>() - x).norm(), tolerance * n * x.norm()) << n;
    }
}

TEST(SmallCholesky, SolvesMatricesOfAllSizes) {
    check_all_sizes<double>(1e-13);  // rounding times a condition number of a hundred
    check_all_sizes<float>(1e-4);
}

TEST(SmallCholesky, SaysWhichMatricesAreNotPositiveDefinite) {
    for (int n : {1, 4, 6, 13, 30})
        for (int bad = 0; bad < n; ++bad) {
            Eigen::MatrixXd A = Eigen::MatrixXd::Identity(n, n);
            SmallCholesky<double> cholesky(n);
            A(bad, bad) = -1e-3;
            EXPECT_FALSE(cholesky.factorize(A)) << n << " " << bad;
            EXPECT_TRUE(cholesky.factorize(A, 2e-3));
            A(bad, bad) = 0;
            EXPECT_FALSE(cholesky.factorize(A));
            A(bad, bad) = std::numeric_limits<double>::quiet_NaN();
            EXPECT_FALSE(cholesky.factorize(A));
            A(bad, bad) = std::numeric_limits<double>::infinity();
            EXPECT_FALSE(cholesky.factorize(A));
        }
    const Eigen::MatrixXd rank_one = Eigen::MatrixXd::Ones(5, 5);
    EXPECT_FALSE(SmallCholesky<double>(5).factorize(rank_one));
}

}  // namespace
}  // namespace limber
