// SPDX-License-Identifier: Apache-2.0
// The first stage of a build: the elements, the surface that they carry, and what is fixed.
#pragma once
#include "build/mesh/embed.h"
#include "build/recipe/recipe.h"

#include <cstdint>

namespace limber::build {

struct BodyMesh {
    VolumeMesh volume;    // m; element groups of --material selections on the surface are added
    SurfaceMesh surface;  // m
    std::vector<std::int32_t> input_vertex;  // surface vertex -> vertex of the user's file
    bool filled = false;                     // the user gave a surface; false: a volume
    Embedding embedding;                     // of the surface's vertices in the volume
    std::vector<int> fixed;                  // volume vertices, ascending
    FillReport filling;
    HeldReport held;
    MaterialMap materials;
    std::vector<std::string> notes;
};

// A surface is filled; SELECT acts on it (holding.h). A volume's surface is its boundary.
BodyMesh prepare_body(const BuildInput& input, const Recipe& recipe, const Progress& progress);

}  // namespace limber::build
