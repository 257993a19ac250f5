// SPDX-License-Identifier: Apache-2.0
// Pairs of triangles that meet elsewhere than at common corners and edges.
#pragma once
#include "build/mesh/surface_mesh.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace limber::build {

// Pairs (a, b), a < b, ascending, at most `limit`. Decided with exact arithmetic; touching counts. Triangles
// share a corner if they have the same vertex id, so weld first; degenerate triangles are left out.
// Not for use in several threads at once: the predicates are TetGen's and keep global state.
std::vector<std::pair<int, int>> self_intersections(const SurfaceMesh& surface, std::size_t limit);

}  // namespace limber::build
