// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/strain_form.h"

#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/reduced/random_form.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::random_vector;

// z of docs/math/reduced_stvk.md (3), and its derivative, written out.
VectorXd z_of(const VectorXd& q) {
    const Index r = q.size();
    VectorXd z(strain_terms(r));
    z.head(r) = q;
    for (Index i = 0, p = r; i < r; ++i)
        for (Index j = i; j < r; ++j)
            z[p++] = q[i] * q[j];
    return z;
}
MatrixXd jacobian_of(const VectorXd& q) {
    const Index r = q.size();
    MatrixXd J = MatrixXd::Zero(strain_terms(r), r);
    J.topRows(r).setIdentity();
    for (Index i = 0, p = r; i < r; ++i)
        for (Index j = i; j < r; ++j, ++p) {
            J(p, i) += q[j];
            J(p, j) += q[i];
        }
    return J;
}

// A random positive semidefinite W: half the rank that would be full, as a body with few points has.
MatrixXd random_W(int r, unsigned seed) {
    const int m = static_cast<int>(strain_terms(r)), k = m / 2 + 1;
    const VectorXd entries = random_vector(m * k, seed);
    const MatrixXd A = Eigen::Map<const MatrixXd>(entries.data(), k, m);
    return A.transpose() * A;
}
VectorXd pack(const MatrixXd& W) {
    VectorXd packed(W.rows() * (W.rows() + 1) / 2);
    for (Index b = 0; b < W.cols(); ++b)
        for (Index a = 0; a <= b; ++a)
            packed[packed_index(a, b)] = W(a, b);
    return packed;
}

// Two groups, random parts.
Model random_model(int r, unsigned seed) {
    Model model;
    model.rank = r;
    StvkModel stvk;
    for (unsigned g = 0; g < 2; ++g) {
        model.groups.emplace_back().material = {.young = 1e5 * (g + 1), .poisson = 0.3 + 0.1 * g};
        StvkGroup& group = stvk.groups.emplace_back();
        group.bulk = pack(random_W(r, seed + 2 * g));
        group.shear = pack(random_W(r, seed + 2 * g + 1));
    }
    model.stvk = std::make_shared<const StvkModel>(std::move(stvk));
    return model;
}

constexpr double kSumRounding = 1e-12;  // sums of a few thousand terms

TEST(StrainForm, TheIndicesCountTheTermsInOrder) {
    for (const Index r : {1, 2, 5}) {
        Index p = r;
        for (Index i = 0; i < r; ++i)
            for (Index j = i; j < r; ++j)
                EXPECT_EQ(product_index(r, i, j), p++);
        EXPECT_EQ(p, strain_terms(r));
    }
}

TEST(StrainForm, SymmetrizingKeepsTheEnergyItsForceAndItsStiffness) {  // (8)
    for (const int r : {1, 2, 3, 4, 5, 8, 11, 14}) {
        const MatrixXd W = random_W(r, 1);
        const auto form = symmetrize<double>(pack(W), r);
        const VectorXd q = random_vector(r, 2), z = z_of(q);
        const MatrixXd J = jacobian_of(q);
        QuarticEval<double> eval(r);
        evaluate(form, q, eval);
        // V = ½ zᵀWz, R = JᵀWz, K = JᵀWJ + Σ (Wz)_p d²z_p/dq²
        const VectorXd stress = W * z;
        MatrixXd K = J.transpose() * W * J;
        for (Index i = 0; i < r; ++i)
            for (Index j = i; j < r; ++j) {
                K(i, j) += stress[product_index(r, i, j)];
                K(j, i) += stress[product_index(r, i, j)];
            }
        EXPECT_NEAR(eval.energy, 0.5 * z.dot(stress), kSumRounding * z.dot(stress)) << "rank " << r;
        EXPECT_LE((eval.force - J.transpose() * stress).norm(), kSumRounding * eval.force.norm())
            << "rank " << r;
        EXPECT_LE((eval.stiffness - K).norm(), kSumRounding * K.norm()) << "rank " << r;
    }
}

TEST(StrainForm, TheFloatFormIsTheDoubleFormRounded) {
    const int r = 9;
    const VectorXd packed = pack(random_W(r, 3));
    auto exact = symmetrize<double>(packed, r);
    auto rounded = symmetrize<float>(packed, r);
    EXPECT_EQ(rounded.linear, exact.linear.cast<float>());
    for (int a = 0; a < r; ++a)
        for (int b = a; b < r; ++b)
            for (int c = b; c < r; ++c) {
                EXPECT_EQ(rounded.cubic(a, b, c), static_cast<float>(exact.cubic(a, b, c)));
                for (int d = c; d < r; ++d)
                    EXPECT_EQ(rounded.quartic(a, b, c, d), static_cast<float>(exact.quartic(a, b, c, d)));
            }
}

TEST(StrainForm, ARestrictedFormIsTheFullOneWithTheOtherCoordinatesZero) {
    const int r = 8;
    const VectorXd packed = pack(random_W(r, 4));
    const auto full = symmetrize<double>(packed, r);
    QuarticEval<double> full_eval(r);
    for (const std::vector<int>& chosen :
         {std::vector<int>{0, 1, 2}, {7}, {5, 1, 6, 2}, {7, 6, 5, 4, 3, 2, 1, 0}}) {
        const int s = static_cast<int>(chosen.size());
        const auto part = symmetrize<double>(restrict_strain_form(packed, r, chosen), s);
        const VectorXd q = random_vector(s, 5);
        VectorXd full_q = VectorXd::Zero(r);
        for (int i = 0; i < s; ++i)
            full_q[chosen[static_cast<std::size_t>(i)]] = q[i];
        QuarticEval<double> eval(s);
        evaluate(part, q, eval);
        evaluate(full, full_q, full_eval);
        EXPECT_NEAR(eval.energy, full_eval.energy, kSumRounding * full_eval.energy);
        for (int i = 0; i < s; ++i) {
            const int at = chosen[static_cast<std::size_t>(i)];
            EXPECT_NEAR(eval.force[i], full_eval.force[at], kSumRounding * full_eval.force.norm());
            for (int j = 0; j < s; ++j)
                EXPECT_NEAR(eval.stiffness(i, j),
                            full_eval.stiffness(at, chosen[static_cast<std::size_t>(j)]),
                            kSumRounding * full_eval.stiffness.norm());
        }
    }
    EXPECT_EQ(restrict_strain_form(packed, r, {}).size(), 0);
}

TEST(StrainForm, MaterialsWeighTheirGroupsByTheBulkAndTheShearModulus) {
    const int r = 4;
    const Model model = random_model(r, 6);
    const std::vector<Material> materials = {{.young = 3e5, .poisson = 0.1}, {.young = 7e6, .poisson = 0.49}};
    VectorXd expected = VectorXd::Zero(model.stvk->groups[0].bulk.size());
    for (std::size_t g = 0; g < 2; ++g) {
        // kappa = E/(3(1-2nu)), mu = E/(2(1+nu))
        const double E = materials[g].young, nu = materials[g].poisson;
        expected += E / (3 * (1 - 2 * nu)) * model.stvk->groups[g].bulk +
                    E / (2 * (1 + nu)) * model.stvk->groups[g].shear;
    }
    EXPECT_LE((weighted_strain_form(model, materials) - expected).norm(), 1e-15 * expected.norm());
}

TEST(StrainForm, EditingAMaterialIsLinear) {
    const int r = 5;
    const Model model = random_model(r, 7);
    const VectorXd q = random_vector(r, 8);
    const auto energy = [&](double young_0, double young_1) {
        QuarticEval<double> eval(r);
        evaluate(symmetrize<double>(weighted_strain_form(model, {{.young = young_0, .poisson = 0.2},
                                                                 {.young = young_1, .poisson = 0.4}}),
                                    r),
                 q, eval);
        return eval.energy;
    };
    EXPECT_NEAR(energy(3, 5), 3 * energy(1, 0) + 5 * energy(0, 1), kSumRounding * energy(3, 5));
}

TEST(StrainRate, TheDampingMatrixIsJtWJ) {  // (9)
    for (const int r : {1, 2, 3, 6, 9}) {
        const MatrixXd W = random_W(r, 9);
        const VectorXd packed = pack(W), q = random_vector(r, 10), v = random_vector(r, 11);
        const MatrixXd D = jacobian_of(q).transpose() * W * jacobian_of(q);
        StrainRateEval eval(r);
        strain_rate_damping(packed, r, q, eval);
        EXPECT_LE((eval.damping - D).norm(), kSumRounding * D.norm()) << "rank " << r;
        EXPECT_EQ(eval.damping, eval.damping.transpose());
        strain_rate_force(packed, r, q, v, eval);
        EXPECT_LE((eval.force - D * v).norm(), kSumRounding * D.norm() * v.norm()) << "rank " << r;
    }
}

TEST(StrainRate, TheForceIsWhatTheRateOfTheStrainDoesToTheEnergy) {
    // With W ż in the place of the stress W z: force_i = d/dq_i (z(q)·y) at constant y = W ż, and ż = dz(q +
    // tv)/dt.
    const int r = 6;
    const MatrixXd W = random_W(r, 12);
    const VectorXd q = random_vector(r, 13), v = random_vector(r, 14);
    const double h = 0.5;  // z is quadratic: central differences are exact
    const VectorXd y = W * (z_of(q + h * v) - z_of(q - h * v)) / (2 * h);
    StrainRateEval eval(r);
    strain_rate_force(pack(W), r, q, v, eval);
    for (Index i = 0; i < r; ++i) {
        const VectorXd e = h * VectorXd::Unit(r, i);
        EXPECT_NEAR(eval.force[i], y.dot(z_of(q + e) - z_of(q - e)) / (2 * h),
                    kSumRounding * eval.force.norm());
    }
}

TEST(StrainRate, ThePowerIsNeverNegative) {
    const int r = 7;
    const VectorXd packed = pack(random_W(r, 15));
    StrainRateEval eval(r);
    for (unsigned seed = 0; seed < 50; ++seed) {
        const VectorXd q = random_vector(r, 100 + seed, 10), v = random_vector(r, 200 + seed);
        strain_rate_force(packed, r, q, v, eval);
        EXPECT_GE(eval.force.dot(v), 0);
        strain_rate_damping(packed, r, q, eval);
        const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(eval.damping, Eigen::EigenvaluesOnly);
        EXPECT_GE(eigen.eigenvalues()[0],
                  -1e-12 * eigen.eigenvalues()[r - 1]);  // rounding around a zero eigenvalue
    }
}

TEST(StrainRate, TheTangentIsTheDerivativeOfTheForce) {  // (16)
    for (const int r : {1, 2, 3, 6, 9}) {
        const VectorXd packed = pack(random_W(r, 16)), q = random_vector(r, 17), v = random_vector(r, 18);
        StrainRateEval eval(r), plus(r), minus(r);
        strain_rate_tangent(packed, r, q, v, eval);
        const double h = 0.5;  // the force is quadratic in q and linear in v: central differences are exact
        for (Index i = 0; i < r; ++i) {
            const VectorXd e = h * VectorXd::Unit(r, i);
            strain_rate_force(packed, r, q + e, v, plus);
            strain_rate_force(packed, r, q - e, v, minus);
            EXPECT_LE((eval.stiffness.col(i) - (plus.force - minus.force) / (2 * h)).norm(),
                      kSumRounding * eval.stiffness.norm());
            strain_rate_force(packed, r, q, v + e, plus);
            strain_rate_force(packed, r, q, v - e, minus);
            EXPECT_LE((eval.damping.col(i) - (plus.force - minus.force) / (2 * h)).norm(),
                      kSumRounding * eval.damping.norm());
        }
        strain_rate_force(packed, r, q, v, plus);
        EXPECT_EQ(eval.force, plus.force);
    }
}

TEST(StrainRate, HugeAndUndefinedStatesPropagate) {
    const int r = 5;
    const VectorXd packed = pack(random_W(r, 19)), v = random_vector(r, 20);
    StrainRateEval eval(r);
    for (const double bad : {1e200, std::numeric_limits<double>::quiet_NaN()}) {
        VectorXd q = random_vector(r, 21);
        q[2] = bad;
        strain_rate_tangent(packed, r, q, v, eval);
        EXPECT_FALSE(eval.damping.allFinite());
    }
}

TEST(StrainRate, NothingIsAllocated) {
    const int r = 9;
    const VectorXd packed = pack(random_W(r, 22)), q = random_vector(r, 23), v = random_vector(r, 24);
    StrainRateEval eval(r);
    const long before = test::allocations_so_far();
    strain_rate_force(packed, r, q, v, eval);
    strain_rate_damping(packed, r, q, eval);
    strain_rate_tangent(packed, r, q, v, eval);
    EXPECT_EQ(test::allocations_so_far(), before);
}

TEST(StrainForm, RankZeroIsAnEmptyBody) {
    const auto form = symmetrize<double>(VectorXd(), 0);
    EXPECT_EQ(form.rank, 0);
    StrainRateEval eval(0);
    strain_rate_tangent(VectorXd(), 0, VectorXd(), VectorXd(), eval);
    EXPECT_EQ(eval.force.size(), 0);
}

}  // namespace
}  // namespace limber
