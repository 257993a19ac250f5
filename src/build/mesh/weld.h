// SPDX-License-Identifier: Apache-2.0
// Vertices that lie close together become one; those that nothing uses go.
#pragma once
#include "build/mesh/repair.h"
#include "build/mesh/surface_mesh.h"

#include <vector>

namespace limber::build {

struct Welded {
    std::vector<int> to;    // vertex -> the first vertex that it became one with, or itself; -1: not finite
    std::size_t count = 0;  // of vertices that became one with an earlier one
};
// `distance` is a fraction of the bounding diagonal, 0 to 1 (excluded); at 0 only equal positions are one.
Welded weld_vertices(const std::vector<Vertex>& vertices, double distance);

// The triangles with each corner replaced by the vertex that it is one with; those that name a vertex that is
// not there, or not finite, stay as they are.
std::vector<Triangle> weld_corners(const std::vector<Triangle>& triangles, const Welded& weld);

// Copies the used vertices to `kept` in their order; returns vertex -> place in `kept` (through the weld) or
// -1.
std::vector<int> keep_used(const std::vector<Vertex>& vertices, const Welded& weld,
                           const std::vector<char>& used, std::vector<Vertex>& kept, RepairReport& report);

// Groups after their members have new numbers; -1: gone.
std::vector<Group> renumbered(const std::vector<Group>& groups, const std::vector<int>& new_id);

}  // namespace limber::build
