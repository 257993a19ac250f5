// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/surface_edges.h"

#include "build/mesh/vertex_range.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <tuple>

namespace limber::build {

std::vector<EdgeUse> edge_uses(const std::vector<Triangle>& triangles, std::size_t vertex_count) {
    std::vector<EdgeUse> found;
    found.reserve(3 * triangles.size());
    std::vector<std::size_t> begin(vertex_count + 1, 0);  // of the uses with that lower vertex
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const Triangle& tri = triangles[t];
        if (!in_range(tri, vertex_count) || has_repeated_corner(tri)) continue;
        for (std::size_t i = 0; i < 3; ++i) {
            const int a = tri[i], b = tri[(i + 1) % 3];
            found.push_back({std::min(a, b), std::max(a, b), static_cast<int>(t), a < b});
            ++begin[static_cast<std::size_t>(found.back().low) + 1];
        }
    }
    // By the lower vertex in one pass, which keeps the triangles in order; then the few of each by the other.
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<EdgeUse> uses(found.size());
    std::vector<std::size_t> next = begin;
    for (const EdgeUse& use : found)
        uses[next[static_cast<std::size_t>(use.low)]++] = use;
    for (std::size_t v = 0; v < vertex_count; ++v)
        std::sort(uses.begin() + std::ptrdiff_t(begin[v]), uses.begin() + std::ptrdiff_t(begin[v + 1]),
                  [](const EdgeUse& a, const EdgeUse& b) {
                      return std::tie(a.high, a.triangle) < std::tie(b.high, b.triangle);
                  });
    return uses;
}

Orientation orient(const std::vector<Triangle>& triangles, const std::vector<EdgeUse>& uses) {
    Orientation result;
    // Up to three neighbours across edges of two triangles; they disagree if both run the same way there.
    struct Neighbours {
        std::array<int, 3> triangle{};
        std::array<char, 3> disagrees{};
        std::size_t count = 0;
        void add(int t, char d) {
            triangle[count] = t;
            disagrees[count++] = d;
        }
    };
    std::vector<Neighbours> neighbours(triangles.size());
    for_each_edge(uses, [&](std::span<const EdgeUse> edge) {
        if (edge.size() != 2) return;
        const char disagrees = edge[0].forward == edge[1].forward ? 1 : 0;
        neighbours[static_cast<std::size_t>(edge[0].triangle)].add(edge[1].triangle, disagrees);
        neighbours[static_cast<std::size_t>(edge[1].triangle)].add(edge[0].triangle, disagrees);
        if (disagrees && result.disagreeing_edges++ == 0) result.first_disagreeing = edge[0].triangle;
    });

    result.part.assign(triangles.size(), -1);
    result.flip.assign(triangles.size(), 0);
    std::vector<int> members;
    for (std::size_t seed = 0; seed < triangles.size(); ++seed) {
        if (result.part[seed] >= 0) continue;
        const int part = static_cast<int>(result.one_sided.size());
        result.one_sided.push_back(0);
        members.assign(1, static_cast<int>(seed));
        result.part[seed] = part;
        std::size_t flipped = 0;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const auto t = static_cast<std::size_t>(members[i]);
            for (std::size_t n = 0; n < neighbours[t].count; ++n) {
                const int other = neighbours[t].triangle[n];
                const auto o = static_cast<std::size_t>(other);
                const char wanted = static_cast<char>(result.flip[t] ^ neighbours[t].disagrees[n]);
                if (result.part[o] < 0) {
                    result.part[o] = part;
                    result.flip[o] = wanted;
                    flipped += static_cast<std::size_t>(wanted);
                    members.push_back(other);
                } else if (result.flip[o] != wanted) {
                    result.one_sided.back() = 1;
                }
            }
        }
        if (2 * flipped > members.size())
            for (const int t : members)
                result.flip[static_cast<std::size_t>(t)] ^= 1;
    }
    return result;
}

std::vector<char> closed_parts(const std::vector<EdgeUse>& uses, const Orientation& orientation) {
    std::vector<char> closed(orientation.one_sided.size(), 1);
    for_each_edge(uses, [&](std::span<const EdgeUse> edge) {
        for (const EdgeUse& use : edge) {
            const int part = orientation.part[static_cast<std::size_t>(use.triangle)];
            int balance = 0;
            for (const EdgeUse& other : edge)
                if (orientation.part[static_cast<std::size_t>(other.triangle)] == part)
                    balance +=
                        other.forward != (orientation.flip[static_cast<std::size_t>(other.triangle)] != 0)
                            ? 1
                            : -1;
            if (balance != 0) closed[static_cast<std::size_t>(part)] = 0;
        }
    });
    for (std::size_t p = 0; p < closed.size(); ++p)
        closed[p] = closed[p] && !orientation.one_sided[p];
    return closed;
}

}  // namespace limber::build
