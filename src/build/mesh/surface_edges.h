// SPDX-License-Identifier: Apache-2.0
// All edges of all triangles, equal ones side by side, and what follows from them: orientation.
#pragma once
#include "build/mesh/surface_mesh.h"

#include <cstddef>
#include <span>
#include <vector>

namespace limber::build {

struct EdgeUse {
    int low = 0, high = 0;  // vertex ids, low < high
    int triangle = 0;
    bool forward = false;  // the triangle runs from low to high
};

// Sorted by low, high, triangle. Triangles that repeat a corner or name a vertex that is not there are left
// out.
std::vector<EdgeUse> edge_uses(const std::vector<Triangle>& triangles, std::size_t vertex_count);

// Calls visit(span) for each edge with all its uses.
template <class Visit>
void for_each_edge(const std::vector<EdgeUse>& uses, Visit&& visit) {
    for (std::size_t i = 0; i < uses.size();) {
        std::size_t j = i + 1;
        while (j < uses.size() && uses[j].low == uses[i].low && uses[j].high == uses[i].high)
            ++j;
        visit(std::span<const EdgeUse>(&uses[i], j - i));
        i = j;
    }
}

// Parts joined through edges of exactly two triangles, and which triangles must be flipped to agree.
struct Orientation {
    std::vector<int> part;              // triangle -> part; parts in the order of their first triangle
    std::vector<char> flip;             // 1: flip it; of the two choices, the one that flips fewer triangles
    std::vector<char> one_sided;        // part -> 1 if it has no consistent orientation (a Moebius strip)
    std::size_t disagreeing_edges = 0;  // edges of two triangles that run the same way, as given
    int first_disagreeing = -1;         // a triangle at such an edge
};
Orientation orient(const std::vector<Triangle>& triangles, const std::vector<EdgeUse>& uses);

// Part -> 1 if it encloses a volume: along every edge as many of the part's triangles run one way as the
// other once they agree.
std::vector<char> closed_parts(const std::vector<EdgeUse>& uses, const Orientation& orientation);

}  // namespace limber::build
