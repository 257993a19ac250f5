// SPDX-License-Identifier: Apache-2.0
// How a surface is filled with elements, and how fine where the user does not say.
#pragma once
#include "build/mesh/check.h"
#include "build/recipe/recipe.h"

#include <string>
#include <vector>

namespace limber::build {

// `report`: check() of the surface. Notes for the user go to `notes`.
VolumeMesh fill_surface(const SurfaceMesh& surface, const MeshReport& report, const std::string& name,
                        const Recipe& recipe, FillReport& out, std::vector<std::string>& notes);

// CPU seconds of a build with the usual 20 modes and 30 basis vectors, measured on a 3 GHz core: a guess for
// other machines. `points`: quadrature points.
double estimated_seconds(std::size_t nodes, std::size_t points);

}  // namespace limber::build
