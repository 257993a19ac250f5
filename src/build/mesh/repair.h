// SPDX-License-Identifier: Apache-2.0
// Repairs what can be repaired without guessing: welds, drops, flips, closes holes. Says what it did.
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh/volume_mesh.h"

#include <cstddef>
#include <string>
#include <vector>

namespace limber::build {

// Vertices closer than this fraction of the bounding diagonal are one place of a surface: rounding parts them
// less, and what anybody models is further apart. Checks, tetrahedra and filled fractions look at surfaces
// welded so: where texture coordinates or normals split vertices there is a seam, not a hole.
inline constexpr double kWeldDistance = 1e-9;

enum class HolePolicy {
    Keep,
    CloseSmall,  // of parts whose holes have at most kSmallHoles of their area
    Close,       // all but those that are the outline of a sheet, or that no sound patch closes
};
// A part with more open area than this fraction of its own is a sheet, such as a cup or a sail, and not a
// body with a flaw. A ball with a round hole of 0.44 of its width has 5%.
inline constexpr double kSmallHoles = 0.05;
// A hole with more than this fraction of the area of its part is the outline of a sheet: a flat one has 1, a
// half sphere 0.5.
inline constexpr double kLargestHole = 0.6;

struct RepairOptions {
    double weld_distance = kWeldDistance;
    HolePolicy holes = HolePolicy::Close;
};

// A hole that was not closed.
struct HoleLeft {
    std::size_t edges = 0;
    Vertex middle = Vertex::Zero();  // of its vertices, m
    std::string reason;
};

// What repair did; all zero: the mesh was sound.
struct RepairReport {
    std::size_t welded_vertices = 0, removed_vertices = 0;  // removed: unreferenced or not finite
    std::size_t degenerate = 0, duplicate = 0;              // elements dropped
    std::size_t flipped = 0;        // triangles or elements flipped to face the other way
    std::size_t inverted_left = 0;  // bricks that no renumbering can save
    std::size_t holes_closed = 0, patch_triangles = 0;
    std::vector<HoleLeft> holes_left;  // with HolePolicy::Close
};

// Where the triangles of a repaired surface come from.
struct SurfaceOrigin {
    std::vector<int> triangle;      // of the input; -1: of a patch that closes a hole
    std::vector<Triangle> corners;  // vertices of the input before they were welded: each side of a
                                    // texture seam has its own
};
struct RepairedSurface {
    SurfaceMesh mesh;
    RepairReport report;
    SurfaceOrigin origin;
};
struct RepairedVolume {
    VolumeMesh mesh;
    RepairReport report;
};
// Only flips triangles, where they stand: those of a part agree, and closed parts face outward. Seams are no
// ends of a part. Returns how many it flipped.
std::size_t orient_outward(const std::vector<Vertex>& vertices, std::vector<Triangle>& triangles);
RepairedSurface repair(const SurfaceMesh& mesh, const RepairOptions& options = {});
RepairedVolume repair(const VolumeMesh& mesh, const RepairOptions& options = {});

}  // namespace limber::build
