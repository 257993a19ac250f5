// SPDX-License-Identifier: Apache-2.0
#include "limber/warp/warp_body.h"

#include "limber/warp/rotation.h"
#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/warp/random_warp_model.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

namespace limber {
namespace {

using namespace test;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Neither multiples of a block of vertices nor of a block of nodes.
WarpModel some_model() {
    return random_warp_model(5, 13, 37);
}

VectorXd mode_entries(const WarpModel& model, unsigned seed) {
    return random_rows(model.modes(), 1, seed);
}

// Φᵀ R(Ψq)ᵀ F written out, the slow way.
VectorXd modal_force(const WarpModel& model, const VectorXd& q, const WarpSettings& settings,
                     const FrameMotion& frame, const std::vector<VertexForce>& forces) {
    VectorXd out = VectorXd::Zero(model.modes());
    const Eigen::Matrix3d to_frame = frame.orientation.toRotationMatrix().transpose();
    const auto exact = [](const Vector3d& w) -> Eigen::Matrix3d {
        return Eigen::AngleAxisd(w.norm(), w.norm() > 0 ? Vector3d(w.normalized()) : Vector3d::UnitX())
            .toRotationMatrix();
    };
    for (const VertexForce& f : forces) {
        const Vector3d w = model.surface_rotations.middleRows<3>(3 * f.vertex) * q;
        out += model.surface_modes.middleRows<3>(3 * f.vertex).transpose() *
               (exact(w).transpose() * (to_frame * f.force));
    }
    const Vector3d spin = to_frame * frame.angular_velocity, spin_up = to_frame * frame.angular_acceleration;
    for (Eigen::Index i = 0; i < model.nodes(); ++i) {
        const Vector3d s = model.node_moment[std::size_t(i)];
        const Vector3d F = model.node_mass[i] * (to_frame * (settings.gravity - frame.acceleration)) -
                           spin_up.cross(s) - spin.cross(spin.cross(s));
        const Vector3d w = model.node_rotations.middleRows<3>(3 * i) * q;
        out += model.node_modes.middleRows<3>(3 * i).transpose() * (exact(w).transpose() * F);
    }
    return out;
}

// |Φᵀ Rᵀ F| of a frame that turns steadily, mode by mode, is no more than this.
VectorXd modal_force_bound(const WarpModel& model, const Vector3d& spin) {
    VectorXd out = VectorXd::Zero(model.modes());
    for (Eigen::Index i = 0; i < model.nodes(); ++i)
        out += spin.cross(spin.cross(model.node_moment[std::size_t(i)])).norm() *
               model.node_modes.middleRows<3>(3 * i).colwise().norm().transpose();
    return out;
}

TEST(WarpBody, WithoutRotationsItIsLinearModalAnalysis) {
    WarpModel model = some_model();
    model.node_rotations.setZero();
    model.surface_rotations.setZero();
    const WarpSettings settings{.alpha = 0.3, .beta = 0.01, .gravity = {1, -9.81, 2}};
    WarpBody body = body_of(model, settings);
    const VertexForce force{.vertex = 7, .force = {3, -2, 1}};
    EXPECT_TRUE(body.add_force(force).ok());
    VectorXd q = VectorXd::Zero(5), v = q;
    const VectorXd f = modal_force(model, q, settings, {}, {force});
    for (int k = 0; k < 200; ++k) {
        body.step(kFrame);
        for (int i = 0; i < 5; ++i) {  // (1 + hc + h²λ) v' = v + h (f - λq), q' = q + hv'
            const double lambda = model.eigenvalues[i], c = settings.alpha + settings.beta * lambda;
            v[i] = (v[i] + kFrame * (f[i] - lambda * q[i])) / (1 + kFrame * c + kFrame * kFrame * lambda);
            q[i] += kFrame * v[i];
        }
    }
    EXPECT_LE((body.state().q - q).norm(), 1e-13 * q.norm());
    for (int vertex = 0; vertex < 37; ++vertex) {
        const Vector3d u = model.surface_modes.middleRows<3>(3 * vertex) * q;
        EXPECT_LE((body.displacement(vertex) - u).norm(), 1e-13 * (1 + u.norm()));
    }
}

// The speed of the closed form loses what the held load brought in beyond its work (warp_energy_test.cpp).
TEST(WarpBody, AStepTakesForcesTurnedIntoTheLocalFrames) {
    const WarpModel model = some_model();
    const FrameMotion frame{.orientation = Eigen::Quaterniond(1, 0.4, -0.3, 0.8).normalized(),
                            .acceleration = {3, 1, -2},
                            .angular_velocity = {0.5, 2, 1},
                            .angular_acceleration = {-1, 0.7, 3}};
    const std::vector<VertexForce> forces{{0, {1, 2, 3}}, {36, {-2, 0, 5}}, {36, {1, 1, 1}}};
    const VectorXd extra = mode_entries(model, 8), q = mode_entries(model, 6), v = mode_entries(model, 7);
    for (const OscillatorStep step : {OscillatorStep::SemiImplicit, OscillatorStep::ClosedForm}) {
        const WarpSettings settings{.step = step, .alpha = 0.2, .gravity = {1, -9.81, 2}};
        WarpBody body = body_of(model, settings);
        ASSERT_TRUE(body.set_frame(frame).ok());
        for (const VertexForce& f : forces)
            ASSERT_TRUE(body.add_force(f).ok());
        ASSERT_TRUE(body.add_modal_force(extra).ok());
        ASSERT_TRUE(body.set_state({1, q, v}).ok());
        body.step(kFrame);
        const VectorXd f = modal_force(model, q, settings, frame, forces) + extra;
        OscillatorCoefficients k;
        set_coefficients(model.eigenvalues, 0.2, 0, kFrame, step, k);
        const VectorXd place = k.qq * q.array() + k.qv * v.array() + k.qf * f.array();
        const VectorXd speed = k.vq * q.array() + k.vv * v.array() + k.vf * f.array();
        EXPECT_LE((body.state().q - place).norm(), 1e-13 * place.norm());
        const double kept = step == OscillatorStep::ClosedForm ? body.state().v.norm() / speed.norm() : 1;
        EXPECT_LE(kept, 1);
        EXPECT_LE((body.state().v - kept * speed).norm(), 1e-13 * speed.norm());
        EXPECT_EQ(body.state().time, 1 + kFrame);
    }
}

// Footnote 2 with lumped mass: f = -Σ m φᵀ (RᵀṘ) φ v, Ṙ by differences.
TEST(WarpBody, TheCoriolisForceIsThatOfTheTurningFramesAndDoesNoWork) {
    const WarpModel model = some_model();
    const VectorXd q = mode_entries(model, 6), v = mode_entries(model, 7);
    const auto change = [&](LocalCoriolis coriolis) -> VectorXd {
        WarpBody body = body_of(model, {.coriolis = coriolis});
        EXPECT_TRUE(body.set_state({0, q, v}).ok());
        body.step(kFrame);
        return body.state().v;
    };
    OscillatorCoefficients k;
    set_coefficients(model.eigenvalues, 0, 0, kFrame, OscillatorStep::SemiImplicit, k);
    const VectorXd force = ((change(LocalCoriolis::On) - change(LocalCoriolis::Off)).array() / k.vf).matrix();
    VectorXd expected = VectorXd::Zero(5);
    const double h = 1e-6;
    for (Eigen::Index i = 0; i < model.nodes(); ++i) {
        const auto rows = model.node_rotations.middleRows<3>(3 * i),
                   phi = model.node_modes.middleRows<3>(3 * i);
        const Eigen::Matrix3d rate =
            (rotation_matrix(rows * (q + h * v)) - rotation_matrix(rows * (q - h * v))) / (2 * h);
        expected -= model.node_mass[i] * phi.transpose() *
                    (rotation_matrix(rows * q).transpose() * (rate * (phi * v)));
    }
    EXPECT_LE((force - expected).norm(), 1e-8 * expected.norm());
    EXPECT_LE(std::abs(force.dot(v)), 1e-12 * force.norm() * v.norm());
}

TEST(WarpBody, TheFloatSurfaceIsTheWarpedOne) {
    const WarpModel model = some_model();
    WarpBody body = body_of(model);
    for (const double amount : {0.0, 1e-4, 0.3, 1.0, 4.0}) {
        ASSERT_TRUE(body.set_state({0, amount * mode_entries(model, 6), VectorXd::Zero(5)}).ok());
        Eigen::VectorXf u, normals;
        body.surface_shape(u, normals);
        ASSERT_EQ(u.size(), 3 * 37);
        ASSERT_EQ(normals.size(), 3 * 37);
        for (int v = 0; v < 37; ++v) {
            const Vector3d w = body.rotation(v);
            const Vector3d normal = rotation_matrix(w) * model.normals[std::size_t(v)];
            // Float rounding of u, and of the angle.
            EXPECT_LE((u.segment<3>(3 * v).cast<double>() - body.displacement(v)).norm(),
                      2e-6 * amount * (1 + w.norm()));
            EXPECT_LE((normals.segment<3>(3 * v).cast<double>() - normal).norm(), 2e-6 * (1 + w.norm()));
        }
    }
}

TEST(WarpBody, AModelWithoutNormalsShowsNone) {
    WarpModel model = some_model();
    model.normals.clear();
    const WarpBody body = body_of(model);
    Eigen::VectorXf u, normals(5);
    body.surface_shape(u, normals);
    EXPECT_EQ(u.size(), 3 * 37);
    EXPECT_EQ(normals.size(), 0);
}

TEST(WarpBody, NothingInAFrameAllocates) {
    const WarpModel model = some_model();
    for (const OscillatorStep step : {OscillatorStep::SemiImplicit, OscillatorStep::ClosedForm}) {
        WarpBody body = body_of(
            model, {.step = step, .alpha = 1, .gravity = {0, -9.81, 0}, .coriolis = LocalCoriolis::On});
        WarpBody copy = body.clone();
        Eigen::VectorXf u(111), normals(111);
        const VectorXd extra = VectorXd::Ones(5);
        const long before = test::allocations_so_far();
        for (int i = 0; i < 5; ++i)
            for (WarpBody* b : {&body, &copy}) {
                b->clear_forces();
                for (int f = 0; f < 20; ++f)
                    ASSERT_TRUE(b->add_force({.vertex = f, .force = {1, 2, 3}}).ok());
                ASSERT_TRUE(b->add_modal_force(extra).ok());
                ASSERT_TRUE(
                    b->set_frame({.acceleration = {double(i), 0, 0}, .angular_velocity = {0, 1, 0}}).ok());
                b->step(i % 2 == 0 ? kFrame : 0.01);
                b->step(-1);
                b->surface_shape(u, normals);
                b->displacement(3);
            }
        EXPECT_EQ(test::allocations_so_far(), before);
    }
}

// Undamped, the force switched on at once; the answer to a force of bounded size is bounded.
TEST(WarpBody, TheStepOfAThirtiethSecondIsStableForAnyForce) {
    for (const OscillatorStep step : {OscillatorStep::SemiImplicit, OscillatorStep::ClosedForm})
        for (double size = 1; size < 1e10; size *= 100) {
            const WarpModel model = some_model();
            WarpBody body =
                body_of(model, {.step = step, .alpha = step == OscillatorStep::ClosedForm ? 1.0 : 0.0});
            ASSERT_TRUE(body.add_force({.vertex = 3, .force = {size, -size, size}}).ok());
            // |Φᵀ Rᵀ F| <= |Φ| |F|
            const double most = model.surface_modes.middleRows<3>(9).norm() * std::sqrt(3.0) * size;
            Eigen::VectorXf u, normals;
            for (int i = 0; i < 1000; ++i) {
                ASSERT_TRUE(body.step(kFrame).converged) << size;
                // A force that turns in step with the motion may pump it: against damping of a tenth
                // of the frequency, ten times the static answer.
                for (int k = 0; k < 5; ++k)
                    ASSERT_LE(std::abs(body.state().q[k]), 10 * most / model.eigenvalues[k]) << size;
            }
            body.surface_shape(u, normals);
            EXPECT_TRUE(u.allFinite() && normals.allFinite());
        }
}

// On all vertices at once, others in every step: |q| of backward Euler under |f| <= F. Its free motion
// shrinks in every step by √(1 + h²λ), each step adds at most hF to the speed.
TEST(WarpBody, HugeRandomForcesAreHeld) {
    const WarpModel model = some_model();
    for (const double size : {1.0, 1e4, 1e8}) {
        WarpBody body = body_of(model);
        ASSERT_TRUE(body.set_frame({.angular_velocity = {3, -1, 2}}).ok());
        VectorXd most = modal_force_bound(model, {3, -1, 2});
        for (int v = 0; v < 37; ++v)
            most +=
                std::sqrt(3.0) * size * model.surface_modes.middleRows<3>(3 * v).colwise().norm().transpose();
        for (unsigned i = 0; i < 300; ++i) {
            const VectorXd forces = size * random_rows(3 * 37, 1, 1000 + i);
            body.clear_forces();
            for (int v = 0; v < 37; ++v)
                ASSERT_TRUE(body.add_force({v, forces.segment<3>(3 * v)}).ok());
            ASSERT_TRUE(body.step(kFrame).converged);
            for (int k = 0; k < 5; ++k) {
                const double lambda = model.eigenvalues[k];
                const double shrink = 1 / std::sqrt(1 + kFrame * kFrame * lambda);
                ASSERT_LE(std::abs(body.state().q[k]), kFrame * most[k] / std::sqrt(lambda) / (1 - shrink));
            }
        }
        Eigen::VectorXf u, normals;
        body.surface_shape(u, normals);
        EXPECT_TRUE(u.allFinite() && normals.allFinite());
    }
}

TEST(WarpBody, ForcesBeyondAllNumbersAreContained) {
    const WarpModel model = some_model();
    for (const double size : {1e20, 1e150, 1e300}) {
        WarpBody body = body_of(model);
        ASSERT_TRUE(body.add_force({.vertex = 3, .force = {size, size, -size}}).ok());
        for (int i = 0; i < 5; ++i) {
            const StepReport report = body.step(kFrame);
            EXPECT_FALSE(report.converged);
            EXPECT_EQ(report.problem, StepProblem::BlowUp);
        }
        EXPECT_EQ(body.state().q, VectorXd::Zero(5));
        EXPECT_EQ(body.state().v, VectorXd::Zero(5));
        EXPECT_EQ(body.state().time, 0);
        body.clear_forces();
        EXPECT_TRUE(body.step(kFrame).converged);
    }
    WarpBody body = body_of(model);
    ASSERT_TRUE(body.set_frame({.acceleration = {1e300, 0, 0}, .angular_velocity = {1e200, 0, 0}}).ok());
    body.step(kFrame);
    EXPECT_TRUE(body.state().q.allFinite());
    // The farthest state that is taken still shows numbers.
    ASSERT_TRUE(body.set_state({0, VectorXd::Constant(5, 1e11), VectorXd::Zero(5)}).ok());
    Eigen::VectorXf u, normals;
    body.surface_shape(u, normals);
    EXPECT_TRUE(u.allFinite() && normals.allFinite());
    EXPECT_TRUE(body.displacement(0).allFinite());
}

TEST(WarpBody, BadStepsLeaveTheBodyAlone) {
    WarpBody body = body_of(some_model(), {.gravity = {0, -9.81, 0}});
    body.step(kFrame);
    const WarpState before = body.state();
    for (const double dt : {0.0, -1.0, kNaN, 1 / 0.0, 1e200}) {
        const StepReport report = body.step(dt);
        EXPECT_FALSE(report.converged);
        EXPECT_EQ(report.problem, StepProblem::TimeStep);
        EXPECT_EQ(body.state().q, before.q);
        EXPECT_EQ(body.state().time, before.time);
    }
}

TEST(WarpBody, BadInputIsReturnedAndChangesNothing) {
    const WarpModel model = some_model();
    WarpBody body = body_of(model);
    EXPECT_FALSE(body.add_force({.vertex = -1, .force = {1, 0, 0}}).ok());
    EXPECT_FALSE(body.add_force({.vertex = 37, .force = {1, 0, 0}}).ok());
    EXPECT_FALSE(body.add_force({.vertex = 0, .force = {kNaN, 0, 0}}).ok());
    EXPECT_FALSE(body.add_modal_force(VectorXd::Zero(4)).ok());
    EXPECT_FALSE(body.add_modal_force(VectorXd::Constant(5, kNaN)).ok());
    EXPECT_FALSE(body.set_frame({.acceleration = {kNaN, 0, 0}}).ok());
    EXPECT_FALSE(body.set({.alpha = -1}).ok());
    EXPECT_FALSE(body.set({.beta = kNaN}).ok());
    EXPECT_FALSE(body.set({.gravity = {0, kNaN, 0}}).ok());
    EXPECT_FALSE(body.set_state({0, VectorXd::Zero(4), VectorXd::Zero(5)}).ok());
    EXPECT_FALSE(body.set_state({0, VectorXd::Constant(5, kNaN), VectorXd::Zero(5)}).ok());
    EXPECT_FALSE(body.set_state({0, VectorXd::Zero(5), VectorXd::Constant(5, 1e200)}).ok());
    EXPECT_FALSE(body.set_state({kNaN, VectorXd::Zero(5), VectorXd::Zero(5)}).ok());
    body.step(kFrame);
    EXPECT_EQ(body.state().q, VectorXd::Zero(5));
}

TEST(WarpBody, UnsoundModelsAreRefused) {
    EXPECT_FALSE(make_warp_body(std::shared_ptr<const WarpModel>()).ok());
    EXPECT_FALSE(make_warp_body(std::shared_ptr<const SharedWarp>()).ok());
    EXPECT_FALSE(share_warp(nullptr).ok());
    const auto refused = [](auto change) {
        WarpModel model = some_model();
        change(model);
        return !make_warp_body(std::make_shared<const WarpModel>(model)).ok();
    };
    EXPECT_FALSE(refused([](WarpModel&) {}));
    EXPECT_TRUE(refused([](WarpModel& m) { m.eigenvalues[2] = 0; }));
    EXPECT_TRUE(refused([](WarpModel& m) { m.eigenvalues[2] = kNaN; }));
    EXPECT_TRUE(refused([](WarpModel& m) { m.eigenvalues.resize(0); }));
    EXPECT_TRUE(refused([](WarpModel& m) { m.node_mass[1] = -1; }));
    EXPECT_TRUE(refused([](WarpModel& m) { m.node_moment.pop_back(); }));
    EXPECT_TRUE(refused([](WarpModel& m) { m.node_moment[0][1] = kNaN; }));
    EXPECT_TRUE(refused([](WarpModel& m) { m.normals.pop_back(); }));
    EXPECT_TRUE(refused([](WarpModel& m) { m.surface_rotations.conservativeResize(3, 5); }));
    EXPECT_TRUE(refused([](WarpModel& m) { m.surface_modes(0, 0) = kNaN; }));
    EXPECT_TRUE(refused([](WarpModel& m) { m.node_modes.conservativeResize(39, 4); }));
}

TEST(WarpBody, WithoutNodesThereIsNoGravityToAskFor) {
    WarpModel model = some_model();
    model.node_modes.resize(0, 5);
    model.node_rotations.resize(0, 5);
    model.node_mass.resize(0);
    model.node_moment.clear();
    EXPECT_FALSE(make_warp_body(std::make_shared<const WarpModel>(model), {.gravity = {0, -9.81, 0}}).ok());
    WarpBody body = body_of(model);
    EXPECT_FALSE(body.set_frame({.acceleration = {1, 0, 0}}).ok());
    EXPECT_TRUE(body.set_frame({.orientation = Eigen::Quaterniond(0, 1, 0, 0)}).ok());
    ASSERT_TRUE(body.add_force({.vertex = 0, .force = {1, 0, 0}}).ok());
    EXPECT_TRUE(body.step(kFrame).converged);
    EXPECT_GT(body.state().q.norm(), 0);
}

TEST(WarpBody, ACloneGoesOnTheSameWay) {
    WarpBody body = body_of(some_model(), {.gravity = {0, -9.81, 0}});
    ASSERT_TRUE(body.add_force({.vertex = 1, .force = {1, 2, 3}}).ok());
    body.step(kFrame);
    WarpBody copy = body.clone();
    body.step(kFrame);
    copy.step(kFrame);
    EXPECT_EQ(body.state().q, copy.state().q);
    copy.clear_forces();
    copy.step(kFrame);
    body.step(kFrame);
    EXPECT_NE(body.state().q, copy.state().q);
}

}  // namespace
}  // namespace limber
