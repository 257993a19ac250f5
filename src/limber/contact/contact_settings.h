// SPDX-License-Identifier: Apache-2.0
// How things touch. docs/math/contact.md, section 6.
#pragma once
#include <limber/contact/self_contact.h>
#include <limber/input_error.h>

#include <optional>
#include <vector>

namespace limber {

enum class ContactSwitch { Off, On };
enum class Sleeping { Off, On };

struct ContactSettings {
    ContactSwitch enabled = ContactSwitch::On;
    std::optional<double> stiffness{};  // k, pressure per depth, Pa/m; none: by automatic_contact()
    double dissipation = 1;             // d, s/m: no contact pushes apart faster than 1/d
    double friction = 0.5;              // µ of bodies and obstacles that have none of their own
    SelfContact self = SelfContact::Off;
    std::optional<double> margin{};  // m: from which gap on contacts are listed; none: automatic
    // Bodies that have been at rest for a while with all that they touch are not stepped until something
    // wakes them.
    Sleeping sleep = Sleeping::On;
};

std::optional<InputError> contact_settings_problem(const ContactSettings& settings);
// Of a body or an obstacle.
std::optional<InputError> friction_problem(double friction);

// What the automatic values are taken from, of each body that may touch.
struct TouchingMaterial {
    double size = 0;     // L, diagonal of the box around the surface at rest, m
    double density = 0;  // ρ, the largest, kg/m³
    double young = 0;    // E, the largest, Pa; 0: rigid
};

struct AutomaticContact {
    double stiffness = 0;  // Pa/m
    double margin = 0;     // m
};
// The stiffness that lets none of the bodies sink in by more than about 10⁻⁴ of its size under its own
// weight, and is not softer than the body itself; the margin is a hundredth of the smallest body. (50)
AutomaticContact automatic_contact(const std::vector<TouchingMaterial>& bodies, double gravity);

}  // namespace limber
