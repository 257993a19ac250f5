// SPDX-License-Identifier: Apache-2.0
// Warped bodies in balance: the equation written out with Eigen's own rotations, and bodies that came to
// rest.
#include "limber/warp/statics.h"

#include "tests/limber/warp/random_warp_model.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace limber::test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

WarpedEquilibrium balance_of(const WarpModel& model, const WarpSettings& settings,
                             const std::vector<VertexForce>& forces) {
    Result<WarpedEquilibrium> found =
        warped_equilibrium(std::make_shared<const WarpModel>(model), settings, forces);
    if (!found.ok()) ADD_FAILURE() << found.error().where << ": " << found.error().problem;
    return std::move(found).value();
}

// Φᵀ R(Ψq)ᵀ F of a point.
VectorXd modal_force(const WarpRows& modes, const WarpRows& rotations, Eigen::Index point, const VectorXd& q,
                     const Vector3d& force) {
    const Vector3d w = rotations.middleRows<3>(3 * point) * q;
    const Matrix3d R = Eigen::AngleAxisd(w.norm(), w.normalized()).toRotationMatrix();
    return modes.middleRows<3>(3 * point).transpose() * (R.transpose() * force);
}

const std::vector<VertexForce> kPulls = {{1, {0.4, -0.3, 0.2}}, {4, {0, 0.5, 0.1}}};

TEST(WarpedStatics, TheElasticForceIsTheTurnedLoad) {
    const WarpModel model = random_warp_model(5, 8, 6);
    WarpSettings settings;
    settings.gravity = {0.02, -0.05, 0.03};
    settings.young_scale = 1.5;
    settings.density_scale = 0.7;
    const WarpedEquilibrium found = balance_of(model, settings, kPulls);
    ASSERT_TRUE(found.converged) << found.change;
    VectorXd load = VectorXd::Zero(5);
    for (const VertexForce& f : kPulls)
        load += modal_force(model.surface_modes, model.surface_rotations, f.vertex, found.q, f.force);
    for (Eigen::Index n = 0; n < 8; ++n)
        load += modal_force(model.node_modes, model.node_rotations, n, found.q,
                            settings.density_scale * model.node_mass[n] * settings.gravity);
    const VectorXd elastic = settings.young_scale * model.eigenvalues.cwiseProduct(found.q);
    EXPECT_LE((elastic - load).norm(), 1e-9 * load.norm());  // λ up to 100 times the change of 1e-11
    // The load turns with the shape: without that the answer is another one.
    settings.warping = Warping::Linear;
    EXPECT_GT((balance_of(model, settings, kPulls).q - found.q).norm(), 0.01 * found.q.norm());
}

TEST(WarpedStatics, LinearModesGiveTheLinearAnswer) {
    const WarpModel model = random_warp_model(5, 8, 6);
    WarpSettings settings;
    settings.warping = Warping::Linear;
    VectorXd load = VectorXd::Zero(5);
    for (const VertexForce& f : kPulls)
        load += model.surface_modes.middleRows<3>(3 * f.vertex).transpose() * f.force;
    const WarpedEquilibrium found = balance_of(model, settings, kPulls);
    EXPECT_TRUE(found.converged);
    EXPECT_LE((found.q - load.cwiseQuotient(model.eigenvalues)).norm(), 1e-13 * found.q.norm());
}

TEST(WarpedStatics, ADampedBodyComesToRestThere) {
    const WarpModel model = random_warp_model(5, 8, 6, 2);
    WarpSettings settings;
    settings.gravity = {0.02, -0.05, 0.03};
    settings.alpha = 2;
    settings.density_scale = 1.3;
    WarpBody body = body_of(model, settings);
    for (const VertexForce& f : kPulls)
        ASSERT_TRUE(body.add_force(f).ok());
    for (int i = 0; i < 4000; ++i)
        ASSERT_TRUE(body.step(0.02).converged);
    const WarpedEquilibrium found = balance_of(model, settings, kPulls);
    EXPECT_TRUE(found.converged);
    EXPECT_LE((body.state().q - found.q).norm(), 1e-9 * found.q.norm());
}

TEST(WarpedStatics, BadInputIsAnError) {
    const auto model = std::make_shared<const WarpModel>(random_warp_model(5, 0, 6));
    EXPECT_FALSE(warped_equilibrium(nullptr, {}, {}).ok());
    EXPECT_FALSE(warped_equilibrium(model, {}, {{6, {0, 0, 1}}}).ok());
    EXPECT_FALSE(warped_equilibrium(model, {}, {{0, {kNaN, 0, 1}}}).ok());
    WarpSettings heavy;
    heavy.gravity = {0, 0, -1};  // no node carries mass
    EXPECT_FALSE(warped_equilibrium(model, heavy, {}).ok());
    const WarpedEquilibrium rest = balance_of(*model, {}, {});
    EXPECT_TRUE(rest.converged);
    EXPECT_EQ(rest.q.norm(), 0);
    EXPECT_TRUE(balance_of(*model, {}, {{0, {1e300, 1e300, 1e300}}}).q.allFinite());
}

// Compliance and inverse mass along searched directions, from linear answers and the modes' unit mass.
TEST(WarpedStatics, ThePullStiffnessIsThatOfTheSoftestDirectionUnlessTheStepIsLong) {
    const WarpModel model = random_warp_model(5, 8, 6);
    WarpSettings settings;
    settings.warping = Warping::Linear;
    settings.young_scale = 3;
    settings.density_scale = 0.5;
    const WarpBody body = body_of(model, settings);
    const int vertex = 3;
    const auto rows = model.surface_modes.middleRows<3>(3 * vertex);
    std::mt19937 random(2);
    std::normal_distribution<double> normal;
    double compliance = 0, inverse_mass = 0;
    for (int i = 0; i < 5000; ++i) {
        const Vector3d e = Vector3d(normal(random), normal(random), normal(random)).normalized();
        const VectorXd f = rows.transpose() * e;
        compliance = std::max(compliance, f.cwiseQuotient(model.eigenvalues).dot(f) / 3);
        inverse_mass = std::max(inverse_mass, f.squaredNorm() / 0.5);
    }
    const double soft = 2 / compliance, held = 0.25 / inverse_mass;
    EXPECT_NEAR(suggest_pull_stiffness(body, vertex, 1e-4).value(), soft, 0.005 * soft);
    EXPECT_NEAR(suggest_pull_stiffness(body, vertex, 1).value(), held, 0.005 * held);
    const Vector3d answer = rows * balance_of(model, settings, {{vertex, Vector3d::UnitX()}}).q;
    EXPECT_LE(answer.x(), compliance * 1.005);
    EXPECT_FALSE(suggest_pull_stiffness(body, 6, 0.01).ok());
    EXPECT_FALSE(suggest_pull_stiffness(body, 0, -1).ok());
}

}  // namespace
}  // namespace limber::test
