// SPDX-License-Identifier: Apache-2.0
// What a device reads is checked before anything depends on it: no NaN passes, no jump, and what was changed
// is counted. docs/math/haptics.md, section 6.
#pragma once
#include <limber/input_error.h>

#include <Eigen/Core>
#include <optional>

namespace limber {

struct DeviceInputLimits {
    double max_speed = 5;   // m/s; faster readings are followed at this speed. A hand moves at 1 to 3 m/s.
    double period = 0.001;  // s, from one reading to the next
};
// Empty: they make sense.
std::optional<InputError> device_input_problem(const DeviceInputLimits& limits);

// What the readings were, so far.
struct DeviceInputReport {
    long long readings = 0;
    long long not_finite = 0;  // NaN or infinite: the last position was kept
    long long jumps = 0;       // faster than max_speed: followed at max_speed
    double largest_jump = 0;   // m, from the last position to a finite reading that was not taken as it was
};

struct DeviceInput {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  // the last that was passed on, m
    bool has_begun = false;                              // position is one
    DeviceInputReport report;
};

// Takes a reading; returns where the device is said to be. The first finite reading is taken as it is.
Eigen::Vector3d take_reading(const DeviceInputLimits& limits, const Eigen::Vector3d& reading,
                             DeviceInput& state);

}  // namespace limber
