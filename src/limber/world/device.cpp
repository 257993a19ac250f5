// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/haptics.md.
#include "limber/world/device.h"

#include <algorithm>
#include <cmath>

namespace limber {

using Eigen::Vector3d;

namespace {

// The period is that of the world's steps.
DeviceHardware hardware_of(const DeviceSettings& settings, double dt) {
    return {settings.device_damping, dt, settings.delay, settings.max_force};
}

}  // namespace

void WorldDevice::begin_step(double dt) {
    position_before_ = input_.position;
    const Vector3d now = take_reading({settings_.max_speed, dt}, reading_, input_);
    const Vector3d displacement = now - position_before_;

    DeviceHardware hardware = hardware_of(settings_, dt);
    hardware.delay = std::min(hardware.delay, kMostDelayPeriods * dt);
    observer_.observe(force_, displacement, hardware);
    coupling_ = {{settings_.stiffness, settings_.damping}, 1};
    if (claims_passivity()) coupling_ = limit_to_passive(coupling_.coupling, hardware);

    step_ = proxy_step(coupling_.coupling, settings_.mass, proxy_, position_before_, now, dt);
    most_distance_ = settings_.max_speed * dt;
}

void WorldDevice::end_step(const Vector3d& v, double dt) {
    const Vector3d before = proxy_.position;
    const double distance = dt * v.norm();
    proxy_.velocity = distance > most_distance_ ? Vector3d(v * (most_distance_ / distance)) : v;
    proxy_.position += dt * proxy_.velocity;
    force_ =
        -coupling_force(coupling_.coupling, position_before_, input_.position, before, proxy_.position, dt);
    const double size = force_.stableNorm();
    if (size > settings_.max_force) {
        force_ *= settings_.max_force / size;
        ++forces_cut_;
    }
}

}  // namespace limber
