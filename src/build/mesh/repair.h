// SPDX-License-Identifier: Apache-2.0
// Repairs what can be repaired without guessing: welds, drops, flips. Says what it did.
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh/volume_mesh.h"

#include <cstddef>

namespace limber::build {

// Vertices closer than this fraction of the bounding diagonal are one place of a surface: rounding parts them
// less, and what anybody models is further apart. Checks, tetrahedra and filled fractions look at surfaces
// welded so: where texture coordinates or normals split vertices there is a seam, not a hole.
inline constexpr double kWeldDistance = 1e-9;

struct RepairOptions {
    double weld_distance = kWeldDistance;
};

// What repair did; all zero: the mesh was sound.
struct RepairReport {
    std::size_t welded_vertices = 0, removed_vertices = 0;  // removed: unreferenced or not finite
    std::size_t degenerate = 0, duplicate = 0;              // elements dropped
    std::size_t flipped = 0;        // triangles or elements flipped to face the other way
    std::size_t inverted_left = 0;  // bricks that no renumbering can save
};

template <class Mesh>
struct Repaired {
    Mesh mesh;
    RepairReport report;
};
Repaired<SurfaceMesh> repair(const SurfaceMesh& mesh, const RepairOptions& options = {});
Repaired<VolumeMesh> repair(const VolumeMesh& mesh, const RepairOptions& options = {});

}  // namespace limber::build
