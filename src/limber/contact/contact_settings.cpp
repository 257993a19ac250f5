// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/contact.md.
#include "limber/contact/contact_settings.h"

#include "limber/result.h"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kEarth = 9.81;             // m/s²: weightless bodies touch as if they had a weight
constexpr double kDepthFraction = 1e-4;     // of the size, under its own weight
constexpr double kStiffestMaterial = 1e10;  // Pa/m: beyond, rounding of positions shows in the forces
constexpr double kNoBody = 1e8;             // Pa/m: that of water
constexpr double kMarginFraction = 0.01;

}  // namespace

std::optional<InputError> friction_problem(double friction) {
    if (friction >= 0 && friction <= 1000) return std::nullopt;
    return InputError{"friction", number(friction) + " is not from 0 to 1000", "0.5; ice has 0.05, rubber 1"};
}

std::optional<InputError> contact_settings_problem(const ContactSettings& s) {
    if (s.stiffness && !(*s.stiffness >= 1 && *s.stiffness <= 1e15))
        return InputError{"contact.stiffness", number(*s.stiffness) + " Pa/m is not from 1 to 1e15",
                          "\"auto\", or 1e8"};
    if (!(s.dissipation >= 0 && s.dissipation <= 1e6))
        return InputError{"contact.dissipation", number(s.dissipation) + " s/m is not from 0 to 1e6",
                          "1; 0 for contact that loses nothing"};
    if (s.margin && !(*s.margin > 0 && *s.margin <= 1e6))
        return InputError{"contact.margin", number(*s.margin) + " m is not above 0 and up to 1e6",
                          "\"auto\", or a hundredth of the smallest body"};
    if (auto problem = friction_problem(s.friction)) {
        problem->where = "contact.friction";
        return problem;
    }
    return std::nullopt;
}

AutomaticContact automatic_contact(const std::vector<TouchingMaterial>& bodies, double gravity) {
    AutomaticContact out{0, 0};
    const double g = gravity > 0 && std::isfinite(gravity) ? gravity : kEarth;
    double smallest = 0;
    for (const TouchingMaterial& body : bodies) {
        if (!(body.size > 0)) continue;
        // A block of height L presses ρ g L on what it stands on.
        const double weight = body.density * g / kDepthFraction;
        const double material = std::min(body.young / body.size, kStiffestMaterial);
        out.stiffness = std::max({out.stiffness, weight, material});
        smallest = smallest > 0 ? std::min(smallest, body.size) : body.size;
    }
    if (!(out.stiffness > 0)) out.stiffness = kNoBody;
    out.stiffness = std::clamp(out.stiffness, 1.0, 1e15);
    out.margin = kMarginFraction * (smallest > 0 ? smallest : 0.1);
    return out;
}

}  // namespace limber
