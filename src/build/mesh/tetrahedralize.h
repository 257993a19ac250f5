// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh/volume_mesh.h"

#include <optional>
#include <string>

namespace limber::build {

struct TetrahedralizeOptions {
    // m^3 per tet. None: 1/1000 of the enclosed volume, so that a surface of few triangles becomes a body
    // that can bend; a finer surface gives smaller tets anyway.
    std::optional<double> max_volume{};
    double max_radius_edge_ratio = 1.6;  // TetGen's quality bound
};

// Why tetrahedralize() would refuse the surface before it asks TetGen; empty: it would not. Surfaces that
// pass through themselves (self_intersections.h) fail later.
std::string tetrahedra_problem(const SurfaceMesh& surface);

// Fills a closed surface by TetGen, in a process of its own. The surface's vertices come first and keep their
// order; repeated and unused ones are left out. An inner surface that faces the other way bounds a cavity.
// Throws InputError naming the first offending triangles where the surface is open, non-manifold or cuts
// itself, and offers voxels instead. `name` is the file, for the message.
VolumeMesh tetrahedralize(const SurfaceMesh& surface, const TetrahedralizeOptions& options,
                          const std::string& name);

}  // namespace limber::build
