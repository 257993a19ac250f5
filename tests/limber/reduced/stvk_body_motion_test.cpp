// SPDX-License-Identifier: Apache-2.0
// Motions with known answers: oscillators, energies, decay rates, orders of convergence.
#include "limber/reduced/stvk_body.h"

#include "tests/limber/reduced/test_model.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

using namespace test;
using Eigen::VectorXd;

const StvkIntegrator kAll[] = {StvkIntegrator::Newmark, StvkIntegrator::CentralDifferences,
                               StvkIntegrator::BackwardEuler, StvkIntegrator::EnergyPreserving};

// Times at which coordinate 0 falls through zero, by linear interpolation.
std::vector<double> zero_crossings(StvkBody& body, double dt, int steps) {
    std::vector<double> times;
    for (int i = 0; i < steps; ++i) {
        const double before = body.state().q[0], t = body.state().time;
        EXPECT_TRUE(body.step(dt).converged);
        const double after = body.state().q[0];
        if (before > 0 && after <= 0) times.push_back(t + dt * before / (before - after));
    }
    return times;
}
double period(StvkBody& body, double dt, int steps) {
    const auto times = zero_crossings(body, dt, steps);
    return (times.back() - times.front()) / static_cast<double>(times.size() - 1);
}

double energy(const StvkBody& body) {
    return body.kinetic_energy() + body.elastic_energy();
}

TEST(BodyMotion, ALinearOscillatorHasNewmarksPeriodAndKeepsItsAmplitude) {
    // Newmark with beta = 1/4 turns by 2 atan(omega dt/2) in a step, exactly.
    const double omega = 10, dt = 0.05;
    StvkBody body = body_of(springs(one(omega * omega)));
    place(body, one(1), one(0));
    const double turn = 2 * std::atan(omega * dt / 2);
    for (int i = 1; i <= 200; ++i) {
        ASSERT_TRUE(body.step(dt).converged);
        EXPECT_NEAR(body.state().q[0], std::cos(i * turn), 1e-11) << i;  // rounding of 200 steps
    }
    EXPECT_NEAR(body.state().time, 10, 1e-12);
}

TEST(BodyMotion, TheDuffingOscillatorHasThePeriodOfTheEllipticIntegral) {
    // q̈ + k q + 2c q³ = 0 with amplitude A: T = 4 K(m) / sqrt(k + 2c A²), m = c A² / (k + 2c A²).
    const double k = 4, c = 30, A = 1.3, stiff = k + 2 * c * A * A;
    const double expected = 4 * std::comp_ellint_1(std::sqrt(c * A * A / stiff)) / std::sqrt(stiff);
    for (const StvkIntegrator integrator :
         {StvkIntegrator::Newmark, StvkIntegrator::CentralDifferences, StvkIntegrator::EnergyPreserving}) {
        StvkBody body = body_of(oscillator(k, 0, c), {.integrator = integrator, .newton = 0});
        place(body, one(A), one(0));
        const double dt = expected / 2000;
        EXPECT_NEAR(period(body, dt, 10000), expected, 3e-6 * expected);  // (2 pi/2000)²/12, and less
    }
    // The linear oscillator is 4.9 times slower, so the test sees the cubic force.
    EXPECT_GT(2 * std::numbers::pi / std::sqrt(k), 4 * expected);
}

TEST(BodyMotion, AsymmetricForcesPullAsTheDerivativeOfTheEnergy) {
    // One small explicit step from rest: a = -dV/dq = -(k q + 3 b q² + 2 c q³).
    const double k = 4, b = 5, c = 9, q = 0.7;
    StvkBody body = body_of(oscillator(k, b, c));
    place(body, one(q), one(0));
    EXPECT_NEAR(body.state().a[0], -(k * q + 3 * b * q * q + 2 * c * q * q * q), 1e-12);  // rounding
    EXPECT_NEAR(body.elastic_energy(), 0.5 * (k * q * q + 2 * b * q * q * q + c * q * q * q * q), 1e-13);
}

// The end of a run of one second from the same start, for several steps.
VectorXd end_of(const ModelPtr& model, StvkSettings settings, int steps) {
    const int r = model->rank;
    StvkBody body = body_of(model, std::move(settings));
    place(body, random_vector(r, 3, 0.4), random_vector(r, 4));
    for (int i = 0; i < steps; ++i)
        EXPECT_TRUE(body.step(1.0 / steps).converged);
    return body.state().q;
}
double order_of(const ModelPtr& model, const StvkSettings& settings, int steps) {
    const VectorXd a = end_of(model, settings, steps), b = end_of(model, settings, 2 * steps),
                   c = end_of(model, settings, 4 * steps);
    return std::log2((a - b).norm() / (b - c).norm());
}

TEST(BodyMotion, IntegratorsHaveTheirOrderOfConvergence) {
    const ModelPtr model = random_body_ptr(4, 1);
    for (const auto& [integrator, order] :
         {std::pair(StvkIntegrator::Newmark, 2.0), std::pair(StvkIntegrator::EnergyPreserving, 2.0),
          std::pair(StvkIntegrator::CentralDifferences, 2.0),
          std::pair(StvkIntegrator::BackwardEuler, 1.0)}) {
        EXPECT_NEAR(order_of(model, {.integrator = integrator, .newton = 0, .tolerance = 1e-12}, 400), order,
                    0.15)
            << static_cast<int>(integrator);
    }
    // Newmark with damping of all kinds stays of second order; one correction a step too.
    const StvkSettings damped{
        .newton = 0, .tolerance = 1e-12, .alpha = 0.3, .beta = 0.01, .strain_rate = 0.01};
    EXPECT_NEAR(order_of(model, damped, 400), 2, 0.15);
    StvkSettings averaged = damped;
    averaged.integrator = StvkIntegrator::EnergyPreserving;
    EXPECT_NEAR(order_of(model, averaged, 400), 2, 0.15);
    EXPECT_NEAR(order_of(model, {.newton = 1}, 800), 2, 0.2);
}

TEST(BodyMotion, AllIntegratorsAgreeOnTheMotionUnderForcesAndDamping) {
    const ModelPtr model = random_body_ptr(3, 2);
    std::vector<VectorXd> ends;
    for (const StvkIntegrator integrator : kAll) {
        StvkBody body = body_of(model, {.integrator = integrator,
                                        .newton = 0,
                                        .tolerance = 1e-11,
                                        .alpha = 0.5,
                                        .beta = 0.01,
                                        .strain_rate = 0.02,
                                        .gravity = {0, -2, 1}});
        ASSERT_TRUE(body.add_force({.vertex = 5, .force = {1, 2, -1}}).ok());
        body.set_acceleration_from_forces();
        for (int i = 0; i < 4000; ++i)
            ASSERT_TRUE(body.step(1.0 / 4000).converged);
        ends.push_back(body.state().q);
    }
    // Steps of omega dt = 0.003: second order 1e-5; backward Euler and damped central differences 3e-3.
    EXPECT_LE((ends[3] - ends[0]).norm(), 2e-5 * ends[0].norm());
    EXPECT_LE((ends[1] - ends[0]).norm(), 1e-3 * ends[0].norm());
    EXPECT_LE((ends[2] - ends[0]).norm(), 2e-2 * ends[0].norm());
}

TEST(BodyMotion, TheEnergyPreservingSchemeKeepsEnergyForTenThousandLargeSteps) {
    // omega dt = 3 and more: central differences would be unstable, Newmark drifts.
    const ModelPtr model = random_body_ptr(5, 3);
    StvkBody body = body_of(model, {.integrator = StvkIntegrator::EnergyPreserving, .tolerance = 1e-13});
    place(body, random_vector(5, 3, 0.8), random_vector(5, 4, 3));
    const double dt = 1.5 * body.stable_dt(), before = energy(body);
    double worst = 0;
    for (int i = 0; i < 10000; ++i) {
        ASSERT_TRUE(body.step(dt).converged) << i;
        worst = std::max(worst, std::abs(energy(body) - before) / before);
    }
    EXPECT_LE(worst, 1e-10);  // ten thousand residuals of 1e-13, with random signs
    // Not because it stands still.
    EXPECT_GT(body.kinetic_energy(), 1e-3 * before);
    EXPECT_GT(body.elastic_energy(), 1e-3 * before);

    StvkBody newmark = body_of(model, {.newton = 0, .tolerance = 1e-13});
    place(newmark, random_vector(5, 3, 0.8), random_vector(5, 4, 3));
    double drift = 0;
    for (int i = 0; i < 100; ++i) {
        newmark.step(dt);
        drift = std::max(drift, std::abs(energy(newmark) - before) / before);
    }
    EXPECT_GT(drift, 1e-3);  // the contrast: Newmark does not keep the energy of a nonlinear body
}

TEST(BodyMotion, EnergyPreservingChangesEnergyByTheWorkOfTheForce) {
    const ModelPtr model = random_body_ptr(4, 5);
    StvkBody body = body_of(model, {.integrator = StvkIntegrator::EnergyPreserving, .tolerance = 1e-13});
    const VectorXd f = random_vector(4, 9, 5);
    ASSERT_TRUE(body.add_reduced_force(f).ok());
    for (int i = 0; i < 200; ++i)
        ASSERT_TRUE(body.step(0.3).converged);
    const double work = f.dot(body.state().q);
    EXPECT_NEAR(energy(body), work, 1e-11 * (std::abs(work) + energy(body)));  // 200 residuals of 1e-13
}

TEST(BodyMotion, DampedLinearMotionFollowsItsFormula) {
    // q(t) = exp(-d t) (cos wt + d/w sin wt) with 2 d = alpha + (beta + strain_rate) omega², w² = omega² -
    // d²; in linear motion strain-rate damping is damping by stiffness.
    const double omega = 20, dt = 1e-4;
    const auto error = [&](const StvkSettings& settings) {
        StvkBody body = body_of(springs(one(omega * omega)), settings);
        place(body, one(1), one(0));
        const double d = 0.5 * (settings.alpha + (settings.beta + settings.strain_rate) * omega * omega);
        const double w = std::sqrt(omega * omega - d * d);
        double worst = 0;
        for (int i = 1; i <= 20000; ++i) {
            EXPECT_TRUE(body.step(dt).converged);
            const double t = i * dt;
            const double q = std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t));
            worst = std::max(worst, std::abs(body.state().q[0] - q));
        }
        return worst;
    };
    // The phase is wrong by omega t (omega dt)²/12 = 1.3e-5 in the end.
    for (const StvkIntegrator integrator : {StvkIntegrator::Newmark, StvkIntegrator::EnergyPreserving}) {
        EXPECT_LE(error({.integrator = integrator, .alpha = 0.8}), 2e-5);
        EXPECT_LE(error({.integrator = integrator, .beta = 0.003}), 2e-5);
        EXPECT_LE(error({.integrator = integrator, .strain_rate = 0.003}), 2e-5);
    }
    // First order: backward Euler damps by omega² dt/2 on top, central differences take damping a half step
    // late.
    EXPECT_LE(error({.integrator = StvkIntegrator::BackwardEuler, .alpha = 0.8}), 2e-2);
    EXPECT_LE(error({.integrator = StvkIntegrator::CentralDifferences, .alpha = 0.8, .beta = 0.001}), 1e-3);
}

TEST(BodyMotion, StrainRateDampingNeverAddsEnergyWhereStiffnessDampingDoes) {
    // V = ½ (k q² + 2 b q³ + c q⁴) with b² = 0.95 k c: K = k + 6 b q + 6 c q² < 0 around q = -b/(2c).
    const double k = 4, c = 9, b = std::sqrt(0.95 * k * c);
    const double q = -b / (2 * c);
    for (const bool strain_rate : {true, false}) {
        StvkSettings settings{.integrator = StvkIntegrator::EnergyPreserving, .tolerance = 1e-12};
        (strain_rate ? settings.strain_rate : settings.beta) = 0.05;
        StvkBody body = body_of(oscillator(k, b, c), settings);
        place(body, one(q), one(0.2));
        const double before = energy(body);
        ASSERT_TRUE(body.step(1e-3).converged);
        if (strain_rate)
            EXPECT_LT(energy(body), before);
        else
            EXPECT_GT(energy(body), before);
    }
    // And for a whole motion of a random body, step by step.
    StvkBody body =
        body_of(random_body_ptr(5, 8),
                {.integrator = StvkIntegrator::EnergyPreserving, .tolerance = 1e-12, .strain_rate = 0.02});
    place(body, random_vector(5, 3), random_vector(5, 4, 3));
    double last = energy(body);
    const double start = last;
    for (int i = 0; i < 500; ++i) {
        ASSERT_TRUE(body.step(0.02).converged);
        EXPECT_LE(energy(body), last * (1 + 1e-11));  // the tolerance
        last = energy(body);
    }
    EXPECT_LT(last, 0.5 * start);
}

// A cube of homogeneous strain: the nine coordinates are the entries of the displacement gradient G, row by
// row, and E = ½ (G + Gᵀ + GᵀG) is written out in terms of z.
Model homogeneous_cube(double kappa, double mu) {
    const int r = 9, m = static_cast<int>(strain_terms(r));
    std::vector<VectorXd> E(9, VectorXd::Zero(m));
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
            VectorXd& entry = E[static_cast<std::size_t>(3 * k + l)];
            entry[3 * k + l] += 0.5;
            entry[3 * l + k] += 0.5;
            for (int n = 0; n < 3; ++n)
                entry[product_index(r, 3 * n + std::min(k, l), 3 * n + std::max(k, l))] += 0.5;
        }
    const VectorXd trace = E[0] + E[4] + E[8];
    Eigen::MatrixXd W = kappa * trace * trace.transpose();
    for (int i = 0; i < 9; ++i) {
        const VectorXd deviator = E[static_cast<std::size_t>(i)] - (i % 4 == 0 ? 1.0 / 3 : 0.0) * trace;
        W += 2 * mu * deviator * deviator.transpose();
    }
    return model_of(W, r);
}

TEST(BodyMotion, StrainRateDampingDoesNotResistTheRotationOfAStretchedBody) {
    using Matrix = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    const auto model = std::make_shared<Model>(homogeneous_cube(70, 30));
    const Matrix turned = Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
    Matrix spin, stretch;
    spin << 0, -3, 2, 3, 0, -1, -2, 1, 0;
    stretch << 1.3, 0.1, 0, 0.1, 0.9, 0.2, 0, 0.2, 1.1;
    const Matrix F = turned * stretch, G = F - Matrix::Identity(), rate = spin * F;
    const VectorXd q = G.reshaped<Eigen::RowMajor>(), v = rate.reshaped<Eigen::RowMajor>();
    const auto acceleration = [&](const StvkSettings& settings) {
        StvkBody body = body_of(model, settings);
        place(body, q, v);
        return body.state().a;
    };
    const VectorXd undamped = acceleration({});
    // First Piola-Kirchhoff stress F (kappa tr E + 2 mu dev E), by hand.
    const Eigen::Matrix3d E = 0.5 * (F.transpose() * F - Matrix::Identity());
    const Eigen::Matrix3d S = (70 - 2.0 / 3 * 30) * E.trace() * Eigen::Matrix3d::Identity() + 60 * E;
    const Matrix P = F * S;
    EXPECT_LE((undamped + P.reshaped<Eigen::RowMajor>()).norm(), 1e-13 * P.norm());  // rounding
    EXPECT_LE((acceleration({.strain_rate = 0.5}) - undamped).norm(), 1e-12 * undamped.norm());
    EXPECT_GT((acceleration({.beta = 0.5}) - undamped).norm(), 0.1 * undamped.norm());
    // A rotation at rest has no stress.
    const Matrix rigid = turned - Matrix::Identity();
    StvkBody body = body_of(model);
    place(body, rigid.reshaped<Eigen::RowMajor>(), v);
    EXPECT_LE(body.state().a.norm(), 1e-12);
    EXPECT_NEAR(body.elastic_energy(), 0, 1e-12);
}

TEST(BodyMotion, CentralDifferencesHoldBelowTheLimitOfTheLinearBodyAndBreakAboveIt) {
    Eigen::Vector3d k(1, 9, 400);
    for (const StvkSettings& damping : {StvkSettings{}, StvkSettings{.alpha = 2}, StvkSettings{.beta = 0.02},
                                        StvkSettings{.strain_rate = 0.02}}) {
        StvkSettings settings = damping;
        settings.integrator = StvkIntegrator::CentralDifferences;
        const auto grows = [&](double fraction) {
            StvkBody body = body_of(springs(k), settings);
            place(body, Eigen::Vector3d(1e-3, 1e-3, 1e-3), Eigen::Vector3d::Zero());
            const double dt = fraction * body.stable_dt();
            for (int i = 0; i < 3000; ++i)
                if (!body.step(dt).converged || body.state().q.norm() > 1) return true;
            return false;
        };
        EXPECT_FALSE(grows(0.99));
        EXPECT_TRUE(grows(1.02));
    }
    EXPECT_DOUBLE_EQ(body_of(springs(k)).stable_dt(), 2 / 20.0);  // 2/omega
}

TEST(BodyMotion, AStretchedBodyNeedsShorterExplicitSteps) {
    // K = k + 6 c q².
    StvkBody body = body_of(oscillator(4, 0, 10), {.integrator = StvkIntegrator::CentralDifferences});
    EXPECT_NEAR(body.stable_dt(), 2 / std::sqrt(4.0), 1e-12);
    place(body, one(2), one(0));
    EXPECT_NEAR(body.stable_dt(), 2 / std::sqrt(4.0 + 60 * 4), 1e-12);
}

TEST(BodyMotion, FloatsFollowDoublesToTheirRounding) {
    const ModelPtr model = random_body_ptr(6, 4);
    VectorXd q[2];
    for (const StvkPrecision precision : {StvkPrecision::Double, StvkPrecision::Float}) {
        StvkBody body = body_of(model, {.alpha = 0.1, .beta = 0.002, .precision = precision});
        place(body, random_vector(6, 3, 0.5), random_vector(6, 4));
        for (int i = 0; i < 500; ++i)
            ASSERT_TRUE(body.step(1e-2).converged);
        q[static_cast<int>(precision)] = body.state().q;
    }
    const double error = (q[1] - q[0]).norm() / q[0].norm();
    EXPECT_LE(error, 1e-4);   // 500 roundings of 1e-7, amplified by the motion
    EXPECT_GT(error, 1e-10);  // floats were used
}

}  // namespace
}  // namespace limber
