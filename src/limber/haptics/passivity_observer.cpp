// SPDX-License-Identifier: Apache-2.0
#include "limber/haptics/passivity_observer.h"

#include <algorithm>

namespace limber {

void PassivityObserver::observe(const Eigen::Vector3d& force_to_hand, const Eigen::Vector3d& displacement,
                                const DeviceHardware& hardware) {
    std::move_backward(forces_.begin(), forces_.end() - 1, forces_.end());
    forces_[0] = {force_to_hand.x(), force_to_hand.y(), force_to_hand.z()};
    // The force of d periods ago acts from τ − dT on, the one before it until then; between two readings the
    // motion is taken as even.
    const HeldForces held = held_forces(hardware.delay, hardware.period);
    const auto work_of = [&](std::size_t back) {
        const auto& f = forces_[back];
        return f[0] * displacement.x() + f[1] * displacement.y() + f[2] * displacement.z();
    };
    const double earlier = held.begins / hardware.period;
    absorbed_ -= (1 - earlier) * work_of(held.periods) + earlier * work_of(held.periods + 1);
    dissipated_ += hardware.damping * displacement.squaredNorm() / hardware.period;
    most_given_ = std::max(most_given_, -(absorbed_ + dissipated_));
}

}  // namespace limber
