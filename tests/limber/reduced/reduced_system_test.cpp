// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/reduced_system.h"

#include "limber/reduced/stvk_settings.h"
#include "tests/limber/reduced/test_model.h"

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace test;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kRank = 5;

template <class Scalar = double>
ReducedSystem<Scalar> system_of(StvkSettings settings, unsigned seed) {
    const Model model = random_body(kRank, seed);
    fill_in(model, settings);
    return {make_coefficients<Scalar>(model, settings), settings.strain_rate};
}

Motion some_motion() {
    return {random_vector(kRank, 1, 0.6), random_vector(kRank, 2, 2), random_vector(kRank, 3, 4)};
}

// |b + r'(delta) x| / |b| for the correction x of b at delta: zero if Newton's matrix is the derivative. The
// residual is cubic in delta, for which this difference of four points is exact at any h.
template <class Equation>
double matrix_error(Equation& equation) {
    const VectorXd delta = random_vector(kRank, 4, 0.3), b = random_vector(kRank, 5, 10);
    VectorXd ignored(kRank), x(kRank);
    equation.residual(delta, Tangent::Keep, ignored);
    const LinearReport linear = equation.correction(b, 1e-12, x);
    EXPECT_TRUE(linear.solved);
    EXPECT_FALSE(linear.shifted);
    const auto r = [&](double h) {
        VectorXd out(kRank);
        equation.residual(delta + h * x, Tangent::Skip, out);
        return out;
    };
    const double h = 0.5 / x.norm();
    const VectorXd derivative = (8 * (r(h) - r(-h)) - (r(2 * h) - r(-2 * h))) / (12 * h);
    return (b + derivative).norm() / b.norm();
}

std::vector<StvkSettings> dampings() {
    return {
        {},
        {.alpha = 3},
        {.beta = 0.1},
        {.strain_rate = 0.1},
        {.materials = {{1e3, 0.3, 300}, {2e3, 0.4, 2000}}, .alpha = 1, .beta = 0.05, .strain_rate = 0.08}};
}

TEST(ReducedSystem, NewtonsMatrixIsTheDerivativeInEveryImplicitScheme) {
    const Motion motion = some_motion();
    const VectorXd f = random_vector(kRank, 6, 5);
    const double dt = 0.1;
    for (const StvkSettings& settings : dampings()) {
        ReducedSystem<double> system = system_of(settings, 1);
        for (const ImplicitScheme scheme : {ImplicitScheme::Newmark, ImplicitScheme::BackwardEuler}) {
            const ImplicitOptions options{.scheme = scheme, .alpha = settings.alpha, .beta = settings.beta};
            ImplicitWork work;
            const auto rates = implicit_detail::prepare(motion, scheme, dt, work.at_zero);
            implicit_detail::Equation<ReducedSystem<double>> equation{system,  f,    rates,
                                                                      options, work, work.next};
            EXPECT_LE(matrix_error(equation), 1e-10);  // rounding
        }
        const AverageOptions options{.alpha = settings.alpha, .beta = settings.beta};
        AverageWork work;
        system.force(motion.u, work.force_at_start);
        average_detail::Equation<ReducedSystem<double>> equation{system,  motion, f,        dt,
                                                                 options, work,   work.next};
        EXPECT_LE(matrix_error(equation), 1e-10);
    }
}

TEST(ReducedSystem, TheMeanForceOfTheEnergyPreservingSchemeIsTheIntegral) {
    // delta · (mean of R along delta) = V(end) - V(start), for any delta.
    ReducedSystem<double> system = system_of({}, 2);
    const Motion motion = some_motion();
    const VectorXd none = VectorXd::Zero(kRank), delta = random_vector(kRank, 8, 1.5);
    AverageWork work;
    const AverageOptions options;
    VectorXd r(kRank), inertia(kRank);
    system.force(motion.u, work.force_at_start);
    const double dt = 0.3;
    average_detail::Equation<ReducedSystem<double>> equation{system,  motion, none,     dt,
                                                             options, work,   work.next};
    equation.residual(delta, Tangent::Skip, r);
    system.mass_times((2 / dt) * (delta / dt - motion.v), inertia);
    const double work_done = delta.dot(-r - inertia);
    const double expected = system.energy(motion.u + delta) - system.energy(motion.u);
    EXPECT_NEAR(work_done, expected, 1e-12 * (std::abs(expected) + inertia.norm() * delta.norm()));
}

TEST(ReducedSystem, AnIndefiniteMatrixIsShiftedUntilItsCorrectionGoesDownhill) {
    for (const double strain_rate : {0.0, 0.01}) {
        ReducedSystem<double> system = system_of({.strain_rate = strain_rate}, 3);
        VectorXd force(kRank), x(kRank);
        system.linearize(random_vector(kRank, 1), force);
        const VectorXd b = random_vector(kRank, 2), v = random_vector(kRank, 3);
        const LinearReport report = system.solve({.mass = -200, .stiffness = 1}, v, b, 0, x);
        EXPECT_TRUE(report.solved);
        EXPECT_TRUE(report.shifted);
        EXPECT_GT(b.dot(x), 0);
    }
}

TEST(ReducedSystem, AMatrixThatIsNotFiniteIsNotSolved) {
    ReducedSystem<double> system = system_of({}, 3);
    VectorXd force(kRank), x(kRank);
    system.linearize(VectorXd::Constant(kRank, 1e200), force);
    EXPECT_FALSE(system.solve({.mass = 1}, force, random_vector(kRank, 2), 0, x).solved);
}

TEST(ReducedSystem, FloatsAgreeWithDoublesToTheirRounding) {
    const StvkSettings settings{.alpha = 1, .beta = 0.05, .strain_rate = 0.08};
    ReducedSystem<double> fine = system_of(settings, 4);
    ReducedSystem<float> coarse = system_of<float>(settings, 4);
    const VectorXd q = random_vector(kRank, 1), v = random_vector(kRank, 2), b = random_vector(kRank, 3);
    VectorXd f(kRank), g(kRank), x(kRank), y(kRank);
    fine.linearize(q, f);
    coarse.linearize(q, g);
    EXPECT_LE((f - g).norm(), 1e-6 * f.norm());  // a few roundings of 6e-8
    const TangentWeights weights{.mass = 400, .stiffness = 2, .rate = 0.05, .velocity = 20};
    fine.solve(weights, v, b, 0, x);
    coarse.solve(weights, v, b, 0, y);
    EXPECT_LE((x - y).norm(), 1e-5 * x.norm());
    EXPECT_GT((f - g).norm(), 0);
}

}  // namespace
}  // namespace limber
