// SPDX-License-Identifier: Apache-2.0
// What a haptic device of a world is like.
#pragma once
#include <limber/input_error.h>

#include <cstdint>
#include <optional>

namespace limber {

struct DeviceSettings {
    double radius = 0.01;    // of the proxy, m
    double stiffness = 500;  // k_c of the coupling, N/m
    double damping = 2;      // b_c of the coupling, N s/m
    double mass = 0;         // m_p of the proxy, kg; 0: it follows at once
    // b of the device itself, N s/m. Where it is known, the coupling is scaled down to what is passive for
    // any hand, and says so; 0: unknown, the coupling is as it is given and claims nothing.
    double device_damping = 0;
    double delay = 0;                  // τ, s: from a reading to the force that answers it
    double max_speed = 5;              // m/s: faster readings are followed at this speed
    double max_force = 1000;           // N: what is beyond is cut
    std::optional<double> friction{};  // µ of the proxy; none: that of the contact settings
    std::uint32_t layers = ~0u;        // touches whatever has a common bit; 0: nothing
};
// Empty: they make sense.
std::optional<InputError> device_problem(const DeviceSettings& settings);

}  // namespace limber
