// SPDX-License-Identifier: Apache-2.0
// A haptic device and a hand, simulated: what the loop and the coupling are tested against, and what
// `limber haptics` runs where no device is connected. docs/math/haptics.md, section 4.
//
//     m ẍ + b ẋ = f_hand + f(t),   f(t) = F_j for jT + τ ≤ t < (j+1)T + τ (11)
#pragma once
#include <limber/haptics/coupling.h>
#include <limber/input_error.h>

#include <Eigen/Core>
#include <array>
#include <optional>

namespace limber {

struct SimulatedDevice {
    double mass = 0.1;      // m, of device and hand as far as it moves with it, kg
    double damping = 1;     // b, N s/m
    double period = 0.001;  // T, s
    double delay = 0;       // τ, s; at most kMostDelayPeriods periods
};
// Empty: it makes sense, and its motion is resolved.
std::optional<InputError> simulated_device_problem(const SimulatedDevice& device, double hand_stiffness,
                                                   double hand_damping);

// f_hand = k_h (target − x) − b_h ẋ + force; the target moves evenly over the period.
struct Hand {
    double stiffness = 0;  // k_h, N/m
    double damping = 0;    // b_h, N s/m
    Eigen::Vector3d target_before = Eigen::Vector3d::Zero(), target_after = Eigen::Vector3d::Zero();  // m
    Eigen::Vector3d force = Eigen::Vector3d::Zero();                                                  // N
};

struct SimulatedDeviceState {
    Eigen::Vector3d position = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero();  // m, m/s
    // Forces that were commanded, the newest first, N.
    std::array<Eigen::Vector3d, kMostDelayPeriods + 2> commanded = zeros();
    // Work since the start, J: of the held force on the device, and what the damping took.
    double work_of_force = 0, dissipated = 0;

    static std::array<Eigen::Vector3d, kMostDelayPeriods + 2> zeros() {
        std::array<Eigen::Vector3d, kMostDelayPeriods + 2> out;
        out.fill(Eigen::Vector3d::Zero());
        return out;
    }
};

// One period: `force` (to the hand, N) answers the reading at its start.
void advance(const SimulatedDevice& device, const Hand& hand, const Eigen::Vector3d& force,
             SimulatedDeviceState& state);

}  // namespace limber
