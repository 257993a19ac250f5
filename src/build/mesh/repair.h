// SPDX-License-Identifier: Apache-2.0
// Mends what can be mended without guessing: welds, drops, turns round. Says what it did.
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh/volume_mesh.h"

#include <cstddef>

namespace limber::build {

struct RepairOptions {
    double weld_distance = 1e-9;  // vertices closer than this fraction of the bounding diagonal become one
};

// What repair did; all zero: the mesh was sound.
struct RepairReport {
    std::size_t welded_vertices = 0, removed_vertices = 0;  // removed: unreferenced or not finite
    std::size_t degenerate = 0, duplicate = 0;              // elements dropped
    std::size_t flipped = 0;                                // triangles or elements turned round
    std::size_t inverted_left = 0;                          // bricks that no renumbering can save
};

template <class Mesh>
struct Repaired {
    Mesh mesh;
    RepairReport report;
};
Repaired<SurfaceMesh> repair(const SurfaceMesh& mesh, const RepairOptions& options = {});
Repaired<VolumeMesh> repair(const VolumeMesh& mesh, const RepairOptions& options = {});

}  // namespace limber::build
