// SPDX-License-Identifier: Apache-2.0
#include "limber/warp/oscillators.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

namespace limber {
namespace {

struct Point {
    double q, v;
};
struct Case {
    double lambda, alpha, beta;
};

// Undamped, weakly damped, on both sides of critical damping (2√λ = 6) and on it, far beyond.
const std::vector<Case> kCases = {{9, 0, 0},      {9, 0.5, 0.02}, {9, 5.9999, 0}, {9, 6, 0},
                                  {9, 6.0001, 0}, {9, 0, 1},      {9, 40, 0.1},   {400, 0.1, 1e-3}};

Point stepped(const Case& c, OscillatorStep kind, Point p, double f, double dt, int steps) {
    OscillatorCoefficients k;
    set_coefficients(Eigen::VectorXd::Constant(1, c.lambda), c.alpha, c.beta, dt, kind, k);
    for (int i = 0; i < steps; ++i)
        p = {k.qq[0] * p.q + k.qv[0] * p.v + k.qf[0] * f, k.vq[0] * p.q + k.vv[0] * p.v + k.vf[0] * f};
    return p;
}

// The classical method of Runge and Kutta in steps so small that only rounding is left.
Point by_runge_kutta(const Case& c, Point p, double f, double time) {
    const int steps = 20000;
    const double h = time / steps;
    const auto rate = [&](const Point& x) {
        return Point{x.v, f - (c.alpha + c.beta * c.lambda) * x.v - c.lambda * x.q};
    };
    const auto moved = [](const Point& x, const Point& r, double by) {
        return Point{x.q + by * r.q, x.v + by * r.v};
    };
    for (int i = 0; i < steps; ++i) {
        const Point a = rate(p), b = rate(moved(p, a, h / 2)), d = rate(moved(p, b, h / 2)),
                    e = rate(moved(p, d, h));
        p = {p.q + h / 6 * (a.q + 2 * b.q + 2 * d.q + e.q), p.v + h / 6 * (a.v + 2 * b.v + 2 * d.v + e.v)};
    }
    return p;
}

TEST(Oscillators, TheClosedFormIsTheExactMotionInOneStep) {
    for (const Case& c : kCases)
        for (const double time : {1e-3, 0.1, 2.0}) {
            const Point exact = by_runge_kutta(c, {0.7, -2}, 5, time);
            const Point found = stepped(c, OscillatorStep::ClosedForm, {0.7, -2}, 5, time, 1);
            EXPECT_NEAR(found.q, exact.q, 1e-10) << c.alpha << " " << time;
            EXPECT_NEAR(found.v, exact.v, 1e-9) << c.alpha << " " << time;
        }
}

// x(t) = e^{-γt} (x₀ cos ωt + (v₀ + γx₀)/ω sin ωt)
TEST(Oscillators, TheClosedFormIsTheTextbooksDampedVibration) {
    const double gamma = 0.3, lambda = 16, omega = std::sqrt(lambda - gamma * gamma), t = 1.234;
    const Point found = stepped({lambda, 2 * gamma, 0}, OscillatorStep::ClosedForm, {0.5, 2}, 0, t, 1);
    EXPECT_NEAR(
        found.q,
        std::exp(-gamma * t) * (0.5 * std::cos(omega * t) + (2 + gamma * 0.5) / omega * std::sin(omega * t)),
        1e-14);
}

TEST(Oscillators, ClosedFormStepsJoin) {
    for (const Case& c : kCases) {
        const Point one = stepped(c, OscillatorStep::ClosedForm, {1, 1}, 3, 0.8, 1);
        const Point many = stepped(c, OscillatorStep::ClosedForm, {1, 1}, 3, 0.008, 100);
        EXPECT_NEAR(one.q, many.q, 1e-12);
        EXPECT_NEAR(one.v, many.v, 1e-11);
    }
}

TEST(Oscillators, SemiImplicitStepsConvergeAtFirstOrder) {
    for (const Case& c : kCases) {
        const Point exact = by_runge_kutta(c, {0.7, -2}, 5, 1);
        const auto error = [&](int steps) {
            const Point p = stepped(c, OscillatorStep::SemiImplicit, {0.7, -2}, 5, 1.0 / steps, steps);
            return std::hypot(p.q - exact.q, p.v - exact.v);
        };
        const double coarse = error(20000), fine = error(40000);
        EXPECT_NEAR(coarse / fine, 2, 0.05) << c.lambda << " " << c.alpha;
    }
}

// The paper's eq. 19 as printed.
TEST(Oscillators, SemiImplicitCoefficientsAreThePapers) {
    const double lambda = 30, alpha = 0.2, beta = 0.01, h = 1.0 / 30, c = alpha + beta * lambda;
    const double d = 1 + h * c + h * h * lambda;
    OscillatorCoefficients k;
    set_coefficients(Eigen::VectorXd::Constant(1, lambda), alpha, beta, h, OscillatorStep::SemiImplicit, k);
    const double paper_alpha = 1 - h * h * lambda / d, paper_beta = h * (1 - (h * c + h * h * lambda) / d);
    EXPECT_NEAR(k.qq[0], paper_alpha, 1e-15);
    EXPECT_NEAR(k.qv[0], paper_beta, 1e-15);
    EXPECT_NEAR(k.qf[0], h * h / d, 1e-15);
    EXPECT_NEAR(k.vq[0], (paper_alpha - 1) / h, 1e-13);
    EXPECT_NEAR(k.vv[0], paper_beta / h, 1e-13);
    EXPECT_NEAR(k.vf[0], h / d, 1e-15);
}

TEST(Oscillators, NoStepLetsAFreeMotionGrow) {
    for (const Case& c : kCases)
        for (const OscillatorStep kind : {OscillatorStep::SemiImplicit, OscillatorStep::ClosedForm})
            for (double dt = 1e-6; dt < 1e6; dt *= 3.7) {
                OscillatorCoefficients k;
                set_coefficients(Eigen::VectorXd::Constant(1, c.lambda), c.alpha, c.beta, dt, kind, k);
                Eigen::Matrix2d A;
                A << k.qq[0], k.qv[0], k.vq[0], k.vv[0];
                ASSERT_TRUE(A.allFinite()) << dt;
                EXPECT_LE(A.eigenvalues().cwiseAbs().maxCoeff(), 1 + 1e-7) << dt;  // double root: √rounding
            }
}

// Constraints that hold q' at zero leave v' = (vv - vd qv) v: nothing by backward Euler, -v of an undamped
// mode by the closed form, whose energy a force without work cannot change.
TEST(Oscillators, AModeThatIsHeldGainsNoSpeed) {
    for (const Case& c : kCases)
        for (const OscillatorStep kind : {OscillatorStep::SemiImplicit, OscillatorStep::ClosedForm})
            for (double dt = 1e-4; dt < 1e3; dt *= 1.07) {
                OscillatorCoefficients k;
                set_coefficients(Eigen::VectorXd::Constant(1, c.lambda), c.alpha, c.beta, dt, kind, k);
                const double left = k.vv[0] - k.vd[0] * k.qv[0];
                ASSERT_LE(std::abs(left), 1 + 1e-7) << dt;
                if (kind == OscillatorStep::SemiImplicit) {
                    ASSERT_NEAR(left, 0, 1e-12);
                } else if (c.alpha == 0 && c.beta == 0 && dt * std::sqrt(c.lambda) < 3) {
                    ASSERT_NEAR(left, -1, 1e-7);
                }
            }
}

// A mode at rest at q = 1 that constraints keep there stays at rest: v' = vq + vd (1 - qq).
TEST(Oscillators, AModeThatIsHeldAwayFromZeroStaysAtRest) {
    for (const Case& c : kCases)
        for (const OscillatorStep kind : {OscillatorStep::SemiImplicit, OscillatorStep::ClosedForm})
            for (double dt = 1e-4; dt < 3 / std::sqrt(c.lambda); dt *= 1.07) {
                OscillatorCoefficients k;
                set_coefficients(Eigen::VectorXd::Constant(1, c.lambda), c.alpha, c.beta, dt, kind, k);
                ASSERT_NEAR(k.vq[0] + k.vd[0] * (1 - k.qq[0]), 0, 1e-10 * std::sqrt(c.lambda)) << dt;
            }
}

}  // namespace
}  // namespace limber
