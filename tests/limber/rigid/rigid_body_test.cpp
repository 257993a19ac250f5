// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/rigid_bodies.md.
#include "limber/rigid/rigid_body.h"

#include "tests/limber/rigid/box_surface.h"
#include "tests/limber/rigid/flip_period.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace limber {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

const Vector3d kBox(0.3, 0.2, 0.1);  // m: I₁ < I₂ < I₃ about x, y, z

RigidBody box_body(const RigidSettings& settings = {}) {
    auto made = make_rigid_body(test::box_model(kBox, {0.5, -0.2, 0.1}), settings);
    EXPECT_TRUE(made.ok());
    return std::move(made).value();
}

Vector3d spin_of(const RigidBody& body) {  // body axes
    return body.state().orientation.conjugate() * body.angular_velocity();
}

// Starting at the largest ω₂; two changes of its sign make a period.
double measured_period(RigidBody& body, double dt, double duration) {
    double first = -1, last = -1, before = spin_of(body)[1];
    int crossings = 0;
    for (int i = 0; i < duration / dt; ++i) {
        body.step(dt);
        const double now = spin_of(body)[1];
        if ((now > 0) != (before > 0)) {
            const double t = body.state().time - dt * now / (now - before);
            if (first < 0) first = t;
            last = t;
            ++crossings;
        }
        before = now;
    }
    return 2 * (last - first) / (crossings - 1);
}

TEST(RigidBody, TheFlipOfTheIntermediateAxisHasThePeriodOfEulersEquations) {
    const Vector3d spin(0, 10, 0.05);  // rad/s
    for (const auto& [dt, tolerance] : {std::pair{1e-3, 1e-4}, std::pair{5e-3, 2.5e-3}}) {
        RigidBody body = box_body();
        ASSERT_TRUE(body.place({}, Vector3d::Zero(), spin).ok());
        const double exact = test::flip_period(body.inertia().diagonal(), spin);
        // The step is of second order: 25 times the error at five times the step.
        EXPECT_NEAR(measured_period(body, dt, 6 * exact), exact, tolerance * exact);
    }
}

TEST(RigidBody, MomentumIsExactAndEnergyHoldsToRounding) {
    RigidBody body = box_body({.density = 700});
    const Pose pose{{1, 2, 3}, Eigen::Quaterniond(0.5, 0.5, -0.5, 0.5)};
    ASSERT_TRUE(body.place(pose, {1, -2, 0.5}, {3, 20, -7}).ok());
    const RigidState start = body.state();
    const double energy = body.kinetic_energy();
    double largest = 0;
    for (int i = 0; i < 10000; ++i) {
        ASSERT_TRUE(body.step(1e-3).converged);
        largest = std::max(largest, std::abs(body.kinetic_energy() / energy - 1));
    }
    EXPECT_EQ(body.state().momentum, start.momentum);
    EXPECT_EQ(body.state().angular_momentum, start.angular_momentum);
    // Each step leaves Newton's tolerance of 1e-14.
    EXPECT_LE(largest, 1e-10);
    EXPECT_NEAR(body.state().orientation.norm(), 1, 1e-14);
    const Vector3d flown = start.position + 10 * Vector3d(1, -2, 0.5);
    EXPECT_LE((body.state().position - flown).norm(), 1e-11);
}

TEST(RigidBody, FliesOnAParabola) {
    const Vector3d g(0, -1, -9.81), v(2, 3, 5);
    RigidBody body = box_body({.gravity = g});
    ASSERT_TRUE(body.place({}, v, {1, 2, 3}).ok());
    const Vector3d from = body.state().position;
    for (int i = 0; i < 1000; ++i)
        body.step(1e-3);
    // The trapezoidal rule is exact for a constant acceleration.
    EXPECT_LE((body.state().position - (from + v + 0.5 * g)).norm(), 1e-12);
}

// L̇ = N: a force on a corner for one step, with the arm halfway: that at the start, the body does not spin.
// (3)
TEST(RigidBody, AForceOnAVertexTurnsAndMovesIt) {
    RigidBody body = box_body();
    const double dt = 1e-2;
    const Vector3d force(1, -2, 3), arm = body.model().surface.vertices[6] - body.state().position;
    ASSERT_TRUE(body.add_force({6, force}).ok());
    body.step(dt);
    EXPECT_LE((body.state().momentum - dt * force).norm(), 1e-16);
    EXPECT_LE((body.state().angular_momentum - dt * arm.cross(force)).norm(), 1e-16);
    body.clear_forces();
    const RigidState pushed = body.state();
    body.step(dt);
    EXPECT_EQ(body.state().momentum, pushed.momentum);
    // Spinning about z by a quarter turn a step, the arm halfway is turned by an eighth.
    RigidBody spinning = box_body();
    const double quarter = 1.5707963267948966, spin = quarter / dt;
    ASSERT_TRUE(spinning.place({}, {0, 0, 0}, {0, 0, spin}).ok());
    const Vector3d before = spinning.state().angular_momentum;
    ASSERT_TRUE(spinning.add_force({6, force}).ok());
    spinning.step(dt);
    const Vector3d turned = Eigen::AngleAxisd(0.5 * quarter, Vector3d::UnitZ()) * arm;
    EXPECT_LE((spinning.state().angular_momentum - before - dt * turned.cross(force)).norm(),
              1e-13 * before.norm());
}

TEST(RigidBody, ATrialChangesNothingAndAnImpulseIsAForceThroughTheStep) {
    RigidBody body = box_body({.gravity = {0, 0, -9.81}});
    ASSERT_TRUE(body.place({}, {1, 0, 0}, {0, 4, 1}).ok());
    const RigidState start = body.state();
    VectorXd impulse(6);
    impulse << 0.1, 0.2, 0.3, 0.01, -0.02, 0.005;
    body.trial(1e-3, &impulse);
    body.trial(1e-3);
    EXPECT_EQ(body.state().position, start.position);
    EXPECT_EQ(body.state().orientation.coeffs(), start.orientation.coeffs());
    body.trial(1e-3, &impulse);
    body.commit();
    const Vector3d weight = 1e-3 * body.mass() * Vector3d(0, 0, -9.81);
    EXPECT_LE((body.state().momentum - start.momentum - weight - impulse.head<3>()).norm(), 1e-15);
    EXPECT_LE((body.state().angular_momentum - start.angular_momentum - impulse.tail<3>()).norm(), 1e-15);
}

TEST(RigidBody, PointsMoveAsTheBodyDoes) {
    RigidBody body = box_body();
    ASSERT_TRUE(body.place({{1, 2, 3}, Eigen::Quaterniond(0.6, 0, 0.8, 0)}, {1, 2, 3}, {4, -5, 6}).ok());
    EXPECT_LE((body.position(3) - (body.pose() * body.model().surface.vertices[3])).norm(), 1e-15);
    RigidBody before = body.clone(), after = body.clone();
    const double h = 1e-5;
    ASSERT_TRUE(before.place(body.pose(), -body.velocity(), -body.angular_velocity()).ok());
    before.step(h);
    after.step(h);
    const Vector3d difference = (after.position(3) - before.position(3)) / (2 * h);
    EXPECT_LE((difference - body.point_velocity(3)).norm(), 1e-7 * difference.norm());  // h² and rounding/h
}

TEST(RigidBody, DensityChangesKeepTheVelocities) {
    RigidBody body = box_body();
    ASSERT_TRUE(body.place({}, {1, 2, 3}, {4, 5, 6}).ok());
    ASSERT_TRUE(body.set({.density = 8000}).ok());
    EXPECT_NEAR(body.mass(), 8000 * kBox.prod(), 1e-12);
    EXPECT_LE((body.velocity() - Vector3d(1, 2, 3)).norm(), 1e-14);
    EXPECT_LE((body.angular_velocity() - Vector3d(4, 5, 6)).norm(), 1e-14);
}

TEST(RigidBody, StepsAreBoundedWhateverTheSpin) {
    RigidBody body = box_body();
    ASSERT_TRUE(body.place({}, Vector3d::Zero(), {0, 1e5, 1}).ok());
    const StepReport fast = body.step(1e-3);  // 100 rad in a step: made in parts
    EXPECT_TRUE(fast.converged);
    const RigidState state = body.state();
    const StepReport refused = body.step(10);  // a million radians
    EXPECT_FALSE(refused.converged);
    EXPECT_EQ(refused.problem, StepProblem::NotSolved);
    EXPECT_EQ(body.state().orientation.coeffs(), state.orientation.coeffs());
    EXPECT_EQ(body.state().time, state.time);
}

TEST(RigidBody, BadInputIsRefusedAndChangesNothing) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    RigidBody body = box_body();
    const RigidState state = body.state();
    EXPECT_FALSE(body.set({.density = 0}).ok());
    EXPECT_FALSE(body.set({.density = nan}).ok());
    EXPECT_FALSE(body.set({.gravity = {nan, 0, 0}}).ok());
    EXPECT_FALSE(body.place({{nan, 0, 0}, {1, 0, 0, 0}}, {}, {}).ok());
    EXPECT_FALSE(body.place({{0, 0, 0}, {0, 0, 0, 0}}, Vector3d::Zero(), Vector3d::Zero()).ok());
    EXPECT_FALSE(body.place({}, {1e300, 0, 0}, Vector3d::Zero()).ok());
    EXPECT_FALSE(body.add_force({8, {1, 0, 0}}).ok());
    EXPECT_FALSE(body.add_force({-1, {1, 0, 0}}).ok());
    EXPECT_FALSE(body.add_force({0, {1, nan, 0}}).ok());
    EXPECT_EQ(body.step(0).problem, StepProblem::TimeStep);
    EXPECT_EQ(body.step(nan).problem, StepProblem::TimeStep);
    EXPECT_EQ(body.state().position, state.position);
    EXPECT_EQ(body.settings().density, 1000);
    // A push beyond all numbers is refused too.
    ASSERT_TRUE(body.add_force({0, {1e300, 0, 0}}).ok());
    EXPECT_FALSE(body.step(1).converged);
    EXPECT_EQ(body.state().position, state.position);
}

}  // namespace
}  // namespace limber
