// SPDX-License-Identifier: Apache-2.0
// Linear modes without warping, and materials that change while a body runs.
#include "limber/rigid/cross_matrix.h"
#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/warp/dragged_bar.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

using namespace test;
using Eigen::Vector3d;
using Eigen::VectorXd;

// A model whose vertices do not turn is linear whatever the setting.
TEST(WarpSettings, LinearModesMoveAsIfNothingTurned) {
    WarpModel model = random_warp_model(5, 13, 37), straight = model;
    straight.node_rotations.setZero();
    straight.surface_rotations.setZero();
    WarpSettings settings{.alpha = 0.3, .gravity = {1, -9.81, 2}, .coriolis = LocalCoriolis::On};
    WarpBody expected = body_of(straight, settings);
    settings.warping = Warping::Linear;
    WarpBody linear = body_of(model, settings);
    for (WarpBody* body : {&expected, &linear}) {
        ASSERT_TRUE(body->set_frame({.angular_velocity = {1, 2, 3}}).ok());
        ASSERT_TRUE(body->add_force({.vertex = 7, .force = {3, -2, 1}}).ok());
        for (int i = 0; i < 50; ++i)
            body->step(kFrame);
    }
    EXPECT_EQ(linear.state().q, expected.state().q);
    EXPECT_EQ(displacement(linear), displacement(expected));
    Eigen::VectorXf u, expected_u, normals;
    linear.surface_shape(u, normals);
    expected.surface_shape(expected_u, normals);
    EXPECT_LE((u - expected_u).norm(), 1e-6f * u.norm());
}

// N = F⁻ᵀN⁰ with F = 1 + [w]×: the shape's gradient but for its strain.
TEST(WarpSettings, LinearNormalsAreThoseOfTheLinearShape) {
    const WarpModel model = random_warp_model(5, 0, 37);
    WarpBody body = body_of(model, {.warping = Warping::Linear});
    for (const double amount : {0.0, 0.1, 3.0}) {
        ASSERT_TRUE(body.set_state({0, amount * VectorXd(random_rows(5, 1, 6)), VectorXd::Zero(5)}).ok());
        Eigen::VectorXf u, normals;
        body.surface_shape(u, normals);
        for (int v = 0; v < 37; ++v) {
            const Vector3d w = model.surface_rotations.middleRows<3>(3 * v) * body.state().q;
            const Eigen::Matrix3d F = Eigen::Matrix3d::Identity() + cross_matrix(w);
            const Vector3d expected = F.inverse().transpose() * model.normals[std::size_t(v)];
            EXPECT_LE((normals.segment<3>(3 * v).cast<double>() - expected.normalized()).norm(), 2e-6);
        }
    }
}

// A twisted bar's side face turns by atan θ in the linear shape, by θ in the warped one.
TEST(WarpSettings, NormalsOfATwistTurnAsFarAsTheShapeDoes) {
    WarpModel warp = warp_of(clamped(bar()), 6);
    const int side = vertex(10, 1, 2);  // the middle of an edge of the tip: its arm is along z
    warp.normals.assign(std::size_t(warp.vertices()), Vector3d::UnitZ());
    Eigen::Index mode = 0;
    warp.surface_rotations.row(3 * kTip).cwiseAbs().maxCoeff(&mode);
    VectorXd q = VectorXd::Zero(6);
    q[mode] = 1 / warp.surface_rotations(3 * side, mode);  // 1 rad about x
    for (const Warping warping : {Warping::Warped, Warping::Linear}) {
        WarpBody body = body_of(warp, {.warping = warping});
        ASSERT_TRUE(body.set_state({0, q, VectorXd::Zero(6)}).ok());
        Eigen::VectorXf u, normals;
        body.surface_shape(u, normals);
        const double angle = std::atan2(-normals[3 * side + 1], normals[3 * side + 2]);
        // The arm from the axis, 0.1 m along z, points where the normal does.
        const double arm = std::atan2(-u[3 * side + 1], 0.1 + u[3 * side + 2]);
        EXPECT_NEAR(angle, warping == Warping::Warped ? 1.0 : std::atan(1.0),
                    1e-4);              // w is not quite along x
        EXPECT_NEAR(arm, angle, 0.02);  // the mode's own w is an average over the elements around
    }
}

TEST(WarpSettings, WarpingMayBeSwitchedWhileRunning) {
    WarpBody body = body_of(warp_of(clamped(bar()), 6), {.alpha = 1, .gravity = {0, 0, -9.81}});
    for (int i = 0; i < 20; ++i)
        body.step(kFrame);
    const VectorXd q = body.state().q, warped = displacement(body);
    ASSERT_TRUE(body.set({.warping = Warping::Linear, .alpha = 1, .gravity = {0, 0, -9.81}}).ok());
    EXPECT_EQ(body.state().q, q);
    EXPECT_GT((displacement(body) - warped).norm(), 0.01);
    ASSERT_TRUE(body.set({.alpha = 1, .gravity = {0, 0, -9.81}}).ok());
    EXPECT_EQ(displacement(body), warped);
}

// q = cos ωt with ω² = λ young/density, to the rounding of as many steps.
TEST(WarpSettings, FrequencyGrowsWithTheRootOfStiffnessOverMass) {
    WarpModel model = random_warp_model(1, 4, 8);
    model.eigenvalues << 9;
    for (const auto& [young, density] : {std::pair{1.0, 1.0}, {2.0, 1.0}, {1.0, 4.0}, {3.0, 0.5}}) {
        WarpBody body = body_of(
            model, {.step = OscillatorStep::ClosedForm, .young_scale = young, .density_scale = density});
        ASSERT_TRUE(body.set_state({0, VectorXd::Ones(1), VectorXd::Zero(1)}).ok());
        const double omega = 3 * std::sqrt(young / density);
        for (int i = 1; i <= 100; ++i) {
            body.step(kFrame);
            ASSERT_NEAR(body.state().q[0], std::cos(omega * i * kFrame), 1e-12);
            // ½ K q² + ½ M v² is what it was; M = density·1, K = young·9.
            ASSERT_NEAR(body.elastic_energy() + body.kinetic_energy(), 4.5 * young, 1e-11);
            const double v = omega * std::sin(omega * i * kFrame);
            ASSERT_NEAR(body.kinetic_energy(), 0.5 * density * v * v, 1e-11);
        }
    }
}

// Everything that scales with the material, against a model built of the other material.
TEST(WarpSettings, ScalesAreAModelBuiltOfAnotherMaterial) {
    const Material stiff{2.5e6, 0.3, 3000};
    const build::VolumeMesh mesh = bar();
    const build::FemModel other(
        mesh, build::testing::one_material(mesh, stiff),
        build::testing::vertices_where(mesh, [](const build::Vertex& x) { return x.x() < 1e-9; }));
    WarpSettings settings{
        .alpha = 0.5, .beta = 0.003, .gravity = {0, 0, -9.81}, .coriolis = LocalCoriolis::On};
    WarpBody built = body_of(warp_of(other, 6), settings);
    settings.young_scale = 2.5;
    settings.density_scale = 3;
    WarpBody scaled = body_of(warp_of(clamped(mesh), 6), settings);
    for (WarpBody* body : {&built, &scaled}) {
        ASSERT_TRUE(body->set_frame({.acceleration = {0, 3, 0}, .angular_velocity = {1, 0, 1}}).ok());
        ASSERT_TRUE(body->add_force({.vertex = kTip, .force = {10, 40, -30}}).ok());
        for (int i = 0; i < 60; ++i)
            body->step(kFrame);
    }
    const VectorXd u = displacement(built);
    EXPECT_GT(u.lpNorm<Eigen::Infinity>(), 0.1);
    EXPECT_LE((displacement(scaled) - u).norm(), 1e-7 * u.norm());  // the eigensolver's tolerance
    EXPECT_NEAR(scaled.kinetic_energy() / built.kinetic_energy(), 1, 1e-6);
    EXPECT_NEAR(scaled.elastic_energy() / built.elastic_energy(), 1, 1e-6);
}

TEST(WarpSettings, ScalesChangeWhileRunningWithoutMovingTheBody) {
    WarpBody body = body_of(random_warp_model(5, 13, 37), {.gravity = {0, -9.81, 0}});
    for (int i = 0; i < 10; ++i)
        body.step(kFrame);
    const VectorXd q = body.state().q, v = body.state().v, u = displacement(body);
    const long before = allocations_so_far();
    const Status problem = body.set({.gravity = {0, -9.81, 0}, .young_scale = 5});
    EXPECT_EQ(allocations_so_far(), before);
    ASSERT_TRUE(problem.ok());
    EXPECT_EQ(body.state().q, q);
    EXPECT_EQ(body.state().v, v);
    EXPECT_EQ(displacement(body), u);
}

TEST(WarpSettings, ScalesBeyondReasonAreRefused) {
    WarpBody body = body_of(random_warp_model(5, 13, 37));
    for (const double scale : {0.0, -1.0, 1e-10, 1e10, kNaN}) {
        EXPECT_FALSE(body.set({.young_scale = scale}).ok());
        EXPECT_FALSE(body.set({.density_scale = scale}).ok());
    }
    EXPECT_EQ(body.settings().young_scale, 1);
}

}  // namespace
}  // namespace limber
