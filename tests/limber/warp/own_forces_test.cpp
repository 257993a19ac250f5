// SPDX-License-Identifier: Apache-2.0
// Constraints held by forces and torques at the constrained vertices themselves: docs/math/warping.md,
// section 8.
#include "limber/warp/energy_budget.h"
#include "limber/warp/rotation.h"
#include "limber/warp/warp_body.h"
#include "tests/limber/warp/dragged_bar.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>

namespace limber {
namespace {

using namespace test;
using Eigen::AngleAxisd;
using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

const WarpModel& model_of_sixteen_modes() {
    static const WarpModel model = warp_of(clamped(slender_bar()), 16);
    return model;
}

struct Beginning {
    const char* name;
    double gravity, beta;
    double turn;  // of the tip, rad
    double met;   // of the frames, in closed form
};
class Drag : public testing::TestWithParam<Beginning> {};

// From where it stands after a third of a second to eight places, five seconds there and five seconds held.
// Semi-implicit steps meet every frame. In closed form, without damping or from a folded shape, the branch of
// shapes on which the body is may end before the target: it is left within seconds.
TEST_P(Drag, MeetsItsPosition) {
    const auto& [name, gravity, beta, turn, met] = GetParam();
    int frames = 0, met_frames = 0;
    std::mt19937 engine(7);
    std::uniform_real_distribution<double> uniform(-0.35, 0.35);
    for (const OscillatorStep step : kSteps)
        for (const int held : {kTip, kCorner, kMiddle})
            for (int place = 0; place < 8; ++place) {
                WarpBody body = body_of(model_of_sixteen_modes(),
                                        {.step = step, .beta = beta, .gravity = {0, 0, -gravity}});
                const VectorXd bent = VectorXd::Unit(16, 0) + 0.2 * VectorXd::Unit(16, 2);
                const Eigen::Index at = 3 * kTip;
                ASSERT_TRUE(
                    body.set_state({0,
                                    turn /
                                        (model_of_sixteen_modes().surface_rotations.middleRows<3>(at) * bent)
                                            .norm() *
                                        bent,
                                    VectorXd::Zero(16)})
                        .ok());
                for (int i = 0; i < 10; ++i)
                    body.step(kFrame);
                const double reach = held == kMiddle ? 0.3 : 1;
                const Vector3d from = body.displacement(held),
                               to = reach * Vector3d(uniform(engine), uniform(engine), uniform(engine));
                ASSERT_TRUE(body.set_constraints(
                                    {.positions = {{held, from}}, .positions_by = PositionMethod::Newton})
                                .ok());
                for (int i = 0; i < 300; ++i) {
                    const Vector3d target = from + std::min(i / 150.0, 1.0) * (to - from);
                    ASSERT_TRUE(body.set_position_target(0, target).ok());
                    ASSERT_TRUE(body.step(kFrame).converged);
                    const double error = (body.displacement(held) - target).norm();
                    ASSERT_NEAR(body.constraint_report().position_error, error, 1e-12);
                    ASSERT_LE(body.constraint_report().iterations, kMostConstraintIterations);
                    if (step == OscillatorStep::SemiImplicit) {
                        ASSERT_LE(error, 1e-6) << held << " " << place << " " << i;
                    } else {
                        ++frames;
                        met_frames += error <= 1e-6 ? 1 : 0;
                    }
                }
                EXPECT_LE(farthest(body), 3);
            }
    std::cout << "closed form: met in " << met_frames << " of " << frames << " frames\n";
    EXPECT_GE(met_frames, met * frames);
}

INSTANTIATE_TEST_SUITE_P(OwnForces, Drag,
                         testing::Values(Beginning{"AtRest", 0, 0.01, 0, 1},
                                         Beginning{"AtRestUndamped", 0, 0, 0, 0.99},
                                         Beginning{"Sagging", 9.81, 0.01, 0, 1},
                                         Beginning{"Folded", 9.81, 0.01, 3, 0.99},
                                         Beginning{"RolledUpUndamped", 9.81, 0, 6, 0.9}),
                         [](const auto& beginning) { return beginning.param.name; });

// A force that is held for a step works by what its vertex moves, and the vertex stays where it is. Linear
// modes: for every step size, whatever the state; the first step goes to the target.
TEST(OwnForces, AHeldBodyGainsNoEnergy) {
    for (const OscillatorStep step : kSteps)
        for (const double dt : {0.001, 0.01, kFrame, 0.3})
            for (unsigned seed = 0; seed < 10; ++seed) {
                WarpBody body =
                    body_of(random_warp_model(9, 0, 5), {.warping = Warping::Linear, .step = step});
                ASSERT_TRUE(body.set_state({0, random_rows(9, 1, seed), random_rows(9, 1, seed + 100)}).ok());
                ASSERT_TRUE(body.set_constraints({.positions = {{2, body.displacement(2)}},
                                                  .orientations = {{3, Quaterniond::Identity()}}})
                                .ok());
                double before = 0;
                for (int i = 0; i < 200; ++i) {
                    ASSERT_TRUE(body.step(dt).converged);
                    const double energy = body.kinetic_energy() + body.elastic_energy();
                    if (i > 1) {
                        ASSERT_LE(energy, before * (1 + 1e-9)) << int(step) << " " << dt << " " << i;
                    }
                    before = energy;
                }
                EXPECT_LE(body.constraint_report().position_error, 1e-9);
                EXPECT_LE(body.constraint_report().orientation_error, 1e-9);
            }
}

// At rest the elastic forces Λq are those of the constraint, Jᵀ times three numbers: J by differences of
// (25).
TEST(OwnForces, ABodyComesToRestInAShapeOfLeastEnergyAmongThoseThatMeetTheTarget) {
    for (const OscillatorStep step : kSteps) {
        WarpBody body = body_of(bar_model(), {.step = step, .alpha = 4, .beta = 0.02});
        ASSERT_TRUE(body.set_constraints(
                            {.positions = {{kTip, {-0.3, 0.4, 0.3}}}, .positions_by = PositionMethod::Newton})
                        .ok());
        for (int i = 0; i < 900; ++i)
            ASSERT_TRUE(body.step(kFrame).converged);
        ASSERT_LE(body.constraint_report().position_error, 1e-9);
        const VectorXd q = body.state().q;
        WarpBody probe = body_of(bar_model());
        const auto place = [&](const VectorXd& at) {
            EXPECT_TRUE(probe.set_state({0, at, VectorXd::Zero(at.size())}).ok());
            return probe.displacement(kTip);
        };
        MatrixXd J(3, q.size());
        for (Eigen::Index k = 0; k < q.size(); ++k) {
            const VectorXd d = 1e-5 * VectorXd::Unit(q.size(), k);
            J.col(k) = (place(q + d) - place(q - d)) / 2e-5;
        }
        const VectorXd force = bar_model().eigenvalues.cwiseProduct(q);
        const VectorXd rest = force - J.transpose() * J.transpose().colPivHouseholderQr().solve(force);
        EXPECT_LE(rest.norm(), 1e-6 * force.norm()) << int(step);
        EXPECT_LE(body.state().v.norm(), 1e-6 * q.norm());
    }
}

TEST(OwnForces, OrientationsNeedNoVerticesAround) {
    const auto twist = [](double t) {
        return Quaterniond(AngleAxisd(0.8 * std::sin(t), Vector3d(1, 0.3, 0.2).normalized()));
    };
    for (const OscillatorStep step : kSteps)
        for (const bool placed : {false, true}) {
            WarpBody body = body_of(bar_model(), {.step = step, .alpha = 1, .gravity = {0, 0, -9.81}});
            Constraints m{.orientations = {{kTip, twist(0)}}, .positions_by = PositionMethod::Newton};
            if (placed) m.positions = {{kTip, {0, 0, 0}}};
            ASSERT_TRUE(body.set_constraints(m).ok());
            for (int i = 0; i < 300; ++i) {
                const double t = i * kFrame;
                ASSERT_TRUE(body.set_orientation_target(0, twist(t)).ok());
                if (placed) {
                    ASSERT_TRUE(
                        body.set_position_target(0, {-0.03 * (1 - std::cos(t)), 0.1 * std::sin(t), 0}).ok());
                }
                ASSERT_TRUE(body.step(kFrame).converged);
                ASSERT_LE((rotation_matrix(body.rotation(kTip)) - twist(t).toRotationMatrix()).norm(), 1e-9)
                    << i;
                ASSERT_LE(body.constraint_report().position_error, 1e-6) << i;
            }
            EXPECT_LE(farthest(body), 1);
        }
}

TEST(OwnForces, ASpeedThatIsAffordableLeavesTheEnergyThatIsAllowed) {
    const VectorXd lambda = VectorXd::LinSpaced(6, 1, 50), q = random_rows(6, 1, 1), v = random_rows(6, 1, 2);
    const double shape = oscillator_energy(lambda, q, VectorXd::Zero(6)),
                 all = oscillator_energy(lambda, q, v);
    EXPECT_EQ(affordable_speed(lambda, q, v, all * 1.01), 1);
    EXPECT_EQ(affordable_speed(lambda, q, v, shape * 0.99), 0);
    const double some = affordable_speed(lambda, q, v, 0.3 * shape + 0.7 * all);
    EXPECT_NEAR(oscillator_energy(lambda, q, some * v), 0.3 * shape + 0.7 * all, 1e-12 * all);
}

}  // namespace
}  // namespace limber
