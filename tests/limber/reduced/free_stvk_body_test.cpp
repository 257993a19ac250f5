// SPDX-License-Identifier: Apache-2.0
// What a free body takes and refuses, and what contact asks of it. docs/math/free_bodies.md.
#include "limber/reduced/free_stvk_body.h"

#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/reduced/free_bars.h"
#include "tests/limber/reduced/random_form.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::random_vector;

constexpr int kRankOfBar = 9;

const test::FreeBar& two_halves() {
    static const test::FreeBar made = test::small_free_bar(kRankOfBar, /*right_density=*/2500);
    return made;
}

FreeStvkBody moving_body(const StvkSettings& settings = {}) {
    FreeStvkBody body = test::free_body_of(two_halves().model, settings);
    VectorXd q = 0.03 * random_vector(kRankOfBar, 1), v = random_vector(kRankOfBar, 2);
    EXPECT_TRUE(body.set_shape(q, v).ok());
    EXPECT_TRUE(
        body.place({{1, 2, 3}, Eigen::Quaterniond(0.5, -0.5, 0.5, 0.5)}, {1, 0, -1}, {3, -4, 5}).ok());
    return body;
}

TEST(FreeStvkBody, StandsWhereTheModelStandsAndIsPlaced) {
    FreeStvkBody body = test::free_body_of(two_halves().model);
    EXPECT_LE((body.position(5) - two_halves().full.mesh().vertices[5]).norm(), 1e-15);
    EXPECT_EQ(body.settings().integrator, StvkIntegrator::EnergyPreserving);
    const Pose pose{{1, 2, 3}, Eigen::Quaterniond(0.5, -0.5, 0.5, 0.5)};
    ASSERT_TRUE(body.place(pose, {1, 0, -1}, {3, -4, 5}).ok());
    EXPECT_LE((body.pose().position - pose.position).norm(), 1e-15);
    EXPECT_LE((body.velocity() - Vector3d(1, 0, -1)).norm(), 1e-15);
    EXPECT_LE((body.angular_velocity() - Vector3d(3, -4, 5)).norm(), 1e-12);
    // A new shape leaves the spin.
    ASSERT_TRUE(body.set_shape(0.03 * random_vector(kRankOfBar, 1), random_vector(kRankOfBar, 2)).ok());
    EXPECT_LE((body.angular_velocity() - Vector3d(3, -4, 5)).norm(), 1e-12);
    EXPECT_FALSE(body.place({{NAN, 0, 0}, Eigen::Quaterniond::Identity()}, {0, 0, 0}, {0, 0, 0}).ok());
    EXPECT_FALSE(body.place(pose, {1e13, 0, 0}, {0, 0, 0}).ok());
    EXPECT_FALSE(body.place(pose, {0, 0, 0}, {0, 1e10, 0}).ok());
    EXPECT_LE((body.velocity() - Vector3d(1, 0, -1)).norm(), 1e-15);
}

TEST(FreeStvkBody, ModelsThatCannotFlyAreRefusedWithTheReason) {
    Model old = *two_halves().model;
    auto stvk = std::make_shared<StvkModel>(*old.stvk);
    for (StvkGroup& group : stvk->groups) {
        group.first_tensor.resize(0, 0);
        group.second_tensor.resize(0, 0);
    }
    old.stvk = stvk;
    auto refused = make_free_stvk_body(std::make_shared<const Model>(old));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().where, "mount");
    EXPECT_NE(refused.error().try_this.find("limber build bar.msh -o bar.glb"), std::string::npos);

    // A basis vector with some translation in it.
    build::Basis basis;
    const build::FemModel& full = two_halves().full;
    Model moved = *two_halves().model;
    moved.surface.basis.col(2) += VectorXd::Constant(moved.surface.basis.rows(), 1e-4);
    moved.stvk = std::make_shared<const StvkModel>(
        build::reduce(full, moved.surface.basis, build::MassKind::Consistent));
    refused = make_free_stvk_body(std::make_shared<const Model>(moved));
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().problem.find("basis vector 2 moves the body as a whole"), std::string::npos)
        << refused.error().problem;
}

TEST(FreeStvkBody, OtherIntegratorsAreRefused) {
    const auto problem = [](const StvkSettings& settings) {
        auto made = make_free_stvk_body(two_halves().model, settings);
        return made.ok() ? std::string("none") : made.error().where;
    };
    EXPECT_EQ(problem({}), "none");
    EXPECT_EQ(problem({.integrator = StvkIntegrator::EnergyPreserving, .newton = 0}), "none");
    EXPECT_EQ(problem({.integrator = StvkIntegrator::BackwardEuler}), "integrator");
    EXPECT_EQ(problem({.integrator = StvkIntegrator::CentralDifferences}), "integrator");
    EXPECT_EQ(problem({.newton = 3}), "newton");
    EXPECT_EQ(problem({.precision = StvkPrecision::Float}), "precision");
    EXPECT_EQ(problem({.coordinates = {99}}), "coordinates");
    EXPECT_EQ(problem({.alpha = -1}), "damping");
}

TEST(FreeStvkBody, MaterialsAreEditedAndDensitiesByOneFactor) {
    FreeStvkBody body = moving_body();
    const double kinetic = body.kinetic_energy(), elastic = body.elastic_energy();
    StvkSettings settings = body.settings();
    for (Material& material : settings.materials) {
        material.density *= 3;
        material.young *= 2;
    }
    ASSERT_TRUE(body.set(settings).ok());
    EXPECT_NEAR(body.kinetic_energy(), 3 * kinetic, 1e-12 * kinetic);
    EXPECT_NEAR(body.elastic_energy(), 2 * elastic, 1e-12 * elastic);
    EXPECT_LE((body.velocity() - Vector3d(1, 0, -1)).norm(), 1e-14);
    EXPECT_LE((body.angular_velocity() - Vector3d(3, -4, 5)).norm(), 1e-11);
    settings.materials[1].density *= 1.01;
    const FreeState before = body.state();
    const Status refused = body.set(settings);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().where, "materials");
    EXPECT_NE(refused.error().problem.find("orthogonal"), std::string::npos);
    EXPECT_EQ(body.state().momentum, before.momentum);
    settings.materials[1].density /= 1.01;
    settings.materials[1].poisson = 0.45;  // of only one group: fine
    EXPECT_TRUE(body.set(settings).ok());
}

TEST(FreeStvkBody, SomeCoordinatesAreThoseOfAModelWithoutTheOthers) {
    const std::vector<int> chosen = {0, 2, 3, 7};
    FreeStvkBody body = test::free_body_of(two_halves().model, {.coordinates = chosen});
    VectorXd q = 0.03 * random_vector(kRankOfBar, 1);
    ASSERT_TRUE(body.set_shape(q, q).ok());
    for (const int unused : {1, 4, 5, 6, 8})
        EXPECT_EQ(body.state().q[unused], 0);
    EXPECT_EQ(body.velocity_size(), 10);
    const double energy = body.kinetic_energy() + body.elastic_energy();
    for (int i = 0; i < 100; ++i)
        ASSERT_TRUE(body.step(1e-3).converged);
    EXPECT_NEAR(body.kinetic_energy() + body.elastic_energy(), energy, 1e-6 * energy);
    EXPECT_EQ(body.state().q[1], 0);
    // All again: what was not in use starts at zero.
    StvkSettings all = body.settings();
    all.coordinates.clear();
    const Vector3d spin = body.angular_velocity();
    ASSERT_TRUE(body.set(all).ok());
    EXPECT_EQ(body.velocity_size(), 6 + kRankOfBar);
    EXPECT_LE((body.angular_velocity() - spin).norm(), 1e-12 * (1 + spin.norm()));
    EXPECT_TRUE(body.step(1e-3).converged);
}

// A force on a vertex: its impulse, its torque about the centre, its share on the shape. (3)
TEST(FreeStvkBody, AForceMovesTurnsAndBends) {
    FreeStvkBody body = moving_body();
    const FreeState start = body.state();
    const double dt = 1e-3;
    HalfDrift halfway;  // where forces act
    body.half_drift(dt, halfway);
    const Vector3d force(3, -5, 2), arm = body.position(halfway, 7) - halfway.centre;
    FreeStvkBody other = body.clone();
    ASSERT_TRUE(body.add_force({7, force}).ok());
    ASSERT_TRUE(body.step(dt).converged);
    EXPECT_LE((body.state().momentum - start.momentum - dt * force).norm(), 1e-14);
    EXPECT_LE((body.state().angular_momentum - start.angular_momentum - dt * arm.cross(force)).norm(), 1e-14);
    // The same as an impulse that contact would give.
    VectorXd impulse(other.velocity_size());
    impulse << dt * force, dt * arm.cross(force),
        other.model().surface.basis.middleRows<3>(21).transpose() *
            (halfway.R.transpose() * Vector3d(dt * force));
    ASSERT_TRUE(other.trial(dt, &impulse).converged);
    EXPECT_EQ(other.state().momentum, start.momentum);
    other.commit();
    EXPECT_LE((other.state().v - body.state().v).norm(), 1e-12 * body.state().v.norm());
    EXPECT_LE((other.state().q - body.state().q).norm(), 1e-14);
    EXPECT_FALSE(body.add_force({-1, force}).ok());
    EXPECT_FALSE(body.add_force({1 << 20, force}).ok());
    EXPECT_FALSE(body.add_force({0, {NAN, 0, 0}}).ok());
    EXPECT_FALSE(body.add_reduced_force(VectorXd::Zero(3)).ok());
}

TEST(FreeStvkBody, WhatContactAsksFits) {
    FreeStvkBody body = moving_body({.tolerance = 1e-12, .alpha = 1, .beta = 0.002});
    const Eigen::Index n = body.velocity_size();
    ASSERT_EQ(n, 6 + kRankOfBar);
    VectorXd v(n), end(n), end_with(n);
    body.start_velocity(v);
    // J v is the velocity of a vertex, at the very start for a step of no length.
    HalfDrift at;
    body.half_drift(1e-12, at);
    for (const int vertex : {0, 20, 77}) {
        MatrixXd J = MatrixXd::Zero(3, n);
        body.add_jacobian(at, vertex, 1, J);
        EXPECT_LE((J * v - body.point_velocity(vertex)).norm(), 1e-9);
        EXPECT_LE((body.position(at, vertex) - body.position(vertex)).norm(), 1e-9);
        // J is the derivative of the place by the velocities.
        const double dt = 1e-4;
        HalfDrift later;
        body.half_drift(dt, later);
        EXPECT_LE((body.position(later, vertex) - body.position(vertex) - 0.5 * dt * (J * v)).norm(), 1e-6);
    }
    // A Δv = impulse up to the gyroscopic terms that A leaves out, which have a factor h.
    MatrixXd A(n, n);
    const Eigen::Matrix3d R = body.state().orientation.toRotationMatrix();
    const auto largest_error = [&](double h) {
        EXPECT_TRUE(body.trial(h).converged);
        body.trial_velocity(end);
        body.system_matrix(A);
        EXPECT_EQ(A, A.transpose());
        EXPECT_EQ(A.llt().info(), Eigen::Success);
        double largest = 0;
        for (Eigen::Index i = 0; i < n; ++i) {
            VectorXd impulse = 1e-2 * VectorXd::Unit(n, i), in_world = impulse;
            in_world.segment<3>(3) = R * impulse.segment<3>(3);
            EXPECT_TRUE(body.trial(h, &in_world).converged);
            body.trial_velocity(end_with);
            largest = std::max(largest, (A * (end_with - end) - impulse).norm() / impulse.norm());
        }
        return largest;
    };
    const double coarse = largest_error(1e-4), fine = largest_error(1e-5);
    EXPECT_LE(coarse, 0.01);
    EXPECT_LE(fine, 0.15 * coarse);
    // Positive also where the elastic energy is not convex: squeezed to half.
    VectorXd q = VectorXd::Zero(kRankOfBar);
    q[6] = 2 / two_halves().model->surface.basis.col(6).cwiseAbs().maxCoeff();
    ASSERT_TRUE(body.set_shape(q, VectorXd::Zero(kRankOfBar)).ok());
    body.trial(1e-2);
    body.system_matrix(A);
    EXPECT_EQ(A.llt().info(), Eigen::Success);
}

TEST(FreeStvkBody, NothingThatRunsInAFrameAllocates) {
    for (const StvkSettings& settings :
         {StvkSettings{}, StvkSettings{.alpha = 1, .beta = 0.001}, StvkSettings{.strain_rate = 0.001}}) {
        FreeStvkBody body = moving_body(settings);
        ASSERT_TRUE(body.add_force({3, {1, 2, 3}}).ok());
        const Eigen::Index n = body.velocity_size();
        VectorXd v(n), impulse = VectorXd::Zero(n);
        MatrixXd A(n, n), J = MatrixXd::Zero(3, n);
        HalfDrift at;
        at.q.resize(kRankOfBar);
        Eigen::VectorXf u(3 * Eigen::Index(body.model().surface.vertices.size()));
        const long before = test::allocations_so_far();
        for (int i = 0; i < 3; ++i) {
            body.clear_forces();
            EXPECT_TRUE(body.add_force({3, {1, 2, 3}}).ok());
            body.trial(1e-3, &impulse);
            body.start_velocity(v);
            body.trial_velocity(v);
            body.system_matrix(A);
            body.half_drift(1e-3, at);
            body.add_jacobian(at, 5, 0.5, J);
            body.commit();
            body.step(-1);
            body.kinetic_energy();
            body.elastic_energy();
            body.surface_displacement(u);
        }
        body.step(1e300);
        body.step(10);
        EXPECT_EQ(test::allocations_so_far(), before);
    }
}

TEST(FreeStvkBody, WhatNoBodyCanDoIsRefusedAndContained) {
    FreeStvkBody body = moving_body();
    const FreeState start = body.state();
    for (const double dt :
         {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        const StepReport report = body.step(dt);
        EXPECT_FALSE(report.converged);
        EXPECT_EQ(report.problem, StepProblem::TimeStep);
    }
    EXPECT_EQ(body.state().q, start.q);
    FreeState bad = start;
    bad.q[0] = 1e30;
    EXPECT_FALSE(body.set_state(bad).ok());
    bad = start;
    bad.v[1] = NAN;
    EXPECT_FALSE(body.set_state(bad).ok());
    bad = start;
    bad.q.resize(2);
    EXPECT_FALSE(body.set_state(bad).ok());
    bad = start;
    bad.angular_momentum = {0, 1e300, 0};
    EXPECT_FALSE(body.set_state(bad).ok());
    EXPECT_EQ(body.state().q, start.q);
    // Forces and steps beyond all bounds: nothing that is not finite comes out.
    for (const double force : {1e3, 1e8, 1e20, 1e200})
        for (const double dt : {1e-6, 1e-3, 1.0, 1e6}) {
            FreeStvkBody each = body.clone();
            ASSERT_TRUE(each.add_force({3, {force, 0, force}}).ok());
            for (int i = 0; i < 5; ++i)
                each.step(dt);
            EXPECT_TRUE(each.state().q.allFinite() && each.state().v.allFinite());
            EXPECT_TRUE(each.state().position.allFinite() && each.state().angular_momentum.allFinite());
            EXPECT_TRUE(std::isfinite(each.kinetic_energy()) && std::isfinite(each.elastic_energy()));
        }
}

}  // namespace
}  // namespace limber
