// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/close_holes.h"

#include "build/mesh/box_tree.h"
#include "build/mesh/holes.h"
#include "build/mesh/self_intersections.h"
#include "build/mesh/surface_edges.h"
#include "build/mesh/surface_measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace limber::build {
namespace {

// Pairs of triangles near patches that are looked at; a surface that crosses itself more often is beyond
// repair.
constexpr std::size_t kMostCrossings = 100'000;

struct Patch {
    std::size_t hole;  // in Holes::closed_loops
    std::vector<Triangle> triangles;
};

Eigen::AlignedBox3d box_of(const std::vector<Vertex>& vertices, const Triangle& t) {
    Eigen::AlignedBox3d box;
    for (const int v : t)
        box.extend(vertices[static_cast<std::size_t>(v)]);
    return box;
}

Vertex middle_of(const std::vector<Vertex>& vertices, const std::vector<int>& loop) {
    Vertex sum = Vertex::Zero();
    for (const int v : loop)
        sum += vertices[static_cast<std::size_t>(v)];
    return sum / static_cast<double>(loop.size());
}

// The edges between vertices of holes: what a patch must not use again.
EdgeSet edges_between(const std::vector<Hole>& holes, const std::vector<EdgeUse>& uses,
                      std::size_t vertex_count) {
    std::vector<char> is_on_hole(vertex_count, 0);
    for (const Hole& hole : holes)
        for (const int v : hole.loop)
            is_on_hole[static_cast<std::size_t>(v)] = 1;
    EdgeSet out;
    for (const EdgeUse& use : uses)
        if (is_on_hole[static_cast<std::size_t>(use.low)] && is_on_hole[static_cast<std::size_t>(use.high)])
            out.emplace_hint(out.end(), use.low, use.high);
    return out;
}

// The patches, by number, that cross the surface, another patch or themselves.
std::set<std::size_t> crossing_patches(const std::vector<Vertex>& vertices,
                                       const std::vector<Triangle>& surface,
                                       const std::vector<Patch>& patches) {
    std::vector<Eigen::AlignedBox3d> boxes;
    boxes.reserve(surface.size());
    for (const Triangle& t : surface)
        boxes.push_back(box_of(vertices, t));
    const BoxTree tree(boxes);
    SurfaceMesh near;  // the patches, then what lies around them
    near.vertices = vertices;
    std::vector<std::size_t> patch_of;
    std::set<int> around;
    for (std::size_t p = 0; p < patches.size(); ++p)
        for (const Triangle& t : patches[p].triangles) {
            near.triangles.push_back(t);
            patch_of.push_back(p);
            tree.overlapping(box_of(vertices, t), [&](int other) { around.insert(other); });
        }
    for (const int t : around)
        near.triangles.push_back(surface[static_cast<std::size_t>(t)]);
    std::set<std::size_t> crossing;
    for (const auto& [a, b] : self_intersections(near, kMostCrossings))  // a < b
        if (static_cast<std::size_t>(a) < patch_of.size()) {
            // Of two patches that cross, the later one goes.
            const auto last = std::min(static_cast<std::size_t>(b), patch_of.size());
            crossing.insert(last < patch_of.size() ? patch_of[last] : patch_of[static_cast<std::size_t>(a)]);
        }
    return crossing;
}

}  // namespace

std::vector<Triangle> corners_of(const std::vector<Piece>& pieces) {
    std::vector<Triangle> triangles;
    triangles.reserve(pieces.size());
    for (const Piece& piece : pieces)
        triangles.push_back(piece.corners);
    return triangles;
}

void close_holes(const std::vector<Vertex>& vertices, HolePolicy policy, int first_origin,
                 std::vector<Piece>& pieces, RepairReport& report) {
    const std::vector<Triangle> triangles = corners_of(pieces);
    const std::vector<EdgeUse> uses = edge_uses(triangles, vertices.size());
    const Orientation orientation = orient(triangles, uses);
    const Holes found = find_holes(vertices, uses, orientation);
    const std::vector<Hole>& holes = found.closed_loops;
    const std::size_t parts = orientation.one_sided.size();
    std::vector<double> part_area(parts, 0), open_area(parts, 0);
    for (std::size_t t = 0; t < triangles.size(); ++t)
        part_area[static_cast<std::size_t>(orientation.part[t])] += area_of(vertices, triangles[t]);
    for (const Hole& hole : holes)
        open_area[static_cast<std::size_t>(hole.part)] += hole.area;

    std::vector<char> has_chain(parts, 0);
    for (const Hole& chain : found.chains)
        has_chain[static_cast<std::size_t>(chain.part)] = 1;

    const bool all = policy == HolePolicy::Close;
    const auto leave = [&](const Hole& hole, std::string reason) {
        if (all)
            report.holes_left.push_back(
                {hole.loop.size(), middle_of(vertices, hole.loop), std::move(reason)});
    };
    EdgeSet taken;
    if (all) taken = edges_between(holes, uses, vertices.size());
    std::vector<Patch> patches;
    for (std::size_t h = 0; h < holes.size(); ++h) {
        const Hole& hole = holes[h];
        const auto part = static_cast<std::size_t>(hole.part);
        if (!all && (has_chain[part] || open_area[part] > kSmallHoles * part_area[part])) continue;
        if (all && hole.area > kLargestHole * part_area[part]) {
            leave(hole, fmt::format("it has {:.0f}% of the area of its part, which is a sheet",
                                    100 * hole.area / part_area[part]));
            continue;
        }
        auto patch = triangulate_loop(vertices, hole.loop, corners_across(hole.loop, triangles, uses), taken);
        if (!patch) {
            leave(hole, "every patch has an edge that the surface has already");
            continue;
        }
        if (all)
            for (const Triangle& t : *patch)
                for (std::size_t i = 0; i < 3; ++i)
                    taken.emplace(std::min(t[i], t[(i + 1) % 3]), std::max(t[i], t[(i + 1) % 3]));
        patches.push_back({h, std::move(*patch)});
    }
    std::set<std::size_t> crossing;
    if (all && !patches.empty()) crossing = crossing_patches(vertices, triangles, patches);
    for (std::size_t p = 0; p < patches.size(); ++p) {
        if (crossing.contains(p)) {
            leave(holes[patches[p].hole], "its patch would cross the surface");
            continue;
        }
        ++report.holes_closed;
        report.patch_triangles += patches[p].triangles.size();
        for (const Triangle& t : patches[p].triangles)
            pieces.push_back({t, first_origin + static_cast<int>(p)});
    }
    for (const Hole& chain : found.chains)
        leave(chain, orientation.one_sided[static_cast<std::size_t>(chain.part)]
                         ? "its part has only one side, like a Moebius strip"
                         : "its edges end where three or more triangles meet");
}

}  // namespace limber::build
