// SPDX-License-Identifier: Apache-2.0
// What held loads and the Coriolis force of the local frames bring into a body: no more than the loads' work;
// and a spring no more than it lost. docs/math/warping.md (28), (29).
#include "limber/warp/rotation.h"
#include "limber/warp/warp_nodes.h"
#include "tests/limber/warp/dragged_bar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {
namespace {

using namespace test;
using Eigen::Vector3d;
using Eigen::VectorXd;

// R̃(Ψq)Φq of three rows of each, written out.
Vector3d moved(const WarpRows& modes, const WarpRows& rotations, Eigen::Index at, const VectorXd& q) {
    const Vector3d w = rotations.middleRows<3>(3 * at) * q;
    return mean_rotation(w) * Vector3d(modes.middleRows<3>(3 * at) * q);
}

// What gravity and a force on the tip have done since the body was at rest, J.
double work_of(const WarpModel& model, const Vector3d& gravity, const Vector3d& force, const VectorXd& q) {
    double work = force.dot(moved(model.surface_modes, model.surface_rotations, kTip, q));
    for (Eigen::Index i = 0; i < model.nodes(); ++i)
        work += model.node_mass[i] * gravity.dot(moved(model.node_modes, model.node_rotations, i, q));
    return work;
}

double energy_of(const WarpBody& body) {
    return body.kinetic_energy() + body.elastic_energy();
}

TEST(WarpEnergy, TheWorkOfInertiaIsTheSumOverTheNodes) {
    const WarpModel model = random_warp_model(5, 13, 37);
    const VectorXd q = random_rows(5, 1, 8), p = random_rows(5, 1, 9);
    InertialField field;
    field.uniform = {1, -9.81, 2};
    field.linear = random_rows(3, 3, 10);
    double expected = 0, size = 0;
    for (Eigen::Index i = 0; i < model.nodes(); ++i) {
        const Vector3d F =
            model.node_mass[i] * field.uniform + field.linear * model.node_moment[std::size_t(i)];
        const Vector3d way = moved(model.node_modes, model.node_rotations, i, p) -
                             moved(model.node_modes, model.node_rotations, i, q);
        expected += F.dot(way);
        size += F.norm() * way.norm();
    }
    EXPECT_NEAR(WarpNodes(model).work_of_inertia(field, q, p), expected, 1e-14 * size);
}

// One step with all kinds of loads and another density: f·Δq against F·Δu, mode by mode and vertex by vertex.
TEST(WarpEnergy, TheSurplusIsTakenFromTheSpeedOrKept) {
    int taken = 0, kept = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
        const WarpModel model = random_warp_model(5, 13, 37);
        const WarpSettings settings{
            .step = OscillatorStep::ClosedForm, .gravity = {1, -9.81, 2}, .density_scale = 2};
        const FrameMotion frame{.orientation = Eigen::Quaterniond(1, 0.4, -0.3, 0.8).normalized()};
        const VertexForce force{36, {-2, 0, 5}};
        const VectorXd extra = random_rows(5, 1, 50 + seed), q = random_rows(5, 1, 60 + seed),
                       v = random_rows(5, 1, 70 + seed);
        WarpBody body = body_of(model, settings);
        ASSERT_TRUE(body.set_frame(frame).ok());
        ASSERT_TRUE(body.add_force(force).ok());
        ASSERT_TRUE(body.add_modal_force(extra).ok());
        ASSERT_TRUE(body.set_state({0, q, v}).ok());
        body.step(kFrame);
        // The step tells what its load was.
        OscillatorCoefficients k;
        set_coefficients(model.eigenvalues / 2, 0, 0, kFrame, settings.step, k);
        const VectorXd p = body.state().q;
        const VectorXd load = (p.array() - k.qq * q.array() - k.qv * v.array()) / k.qf;
        const VectorXd speed = k.vq * q.array() + k.vv * v.array() + k.vf * load.array();
        const auto way = [&](const WarpRows& modes, const WarpRows& rotations, Eigen::Index at) {
            return Vector3d(moved(modes, rotations, at, p) - moved(modes, rotations, at, q));
        };
        const Eigen::Quaterniond to_frame = frame.orientation.conjugate();
        double work =
            0.5 * extra.dot(p - q) +
            0.5 * (to_frame * force.force).dot(way(model.surface_modes, model.surface_rotations, 36));
        for (Eigen::Index i = 0; i < model.nodes(); ++i)
            work += model.node_mass[i] *
                    (to_frame * settings.gravity).dot(way(model.node_modes, model.node_rotations, i));
        const double surplus = load.dot(p - q) - work, kinetic = 0.5 * speed.squaredNorm();
        const double off = std::clamp(surplus, 0.0, kinetic);
        (surplus > 0 ? taken : kept) += 1;
        // The load comes from differences over h².
        EXPECT_NEAR(0.5 * body.state().v.squaredNorm(), kinetic - off, 1e-9 * kinetic) << seed;
        EXPECT_NEAR(body.state().surplus, surplus - off, 1e-9 * kinetic) << seed;
    }
    EXPECT_GT(taken, 3);
    EXPECT_GT(kept, 3);
}

struct Loaded {
    const char* name;
    OscillatorStep step;
    LocalCoriolis coriolis;
    double gravity, force;
};
class Undamped : public testing::TestWithParam<Loaded> {};

// Two minutes of a thirtieth, the loads switched on at once. The energy of a real body is the work of its
// loads; without (28) each of these has more within a second, and more and more. What there is no speed to
// take it from is taken in the next steps: a hundredth of the most that the loads can bring.
TEST_P(Undamped, HasNoMoreEnergyThanItsLoadsDidWork) {
    const auto& [name, step, coriolis, gravity, force] = GetParam();
    WarpBody body = body_of(bar_model(), {.step = step, .gravity = {0, 0, -gravity}, .coriolis = coriolis});
    const Vector3d pull(0, force, force);
    ASSERT_TRUE(body.add_force({kTip, pull}).ok());
    // ½λ₁|q|² <= E <= |f||q|, so E <= 2|f|²/λ₁ at the most.
    VectorXd f = bar_model().surface_modes.middleRows<3>(3 * kTip).colwise().norm() * pull.norm();
    for (Eigen::Index i = 0; i < bar_model().nodes(); ++i)
        f += bar_model().node_mass[i] * gravity *
             bar_model().node_modes.middleRows<3>(3 * i).colwise().norm().transpose();
    const double most = 2 * f.squaredNorm() / bar_model().eigenvalues[0];
    for (int i = 0; i < 3600; ++i) {
        ASSERT_TRUE(body.step(kFrame).converged);
        const double work = work_of(bar_model(), {0, 0, -gravity}, pull, body.state().q);
        ASSERT_LE(energy_of(body), work + 0.01 * most) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Loads, Undamped,
    testing::Values(Loaded{"ClosedForm", OscillatorStep::ClosedForm, LocalCoriolis::Off, 9.81, 0},
                    Loaded{"ClosedFormPulled", OscillatorStep::ClosedForm, LocalCoriolis::Off, 0, 100},
                    Loaded{"ClosedFormCoriolis", OscillatorStep::ClosedForm, LocalCoriolis::On, 9.81, 30},
                    Loaded{"SemiImplicitCoriolis", OscillatorStep::SemiImplicit, LocalCoriolis::On, 9.81,
                           1e4}),
    [](const auto& of) { return of.param.name; });

// ½λ₁|q|² <= E <= |f||q| would be E <= 2|f|²/λ₁; ten times that where a step turns farther than it can
// follow.
TEST(WarpEnergy, AnyForceIsHeldUndampedAndWithTheCoriolisForce) {
    for (const OscillatorStep step : kSteps)
        for (double size = 1; size < 1e13; size *= 1e3) {
            WarpBody body = body_of(bar_model(), {.step = step, .coriolis = LocalCoriolis::On});
            ASSERT_TRUE(body.add_force({kTip, {0, size, size}}).ok());
            const double f = bar_model().surface_modes.middleRows<3>(3 * kTip).norm() * std::sqrt(2.0) * size;
            for (int i = 0; i < 1000; ++i) {
                ASSERT_TRUE(body.step(kFrame).converged) << size;
                ASSERT_LE(energy_of(body), 20 * f * f / bar_model().eigenvalues[0]) << size << " " << i;
            }
        }
}

// The force of a spring is the gradient of its energy, by differences of it along each mode.
TEST(WarpEnergy, ASpringPullsByTheGradientOfItsEnergy) {
    for (const Warping warping : {Warping::Warped, Warping::Local, Warping::Linear}) {
        WarpBody body = body_of(bar_model(), {.warping = warping});
        const VectorXd q = 0.1 * random_rows(12, 1, 3);
        const Vector3d target(0.1, 0.4, -0.3);
        constexpr double k = 30, h = 1e-5, dt = 1e-3;
        const auto potential = [&](const VectorXd& at) {
            EXPECT_TRUE(body.set_state({0, at, VectorXd::Zero(12)}).ok());
            return 0.5 * k * (body.displacement(kCorner) - target).squaredNorm();
        };
        VectorXd expected(12);
        for (int i = 0; i < 12; ++i)
            expected[i] =
                (potential(q - h * VectorXd::Unit(12, i)) - potential(q + h * VectorXd::Unit(12, i))) /
                (2 * h);
        // A step from a state without velocity is q' - q = h² (f - Λq)/d.                            (9)
        ASSERT_TRUE(body.set_state({0, q, VectorXd::Zero(12)}).ok());
        ASSERT_TRUE(body.add_spring(kCorner, target, k, dt).ok());
        body.step(dt);
        const Eigen::ArrayXd lambda = bar_model().eigenvalues.array();
        const VectorXd force =
            ((body.state().q - q).array() * (1 + dt * dt * lambda) / (dt * dt) + lambda * q.array()).matrix();
        EXPECT_LE((force - expected).norm(), 1e-6 * expected.norm()) << static_cast<int>(warping);
    }
}

// A spring as stiff as the bar pulls it round by about a right angle, undamped, for forty swings. Nothing but
// the spring's own energy is there. It is off by s/4 of itself, s = h²k|∂u/∂q|² below 0.02, as with the
// leapfrog method, and does not grow; semi-implicit steps lose energy besides. Forces by Φᵀ R(Ψq)ᵀ do work
// along closed paths.
TEST(WarpEnergy, ASpringGivesNoMoreThanItLost) {
    for (const OscillatorStep step : kSteps)
        for (const int vertex : {kTip, kCorner, kMiddle}) {
            WarpBody body = body_of(bar_model(), {.step = step});
            constexpr double dt = 2e-3, k = 500;
            const Vector3d target(-0.4, 0.5, 0.3);
            const auto energy = [&] {
                return energy_of(body) + 0.5 * k * (body.displacement(vertex) - target).squaredNorm();
            };
            const double start = energy();
            double most = 0;
            for (int i = 0; i < 20000; ++i) {
                body.clear_forces();
                ASSERT_TRUE(body.add_spring(vertex, target, k, dt).ok());
                ASSERT_TRUE(body.step(dt).converged);
                most = std::max(most, energy());
            }
            EXPECT_LE(most / start, 1.01) << vertex;
            if (step == OscillatorStep::ClosedForm) {
                EXPECT_GE(energy() / start, 0.99) << vertex;
            }
        }
}

// What is brought too little in one swing is counted against what is too much in another: nothing is lost by
// it.
TEST(WarpEnergy, AnUndampedSwingGoesOn) {
    WarpBody body = body_of(bar_model(), {.step = OscillatorStep::ClosedForm, .gravity = {0, 0, -9.81}});
    std::array<double, 2> most{};  // of the first and the last ten seconds of two minutes
    for (int i = 0; i < 3600; ++i) {
        body.step(kFrame);
        if (i < 300) most[0] = std::max(most[0], energy_of(body));
        if (i >= 3300) most[1] = std::max(most[1], energy_of(body));
    }
    EXPECT_NEAR(most[1], most[0], 0.01 * most[0]);
}

// The same body, saved, restored and run on, in the middle of what it has to give back.
TEST(WarpEnergy, AStateThatIsRestoredGoesOnBitByBit) {
    const WarpSettings settings{.step = OscillatorStep::ClosedForm, .gravity = {0, 0, -9.81}};
    WarpBody body = body_of(bar_model(), settings), again = body_of(bar_model(), settings);
    for (int i = 0; i < 20 || (body.state().surplus == 0 && i < 1000); ++i)
        body.step(kFrame);
    ASSERT_NE(body.state().surplus, 0);
    ASSERT_TRUE(again.set_state(body.state()).ok());
    for (int i = 0; i < 50; ++i) {
        body.step(kFrame);
        again.step(kFrame);
    }
    EXPECT_EQ(again.state().q, body.state().q);
    EXPECT_EQ(again.state().v, body.state().v);
    WarpState bad = body.state();
    bad.surplus = kNaN;
    EXPECT_FALSE(again.set_state(bad).ok());
}

}  // namespace
}  // namespace limber
