// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/batch.h"

#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/reduced/random_form.h"

#include <gtest/gtest.h>

#include <limits>

namespace limber {
namespace {

using test::form_of;
using test::random_monomials;
using test::random_vector;

template <class Scalar>
class QuarticBatchOf : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(QuarticBatchOf, Scalars);

TYPED_TEST(QuarticBatchOf, EqualsOneBodyAfterTheOther) {
    using Matrix = Eigen::Matrix<TypeParam, Eigen::Dynamic, Eigen::Dynamic>;
    using Vector = Eigen::Matrix<TypeParam, Eigen::Dynamic, 1>;
    // The order of the sums differs, so rounding does: 1e-13 in double.
    const double tolerance = 450 * std::numeric_limits<TypeParam>::epsilon();
    for (const int r : {1, 2, 3, 6, 9, 15})
        for (const int bodies : {1, 4, 11}) {
            const auto form = form_of<TypeParam>(r, random_monomials(r, 1));
            const Eigen::VectorXd entries = random_vector(r * bodies, 2);
            const Matrix q = Eigen::Map<const Eigen::MatrixXd>(entries.data(), r, bodies).cast<TypeParam>();
            QuarticBatch<TypeParam> batch(r, bodies);
            evaluate(form, q, batch);
            QuarticEval<TypeParam> single(r);
            for (int k = 0; k < bodies; ++k) {
                evaluate(form, Vector(q.col(k)), single);
                // The energy is a sum of products of force and coordinate.
                EXPECT_NEAR(batch.energy[k], single.energy,
                            tolerance * (1 + single.force.norm() * q.col(k).norm()));
                EXPECT_LE((batch.force.col(k) - single.force).norm(), tolerance * single.force.norm());
                const Matrix K = batch.stiffness.middleCols(k * r, r);
                EXPECT_LE((K - single.stiffness).norm(), tolerance * single.stiffness.norm());
                EXPECT_EQ(K, K.transpose());
            }
        }
}

TEST(QuarticBatch, ABodyThatBlowsUpLeavesTheOthersAlone) {
    const int r = 7, bodies = 4;
    const auto form = form_of<double>(r, random_monomials(r, 3));
    const Eigen::VectorXd entries = random_vector(r * bodies, 4);
    Eigen::MatrixXd q = Eigen::Map<const Eigen::MatrixXd>(entries.data(), r, bodies);
    QuarticBatch<double> healthy(r, bodies), sick(r, bodies);
    evaluate(form, q, healthy);
    q(3, 1) = std::numeric_limits<double>::quiet_NaN();
    evaluate(form, q, sick);
    EXPECT_FALSE(sick.force.col(1).allFinite());
    for (const int k : {0, 2, 3}) {
        EXPECT_EQ(sick.energy[k], healthy.energy[k]);
        EXPECT_EQ(sick.force.col(k), healthy.force.col(k));
        EXPECT_EQ(sick.stiffness.middleCols(k * r, r), healthy.stiffness.middleCols(k * r, r));
    }
}

TEST(QuarticBatch, NoBodiesAndRankZeroAreSafe) {
    QuarticBatch<double> none(3, 0);
    evaluate(QuarticForm<double>(3), Eigen::MatrixXd(3, 0), none);
    EXPECT_EQ(none.energy.size(), 0);
    QuarticBatch<double> empty(0, 2);
    evaluate(QuarticForm<double>(0), Eigen::MatrixXd(0, 2), empty);
    EXPECT_EQ(empty.energy.norm(), 0);
}

TEST(QuarticBatch, NothingIsAllocated) {
    const int r = 9, bodies = 6;
    const auto form = form_of<double>(r, random_monomials(r, 5));
    const Eigen::MatrixXd q = Eigen::MatrixXd::Constant(r, bodies, 0.1);
    QuarticBatch<double> batch(r, bodies);
    const long before = test::allocations_so_far();
    evaluate(form, q, batch);
    EXPECT_EQ(test::allocations_so_far(), before);
}

}  // namespace
}  // namespace limber
