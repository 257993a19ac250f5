// SPDX-License-Identifier: Apache-2.0
// Holes of a surface, and patches that close them.
//
// The patch of a hole is the triangulation of its loop, without new vertices, whose largest dihedral angle is
// least, and among those the one of least area:
//   P. Liepa, Filling Holes in Meshes, Symposium on Geometry Processing 2003, section 3,
//   after G. Barequet, M. Sharir, Filling gaps in the boundary of a polyhedron, 1995.
// By dynamic programming in O(n^3). Longer loops are first divided along their shortest chords.
#pragma once
#include "build/mesh/surface_edges.h"
#include "build/mesh/surface_mesh.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace limber::build {

struct Hole {
    std::vector<int> loop;  // vertices, each once, in the direction in which a patch's triangles run round it
    int part = 0;           // Orientation::part of the triangles around it
    double area = 0;        // m^2, of the loop's largest shadow: |1/2 closed integral of x cross dx|
};

struct Holes {
    std::vector<Hole> closed_loops;  // by their least vertex
    // Vertices of edges of one triangle that are on no loop: the chain of them ends where three or more
    // triangles meet, or the part has only one side.
    std::vector<Hole> chains;
};
Holes find_holes(const std::vector<Vertex>& vertices, const std::vector<EdgeUse>& uses,
                 const Orientation& orientation);

using EdgeSet = std::set<std::pair<int, int>>;  // low, high

// The triangles of the patch; none if every triangulation has an edge of `taken` inside. `across`: for edge i
// of the loop, from vertex i to the next, the third corner of the surface's triangle there, or -1. Flat
// triangles come only where there is no other.
std::optional<std::vector<Triangle>> triangulate_loop(const std::vector<Vertex>& vertices,
                                                      const std::vector<int>& loop,
                                                      const std::vector<int>& across, const EdgeSet& taken);

// For each edge of the loop the third corner of the one triangle there.
std::vector<int> corners_across(const std::vector<int>& loop, const std::vector<Triangle>& triangles,
                                const std::vector<EdgeUse>& uses);

}  // namespace limber::build
