// SPDX-License-Identifier: Apache-2.0
#include <limber/model/material.h>

#include <cmath>

namespace limber {

// Beyond, there is no material, and energies might overflow.
static bool is_material_constant(double x) {
    return x >= 1e-20 && x <= 1e20;
}

std::optional<InputError> material_problem(const Material& m, const std::string& where) {
    if (!(m.young > 0) || !std::isfinite(m.young))
        return InputError{where, "Young's modulus is " + number(m.young) + " Pa; it must be positive",
                          "rubber is about 1e6 Pa, wood 1e10, steel 2e11"};
    if (!is_material_constant(m.young))
        return InputError{
            where, "Young's modulus is " + number(m.young) + " Pa; it must lie between 1e-20 and 1e20 Pa",
            "rubber is about 1e6 Pa, wood 1e10, steel 2e11"};
    if (!(m.poisson > -1 && m.poisson < 0.5))
        return InputError{
            where,
            "Poisson's ratio is " + number(m.poisson) + "; it must lie between -1 and 0.5, both excluded",
            "for a nearly incompressible material use 0.45 to 0.49"};
    if (!(m.density > 0) || !std::isfinite(m.density))
        return InputError{where, "the density is " + number(m.density) + " kg/m^3; it must be positive",
                          "water is 1000 kg/m^3, steel 7800"};
    if (!is_material_constant(m.density))
        return InputError{
            where, "the density is " + number(m.density) + " kg/m^3; it must lie between 1e-20 and 1e20",
            "water is 1000 kg/m^3, steel 7800"};
    return std::nullopt;
}

}  // namespace limber
