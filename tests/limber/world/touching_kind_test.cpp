// SPDX-License-Identifier: Apache-2.0
// What contact asks of every kind of body. Equation numbers: docs/math/contact.md.
#include "tests/limber/world/test_world.h"

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::body_of;
using test::random_vector;
using test::random_warp_model;
using test::soft_model;

constexpr double kDt = 1e-3;

// Δv of a small impulse against A⁻¹ of it.                                                          (49)
template <class Body>
void expect_matrix(Body& body, const VectorXd& impulse, double tolerance) {
    VectorXd v_free, v_pushed;
    MatrixXd A;
    ASSERT_TRUE(body.trial(kDt).converged);
    body.trial_velocity(v_free);
    body.trial_matrix(A);
    body.drift(0.5 * kDt);
    ASSERT_EQ(A.rows(), body.velocity_size());
    EXPECT_LE((A - A.transpose()).norm(), 1e-14 * A.norm());
    ASSERT_TRUE(body.trial_touching(kDt, impulse).converged);
    body.trial_velocity(v_pushed);
    const VectorXd expected = A.llt().solve(impulse);
    EXPECT_LE((v_pushed - v_free - expected).norm(), tolerance * expected.norm());
}

TEST(TouchingKind, AnImpulseChangesTheVelocityOfANonlinearBodyByItsMatrix) {
    for (const StvkIntegrator integrator : {StvkIntegrator::BackwardEuler, StvkIntegrator::EnergyPreserving,
                                            StvkIntegrator::Newmark, StvkIntegrator::CentralDifferences})
        for (const int newton : {0, 1}) {
            StvkSettings settings;
            settings.integrator = integrator;
            settings.newton = newton;
            settings.tolerance = 1e-13;
            settings.alpha = 3;
            settings.beta = 0.002;
            settings.coordinates = {0, 2, 3, 5};
            StvkBody body = body_of(soft_model(), settings);
            StvkState state = body.state();
            state.q = random_vector(6, 1, 0.01);
            state.v = random_vector(6, 2, 0.5);
            ASSERT_TRUE(body.set_state(state).ok());
            ASSERT_EQ(body.velocity_size(), 4);
            // K changes within the step, and the rate of K is left out: both are small here.
            expect_matrix(body, random_vector(4, 3, 1e-6), 1e-2);
        }
}

TEST(TouchingKind, AnImpulseChangesTheVelocityOfAWarpedBodyByItsMatrix) {
    WarpSettings settings;
    settings.alpha = 2;
    settings.beta = 0.01;
    settings.density_scale = 3;
    auto made = make_warp_body(std::make_shared<const WarpModel>(random_warp_model(5, 12, 30)), settings);
    ASSERT_TRUE(made.ok());
    expect_matrix(made.value(), random_vector(5, 4), 1e-12);  // linear
}

TEST(TouchingKind, AnImpulseChangesTheVelocityOfARigidBodyByItsMatrix) {
    auto made = make_rigid_body(test::box_model({0.3, 0.2, 0.1}), {});
    ASSERT_TRUE(made.ok());
    ASSERT_TRUE(made.value().place({}, {1, 2, 3}, {0.1, 0.2, -0.3}).ok());
    expect_matrix(made.value(), random_vector(6, 5, 1e-3), 1e-3);  // it turns by 10⁻⁴ rad in the step
}

TEST(TouchingKind, RowsOfAWarpedBodyAreTheDerivativeOfItsShape) {  // (48)
    for (const Warping warping : {Warping::Warped, Warping::Local, Warping::Linear}) {
        WarpSettings settings;
        settings.warping = warping;
        auto made =
            make_warp_body(std::make_shared<const WarpModel>(random_warp_model(5, 12, 30, 4)), settings);
        ASSERT_TRUE(made.ok());
        WarpBody& body = made.value();
        WarpState state = body.state();
        const VectorXd q = random_vector(5, 6, 0.3);
        state.q = q;
        ASSERT_TRUE(body.set_state(state).ok());
        body.drift(0);
        const Matrix3d axes = Matrix3d::Random();
        MatrixXd rows = MatrixXd::Zero(3, 5);
        Eigen::Matrix3Xd out = rows;
        body.add_rows(7, 0.5, axes, out);
        const double e = 1e-6;
        for (int i = 0; i < 5; ++i) {
            Vector3d difference = Vector3d::Zero();
            for (const double side : {1.0, -1.0}) {
                state.q = q + side * e * VectorXd::Unit(5, i);
                state.previous_q.resize(0);
                ASSERT_TRUE(body.set_state(state).ok());
                difference += side / (2 * e) * body.displacement(7);
            }
            EXPECT_LE((0.5 * axes * difference - out.col(i)).norm(), 1e-8 * out.norm()) << i;
        }
    }
}

TEST(TouchingKind, RowsGiveTheVelocityOfAPoint) {
    auto rigid = make_rigid_body(test::box_model({0.3, 0.2, 0.1}, {1, 2, 3}), {});
    ASSERT_TRUE(rigid.ok());
    ASSERT_TRUE(
        rigid.value().place({{1, 0, 2}, Eigen::Quaterniond(0.8, 0, 0.6, 0)}, {1, 2, 3}, {5, -3, 2}).ok());
    rigid.value().drift(0);
    const Matrix3d axes = Matrix3d::Random();
    Eigen::Matrix3Xd rows = Eigen::Matrix3Xd::Zero(3, 6);
    VectorXd v;
    rigid.value().start_velocity(v);
    rigid.value().add_rows(3, 1, axes, rows);
    EXPECT_LE((rows * v - axes * rigid.value().point_velocity(3)).norm(), 1e-13);

    StvkBody soft = body_of(soft_model());
    StvkState state = soft.state();
    state.v = random_vector(6, 7);
    ASSERT_TRUE(soft.set_state(state).ok());
    soft.drift(0);
    rows.setZero(3, 6);
    soft.start_velocity(v);
    soft.add_rows(3, 1, axes, rows);
    EXPECT_LE((rows * v - axes * soft.velocity(3)).norm(), 1e-13 * rows.norm());
}

}  // namespace
}  // namespace limber
