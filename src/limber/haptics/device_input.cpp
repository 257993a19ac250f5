// SPDX-License-Identifier: Apache-2.0
#include "limber/haptics/device_input.h"

#include <algorithm>
#include <cmath>

namespace limber {

std::optional<InputError> device_input_problem(const DeviceInputLimits& limits) {
    if (!(limits.max_speed > 0) || !std::isfinite(limits.max_speed))
        return InputError{"max_speed", number(limits.max_speed) + " m/s is not positive and finite", "5"};
    if (!(limits.period > 0) || !std::isfinite(limits.period))
        return InputError{"period", number(limits.period) + " s is not positive and finite", "0.001"};
    return std::nullopt;
}

Eigen::Vector3d take_reading(const DeviceInputLimits& limits, const Eigen::Vector3d& reading,
                             DeviceInput& state) {
    ++state.report.readings;
    if (!reading.allFinite()) {
        ++state.report.not_finite;
        return state.position;
    }
    if (!state.has_begun) {
        state.has_begun = true;
        return state.position = reading;
    }
    const double most = limits.max_speed * limits.period;
    const Eigen::Vector3d displacement = reading - state.position;
    const double distance = displacement.stableNorm();  // readings of 1e200 m are finite too
    if (distance <= most) return state.position = reading;
    ++state.report.jumps;
    state.report.largest_jump = std::max(state.report.largest_jump, distance);
    if (std::isfinite(distance)) state.position += displacement * (most / distance);
    return state.position;
}

}  // namespace limber
