// SPDX-License-Identifier: Apache-2.0
// What the options --young, --poisson, --density and --material say about a mesh.
#pragma once
#include "build/mesh/material.h"
#include "build/mesh/volume_mesh.h"

#include <optional>
#include <string>
#include <vector>

namespace limber::build {

struct MaterialRecipe {
    // Given: for all elements, also instead of the file's own.
    std::optional<double> young, poisson, density;
    Material base;  // where neither these nor the file say anything
    // "SELECT: young=2e6 poisson=0.4 density=900"; later ones win, what is left out is as above.
    std::vector<std::string> choices;
};

// One text of `choices`, split at its last colon.
struct MaterialText {
    std::string select, constants;
};
MaterialText split_material(const std::string& text);

// Throws InputError that names the option.
MaterialMap assign_materials(VolumeMesh mesh, const MaterialRecipe& recipe);

}  // namespace limber::build
