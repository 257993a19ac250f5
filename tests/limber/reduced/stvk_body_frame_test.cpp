// SPDX-License-Identifier: Apache-2.0
// Reduced bodies on a support that moves: docs/math/reduced_stvk.md (21), against the full model's consistent
// load.
#include "limber/reduced/stvk_body.h"

#include "build/reduce/reduce.h"
#include "limber/reduced/stvk_batch.h"
#include "tests/build/fem/bars.h"
#include "tests/build/fem/dense_system.h"
#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/reduced/test_model.h"

#include <gtest/gtest.h>

#include <limits>

namespace limber::build {
namespace {

using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;
using namespace limber::test;
using testing::kRubber;

constexpr int kRank = 5;
const FrameMotion kMotion{.orientation = Quaterniond(1, 0.4, -0.3, 0.8).normalized(),
                          .acceleration = {3, 1, -2},
                          .angular_velocity = {0.5, 2, 1},
                          .angular_acceleration = {-1, 0.7, 3}};

// A bar away from the axes' origin, held at its left end, so that held vertices carry inertia, too.
VolumeMesh bar() {
    return testing::moved(testing::brick_bar(4, 1, 1, {1, 0.2, 0.3}), {0.5, -0.1, 0.2});
}
FemModel full_bar() {
    const VolumeMesh mesh = bar();
    return FemModel(mesh, testing::one_material(mesh, kRubber),
                    testing::vertices_where(mesh, [](const Vertex& x) { return x.x() < 0.5 + 1e-9; }));
}
// UᵀMU = 1, random otherwise: nothing here needs modes.
MatrixXd basis(const FemModel& full) {
    const MatrixXd M = testing::dense(mass_matrix(full, MassKind::Consistent));
    const MatrixXd some = random_matrix(int(full.free_dofs()), kRank, 3);
    const MatrixXd L = (some.transpose() * M * some).llt().matrixL();
    const MatrixXd orthonormal = L.triangularView<Eigen::Lower>().solve(some.transpose()).transpose();
    MatrixXd U(3 * full.vertex_count(), kRank);
    for (int i = 0; i < kRank; ++i)
        U.col(i) = full.expand_from_free(orthonormal.col(i));
    return U;
}
// Every vertex of the volume is shown.
Model reduced_bar() {
    const FemModel full = full_bar();
    Model model;
    model.rank = kRank;
    model.surface.basis = basis(full);
    model.groups = model_groups(full);
    model.stvk = std::make_shared<const StvkModel>(reduce(full, model.surface.basis, MassKind::Consistent));
    model.surface.vertices = full.mesh().vertices;
    for (int v = 0; v < int(full.vertex_count()); ++v)
        model.surface.input_vertex.push_back(v);
    return model;
}
ModelPtr shared_bar() {
    static const ModelPtr model = std::make_shared<Model>(reduced_bar());
    return model;
}

// Uᵀ M a with the mass matrix of all vertices, those that are held included.
VectorXd projected_load(const FrameMotion& frame, const Vector3d& gravity) {
    const FemModel full = full_bar(), loose = testing::free_body(bar(), kRubber);
    const MatrixXd M = testing::dense(mass_matrix(loose, MassKind::Consistent));
    const Eigen::Matrix3d to_frame = frame.orientation.toRotationMatrix().transpose();
    const Vector3d spin = to_frame * frame.angular_velocity, spin_up = to_frame * frame.angular_acceleration;
    VectorXd a(loose.free_dofs());
    for (int v = 0; v < int(loose.vertex_count()); ++v) {
        const Vector3d x = loose.mesh().vertices[std::size_t(v)];
        a.segment<3>(3 * loose.free_index(v)) =
            to_frame * (gravity - frame.acceleration) - spin_up.cross(x) - spin.cross(spin.cross(x));
    }
    return basis(full).transpose() * loose.expand_from_free(M * a);
}

// At rest the acceleration is M̃⁻¹f̃, and M̃ = 1.
VectorXd load_of(StvkBody& body) {
    body.set_acceleration_from_forces();
    return body.state().a;
}

TEST(BodyFrame, InertiaIsTheProjectedConsistentLoadOfTheFullBody) {
    const Vector3d g(0.1, -9.81, 0.2);
    StvkBody body = body_of(shared_bar(), {.gravity = g});
    ASSERT_TRUE(body.set_frame(kMotion).ok());
    const VectorXd expected = projected_load(kMotion, g);
    EXPECT_LE((load_of(body) - expected).norm(), 1e-11 * expected.norm());  // rounding of sums over elements
}

TEST(BodyFrame, DensityScalesWeightAndInertiaAlike) {
    StvkBody body = body_of(shared_bar(), {.materials = {{1e6, 0.3, 3000}}, .gravity = {0, -9.81, 0}});
    ASSERT_TRUE(body.set_frame(kMotion).ok());
    const VectorXd expected = projected_load(kMotion, {0, -9.81, 0});  // force and mass both times three
    EXPECT_LE((load_of(body) - expected).norm(), 1e-11 * expected.norm());
}

TEST(BodyFrame, OnlyTheCoordinatesInUseFeelIt) {
    StvkBody body = body_of(shared_bar(), {.coordinates = {4, 1}});
    ASSERT_TRUE(body.set_frame(kMotion).ok());
    const VectorXd expected = projected_load(kMotion, Vector3d::Zero());
    const VectorXd found = load_of(body);
    EXPECT_NEAR(found[4], expected[4], 1e-11 * expected.norm());
    EXPECT_NEAR(found[1], expected[1], 1e-11 * expected.norm());
    EXPECT_EQ(found[0], 0);
}

TEST(BodyFrame, AUniformlyAcceleratedFrameIsGravity) {
    const Vector3d g(1, -2, -9.81);
    for (const StvkPrecision precision : {StvkPrecision::Double, StvkPrecision::Float}) {
        StvkBody heavy = body_of(shared_bar(), {.gravity = g, .precision = precision});
        StvkBody driven = body_of(shared_bar(), {.precision = precision});
        ASSERT_TRUE(driven.set_frame({.acceleration = -g}).ok());
        for (int i = 0; i < 50; ++i) {
            heavy.step(0.01);
            driven.step(0.01);
        }
        EXPECT_GT(heavy.state().q.norm(), 0);
        EXPECT_EQ(heavy.state().q, driven.state().q);
    }
}

TEST(BodyFrame, AFrameInFreeFallTakesTheWeightAway) {
    StvkBody body = body_of(shared_bar(), {.gravity = {0, 0, -9.81}});
    ASSERT_TRUE(body.set_frame({.acceleration = {0, 0, -9.81}}).ok());
    body.step(0.01);
    EXPECT_EQ(body.state().q.norm(), 0);
}

// Whether they were added before the frame turned or after.
TEST(BodyFrame, ForcesInTheWorldAreTurnedForcesInTheFrame) {
    const Vector3d g(0, 0, -9.81), f(5, 2, 1);
    const VectorXd reduced = VectorXd::Constant(kRank, 0.3);
    const Quaterniond turn = kMotion.orientation;
    StvkBody turned = body_of(shared_bar(), {.gravity = g}),
             upright = body_of(shared_bar(), {.gravity = turn.conjugate() * g});
    ASSERT_TRUE(turned.add_force({.vertex = 7, .force = f}).ok());
    ASSERT_TRUE(turned.add_reduced_force(reduced).ok());  // in the frame whichever way it turns
    ASSERT_TRUE(turned.set_frame({.orientation = turn}).ok());
    ASSERT_TRUE(turned.add_force({.vertex = 9, .force = 2 * f}).ok());
    ASSERT_TRUE(upright.add_force({.vertex = 7, .force = turn.conjugate() * f}).ok());
    ASSERT_TRUE(upright.add_force({.vertex = 9, .force = turn.conjugate() * (2 * f)}).ok());
    ASSERT_TRUE(upright.add_reduced_force(reduced).ok());
    const auto run = [](StvkBody& body) -> VectorXd {
        for (int i = 0; i < 50; ++i)
            body.step(0.01);
        return body.state().q;
    };
    const VectorXd q = run(upright);
    EXPECT_LE((run(turned) - q).norm(), 1e-12 * q.norm());
    // Back upright it feels what it would have felt there.
    ASSERT_TRUE(turned.set_frame({}).ok());
    turned.clear_forces();
    ASSERT_TRUE(turned.set({.gravity = turn.conjugate() * g}).ok());
    upright.clear_forces();
    ASSERT_TRUE(turned.set_state(upright.state()).ok());
    EXPECT_LE((run(turned) - run(upright)).norm(), 1e-12 * upright.state().q.norm());
}

// The internal force of the full body balances the centrifugal load in every direction of the basis.
TEST(BodyFrame, ASteadilyTurningBarRestsWhereElasticForcesBalanceTheCentrifugalLoad) {
    const FrameMotion turning{.angular_velocity = {0, 6, 8}};  // 10 rad/s: strains of a percent
    StvkBody body =
        body_of(shared_bar(),
                {.integrator = StvkIntegrator::BackwardEuler, .newton = 0, .tolerance = 1e-12, .alpha = 5});
    ASSERT_TRUE(body.set_frame(turning).ok());
    for (int i = 0; i < 400; ++i)
        ASSERT_TRUE(body.step(0.1).converged);
    const FemModel full = full_bar();
    const MatrixXd U = basis(full);
    VectorXd internal;
    internal_force(full, U * body.state().q, internal);
    const VectorXd load = projected_load(turning, Vector3d::Zero());
    EXPECT_GT((U * body.state().q).lpNorm<Eigen::Infinity>(), 1e-3);
    EXPECT_LE((U.transpose() * internal - load).norm(), 1e-9 * load.norm());
}

TEST(BodyFrame, ItOutlivesSettingsStatesAndClones) {
    StvkBody body = body_of(shared_bar(), {.gravity = {0, -9.81, 0}});
    ASSERT_TRUE(body.set_frame(kMotion).ok());
    ASSERT_TRUE(
        body.set({.coordinates = {0, 2}, .gravity = {0, -9.81, 0}, .precision = StvkPrecision::Float}).ok());
    ASSERT_TRUE(body.set({.gravity = {0, -9.81, 0}}).ok());
    StvkState rest = body.state();
    ASSERT_TRUE(body.set_state(rest).ok());
    StvkBody copy = body.clone();
    const VectorXd expected = projected_load(kMotion, {0, -9.81, 0});
    for (StvkBody* b : {&body, &copy}) {
        EXPECT_LE((load_of(*b) - expected).norm(), 1e-11 * expected.norm());
        EXPECT_EQ(b->frame().acceleration, kMotion.acceleration);
    }
}

TEST(BodyFrame, EveryBodyOfABatchHasItsOwn) {
    StvkBody first = body_of(shared_bar(), {.gravity = {0, -9.81, 0}}), second = first.clone();
    ASSERT_TRUE(second.set_frame(kMotion).ok());
    StvkBody still = body_of(shared_bar(), {.gravity = {0, -9.81, 0}}), moving = still.clone();
    ASSERT_TRUE(moving.set_frame(kMotion).ok());
    StvkBatch batch;
    ASSERT_TRUE(StvkBatch::can_share(first, second));
    for (int i = 0; i < 20; ++i) {
        batch.evaluate({&first, &second});
        batch.trial(0, first, 0.01);
        first.commit();
        batch.trial(1, second, 0.01);
        second.commit();
        still.step(0.01);
        moving.step(0.01);
    }
    // Sums in another order.
    EXPECT_LE((first.state().q - still.state().q).norm(), 1e-9 * still.state().q.norm());
    EXPECT_LE((second.state().q - moving.state().q).norm(), 1e-9 * moving.state().q.norm());
    EXPECT_GT((moving.state().q - still.state().q).norm(), 0.1 * still.state().q.norm());
}

TEST(BodyFrame, MovingItAllocatesNothing) {
    for (const StvkPrecision precision : {StvkPrecision::Double, StvkPrecision::Float}) {
        StvkBody body = body_of(shared_bar(), {.precision = precision});
        ASSERT_TRUE(body.add_force({.vertex = 7, .force = {1, 2, 3}}).ok());
        const long before = allocations_so_far();
        for (int i = 0; i < 3; ++i) {
            FrameMotion frame = kMotion;
            frame.acceleration.x() = i;
            ASSERT_TRUE(body.set_frame(frame).ok());
            body.step(0.01);
        }
        EXPECT_EQ(allocations_so_far(), before);
    }
}

TEST(BodyFrame, AModelWithoutMomentsMovesAndTiltsButDoesNotTurn) {
    Model old = reduced_bar();
    for (StvkGroup& group : own_stvk(old).groups)
        group.moment.resize(0, 0);
    StvkBody body = body_of(std::make_shared<Model>(old));
    EXPECT_TRUE(body.set_frame({.orientation = kMotion.orientation, .acceleration = {1, 2, 3}}).ok());
    const Status refused = body.set_frame(kMotion);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().problem.find("moments"), std::string::npos);
    EXPECT_EQ(body.frame().angular_velocity, Vector3d::Zero());
    EXPECT_EQ(body.frame().acceleration, Vector3d(1, 2, 3));
    EXPECT_FALSE(body.set_frame({.angular_acceleration = {1, 0, 0}}).ok());
}

TEST(BodyFrame, ThatOfAFreeBodyStandsStill) {
    Model free = reduced_bar();
    free.free_body = true;
    StvkBody body = body_of(std::make_shared<Model>(free));
    EXPECT_TRUE(body.set_frame({}).ok());
    EXPECT_TRUE(body.set_frame({.orientation = kMotion.orientation}).ok());
    EXPECT_FALSE(body.set_frame({.acceleration = {1, 0, 0}}).ok());
    EXPECT_FALSE(body.set_frame({.angular_velocity = {1, 0, 0}}).ok());
}

TEST(BodyFrame, WhatIsNoFrameIsRefusedAndChangesNothing) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    StvkBody body = body_of(shared_bar());
    EXPECT_FALSE(body.set_frame({.acceleration = {nan, 0, 0}}).ok());
    EXPECT_FALSE(body.set_frame({.angular_velocity = {0, nan, 0}}).ok());
    EXPECT_FALSE(body.set_frame({.orientation = Quaterniond(0, 0, 0, 0)}).ok());
    EXPECT_FALSE(body.set_frame({.orientation = Quaterniond(2, 0, 0, 0)}).ok());
    body.step(0.01);
    EXPECT_EQ(body.state().q.norm(), 0);
}

TEST(BodyFrame, AMotionBeyondAllNumbersIsContained) {
    StvkBody body = body_of(shared_bar());
    ASSERT_TRUE(body.set_frame({.acceleration = {1e300, 0, 0}, .angular_velocity = {1e200, 0, 0}}).ok());
    EXPECT_FALSE(body.step(0.01).converged);
    EXPECT_EQ(body.state().q.norm(), 0);
    ASSERT_TRUE(body.set_frame({}).ok());
    EXPECT_TRUE(body.step(0.01).converged);
    EXPECT_EQ(body.state().q.norm(), 0);
}

// The support is somewhere else and turned in the next frame of 1/30 s. What the step cannot hold is refused
// and the body stopped; it goes on afterwards.
TEST(BodyFrame, ASupportThatJumpsIsAPushThatTheStepHoldsOrRefuses) {
    const double dt = 1.0 / 30;
    for (const StvkIntegrator integrator :
         {StvkIntegrator::Newmark, StvkIntegrator::BackwardEuler, StvkIntegrator::EnergyPreserving})
        for (const double jump : {1.0, 100.0, 1e6, 1e100}) {
            StvkBody body = body_of(shared_bar(), {.integrator = integrator, .alpha = 2, .beta = 0.01});
            std::array<Pose, 3> poses;
            Eigen::VectorXf u(3 * 40);
            for (int i = 0; i < 90; ++i) {
                poses[0] = poses[1];
                poses[1] = poses[2];
                poses[2].position.x() = i >= 5 ? jump : 0;
                poses[2].orientation = i >= 5 ? kMotion.orientation : Quaterniond::Identity();
                ASSERT_TRUE(body.set_frame(motion_of(poses, dt)).ok());
                const StepReport report = body.step(dt);
                ASSERT_TRUE(report.converged || report.problem != StepProblem::TimeStep);
                body.surface_displacement(u);
                ASSERT_TRUE(body.state().q.allFinite() && body.state().v.allFinite() && u.allFinite());
                ASSERT_LE(u.lpNorm<Eigen::Infinity>(), 1e4);  // a thousand lengths, mode by mode
            }
            // Energy that must be kept cannot be lost again: that integrator may stay where it was stopped.
            if (integrator != StvkIntegrator::EnergyPreserving) {
                EXPECT_TRUE(body.step(dt).converged) << jump;
            }
        }
}

}  // namespace
}  // namespace limber::build
