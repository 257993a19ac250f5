// SPDX-License-Identifier: Apache-2.0
// An isotropic St.Venant-Kirchhoff material. SI units.
#pragma once
#include <limber/input_error.h>

#include <optional>
#include <string>

namespace limber {

struct Material {
    double young = 1e6;     // Young's modulus E, Pa, from 1e-20 to 1e20
    double poisson = 0.45;  // Poisson's ratio nu, -1 < nu < 0.5
    double density = 1000;  // rho, kg/m^3, from 1e-20 to 1e20

    double bulk() const { return young / (3 * (1 - 2 * poisson)); }  // kappa = lambda + 2/3 mu, Pa
    double shear() const { return young / (2 * (1 + poisson)); }     // mu, Pa
};

// What is wrong with a constant that is outside its range or not finite, if any.
std::optional<InputError> material_problem(const Material& material, const std::string& where);

}  // namespace limber
