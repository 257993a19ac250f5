// SPDX-License-Identifier: Apache-2.0
// How much energy a device's coupling has given to the hand, from what the loop itself sees: positions at the
// readings, and the forces that answered them. docs/math/haptics.md, section 3.
#pragma once
#include <limber/haptics/coupling.h>

#include <Eigen/Core>
#include <array>

namespace limber {

class PassivityObserver {
 public:
    // The device went by `displacement` (m) in the period after a reading that was answered by F (N, to the
    // hand). With F̃ the force that acted in this period, F or an earlier one by the delay:
    //     E ← E − F̃·Δx,   D ← D + b |Δx|²/T,   given = −(E + D). (10)
    void observe(const Eigen::Vector3d& force_to_hand, const Eigen::Vector3d& displacement,
                 const DeviceHardware& hardware);

    double absorbed() const { return absorbed_; }      // J, by the coupling from the hand; negative: given
    double dissipated() const { return dissipated_; }  // J, at least, by the damping of the device
    // J, the most that was ever given beyond what the damping had taken.
    double most_given() const { return most_given_; }

 private:
    double absorbed_ = 0, dissipated_ = 0, most_given_ = 0;
    std::array<std::array<double, 3>, kMostDelayPeriods + 2> forces_{};  // the newest first
};

}  // namespace limber
