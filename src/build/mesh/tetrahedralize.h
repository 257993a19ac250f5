// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh/volume_mesh.h"

#include <optional>
#include <string>

namespace limber::build {

struct TetrahedralizeOptions {
    std::optional<double> max_volume{};  // m^3 per tet; none: as coarse as quality allows
    double max_radius_edge_ratio = 1.6;  // TetGen's quality bound
};

// Fills a closed surface by TetGen, in a process of its own. The surface's vertices come first and keep their
// order; repeated and unused ones are left out. An inner surface that faces the other way bounds a cavity.
// Throws InputError naming the first offending triangles where the surface is open, non-manifold or cuts
// itself, and offers voxels instead. `name` is the file, for the message.
VolumeMesh tetrahedralize(const SurfaceMesh& surface, const TetrahedralizeOptions& options,
                          const std::string& name);

}  // namespace limber::build
