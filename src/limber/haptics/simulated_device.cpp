// SPDX-License-Identifier: Apache-2.0
#include "limber/haptics/simulated_device.h"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

using Eigen::Vector3d;

// Fastest rate of the device times a substep: the classical Runge-Kutta step is then right to 1e-7 of a
// period's motion, and stable.
constexpr double kRateTimesStep = 0.05;
constexpr double kMostSubsteps = 1000;

double fastest_rate(const SimulatedDevice& device, double hand_stiffness, double hand_damping) {
    return std::max((device.damping + hand_damping) / device.mass, std::sqrt(hand_stiffness / device.mass));
}

struct DeviceRates {
    Vector3d velocity, acceleration;
    double power;  // of the damping
};

}  // namespace

std::optional<InputError> simulated_device_problem(const SimulatedDevice& device, double hand_stiffness,
                                                   double hand_damping) {
    const auto is_amount = [](double value) { return value >= 0 && std::isfinite(value); };
    if (!(device.mass > 0) || !std::isfinite(device.mass))
        return InputError{"mass", number(device.mass) + " kg is not positive and finite", "0.1"};
    if (!(device.period > 0) || !std::isfinite(device.period))
        return InputError{"period", number(device.period) + " s is not positive and finite", "0.001"};
    if (!is_amount(device.damping) || !is_amount(hand_damping))
        return InputError{"damping", "it is not a number from 0 on (N s/m)", "1"};
    if (!is_amount(hand_stiffness))
        return InputError{"stiffness", number(hand_stiffness) + " N/m of the hand is not a number from 0 on",
                          "500"};
    if (!(device.delay >= 0) || device.delay > kMostDelayPeriods * device.period)
        return InputError{
            "delay",
            number(device.delay) + " s is not between 0 and " + number(kMostDelayPeriods) + " periods", ""};
    if (fastest_rate(device, hand_stiffness, hand_damping) * device.period > kMostSubsteps * kRateTimesStep)
        return InputError{"mass",
                          number(device.mass) + " kg is too light for its damping or the hand's stiffness",
                          "more mass"};
    return std::nullopt;
}

void advance(const SimulatedDevice& device, const Hand& hand, const Vector3d& force,
             SimulatedDeviceState& state) {
    std::move_backward(state.commanded.begin(), state.commanded.end() - 1, state.commanded.end());
    state.commanded[0] = force;
    const HeldForces held_by = held_forces(device.delay, device.period);

    const double rate = fastest_rate(device, hand.stiffness, hand.damping);
    const auto part = [&](double from, double to, const Vector3d& held) {
        if (!(to - from > 1e-12 * device.period)) return;
        const int substeps =
            static_cast<int>(std::clamp(std::ceil((to - from) * rate / kRateTimesStep), 4.0, kMostSubsteps));
        const double h = (to - from) / substeps;
        const Vector3d start = state.position;
        for (int i = 0; i < substeps; ++i) {
            const auto rates = [&](double t, const Vector3d& x, const Vector3d& v) -> DeviceRates {
                const Vector3d target =
                    hand.target_before + t / device.period * (hand.target_after - hand.target_before);
                const Vector3d hands = hand.stiffness * (target - x) - hand.damping * v + hand.force;
                return {v, (hands + held - device.damping * v) / device.mass,
                        device.damping * v.squaredNorm()};
            };
            const double t = from + i * h;
            const Vector3d x = state.position, v = state.velocity;
            const DeviceRates a = rates(t, x, v);
            const DeviceRates b = rates(t + h / 2, x + h / 2 * a.velocity, v + h / 2 * a.acceleration);
            const DeviceRates c = rates(t + h / 2, x + h / 2 * b.velocity, v + h / 2 * b.acceleration);
            const DeviceRates e = rates(t + h, x + h * c.velocity, v + h * c.acceleration);
            state.position += h / 6 * (a.velocity + 2 * b.velocity + 2 * c.velocity + e.velocity);
            state.velocity +=
                h / 6 * (a.acceleration + 2 * b.acceleration + 2 * c.acceleration + e.acceleration);
            state.dissipated += h / 6 * (a.power + 2 * b.power + 2 * c.power + e.power);
        }
        state.work_of_force += held.dot(state.position - start);
    };
    part(0, held_by.begins, state.commanded[held_by.periods + 1]);
    part(held_by.begins, device.period, state.commanded[held_by.periods]);
}

}  // namespace limber
