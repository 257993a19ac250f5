// SPDX-License-Identifier: Apache-2.0
// What --fix holds of a surface that was filled. docs/adr/0019-conditions-hold-the-surface.md.
#pragma once
#include "build/mesh/embed.h"
#include "build/mesh/surface_mesh.h"
#include "build/mesh/volume_mesh.h"

#include <string>
#include <vector>

namespace limber::build {

struct Holding {
    std::vector<int> nodes;  // of the volume, ascending
    // m^2 of the surface: where a condition holds, and round vertices that are selected by id, what lies in
    // cells whose nodes are all fixed.
    double area = 0;
};

// The union of all texts. Ids, groups and near: take vertices of the surface; a condition takes every point
// of the surface at which it holds.
//   cubes: all nodes of the cells that hold such a vertex or point. Points are tried at the vertices and on
//          the triangles, half a cube apart or less.
//   tets:  for vertices all nodes of the tets that hold them; for a condition the nodes on the boundary at
//          which it holds, since tets follow the surface.
// "none" holds nothing. Throws InputError if another text selects nothing.
Holding hold_surface(const std::vector<std::string>& texts, const SurfaceMesh& surface,
                     const VolumeMesh& volume, const Embedding& embedding);

// Vertices of a volume, and the area of its boundary triangles between them.
Holding hold_volume(const std::vector<std::string>& texts, const VolumeMesh& volume,
                    const SurfaceMesh& boundary, const std::vector<int>& boundary_vertex);

}  // namespace limber::build
