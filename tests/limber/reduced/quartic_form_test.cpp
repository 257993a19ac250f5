// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/quartic_form.h"

#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/reduced/random_form.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::form_of;
using test::random_monomials;
using test::random_vector;
using test::written_out_sum;

// Every remainder of the register widths 2, 4 and 8, and more than one panel of columns (r = 26 in double).
const int kRanks[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 16, 26};

// Rounding of sums with up to 30,000 terms of mixed sign: their sizes cancel by a factor of ten or so.
template <class Scalar>
constexpr double kRounding = 1000 * std::numeric_limits<Scalar>::epsilon();

template <class Scalar>
class QuarticFormOf : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(QuarticFormOf, Scalars);

TYPED_TEST(QuarticFormOf, EvaluationEqualsTheWrittenOutSum) {  // (6)
    for (const int r : kRanks) {
        const auto monomials = random_monomials(r, 1);
        const auto form = form_of<TypeParam>(r, monomials);
        const Eigen::Matrix<TypeParam, Eigen::Dynamic, 1> q = random_vector(r, 2).cast<TypeParam>();
        const auto expected = written_out_sum(r, monomials, q.template cast<double>(), VectorXd::Zero(r));
        QuarticEval<TypeParam> eval(r);
        evaluate(form, q, eval);
        const double tolerance = kRounding<TypeParam>;
        EXPECT_NEAR(eval.energy, expected.energy, tolerance * (1 + std::abs(expected.energy)))
            << "rank " << r;
        EXPECT_LE((eval.force.template cast<double>() - expected.force).norm(),
                  tolerance * expected.force.norm())
            << "rank " << r;
        EXPECT_LE((eval.stiffness.template cast<double>() - expected.stiffness).norm(),
                  tolerance * expected.stiffness.norm())
            << "rank " << r;
        EXPECT_EQ(eval.stiffness, eval.stiffness.transpose()) << "rank " << r;
    }
}

TYPED_TEST(QuarticFormOf, ForceAloneEqualsTheWrittenOutSum) {  // (13)
    for (const int r : kRanks) {
        const auto monomials = random_monomials(r, 3);
        const auto form = form_of<TypeParam>(r, monomials);
        const Eigen::Matrix<TypeParam, Eigen::Dynamic, 1> q = random_vector(r, 4).cast<TypeParam>();
        const auto expected = written_out_sum(r, monomials, q.template cast<double>(), VectorXd::Zero(r));
        QuarticEval<TypeParam> eval(r);
        evaluate_force(form, q, eval);
        const double tolerance = kRounding<TypeParam>;
        EXPECT_NEAR(eval.energy, expected.energy, tolerance * (1 + std::abs(expected.energy)))
            << "rank " << r;
        EXPECT_LE((eval.force.template cast<double>() - expected.force).norm(),
                  tolerance * expected.force.norm())
            << "rank " << r;
    }
}

TYPED_TEST(QuarticFormOf, StiffnessRateEqualsTheWrittenOutSum) {  // (14)
    for (const int r : {1, 2, 3, 7, 13}) {
        const auto monomials = random_monomials(r, 5);
        const auto form = form_of<TypeParam>(r, monomials);
        using Vector = Eigen::Matrix<TypeParam, Eigen::Dynamic, 1>;
        const Vector v = (1000 * random_vector(r, 7)).cast<TypeParam>();  // much faster than q is long
        QuarticEval<TypeParam> eval(r);
        Eigen::Matrix<TypeParam, Eigen::Dynamic, Eigen::Dynamic> rate(r, r);
        for (const double length : {0.0, 1e-4, 1.0}) {
            const Vector q = (length * random_vector(r, 6)).cast<TypeParam>();
            const auto expected =
                written_out_sum(r, monomials, q.template cast<double>(), v.template cast<double>());
            stiffness_rate(form, q, v, eval, rate);
            // A difference of two evaluations: ten times their rounding.
            EXPECT_LE((rate.template cast<double>() - expected.stiffness_rate).norm(),
                      10 * kRounding<TypeParam> * expected.stiffness_rate.norm())
                << "rank " << r << ", |q| " << length;
        }
        stiffness_rate(form, v, Vector(Vector::Zero(r)), eval, rate);
        EXPECT_EQ(rate.norm(), 0);
    }
}

TEST(QuarticForm, ForceAndStiffnessAreTheDerivativesOfTheEnergy) {
    const int r = 9;
    const auto form = form_of<double>(r, random_monomials(r, 8));
    const VectorXd q = random_vector(r, 9);
    QuarticEval<double> eval(r), at(r);
    evaluate(form, q, eval);
    // The five-point rule is exact for polynomials of degree four: rounding alone is left, which h = 0.5
    // keeps small.
    const double h = 0.5;
    for (int i = 0; i < r; ++i) {
        double energy_slope = 0;
        VectorXd force_slope = VectorXd::Zero(r);
        for (const auto& [step, weight] : {std::pair{-2, 1.0}, {-1, -8.0}, {1, 8.0}, {2, -1.0}}) {
            evaluate(form, VectorXd(q + step * h * VectorXd::Unit(r, i)), at);
            energy_slope += weight * at.energy / (12 * h);
            force_slope += weight * at.force / (12 * h);
        }
        EXPECT_NEAR(energy_slope, eval.force[i], 1e-12 * eval.force.norm());
        EXPECT_LE((force_slope - eval.stiffness.col(i)).norm(), 1e-12 * eval.stiffness.norm());
    }
}

TEST(QuarticForm, CoefficientsAreDistinctPlaces) {
    // Writing one coefficient changes no other.
    const int r = 7;
    const auto monomials = random_monomials(r, 10);
    auto form = form_of<double>(r, monomials);
    for (const auto& [f, coefficient] : monomials) {
        if (f.size() == 2) continue;
        EXPECT_EQ(f.size() == 3 ? form.cubic(f[0], f[1], f[2]) : form.quartic(f[0], f[1], f[2], f[3]),
                  coefficient);
    }
}

TEST(QuarticForm, EvaluationIsLinearInTheCoefficients) {
    // Powers of two scale without rounding.
    const int r = 10;
    auto form = form_of<double>(r, random_monomials(r, 11));
    const VectorXd q = random_vector(r, 12);
    QuarticEval<double> once(r), four_times(r);
    evaluate(form, q, once);
    form.linear *= 4;
    form.coefficients *= 4;
    evaluate(form, q, four_times);
    EXPECT_EQ(four_times.energy, 4 * once.energy);
    EXPECT_EQ(four_times.force, 4 * once.force);
    EXPECT_EQ(four_times.stiffness, 4 * once.stiffness);
}

TEST(QuarticForm, AtRestOnlyTheLinearStiffnessIsLeft) {
    const int r = 6;
    const auto form = form_of<double>(r, random_monomials(r, 13));
    QuarticEval<double> eval(r);
    evaluate(form, VectorXd(VectorXd::Zero(r)), eval);
    EXPECT_EQ(eval.energy, 0);
    EXPECT_EQ(eval.force.norm(), 0);
    EXPECT_EQ(eval.stiffness, form.linear);
}

TEST(QuarticForm, SameInputSameBytesWhateverWasEvaluatedBefore) {
    const int r = 11;
    const auto form = form_of<double>(r, random_monomials(r, 14));
    const VectorXd q = random_vector(r, 15);
    QuarticEval<double> fresh(r), used(r);
    evaluate(form, VectorXd(VectorXd::Constant(r, std::numeric_limits<double>::quiet_NaN())), used);
    evaluate_force(form, VectorXd(VectorXd::Constant(r, 1e200)), used);
    evaluate(form, q, fresh);
    evaluate(form, q, used);
    EXPECT_EQ(fresh.energy, used.energy);
    EXPECT_EQ(fresh.force, used.force);
    EXPECT_EQ(fresh.stiffness, used.stiffness);
}

TEST(QuarticForm, HugeAndUndefinedCoordinatesPropagate) {
    const int r = 13;
    const auto form = form_of<double>(r, random_monomials(r, 16));
    QuarticEval<double> eval(r);
    MatrixXd rate(r, r);
    for (const double bad :
         {1e300, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        VectorXd q = random_vector(r, 17);
        q[5] = bad;
        evaluate(form, q, eval);
        EXPECT_FALSE(std::isfinite(eval.energy));
        EXPECT_FALSE(eval.force.allFinite());
        EXPECT_FALSE(eval.stiffness.allFinite());
        evaluate_force(form, q, eval);
        EXPECT_FALSE(std::isfinite(eval.energy));
        EXPECT_FALSE(eval.force.allFinite());
        stiffness_rate(form, q, random_vector(r, 18), eval, rate);
        EXPECT_FALSE(rate.allFinite());
    }
}

TEST(QuarticForm, RankZeroIsAnEmptyBody) {
    const QuarticForm<double> form(0);
    QuarticEval<double> eval(0);
    MatrixXd rate(0, 0);
    evaluate(form, VectorXd(), eval);
    evaluate_force(form, VectorXd(), eval);
    stiffness_rate(form, VectorXd(), VectorXd(), eval, rate);
    EXPECT_EQ(eval.energy, 0);
    EXPECT_EQ(eval.force.size(), 0);
    EXPECT_EQ(eval.stiffness.size(), 0);
}

TEST(QuarticForm, NothingIsAllocated) {
    const int r = 14;
    const auto form = form_of<double>(r, random_monomials(r, 19));
    const VectorXd q = random_vector(r, 20), v = random_vector(r, 21);
    QuarticEval<double> eval(r);
    MatrixXd rate(r, r);
    const long before = test::allocations_so_far();
    evaluate(form, q, eval);
    evaluate_force(form, q, eval);
    stiffness_rate(form, q, v, eval, rate);
    const long after = test::allocations_so_far();
    EXPECT_EQ(after, before);
    const VectorXd one_more = random_vector(1, 22);
    EXPECT_GT(test::allocations_so_far(), after) << "the counter does not count";
}

}  // namespace
}  // namespace limber
