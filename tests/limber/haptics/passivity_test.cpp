// SPDX-License-Identifier: Apache-2.0
// Energy that comes out of the coupling: none where it claims to be passive, for any hand and any passive
// world; some where it does not. docs/math/haptics.md, section 3.
#include <limber/haptics/coupling.h>
#include <limber/haptics/passivity_observer.h>
#include <limber/haptics/simulated_device.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace limber {
namespace {

using Eigen::Vector3d;

// A passive world in one dimension that a proxy touches: springs, dampers and masses by backward Euler, or a
// wall. Impulse on the proxy as an affine function of its velocity is solved with the proxy's own step (9).
struct TestWorld {
    double mass = 0;       // of the proxy, kg
    double stiffness = 0;  // to the origin, N/m; +∞ would be the wall
    double damping = 0;    // N s/m
    bool is_wall = false;  // p ≤ 0
};

struct Outcome {
    double given = 0;           // J beyond the damping of the device, the most at any time, by the integrals
    double observed_given = 0;  // the same as the loop observes it
    double largest = 0;         // m
};

// `hand_at` makes the hand of each period.
Outcome run(const SimulatedDevice& device, const VirtualCoupling& coupling, const TestWorld& world,
            const std::function<Hand(int, const SimulatedDeviceState&)>& hand_at, int periods) {
    const double T = device.period;
    const DeviceHardware hardware{device.damping, T, device.delay, 1e9};
    SimulatedDeviceState state;
    ProxyMotion proxy;
    PassivityObserver observer;
    Vector3d before = state.position, held = Vector3d::Zero();
    Outcome out;
    for (int k = 0; k < periods; ++k) {
        const Vector3d x = state.position;
        if (k > 0) observer.observe(held, x - before, hardware);
        const ProxyStep step = proxy_step(coupling, world.mass, proxy, before, x, T);
        const Vector3d p = proxy.position;
        if (world.is_wall) {
            proxy.velocity = step.velocity_free.cwiseMin(-p / T);  // p + T v ≤ 0
        } else {
            const double A = step.A + T * world.damping + T * T * world.stiffness;
            proxy.velocity = (step.A * step.velocity_free - T * world.stiffness * p) / A;
        }
        proxy.position = p + T * proxy.velocity;
        held = -coupling_force(coupling, before, x, p, proxy.position, T);
        before = x;
        advance(device, hand_at(k, state), held, state);
        out.given = std::max(out.given, state.work_of_force - state.dissipated);
        out.largest = std::max(out.largest, state.position.cwiseAbs().maxCoeff());
    }
    out.observed_given = observer.most_given();
    return out;
}

TEST(Passivity, NoEnergyComesOutOfALimitedCouplingWhateverTheHandAndTheWorld) {
    std::mt19937 random(1);
    const auto uniform = [&](double from, double to) {
        return std::uniform_real_distribution<double>(from, to)(random);
    };
    double worst = 0, worst_observed = 0, largest = 0;
    for (int trial = 0; trial < 300; ++trial) {
        SimulatedDevice device{std::exp(uniform(-4, 0)), std::exp(uniform(-2, 2)), 0.001,
                               0.001 * (trial % 3 == 0 ? 0 : uniform(0, 5))};
        // Delays of whole periods are observed exactly; others are integrated.
        const bool whole = trial % 3 == 1;
        if (whole) device.delay = 0.001 * std::round(device.delay / 0.001);
        const DeviceHardware hardware{device.damping, device.period, device.delay, 1e9};
        const VirtualCoupling wanted{std::exp(uniform(3, 10)), trial % 2 ? 0 : std::exp(uniform(-3, 3))};
        const VirtualCoupling coupling = limit_to_passive(wanted, hardware).coupling;
        TestWorld world;
        world.is_wall = trial % 4 == 0;
        if (trial % 4 == 1) world.mass = std::exp(uniform(-8, 1));
        if (trial % 4 >= 2) {
            world.mass = trial % 4 == 2 ? 0 : std::exp(uniform(-8, 0));
            world.stiffness = std::exp(uniform(0, 10));
        }
        // A hand that pulses, swings at one frequency, or pushes along the velocity: pumping as best it can.
        const double amplitude = uniform(0.1, 5), omega = std::exp(uniform(1, 7));
        const int kind = trial % 5;
        const Outcome out = run(
            device, coupling, world,
            [&](int k, const SimulatedDeviceState& state) {
                Hand hand;
                if (kind == 0)
                    hand.force = amplitude * Vector3d(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
                if (kind == 1) hand.force = amplitude * Vector3d::Constant(std::sin(omega * 0.001 * k));
                if (kind == 2) {
                    hand.force = 0.9 * device.damping * state.velocity;
                    hand.force.x() += k == 0 ? amplitude : 0;
                }
                if (kind >= 3) {
                    hand.stiffness = 0.5 * device.mass * 1e6;  // a stiff hand imposes its motion
                    hand.damping = kind == 3 ? 0 : 1;
                    hand.target_before = Vector3d::Constant(0.01 * std::sin(omega * 0.001 * k));
                    hand.target_after = Vector3d::Constant(0.01 * std::sin(omega * 0.001 * (k + 1)));
                }
                return hand;
            },
            3000);
        worst = std::max(worst, out.given);
        if (whole || device.delay == 0) worst_observed = std::max(worst_observed, out.observed_given);
        largest = std::max(largest, out.largest);
    }
    EXPECT_LE(worst, 1e-6);           // J, the bound
    EXPECT_LE(worst_observed, 1e-6);  // J
    EXPECT_GT(largest, 0.01);         // they did move
    RecordProperty("worst_J", std::to_string(worst));
}

// Energy per cycle of a motion that is imposed slowly changes sign at the damping that theory says.
TEST(Passivity, IsLostBelowTheDampingThatTheorySays) {
    for (int d = 0; d <= 3; ++d) {
        const VirtualCoupling coupling{1000, 0};
        const double omega = 2 * 3.14159265358979 * 5;  // 5 Hz: slow against the period
        const auto given_at = [&](double damping) {
            const SimulatedDevice device{0.1, damping, 0.001, 0.001 * d};
            // The proxy is bound to the origin: a spring of the world that is much stiffer.
            return run(
                       device, coupling, {.stiffness = 1e12},
                       [&](int k, const SimulatedDeviceState&) {
                           Hand hand;
                           hand.stiffness = 1e5;
                           hand.target_before.x() = 0.01 * std::sin(omega * 0.001 * k);
                           hand.target_after.x() = 0.01 * std::sin(omega * 0.001 * (k + 1));
                           return hand;
                       },
                       4000)
                .given;
        };
        const double theory =
            damping_for_still_proxy(coupling, {.damping = 1, .period = 0.001, .delay = 0.001 * d});
        double low = 0, high = 10;
        for (int i = 0; i < 12; ++i) {
            const double middle = (low + high) / 2;
            (given_at(middle) > 1e-6 ? low : high) = middle;
        }
        EXPECT_NEAR(high, theory, 0.05 * theory) << d << " periods";  // the issue asks for 15%
    }
}

// A still proxy is not the worst world: with a delay, a proxy with mass resonates with its coupling.
TEST(Passivity, NeedsMoreForAWorldThatResonatesWithTheDelay) {
    const VirtualCoupling coupling{1000, 0};
    const DeviceHardware hardware{.damping = 1, .period = 0.001, .delay = 0.003};
    const double still = damping_for_still_proxy(coupling, hardware);
    const double any = damping_for_any_world(coupling, hardware);
    EXPECT_NEAR(still, 3.5, 1e-12);
    EXPECT_NEAR(any, 8, 1e-12);  // κ N = 0.5 · 16
    double most_at_still = 0, most_at_any = 0;
    for (const double mass : {0.003, 0.01, 0.03, 0.1, 0.3})
        for (const double beyond : {1.02, 1.1, 1.3}) {
            // Above the resonance √(k_c/m) the hand feels more than k_c.
            const double omega = beyond * std::sqrt(coupling.stiffness / mass);
            const auto given_at = [&](double damping) {
                const SimulatedDevice device{0.1, damping, 0.001, 0.003};
                return run(
                           device, coupling, {.mass = mass},
                           [&](int k, const SimulatedDeviceState&) {
                               Hand hand;
                               hand.stiffness = 1e6;
                               hand.target_before.x() = 0.01 * std::sin(omega * 0.001 * k);
                               hand.target_after.x() = 0.01 * std::sin(omega * 0.001 * (k + 1));
                               return hand;
                           },
                           4000)
                    .given;
            };
            most_at_still = std::max(most_at_still, given_at(still));
            most_at_any = std::max(most_at_any, given_at(any));
        }
    EXPECT_GT(most_at_still, 1e-3);  // J
    EXPECT_LE(most_at_any, 1e-6);    // J
}

}  // namespace
}  // namespace limber
