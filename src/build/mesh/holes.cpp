// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/holes.h"

#include "build/mesh/surface_measures.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace limber::build {
namespace {

// Loops of more vertices are divided: the dynamic programme for 120 takes some 0.02 s.
constexpr std::size_t kLongestLoop = 120;

const Vertex& at(const std::vector<Vertex>& vertices, int v) {
    return vertices[static_cast<std::size_t>(v)];
}

std::pair<int, int> edge_of(int a, int b) {
    return {std::min(a, b), std::max(a, b)};
}

// Twice the area vector; not normalised.
Eigen::Vector3d normal_of(const std::vector<Vertex>& vertices, int a, int b, int c) {
    return (at(vertices, b) - at(vertices, a)).cross(at(vertices, c) - at(vertices, a));
}

// By how much the surface bends at an edge between two triangles: 0 for a flat one, 2 for a fold;
// 1 - cos of the angle between the normals. A triangle without area bends nothing.
double bend(const Eigen::Vector3d& n, const Eigen::Vector3d& m) {
    const double lengths = n.norm() * m.norm();
    return lengths > 0 ? 1 - n.dot(m) / lengths : 0;
}

double loop_area(const std::vector<Vertex>& vertices, const std::vector<int>& loop) {
    Eigen::Vector3d twice = Eigen::Vector3d::Zero();
    const Vertex& origin = at(vertices, loop[0]);
    for (std::size_t i = 1; i + 1 < loop.size(); ++i)
        twice += (at(vertices, loop[i]) - origin).cross(at(vertices, loop[i + 1]) - origin);
    return 0.5 * twice.norm();
}

// Cost of a triangulation, compared in this order.
struct PatchCost {
    int flat = 0;     // triangles without area
    double bend = 0;  // the largest
    double area = 0;  // m^2
    bool operator<(const PatchCost& other) const {
        return std::tie(flat, bend, area) < std::tie(other.flat, other.bend, other.area);
    }
};

// The best triangulation of loop[0..n-1], by the best of each chain i..k (Liepa 2003, section 3.2).
class LoopTriangulation {
 public:
    LoopTriangulation(const std::vector<Vertex>& vertices, const std::vector<int>& loop,
                      const std::vector<int>& across, const EdgeSet& taken)
        : vertices_(vertices),
          loop_(loop),
          across_(across),
          n_(loop.size()),
          cost_(n_ * n_),
          apex_(n_ * n_, 0) {
        for (std::size_t span = 2; span < n_; ++span)
            for (std::size_t i = 0; i + span < n_; ++i)
                solve(i, i + span, taken);
    }

    bool exists() const { return n_ >= 3 && is_possible(0, n_ - 1); }
    void append(std::vector<Triangle>& out) const { append(0, n_ - 1, out); }

 private:
    std::size_t index(std::size_t i, std::size_t k) const { return i * n_ + k; }
    bool is_possible(std::size_t i, std::size_t k) const { return k == i + 1 || apex_[index(i, k)] > 0; }

    Eigen::Vector3d normal(std::size_t i, std::size_t m, std::size_t k) const {
        return normal_of(vertices_, loop_[i], loop_[m], loop_[k]);
    }
    // Of the triangle on the far side of the chord i k, seen from the triangle that has it as its side.
    std::optional<Eigen::Vector3d> normal_below(std::size_t i, std::size_t k) const {
        if (k > i + 1) return normal(i, apex_[index(i, k)], k);
        // Edge i of the loop: the surface's triangle runs the other way.
        if (across_[i] < 0) return std::nullopt;
        return normal_of(vertices_, loop_[i + 1], loop_[i], across_[i]);
    }

    void solve(std::size_t i, std::size_t k, const EdgeSet& taken) {
        const bool is_last = i == 0 && k + 1 == n_;  // then k i is an edge of the loop
        if (!is_last && taken.contains(edge_of(loop_[i], loop_[k]))) return;
        PatchCost& best = cost_[index(i, k)];
        for (std::size_t m = i + 1; m < k; ++m) {
            if (!is_possible(i, m) || !is_possible(m, k)) continue;
            const Eigen::Vector3d n = normal(i, m, k);
            const PatchCost &left = cost_[index(i, m)], &right = cost_[index(m, k)];
            PatchCost sum{left.flat + right.flat, std::max(left.bend, right.bend),
                          left.area + right.area + 0.5 * n.norm()};
            sum.flat += is_degenerate(vertices_, {loop_[i], loop_[m], loop_[k]}) ? 1 : 0;
            if (apex_[index(i, k)] > 0 && best.flat < sum.flat) continue;
            if (const auto below = normal_below(i, m)) sum.bend = std::max(sum.bend, bend(n, *below));
            if (const auto below = normal_below(m, k)) sum.bend = std::max(sum.bend, bend(n, *below));
            if (is_last && across_[k] >= 0)
                sum.bend = std::max(sum.bend, bend(n, normal_of(vertices_, loop_[0], loop_[k], across_[k])));
            if (apex_[index(i, k)] > 0 && !(sum < best)) continue;
            best = sum;
            apex_[index(i, k)] = m;
        }
    }

    void append(std::size_t i, std::size_t k, std::vector<Triangle>& out) const {
        if (k == i + 1) return;
        const std::size_t m = apex_[index(i, k)];
        out.push_back({loop_[i], loop_[m], loop_[k]});
        append(i, m, out);
        append(m, k, out);
    }

    const std::vector<Vertex>& vertices_;
    const std::vector<int>&loop_, &across_;
    std::size_t n_;
    std::vector<PatchCost> cost_;    // of the chain i..k
    std::vector<std::size_t> apex_;  // third corner of the triangle on the chord i k; 0: impossible
};

// The shortest chord that leaves at least a quarter of the vertices on either side.
std::optional<std::pair<std::size_t, std::size_t>> shortest_chord(const std::vector<Vertex>& vertices,
                                                                  const std::vector<int>& loop,
                                                                  const EdgeSet& taken) {
    const std::size_t n = loop.size(), quarter = n / 4;
    double shortest = std::numeric_limits<double>::infinity();
    std::optional<std::pair<std::size_t, std::size_t>> best;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = i + quarter; k < n && k - i <= n - quarter; ++k) {
            const double length = (at(vertices, loop[k]) - at(vertices, loop[i])).squaredNorm();
            if (length >= shortest || taken.contains(edge_of(loop[i], loop[k]))) continue;
            shortest = length;
            best = {i, k};
        }
    return best;
}

// Next boundary edges of a part by the vertex that they start from.
using Outgoing = std::map<std::pair<int, int>, std::vector<int>>;  // (part, from) -> to

}  // namespace

Holes find_holes(const std::vector<Vertex>& vertices, const std::vector<EdgeUse>& uses,
                 const Orientation& orientation) {
    Holes holes;
    Outgoing outgoing;
    for_each_edge(uses, [&](std::span<const EdgeUse> edge) {
        if (edge.size() != 1) return;
        const auto t = static_cast<std::size_t>(edge[0].triangle);
        const int part = orientation.part[t];
        if (orientation.one_sided[static_cast<std::size_t>(part)]) {
            auto chain = std::find_if(holes.chains.begin(), holes.chains.end(),
                                      [&](const Hole& hole) { return hole.part == part; });
            if (chain == holes.chains.end()) chain = holes.chains.insert(chain, Hole{{}, part, 0});
            chain->loop.push_back(edge[0].low);
            return;
        }
        // A patch runs against the triangle.
        const bool patch_forward = edge[0].forward == (orientation.flip[t] != 0);
        const auto [from, to] =
            patch_forward ? std::pair(edge[0].low, edge[0].high) : std::pair(edge[0].high, edge[0].low);
        outgoing[{part, from}].push_back(to);
    });
    for (auto& [start, ends] : outgoing) {
        const auto [part, first] = start;
        while (!ends.empty()) {
            // Walk until there is no next edge; whenever a vertex comes again, a loop is complete.
            std::vector<int> path = {first};
            std::map<int, std::size_t> place = {{first, 0}};
            for (;;) {
                const auto next = outgoing.find({part, path.back()});
                if (next == outgoing.end() || next->second.empty()) break;
                const int to = next->second.back();
                next->second.pop_back();
                const auto seen = place.find(to);
                if (seen == place.end()) {
                    place.emplace(to, path.size());
                    path.push_back(to);
                    continue;
                }
                Hole hole{{path.begin() + static_cast<std::ptrdiff_t>(seen->second), path.end()}, part, 0};
                for (std::size_t i = seen->second + 1; i < path.size(); ++i)
                    place.erase(path[i]);
                path.resize(seen->second + 1);
                std::rotate(hole.loop.begin(), std::min_element(hole.loop.begin(), hole.loop.end()),
                            hole.loop.end());
                hole.area = loop_area(vertices, hole.loop);
                holes.closed_loops.push_back(std::move(hole));
            }
            path.pop_back();  // one less edges than vertices
            if (!path.empty()) holes.chains.push_back({std::move(path), part, 0});
        }
    }
    std::sort(holes.closed_loops.begin(), holes.closed_loops.end(),
              [](const Hole& a, const Hole& b) { return a.loop < b.loop; });
    return holes;
}

std::optional<std::vector<Triangle>> triangulate_loop(const std::vector<Vertex>& vertices,
                                                      const std::vector<int>& loop,
                                                      const std::vector<int>& across, const EdgeSet& taken) {
    std::vector<Triangle> out;
    if (loop.size() <= kLongestLoop) {
        const LoopTriangulation best(vertices, loop, across, taken);
        if (!best.exists()) return std::nullopt;
        best.append(out);
        return out;
    }
    const auto chord = shortest_chord(vertices, loop, taken);
    if (!chord) return std::nullopt;
    const auto [i, k] = *chord;
    const auto cut = [](const std::vector<int>& list, std::size_t from, std::size_t to) {
        return std::vector<int>(list.begin() + static_cast<std::ptrdiff_t>(from),
                                list.begin() + static_cast<std::ptrdiff_t>(to));
    };
    // i..k, closed by the chord; and k..n, 0..i, closed by it.
    std::vector<int> one = cut(loop, i, k + 1), one_across = cut(across, i, k);
    one_across.push_back(-1);
    std::vector<int> other = cut(loop, k, loop.size()), other_across = cut(across, k, loop.size());
    other.insert(other.end(), loop.begin(), loop.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    other_across.insert(other_across.end(), across.begin(), across.begin() + static_cast<std::ptrdiff_t>(i));
    other_across.push_back(-1);
    const auto first = triangulate_loop(vertices, one, one_across, taken);
    const auto second = triangulate_loop(vertices, other, other_across, taken);
    if (!first || !second) return std::nullopt;
    out = *first;
    out.insert(out.end(), second->begin(), second->end());
    return out;
}

std::vector<int> corners_across(const std::vector<int>& loop, const std::vector<Triangle>& triangles,
                                const std::vector<EdgeUse>& uses) {
    std::vector<int> out;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const std::pair<int, int> edge = edge_of(loop[i], loop[(i + 1) % loop.size()]);
        const auto use = std::lower_bound(uses.begin(), uses.end(), edge,
                                          [](const EdgeUse& a, const std::pair<int, int>& b) {
                                              return std::tie(a.low, a.high) < std::tie(b.first, b.second);
                                          });
        const Triangle& t = triangles[static_cast<std::size_t>(use->triangle)];
        out.push_back(
            *std::find_if(t.begin(), t.end(), [&](int v) { return v != edge.first && v != edge.second; }));
    }
    return out;
}

}  // namespace limber::build
