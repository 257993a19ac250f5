// SPDX-License-Identifier: Apache-2.0
// How stiff a coupling may be: docs/math/haptics.md, sections 2 and 3.
#include <limber/haptics/coupling.h>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace limber {
namespace {

using Eigen::Vector3d;

// The exact condition of Colgate and Schenkel for a still proxy and a delay of d whole periods: the largest
// over all frequencies of T/(2(1 − cos θ)) Re{(1 − e^{−jθ}) H(θ) e^{−jdθ}}, H = k_c + b_c (1 − e^{−jθ})/T.
double colgate_damping(const VirtualCoupling& c, double T, int d) {
    using namespace std::complex_literals;
    double most = 0;
    for (int i = 1; i <= 20000; ++i) {
        const double theta = std::numbers::pi * i / 20000;
        const std::complex<double> z = std::exp(-1i * theta);
        const std::complex<double> H = c.stiffness + c.damping * (1.0 - z) / T;
        most = std::max(most, T / (2 * (1 - std::cos(theta))) * ((1.0 - z) * H * std::pow(z, d)).real());
    }
    return most;
}

TEST(Coupling, NeedsTheDampingThatTheoryAndMeasurementSay) {
    // Measured in a prototype at k_c = 1000 N/m, b_c = 0: 0.5, 1.5, 2.5, 3.5 N s/m for 0, 1, 2, 3 ms.
    for (int d = 0; d <= 3; ++d) {
        const DeviceHardware hardware{.damping = 1, .period = 0.001, .delay = 0.001 * d};
        EXPECT_NEAR(damping_for_still_proxy({1000, 0}, hardware), 0.5 + d, 1e-12);
        EXPECT_NEAR(colgate_damping({1000, 0}, 0.001, d), 0.5 + d, 1e-6);
    }
}

TEST(Coupling, IsNeverMoreDemandingThanNeededWithoutDelay) {
    // Without delay (4) and (8) are exact: both equal the largest over all frequencies.
    for (const VirtualCoupling& c : {VirtualCoupling{1000, 0}, VirtualCoupling{1000, 2},
                                     VirtualCoupling{200, 5}, VirtualCoupling{0, 1}}) {
        const DeviceHardware hardware{.damping = 1, .period = 0.001};
        const double exact = colgate_damping(c, 0.001, 0);
        EXPECT_NEAR(damping_for_still_proxy(c, hardware), exact, 1e-6 * exact);
        EXPECT_NEAR(damping_for_any_world(c, hardware), exact, 1e-6 * exact);
    }
}

TEST(Coupling, IsNeverLessDemandingThanTheExactConditionWithDelay) {
    for (int d = 0; d <= 6; ++d)
        for (const VirtualCoupling& c : {VirtualCoupling{1000, 0}, VirtualCoupling{1000, 2},
                                         VirtualCoupling{200, 5}, VirtualCoupling{3000, 0.3}}) {
            const DeviceHardware hardware{.damping = 1, .period = 0.001, .delay = 0.001 * d};
            const double exact = colgate_damping(c, 0.001, d);
            EXPECT_GE(damping_for_still_proxy(c, hardware), exact * (1 - 1e-9));
            EXPECT_GE(damping_for_any_world(c, hardware), exact * (1 - 1e-9));
        }
}

TEST(Coupling, IsLimitedToWhatIsPassive) {
    const DeviceHardware hardware{.damping = 1, .period = 0.001, .delay = 0.0015};
    const PassiveCoupling limited = limit_to_passive({5000, 3}, hardware);
    EXPECT_LT(limited.scale, 1);
    EXPECT_NEAR(damping_to_be_passive(limited.coupling, hardware), hardware.damping, 1e-12);
    EXPECT_NEAR(limited.coupling.stiffness / limited.coupling.damping, 5000.0 / 3, 1e-9);

    const PassiveCoupling soft = limit_to_passive({100, 0.1}, hardware);
    EXPECT_EQ(soft.scale, 1);
    EXPECT_EQ(soft.coupling.stiffness, 100);

    const PassiveCoupling none = limit_to_passive({100, 0.1}, {.damping = 0});
    EXPECT_EQ(none.coupling.stiffness, 0);
    EXPECT_EQ(none.coupling.damping, 0);
}

TEST(Coupling, LetsAProxyThatTouchesNothingCatchUpWithoutForce) {  // eq. (9) with (2)
    const VirtualCoupling coupling{500, 2};
    const double h = 0.001;
    ProxyMotion proxy;
    const Vector3d x(0.01, -0.02, 0.03);
    Vector3d before = x;
    for (int k = 0; k < 100; ++k) {
        const ProxyStep step = proxy_step(coupling, /*proxy_mass=*/0, proxy, before, x, h);
        const Vector3d p = proxy.position;
        proxy = {p + h * step.velocity_free, step.velocity_free};
        EXPECT_LE(coupling_force(coupling, before, x, p, proxy.position, h).norm(), 1e-12);
        before = x;
    }
    // e shrinks by b_c/(b_c + h k_c) = 0.8 a step.
    EXPECT_NEAR((x - proxy.position).norm() / x.norm(), std::pow(0.8, 100), 1e-12);
}

TEST(Coupling, MovesAProxyWithMassAsBackwardEulerDoes) {
    const VirtualCoupling coupling{500, 2};
    const double h = 0.001, m = 0.05;
    const ProxyMotion proxy{{0.01, 0, 0}, {0.3, -0.1, 0}};
    const Vector3d before(0.02, 0, 0), x(0.021, 0.001, 0);
    const ProxyStep step = proxy_step(coupling, m, proxy, before, x, h);
    const Vector3d end = proxy.position + h * step.velocity_free;
    const Vector3d F = coupling_force(coupling, before, x, proxy.position, end, h);
    EXPECT_LE((m * (step.velocity_free - proxy.velocity) - h * F).norm(), 1e-15);  // m Δv = h F
}

TEST(Coupling, RefusesNumbersThatMeanNothing) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(coupling_problem({-1, 0})->where, "stiffness");
    EXPECT_EQ(coupling_problem({nan, 0})->where, "stiffness");
    EXPECT_EQ(coupling_problem({1, 1e30})->where, "damping");
    EXPECT_FALSE(coupling_problem({500, 2}));
    EXPECT_EQ(hardware_problem({.damping = -1})->where, "device_damping");
    EXPECT_EQ(hardware_problem({.period = 0})->where, "period");
    EXPECT_EQ(hardware_problem({.delay = nan})->where, "delay");
    EXPECT_EQ(hardware_problem({.max_force = 0})->where, "max_force");
    EXPECT_FALSE(hardware_problem({.damping = 1}));
}

}  // namespace
}  // namespace limber
