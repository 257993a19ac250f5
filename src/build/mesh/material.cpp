// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/material.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <cmath>

namespace limber::build {

Lame lame_of(const Material& m) {
    return {m.young * m.poisson / ((1 + m.poisson) * (1 - 2 * m.poisson)), m.young / (2 * (1 + m.poisson))};
}

void check_material(const Material& m, const std::string& where) {
    if (!(m.young > 0) || !std::isfinite(m.young))
        throw InputError{where, fmt::format("Young's modulus is {} Pa; it must be positive", m.young),
                         "rubber is about 1e6 Pa, wood 1e10, steel 2e11"};
    if (!(m.poisson > -1 && m.poisson < 0.5))
        throw InputError{
            where,
            fmt::format("Poisson's ratio is {}; it must lie between -1 and 0.5, both excluded", m.poisson),
            "for a nearly incompressible material use 0.45 to 0.49"};
    if (!(m.density > 0) || !std::isfinite(m.density))
        throw InputError{where, fmt::format("the density is {} kg/m^3; it must be positive", m.density),
                         "water is 1000 kg/m^3, steel 7800"};
}

}  // namespace limber::build
