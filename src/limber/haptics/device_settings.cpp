// SPDX-License-Identifier: Apache-2.0
#include "limber/haptics/device_settings.h"

#include "limber/contact/shape.h"
#include "limber/haptics/coupling.h"
#include "limber/haptics/device_input.h"

#include <cmath>

namespace limber {
namespace {

constexpr double kMostProxyMass = 1e6;  // kg

}  // namespace

std::optional<InputError> device_problem(const DeviceSettings& settings) {
    if (auto problem = shape_problem(SphereShape{settings.radius}, "radius")) return problem;
    if (auto problem = coupling_problem({settings.stiffness, settings.damping})) return problem;
    if (!(settings.mass >= 0) || settings.mass > kMostProxyMass)
        return InputError{"mass",
                          number(settings.mass) + " kg is not between 0 and " + number(kMostProxyMass), ""};
    if (!(settings.stiffness > 0))
        return InputError{"stiffness", "0 N/m couples the proxy to nothing", "500"};
    // Whatever the period: the delay is checked against it in each step.
    if (auto problem = hardware_problem({settings.device_damping, 1, settings.delay, settings.max_force}))
        return problem;
    if (auto problem = device_input_problem({settings.max_speed, 0.001})) return problem;
    if (settings.friction && (!(*settings.friction >= 0) || !std::isfinite(*settings.friction)))
        return InputError{"friction", number(*settings.friction) + " is not a number from 0 on", "0.5"};
    return std::nullopt;
}

}  // namespace limber
