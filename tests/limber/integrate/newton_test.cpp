// SPDX-License-Identifier: Apache-2.0
#include <limber/integrate/newton.h>

#include <gtest/gtest.h>

#include <cmath>

namespace limber::testing {
namespace {

// r(x) = -atan(x): Newton's method alone runs away from |x| > 1.39.
struct Arctangent {
    double at = 0;
    int evaluations = 0;
    double scale = 1;
    ResidualSize residual(const Eigen::VectorXd& x, Tangent, Eigen::VectorXd& out) {
        ++evaluations;
        at = x[0];
        out = Eigen::VectorXd::Constant(1, -std::atan(at) * scale);
        return {.norm = std::abs(out[0]), .scale = scale};
    }
    LinearReport correction(const Eigen::VectorXd& r, double, Eigen::VectorXd& out) const {
        out = r * (1 + at * at) / scale;
        return {.solved = true, .iterations = 1};
    }
};

NewtonWork from(double x) {
    NewtonWork work;
    work.delta = Eigen::VectorXd::Constant(1, x);
    return work;
}

TEST(Newton, ACorrectionThatOvershootsIsShortenedAndCounted) {
    for (const double start : {3.0, -10.0, 50.0}) {
        Arctangent equation;
        NewtonWork work = from(start);
        const StepReport report = newton(equation, {.tolerance = 1e-12}, work);
        EXPECT_TRUE(report.converged) << start;
        EXPECT_GE(report.line_searches, 1);
        EXPECT_NEAR(work.delta[0], 0, 1e-12);
    }
}

TEST(Newton, NoSearchWhereNewtonGoesTheRightWay) {
    Arctangent equation;
    NewtonWork work = from(1.0);
    const StepReport report = newton(equation, {.tolerance = 1e-12}, work);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.line_searches, 0);
    EXPECT_EQ(equation.evaluations, report.iterations + 1);
}

TEST(Newton, AFixedNumberOfCorrectionsEvaluatesOncePerCorrection) {
    for (const int count : {1, 2, 3}) {
        Arctangent equation;
        NewtonWork work = from(1.0);
        const StepReport report = newton(equation, {.max_newton = count, .fixed_newton = true}, work);
        EXPECT_TRUE(report.converged);
        EXPECT_EQ(report.iterations, count);
        EXPECT_EQ(equation.evaluations, count);
    }
}

// A linear solver that takes its tolerance at its word, and leaves as much of r as it may.
struct LazySolve : Arctangent {
    LinearReport correction(const Eigen::VectorXd& r, double tolerance, Eigen::VectorXd& out) const {
        return Arctangent::correction((1 - tolerance) * r, tolerance, out);
    }
};

TEST(Newton, AFixedNumberOfCorrectionsIsThatManyExactOnes) {
    for (const int count : {1, 2, 3}) {
        LazySolve equation;
        NewtonWork work = from(1.0);
        newton(equation, {.max_newton = count, .fixed_newton = true}, work);
        double x = 1;
        for (int i = 0; i < count; ++i)
            x -= std::atan(x) * (1 + x * x);
        EXPECT_NEAR(work.delta[0], x, 1e-9) << count;  // each solve leaves 1e-10 of a correction
    }
}

TEST(Newton, WhatIsNotFiniteIsABlowUpAndWhatIsNotMetIsNotSolved) {
    Arctangent broken;
    broken.scale = std::nan("");
    NewtonWork work = from(1.0);
    EXPECT_EQ(newton(broken, {}, work).problem, StepProblem::BlowUp);
    Arctangent slow;
    work = from(1.0);
    const StepReport report = newton(slow, {.tolerance = 1e-12, .max_newton = 2}, work);
    EXPECT_FALSE(report.converged);
    EXPECT_EQ(report.problem, StepProblem::NotSolved);
}

}  // namespace
}  // namespace limber::testing
