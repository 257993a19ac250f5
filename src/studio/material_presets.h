// SPDX-License-Identifier: Apache-2.0
// Materials that one can choose by name.
#pragma once
#include <span>

namespace limber::studio {

struct MaterialPreset {
    const char* id;
    const char* title;
    double young;    // Pa
    double poisson;  // -
    double density;  // kg/m^3
    const char* source;
};

// Softest first. Poisson's ratios of nearly incompressible materials are lowered to 0.48: nearer to 0.5
// linear elements lock.
std::span<const MaterialPreset> material_presets();

}  // namespace limber::studio
