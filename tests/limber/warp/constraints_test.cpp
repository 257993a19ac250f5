// SPDX-License-Identifier: Apache-2.0
// Dragging and twisting the paper's bar.
#include "limber/warp/constraints.h"

#include "limber/warp/companions.h"
#include "limber/warp/rotation.h"
#include "limber/warp/warp_body.h"
#include "tests/limber/reduced/allocation_counter.h"
#include "tests/limber/warp/dragged_bar.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>

namespace limber {
namespace {

using namespace test;
using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

TEST(Constraints, NewtonMeetsAPositionInEveryFrameOfADragOfTenSeconds) {
    for (const OscillatorStep step : {OscillatorStep::SemiImplicit, OscillatorStep::ClosedForm}) {
        WarpBody body = bar_body(step);
        ASSERT_TRUE(
            body.set_constraints({.positions = {{kTip, {0, 0, 0}}}, .positions_by = PositionMethod::Newton})
                .ok());
        for (int i = 0; i < 300; ++i) {
            ASSERT_TRUE(body.set_position_target(0, drag(i * kFrame)).ok());
            ASSERT_TRUE(body.step(kFrame).converged);
            // A millionth of the bar's length.
            ASSERT_LE((body.displacement(kTip) - drag(i * kFrame)).norm(), 1e-6) << i;
            ASSERT_NEAR(body.constraint_report().position_error,
                        (body.displacement(kTip) - drag(i * kFrame)).norm(), 1e-12);
        }
    }
}

// R̃(Ψp) (Φq + Γz(p)) of a vertex.
Vector3d shape_of(int v, const VectorXd& q, const VectorXd& p) {
    const WarpModel& model = bar_model();
    VectorXd z(model.companions());
    Eigen::MatrixXd slopes(model.companions(), model.modes());
    Companions(model).evaluate(p, z, slopes);
    return mean_rotation(Vector3d(model.surface_rotations.middleRows<3>(3 * v) * p)) *
           (model.surface_modes.middleRows<3>(3 * v) * q + model.surface_companions.middleRows<3>(3 * v) * z);
}

// Way (c) of footnote 4: the turns of the shape are those before. The target is met in that shape.
TEST(Constraints, ThePreviousWayMeetsThePositionInAShapeTurnedAStepAgo) {
    WarpBody body = bar_body();
    ASSERT_TRUE(
        body.set_constraints({.positions = {{kTip, {0, 0, 0}}}, .positions_by = PositionMethod::Previous})
            .ok());
    for (int i = 0; i < 300; ++i) {
        const VectorXd before = body.state().q;
        ASSERT_TRUE(body.set_position_target(0, drag(i * kFrame)).ok());
        ASSERT_TRUE(body.step(kFrame).converged);
        for (const int v : {kTip, kMiddle})
            ASSERT_LE((body.displacement(v) - shape_of(v, body.state().q, before)).norm(), 1e-14);
        ASSERT_LE((body.displacement(kTip) - drag(i * kFrame)).norm(), 1e-12) << i;
        ASSERT_LE(body.constraint_report().position_error, 1e-12) << i;
    }
    Eigen::VectorXf u, normals;
    body.surface_shape(u, normals);
    EXPECT_LE((u.segment<3>(3 * kTip).cast<double>() - body.displacement(kTip)).norm(), 1e-6);
}

// Off phase by one step: how far the shape is from that of the present rotations halves with the step.
TEST(Constraints, ThePreviousWayIsOneStepLate) {
    const auto late = [](int steps) {
        WarpBody body = body_of(bar_model(), {.alpha = 20, .beta = 0.05});  // no vibrations of its own
        EXPECT_TRUE(
            body.set_constraints({.positions = {{kTip, {0, 0, 0}}}, .positions_by = PositionMethod::Previous})
                .ok());
        double most = 0;
        for (int i = 1; i <= steps; ++i) {
            EXPECT_TRUE(body.set_position_target(0, drag(2.0 * i / steps)).ok());
            body.step(2.0 / steps);
            if (2 * i < steps) continue;  // when the start has died down
            const Vector3d present = shape_of(kTip, body.state().q, body.state().q);
            most = std::max(most, (present - body.displacement(kTip)).norm());
        }
        return most;
    };
    EXPECT_GT(late(60), 1e-4);
    EXPECT_NEAR(late(240) / late(480), 2, 0.2);
}

// Linear modes have no rotations to predict: every way meets the target at once.
TEST(Constraints, LinearModesAreDraggedExactly) {
    for (const PositionMethod method :
         {PositionMethod::Predicted, PositionMethod::Newton, PositionMethod::Previous}) {
        WarpBody body = bar_body();
        ASSERT_TRUE(body.set_constraints({.positions = {{kTip, {0, 0, 0}}}, .positions_by = method}).ok());
        body.step(kFrame);  // warped at first: what was prepared for it must not stay
        ASSERT_TRUE(body.set({.warping = Warping::Linear, .alpha = 1, .gravity = {0, 0, -9.81}}).ok());
        for (int i = 0; i < 30; ++i) {
            ASSERT_TRUE(body.set_position_target(0, drag(i * kFrame)).ok());
            ASSERT_TRUE(body.step(kFrame).converged);
            ASSERT_LE((body.displacement(kTip) - drag(i * kFrame)).norm(), 1e-12);
            ASSERT_LE(body.constraint_report().position_error, 1e-12);
        }
    }
}

TEST(Constraints, ThePredictedWayLeavesASmallErrorAndReportsIt) {
    WarpBody body = bar_body();
    ASSERT_TRUE(body.set_constraints({.positions = {{kTip, {0, 0, 0}}}}).ok());
    double most = 0;
    for (int i = 0; i < 300; ++i) {
        ASSERT_TRUE(body.set_position_target(0, drag(i * kFrame)).ok());
        ASSERT_TRUE(body.step(kFrame).converged);
        const double error = (body.displacement(kTip) - drag(i * kFrame)).norm();
        ASSERT_NEAR(body.constraint_report().position_error, error, 1e-12);
        most = std::max(most, error);
    }
    EXPECT_GT(most, 1e-6);
    EXPECT_LT(most, 0.05);  // of a drag of 0.45 m
}

// The vertices around are exercised, as in the paper: one force alone cannot turn its vertex about its arm.
TEST(Constraints, AnOrientationIsMetToRoundingInEveryFrame) {
    WarpBody body = bar_body();
    ASSERT_TRUE(body.set_constraints({.orientations = {{kTip, twist(0)}}, .exercised = kAround}).ok());
    for (int i = 0; i < 300; ++i) {
        ASSERT_TRUE(body.set_orientation_target(0, twist(i * kFrame)).ok());
        ASSERT_TRUE(body.step(kFrame).converged);
        // Rotations apart, entry by entry: the same as the angle up to √2.
        ASSERT_LE((rotation_matrix(body.rotation(kTip)) - twist(i * kFrame).toRotationMatrix()).norm(), 1e-9)
            << i;
        ASSERT_LE(body.constraint_report().orientation_error, 1e-9) << i;
    }
}

TEST(Constraints, OrientationsMayGoRoundMoreThanOnce) {
    WarpBody body = body_of(bar_model(), {.alpha = 1});
    ASSERT_TRUE(
        body.set_constraints({.orientations = {{kTip, Quaterniond::Identity()}}, .exercised = kAround}).ok());
    for (int i = 0; i <= 450; ++i) {  // a turn and a half about the bar's axis
        Quaterniond target(AngleAxisd(3 * std::numbers::pi * i / 450, Vector3d::UnitX()));
        if (i % 2 == 1) target.coeffs() *= -1;  // the same orientation
        ASSERT_TRUE(body.set_orientation_target(0, target).ok());
        ASSERT_TRUE(body.step(kFrame).converged);
    }
    EXPECT_LE((body.rotation(kTip) - Vector3d(3 * std::numbers::pi, 0, 0)).norm(), 1e-8);
}

// The six components of two forces are not enough for nine numbers.
TEST(Constraints, WhereBothCannotBeMetTheFirstTaskIs) {
    for (const TaskPriority priority : {TaskPriority::PositionFirst, TaskPriority::OrientationFirst}) {
        WarpBody body = bar_body();
        ASSERT_TRUE(body.set_constraints({.positions = {{kCorner, {0, 0, 0}}, {kOpposite, {0, 0, 0}}},
                                          .orientations = {{kTip, twist(0)}},
                                          .exercised = {kCorner, kOpposite},
                                          .priority = priority,
                                          .positions_by = PositionMethod::Newton})
                        .ok());
        double first = 0, second = 0;
        for (int i = 0; i < 300; ++i) {
            ASSERT_TRUE(body.set_position_target(0, 0.3 * drag(i * kFrame)).ok());
            ASSERT_TRUE(body.set_position_target(1, 0.3 * drag(i * kFrame)).ok());
            ASSERT_TRUE(body.set_orientation_target(0, twist(i * kFrame)).ok());
            ASSERT_TRUE(body.step(kFrame).converged);
            const ConstraintReport& report = body.constraint_report();
            const bool position_first = priority == TaskPriority::PositionFirst;
            first = std::max(first, position_first ? report.position_error : report.orientation_error);
            second = std::max(second, position_first ? report.orientation_error : report.position_error);
        }
        std::cout << "largest error of the first task " << first << ", of the second " << second << "\n";
        EXPECT_LE(first, 1e-6);
        EXPECT_GT(second, 0.05);
    }
}

// Three equations come first, three second, for five coordinates: the textbook's pseudo-inverses, by singular
// values.
TEST(Constraints, TheSecondTaskUsesWhatTheFirstLeavesAsPseudoInversesSay) {
    const WarpModel model = random_warp_model(5, 13, 37);
    const VectorXd q = 0.1 * random_rows(5, 1, 21), v = 0.1 * random_rows(5, 1, 22);
    const Vector3d position(0.1, -0.05, 0.08), turn(0.05, 0.1, -0.1);
    for (const TaskPriority priority : {TaskPriority::PositionFirst, TaskPriority::OrientationFirst}) {
        WarpBody body = body_of(model, {.warping = Warping::Linear});
        ASSERT_TRUE(body.set_state({0, q, v}).ok());
        ASSERT_TRUE(body.set_constraints(
                            {.positions = {{3, position}},
                             .orientations = {{7, Quaterniond(AngleAxisd(turn.norm(), turn.normalized()))}},
                             .priority = priority})
                        .ok());
        ASSERT_TRUE(body.step(kFrame).converged);
        // q_u of (9) without forces, and how far a force moves it.
        const Eigen::ArrayXd d = 1 + kFrame * kFrame * model.eigenvalues.array();
        const VectorXd free = ((q + kFrame * v).array() / d).matrix();
        const VectorXd root = (kFrame * kFrame / d).sqrt().matrix();
        Eigen::MatrixXd A1 = model.surface_modes.middleRows<3>(9) * root.asDiagonal(),
                        A2 = model.surface_rotations.middleRows<3>(21) * root.asDiagonal();
        VectorXd r1 = position - model.surface_modes.middleRows<3>(9) * free,
                 r2 = turn - model.surface_rotations.middleRows<3>(21) * free;
        if (priority == TaskPriority::OrientationFirst) {
            A1.swap(A2);
            r1.swap(r2);
        }
        const auto pseudo_inverse = [](const Eigen::MatrixXd& A) -> Eigen::MatrixXd {
            const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
            VectorXd s = svd.singularValues();
            for (double& x : s)
                x = x > 1e-9 * svd.singularValues()[0] ? 1 / x : 0;
            return svd.matrixV() * s.asDiagonal() * svd.matrixU().transpose();
        };
        const Eigen::MatrixXd first = pseudo_inverse(A1);
        const Eigen::MatrixXd left = A2 * (Eigen::MatrixXd::Identity(5, 5) - first * A1);
        const VectorXd f = first * r1 + pseudo_inverse(left) * (r2 - A2 * first * r1);  // (16)
        const VectorXd expected = free + root.cwiseProduct(f);
        EXPECT_GT((A2 * f - r2).norm(), 0.01 * r2.norm());  // it cannot be met
        // What the damping of the second task leaves, 1e-6 of its size.
        EXPECT_LE((body.state().q - expected).norm(), 1e-5 * expected.norm()) << int(priority);
    }
}

TEST(Constraints, PositionAndOrientationTogetherAreMetWhereTheyCanBe) {
    for (const TaskPriority priority : {TaskPriority::PositionFirst, TaskPriority::OrientationFirst}) {
        WarpBody body = bar_body();
        ASSERT_TRUE(
            body.set_constraints({.positions = {{kTip, {0, 0, 0}}},
                                  .orientations = {{kTip, twist(0)}},
                                  .exercised = {kTip, kCorner, vertex(10, 0, 0), vertex(9, 0, 2), kMiddle},
                                  .priority = priority,
                                  .positions_by = PositionMethod::Newton})
                .ok());
        for (int i = 0; i < 300; ++i) {
            ASSERT_TRUE(body.set_position_target(0, 0.3 * drag(i * kFrame)).ok());
            ASSERT_TRUE(body.set_orientation_target(0, twist(0.5 * i * kFrame)).ok());
            ASSERT_TRUE(body.step(kFrame).converged);
            const ConstraintReport& report = body.constraint_report();
            ASSERT_LE(report.position_error, 1e-6) << i;
            ASSERT_LE(report.orientation_error, 1e-6) << i;
        }
    }
}

TEST(Constraints, ContradictoryTargetsMeetInTheMiddleAndAreReported) {
    for (const PositionMethod method : {PositionMethod::Predicted, PositionMethod::Newton}) {
        WarpBody body = body_of(bar_model(), {.alpha = 1});
        ASSERT_TRUE(body.set_constraints(
                            {.positions = {{kTip, {0, 0, 0.02}}, {kTip, {0, 0, -0.02}}, {kTip, {0, 0, 0}}},
                             .positions_by = method})
                        .ok());
        for (int i = 0; i < 30; ++i)
            ASSERT_TRUE(body.step(kFrame).converged);
        EXPECT_LE(body.displacement(kTip).norm(), 1e-6);
        EXPECT_NEAR(body.constraint_report().position_error, 0.02, 1e-6);
    }
}

TEST(Constraints, UnreachableTargetsLeaveTheBodyFinite) {
    for (const PositionMethod method : {PositionMethod::Predicted, PositionMethod::Newton})
        for (const double far : {3.0, 1e3, 1e6}) {
            WarpBody body = bar_body();
            ASSERT_TRUE(body.set_constraints({.positions = {{kTip, {far, -far, far}}, {kMiddle, {0, 0, 0}}},
                                              .orientations = {{kMiddle, twist(1)}},
                                              .positions_by = method})
                            .ok());
            Eigen::VectorXf u, normals;
            for (int i = 0; i < 60; ++i) {
                body.step(kFrame);
                body.surface_shape(u, normals);
                ASSERT_TRUE(body.state().q.allFinite() && u.allFinite() && normals.allFinite());
                ASSERT_TRUE(std::isfinite(body.constraint_report().position_error));
            }
        }
}

TEST(Constraints, LettingGoLetsTheBarSwingBackToRest) {
    WarpBody body = body_of(bar_model(), {.alpha = 2});
    ASSERT_TRUE(
        body.set_constraints({.positions = {{kTip, {-0.1, 0.3, 0}}}, .positions_by = PositionMethod::Newton})
            .ok());
    for (int i = 0; i < 60; ++i)
        body.step(kFrame);
    ASSERT_TRUE(body.set_constraints({}).ok());
    for (int i = 0; i < 1500; ++i)
        body.step(kFrame);
    EXPECT_LE(body.displacement(kTip).norm(), 1e-9);
}

TEST(Constraints, NoConstrainedStepAllocates) {
    for (const bool own : {false, true})
        for (const PositionMethod method :
             {PositionMethod::Predicted, PositionMethod::Newton, PositionMethod::Previous}) {
            WarpBody body = bar_body();
            Constraints m{.positions = {{kTip, {0, 0, 0}}, {kMiddle, {0, 0, 0.01}}},
                          .orientations = {{kCorner, twist(0)}},
                          .exercised = {kMiddle},
                          .priority = TaskPriority::OrientationFirst,
                          .positions_by = method};
            if (own) {  // and contradictory
                m.positions.push_back({kTip, {0, 0, 0}});
                m.exercised.clear();
                m.priority = TaskPriority::PositionFirst;
            }
            ASSERT_TRUE(body.set_constraints(m).ok());
            WarpSettings settings = body.settings();
            Eigen::VectorXf u(3 * 99), normals(3 * 99);
            bool stinted = false;
            int most_iterations = 0;
            const long before = allocations_so_far();
            for (int i = 0; i < 100; ++i) {
                settings.step = i < 50 ? OscillatorStep::SemiImplicit : OscillatorStep::ClosedForm;
                ASSERT_TRUE(body.set(settings).ok());
                ASSERT_TRUE(body.set_position_target(0, 10 * drag(0.1 * i)).ok());
                ASSERT_TRUE(body.set_orientation_target(0, twist(0.1 * i)).ok());
                ASSERT_TRUE(
                    body.set_frame({.acceleration = {0, 0.1 * i, 0}, .angular_velocity = {0, 1, 0}}).ok());
                body.step(i % 2 == 0 ? kFrame : 0.01);
                body.surface_shape(u, normals);
                stinted = stinted || body.constraint_report().fraction < 1;
                most_iterations = std::max(most_iterations, body.constraint_report().iterations);
            }
            EXPECT_EQ(allocations_so_far(), before);
            // The energy budget acts too, and the iterations are used up.
            EXPECT_TRUE(own || stinted) << int(method);
            EXPECT_LE(most_iterations, kMostConstraintIterations);
            EXPECT_TRUE(!own || method != PositionMethod::Newton || most_iterations > 12) << most_iterations;
        }
}

// Matrices of more than the 128 KB for which Eigen's products ask for memory.
TEST(Constraints, StepsWithManyConstraintsAllocateNothing) {
    const auto model = random_warp_model(200, 3, 80, 4);
    for (const PositionMethod method : {PositionMethod::Predicted, PositionMethod::Newton})
        for (const bool own : {false, true}) {
            WarpBody body = body_of(model, {.step = OscillatorStep::ClosedForm, .alpha = 1});
            Constraints m{.positions_by = method};
            for (int v = 0; v < 32; ++v) {
                m.positions.push_back({v, 0.001 * Vector3d(random_rows(3, 1, unsigned(v)))});
                if (!own) m.exercised.push_back(40 + v);
                if (v < 20) m.orientations.push_back({39 + v, Quaterniond::Identity()});
            }
            ASSERT_TRUE(body.set_constraints(m).ok());
            const long before = allocations_so_far();
            for (int i = 0; i < 3; ++i)
                body.step(kFrame);
            EXPECT_EQ(allocations_so_far(), before) << int(method) << own;
        }
}

TEST(Constraints, TheSameConstraintsAreMovedOn) {
    const auto at = [](double t, PositionMethod method) {
        return Constraints{
            .positions = {{kTip, drag(t)}}, .orientations = {{kMiddle, twist(t)}}, .positions_by = method};
    };
    const auto run = [&](bool named_again, PositionMethod later) {
        WarpBody body = bar_body();
        EXPECT_TRUE(body.set_constraints(at(0, PositionMethod::Newton)).ok());
        for (int i = 0; i < 60; ++i) {
            const double t = i * kFrame;
            if (named_again) {
                EXPECT_TRUE(body.set_constraints(at(t, i < 30 ? PositionMethod::Newton : later)).ok());
            } else {
                EXPECT_TRUE(body.set_position_target(0, drag(t)).ok());
                EXPECT_TRUE(body.set_orientation_target(0, twist(t)).ok());
            }
            body.step(kFrame);
        }
        return VectorXd(body.state().q);
    };
    EXPECT_EQ(run(true, PositionMethod::Newton), run(false, PositionMethod::Newton));
    EXPECT_NE(run(true, PositionMethod::Predicted), run(false, PositionMethod::Newton));
}

// A target that the next step would have to fly to; the report tells of the shape that is kept.
TEST(Constraints, TheReportOfARefusedStepIsThatOfTheShapeThatStays) {
    WarpBody body = bar_body();
    const Vector3d far(1e12, -1e12, 1e12);
    ASSERT_TRUE(
        body.set_constraints({.positions = {{kTip, {0, 0, 0}}}, .positions_by = PositionMethod::Newton})
            .ok());
    body.step(kFrame);
    ASSERT_TRUE(body.set_position_target(0, far).ok());
    ASSERT_TRUE(body.add_force({kTip, {1e30, 0, 0}}).ok());
    EXPECT_EQ(body.step(kFrame).problem, StepProblem::BlowUp);
    EXPECT_NEAR(body.constraint_report().position_error, (far - body.displacement(kTip)).norm(), 1);
    EXPECT_FALSE(body.set_position_target(0, {1.01e12, 0, 0}).ok());
}

TEST(Constraints, BadConstraintsAreRefused) {
    WarpBody body = bar_body();
    const int fixed = vertex(0, 1, 1);
    EXPECT_FALSE(body.set_constraints({.positions = {{-1, {0, 0, 0}}}}).ok());
    EXPECT_FALSE(body.set_constraints({.positions = {{99, {0, 0, 0}}}}).ok());
    EXPECT_FALSE(body.set_constraints({.positions = {{fixed, {0, 0, 0}}}}).ok());
    EXPECT_FALSE(body.set_constraints({.positions = {{kTip, {kNaN, 0, 0}}}}).ok());
    EXPECT_FALSE(body.set_constraints({.positions = {{kTip, {0, 0, 1e160}}}}).ok());
    EXPECT_FALSE(body.set_constraints({.orientations = {{kTip, Quaterniond(0, 0, 0, 0)}}}).ok());
    EXPECT_FALSE(body.set_constraints({.orientations = {{kTip, Quaterniond(kNaN, 0, 0, 0)}}}).ok());
    EXPECT_FALSE(body.set_constraints({.positions = {{kTip, {0, 0, 0}}}, .exercised = {fixed}}).ok());
    EXPECT_FALSE(body.set_position_target(0, {0, 0, 0}).ok());  // there is none
    ASSERT_TRUE(body.set_constraints({.positions = {{kTip, {0, 0, 0}}}}).ok());
    EXPECT_FALSE(body.set_position_target(1, {0, 0, 0}).ok());
    EXPECT_FALSE(body.set_position_target(0, {0, kNaN, 0}).ok());
    EXPECT_FALSE(body.set_orientation_target(0, Quaterniond::Identity()).ok());
    body.step(kFrame);
    EXPECT_LE(body.displacement(kTip).norm(), 1e-6);
}

}  // namespace
}  // namespace limber
