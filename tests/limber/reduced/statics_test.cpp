// SPDX-License-Identifier: Apache-2.0
// Bodies in balance, against forces written out by hand, linear answers, and the masses of their own steps.
#include "limber/reduced/statics.h"

#include "limber/reduced/modes.h"
#include "tests/build/recipe/tiny_model.h"
#include "tests/limber/reduced/test_model.h"

#include <gtest/gtest.h>

#include <random>

namespace limber::test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

ReducedEquilibrium balance_of(const Model& model, const StvkSettings& settings, const VectorXd& f) {
    Result<ReducedEquilibrium> found = reduced_equilibrium(model, settings, f);
    if (!found.ok()) ADD_FAILURE() << found.error().where << ": " << found.error().problem;
    return std::move(found).value();
}

// V = ½ (k q² + 2 b q³ + c q⁴): R = k q + 3 b q² + 2 c q³, which rises everywhere for b² < ⅔ k c.
TEST(ReducedStatics, ACubicSpringIsInBalanceWhereItsForceIsTheLoad) {
    const double k = 4, b = 1, c = 2;
    for (const double q : {-2.0, -0.3, 0.8, 30.0}) {
        const auto found =
            balance_of(*oscillator(k, b, c), {}, one(k * q + 3 * b * q * q + 2 * c * q * q * q));
        EXPECT_TRUE(found.converged);
        EXPECT_NEAR(found.q[0], q, 1e-9 * std::abs(q));  // the residual's 1e-10
    }
}

TEST(ReducedStatics, ASmallLoadGivesTheLinearAnswer) {
    const auto model = tiny_model();
    const ReducedModes modes = reduced_modes(*model);
    // f = λ₁ M̃ y₁ s has the answer q = s y₁ for small s; M̃ = I as built.
    const double s = 1e-6;
    const auto found = balance_of(*model, {}, s * modes.eigenvalues[0] * modes.shapes.col(0));
    EXPECT_TRUE(found.converged);
    EXPECT_LE((found.q - s * modes.shapes.col(0)).norm(), 1e-4 * s);  // quadratic terms: O(s)
}

TEST(ReducedStatics, ALargeLoadIsBalancedToo) {
    const auto model = tiny_model();
    VectorXd f = VectorXd::Zero(model->rank);
    for (std::size_t v = 0; v < model->surface.vertices.size(); ++v)
        if (model->surface.vertices[v].x() > 0.999)
            f += model->surface.basis.middleRows<3>(3 * Eigen::Index(v)).transpose() * Vector3d(0, 0, -20);
    const auto found = balance_of(*model, {}, f);
    EXPECT_TRUE(found.converged) << found.residual;
    EXPECT_GT((model->surface.basis * found.q).lpNorm<Eigen::Infinity>(), 0.1);  // bent far
}

TEST(ReducedStatics, GravityIsTheForceOfTheWeight) {
    const Model model = random_body(5, 3);
    StvkSettings settings;
    settings.materials = {{2e3, 0.2, 500}, {3e3, 0.4, 1500}};
    const Vector3d g(0.3, -0.9, 0.1);
    VectorXd weight = VectorXd::Zero(5);
    for (std::size_t i = 0; i < 2; ++i)
        weight += settings.materials[i].density * model.stvk->groups[i].weight * g;
    const auto expected = balance_of(model, settings, weight);
    settings.gravity = g;
    const auto found = balance_of(model, settings, VectorXd::Zero(5));
    EXPECT_TRUE(found.converged);
    EXPECT_LE((found.q - expected.q).norm(), 1e-12 * expected.q.norm());
    EXPECT_GT(expected.q.norm(), 0);
}

// The forces of a body that rests there cancel: it has no acceleration.
TEST(ReducedStatics, ABodyInItsBalanceDoesNotAccelerate) {
    const ModelPtr model = random_body_ptr(6, 8);
    StvkSettings settings;
    settings.coordinates = {4, 0, 2};
    settings.gravity = {0, 0, -1};
    const VectorXd f = random_vector(6, 4);
    const auto found = balance_of(*model, settings, f);
    ASSERT_TRUE(found.converged);
    EXPECT_EQ(found.q[1], 0);
    EXPECT_EQ(found.q[3], 0);
    StvkBody body = body_of(model, settings);
    ASSERT_TRUE(body.add_reduced_force(f).ok());
    ASSERT_TRUE(body.set_state({0, found.q, VectorXd::Zero(6), VectorXd::Zero(6)}).ok());
    body.set_acceleration_from_forces();
    EXPECT_LE(body.state().a.norm(), 1e-8);  // forces are of order one
}

TEST(ReducedStatics, BadInputIsAnErrorAndNoLoadIsRest) {
    Model model = random_body(4, 1);
    EXPECT_EQ(balance_of(model, {}, VectorXd::Zero(4)).q.norm(), 0);
    EXPECT_TRUE(balance_of(model, {}, VectorXd::Zero(4)).converged);
    EXPECT_FALSE(reduced_equilibrium(model, {}, VectorXd::Zero(3)).ok());
    EXPECT_FALSE(reduced_equilibrium(model, {}, VectorXd::Constant(4, kNaN)).ok());
    StvkSettings settings;
    settings.materials = {Material{}};
    EXPECT_FALSE(reduced_equilibrium(model, settings, VectorXd::Zero(4)).ok());
    settings = {};
    settings.coordinates = {7};
    EXPECT_FALSE(reduced_equilibrium(model, settings, VectorXd::Zero(4)).ok());
    // Far beyond any use: an answer or none, but it ends and is finite.
    EXPECT_TRUE(balance_of(model, {}, VectorXd::Constant(4, 1e30)).q.allFinite());
    model.stvk = nullptr;
    EXPECT_FALSE(reduced_equilibrium(model, {}, VectorXd::Zero(4)).ok());
}

double largest_along(const Matrix3d& A) {  // over directions
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    double most = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vector3d e = Vector3d(normal(random), normal(random), normal(random)).normalized();
        most = std::max(most, e.dot(A * e));
    }
    return most;
}

// Compliance from small static loads, inverse mass from the acceleration that a force gives a body at rest.
TEST(PullStiffness, IsThatOfTheSoftestDirectionUnlessTheStepIsLong) {
    const ModelPtr model = random_body_ptr(6, 2);
    StvkSettings settings;
    settings.coordinates = {0, 1, 2, 4, 5};
    settings.materials = {{2e3, 0.3, 700}, {3e3, 0.4, 900}};
    StvkBody body = body_of(model, settings);
    const int vertex = 11;
    const auto rows = model->surface.basis.middleRows<3>(3 * vertex);
    Matrix3d compliance, inverse_mass;
    for (int axis = 0; axis < 3; ++axis) {
        const double small = 1e-7;
        const VectorXd f = rows.transpose() * (small * Vector3d::Unit(axis));
        compliance.col(axis) = rows * balance_of(*model, settings, f).q / small;
        body.clear_forces();
        ASSERT_TRUE(body.add_force({vertex, Vector3d::Unit(axis)}).ok());
        body.set_acceleration_from_forces();
        inverse_mass.col(axis) = rows * body.state().a;
    }
    const double soft = 2 / largest_along(compliance);  // searched: a little low in the compliance
    EXPECT_NEAR(suggest_pull_stiffness(body, vertex, 1e-4).value(), soft, 0.002 * soft);
    const double held = 0.25 / (4 * largest_along(inverse_mass));
    EXPECT_NEAR(suggest_pull_stiffness(body, vertex, 2).value(), held, 0.002 * held);
    EXPECT_FALSE(suggest_pull_stiffness(body, 30, 0.01).ok());
    EXPECT_FALSE(suggest_pull_stiffness(body, -1, 0.01).ok());
    EXPECT_FALSE(suggest_pull_stiffness(body, 0, 0).ok());
    EXPECT_FALSE(suggest_pull_stiffness(body, 0, kNaN).ok());
}

TEST(PullStiffness, AFixedVertexHasNone) {
    const std::shared_ptr<const Model> model = tiny_model();
    const StvkBody body = body_of(model);
    for (std::size_t v = 0; v < model->surface.vertices.size(); ++v) {
        const bool fixed = model->surface.vertices[v].x() < 1e-9;
        EXPECT_EQ(suggest_pull_stiffness(body, static_cast<int>(v), 1e-3).value() == 0, fixed) << v;
    }
}

}  // namespace
}  // namespace limber::test
