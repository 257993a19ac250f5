// SPDX-License-Identifier: Apache-2.0
// Repair of surfaces: weld, drop, close holes, orient.
#include "build/mesh/repair.h"

#include "build/mesh/box_tree.h"
#include "build/mesh/close_holes.h"
#include "build/mesh/surface_edges.h"
#include "build/mesh/surface_measures.h"
#include "build/mesh/vertex_range.h"
#include "build/mesh/weld.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace limber::build {
namespace {

// A triangle without area whose corners differ fills the gap between the edge a b and a vertex c on it.
// Dropping it would open the surface there, so the triangle beyond a b is cut at c instead. Returns whether
// it was.
bool cut_at(std::vector<Piece>& pieces, std::size_t beyond, int a, int b, int c) {
    const Triangle t = pieces[beyond].corners;
    for (std::size_t i = 0; i < 3; ++i) {
        const int from = t[i], to = t[(i + 1) % 3], apex = t[(i + 2) % 3];
        if (!((from == a && to == b) || (from == b && to == a)) || apex == c) continue;
        pieces[beyond].corners = {from, c, apex};
        pieces.push_back({{c, to, apex}, pieces[beyond].origin});
        return true;
    }
    return false;
}

void close_flat_triangles(const std::vector<Vertex>& vertices, std::vector<Piece>& pieces) {
    // A cut may make another flat triangle; each pass takes at least one, and chains are short.
    for (int pass = 0; pass < 20; ++pass) {
        std::vector<char> flat(pieces.size()), busy(pieces.size(), 0);
        bool any = false;
        for (std::size_t t = 0; t < pieces.size(); ++t) {
            flat[t] = is_degenerate(vertices, pieces[t].corners);
            any = any || flat[t];
        }
        if (!any) return;
        std::vector<char> gone(pieces.size(), 0);
        const std::vector<EdgeUse> uses = edge_uses(corners_of(pieces), vertices.size());
        for_each_edge(uses, [&](std::span<const EdgeUse> edge) {
            if (edge.size() != 2) return;
            for (const std::size_t i : {0, 1}) {
                const auto t = static_cast<std::size_t>(edge[i].triangle);
                const auto beyond = static_cast<std::size_t>(edge[1 - i].triangle);
                if (!flat[t] || flat[beyond] || busy[t] || busy[beyond]) continue;
                const Triangle& corners = pieces[t].corners;
                const int c = *std::find_if(corners.begin(), corners.end(),
                                            [&](int v) { return v != edge[0].low && v != edge[0].high; });
                // The edge must be the longest: then c lies on it.
                const auto at = [&](int v) -> const Vertex& { return vertices[static_cast<std::size_t>(v)]; };
                const double length = (at(edge[0].low) - at(edge[0].high)).norm();
                if ((at(c) - at(edge[0].low)).norm() > length || (at(c) - at(edge[0].high)).norm() > length)
                    continue;
                if (!cut_at(pieces, beyond, edge[0].low, edge[0].high, c)) continue;
                busy[t] = busy[beyond] = gone[t] = 1;
            }
        });
        std::vector<Piece> kept;
        for (std::size_t t = 0; t < pieces.size(); ++t)
            if (t >= gone.size() || !gone[t]) kept.push_back(pieces[t]);
        if (kept.size() == pieces.size()) return;
        pieces = std::move(kept);
    }
}

// The triangles of each part, flipped so that they agree.
struct Part {
    std::vector<Triangle> triangles;
    Eigen::AlignedBox3d box;
    bool inward = false;  // closed, and faces its inside
};

// Which closed parts are to be flipped as a whole. One that nothing encloses must face outward. One inside
// another is flipped with the outermost, since an inner wall that faces against it bounds a cavity; but where
// an even number of parts enclose it, it is a body again and must face outward too.
std::vector<char> choose_turns(const std::vector<Vertex>& vertices, const std::vector<Part>& parts,
                               const std::vector<char>& closed) {
    std::vector<Eigen::AlignedBox3d> boxes;
    for (const Part& part : parts)
        boxes.push_back(part.box);
    const BoxTree tree(boxes);
    std::vector<std::vector<std::size_t>> enclosing(parts.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
        if (!closed[p]) continue;
        const Triangle& first = parts[p].triangles.front();
        const Vertex point =
            (vertices[static_cast<std::size_t>(first[0])] + vertices[static_cast<std::size_t>(first[1])] +
             vertices[static_cast<std::size_t>(first[2])]) /
            3;
        tree.overlapping(parts[p].box, [&](int other) {
            const auto q = static_cast<std::size_t>(other);
            if (q != p && closed[q] && parts[q].box.contains(parts[p].box) &&
                std::abs(winding_number(vertices, parts[q].triangles, point)) > 0.5)
                enclosing[p].push_back(q);
        });
    }
    std::vector<char> turn(parts.size(), 0);
    for (std::size_t p = 0; p < parts.size(); ++p)
        if (closed[p] && enclosing[p].empty()) turn[p] = parts[p].inward;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        if (enclosing[p].empty()) continue;
        const auto outermost = std::find_if(enclosing[p].begin(), enclosing[p].end(),
                                            [&](std::size_t q) { return enclosing[q].empty(); });
        if (outermost != enclosing[p].end()) turn[p] = turn[*outermost];
        if (enclosing[p].size() % 2 == 0) turn[p] = parts[p].inward;
    }
    return turn;
}

// Flips triangles of a welded surface. Returns how many it flipped.
std::size_t orient_welded(const std::vector<Vertex>& vertices, std::vector<Triangle>& triangles) {
    const std::vector<EdgeUse> uses = edge_uses(triangles, vertices.size());
    const Orientation orientation = orient(triangles, uses);
    const std::vector<char> closed = closed_parts(uses, orientation);
    std::vector<Part> parts(closed.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        Part& part = parts[static_cast<std::size_t>(orientation.part[t])];
        Triangle turned = triangles[t];
        if (orientation.flip[t]) std::swap(turned[1], turned[2]);
        part.triangles.push_back(turned);
        for (const int v : turned)
            part.box.extend(vertices[static_cast<std::size_t>(v)]);
    }
    for (Part& part : parts)
        part.inward = enclosed_volume(vertices, part.triangles, part.box.center()) < 0;
    const std::vector<char> turn = choose_turns(vertices, parts, closed);

    std::size_t flipped = 0;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto part = static_cast<std::size_t>(orientation.part[t]);
        // A one-sided part has no right way round: it stays as it is.
        if (orientation.one_sided[part] || (orientation.flip[t] ^ turn[part]) == 0) continue;
        std::swap(triangles[t][1], triangles[t][2]);
        ++flipped;
    }
    return flipped;
}

// `triangles`: the corners of the pieces after they were flipped.
SurfaceOrigin origin_of(const SurfaceMesh& mesh, const Welded& weld, const std::vector<Piece>& pieces,
                        const std::vector<Triangle>& triangles) {
    SurfaceOrigin out;
    for (std::size_t t = 0; t < pieces.size(); ++t) {
        const auto from = static_cast<std::size_t>(pieces[t].origin);
        const bool is_patch = from >= mesh.triangles.size();
        out.triangle.push_back(is_patch ? -1 : pieces[t].origin);
        Triangle corners = triangles[t];
        if (!is_patch)
            for (int& corner : corners)
                for (const int v : mesh.triangles[from])
                    if (weld.to[static_cast<std::size_t>(v)] == corner) {
                        corner = v;
                        break;
                    }
        out.corners.push_back(corners);
    }
    return out;
}

}  // namespace

std::size_t orient_outward(const std::vector<Vertex>& vertices, std::vector<Triangle>& triangles) {
    const std::vector<Triangle> all = weld_corners(triangles, weld_vertices(vertices, kWeldDistance));
    std::vector<Triangle> welded;
    std::vector<std::size_t> origin;
    for (std::size_t t = 0; t < all.size(); ++t) {
        if (!in_range(all[t], vertices.size()) || has_repeated_corner(all[t])) continue;
        welded.push_back(all[t]);
        origin.push_back(t);
    }
    const std::vector<Triangle> before = welded;
    const std::size_t flipped = orient_welded(vertices, welded);
    for (std::size_t k = 0; k < welded.size(); ++k)
        if (welded[k] != before[k]) std::swap(triangles[origin[k]][1], triangles[origin[k]][2]);
    return flipped;
}

RepairedSurface repair(const SurfaceMesh& mesh, const RepairOptions& options) {
    RepairedSurface result;
    result.mesh.up = mesh.up;
    RepairReport& report = result.report;
    const Welded weld = weld_vertices(mesh.vertices, options.weld_distance);

    // Drop what has two equal corners, or one that is not finite; then close what has no area; then copies.
    std::vector<Piece> pieces;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        Triangle corners = mesh.triangles[t];
        bool keep = in_range(corners, mesh.vertices.size());
        if (keep)
            for (int& v : corners)
                v = weld.to[static_cast<std::size_t>(v)];
        keep = keep && in_range(corners, mesh.vertices.size()) && !has_repeated_corner(corners);
        if (keep) pieces.push_back({corners, static_cast<int>(t)});
    }
    report.degenerate = mesh.triangles.size() - pieces.size();
    std::vector<char> was_flat(mesh.triangles.size(), 0);
    for (const Piece& piece : pieces)
        if (is_degenerate(mesh.vertices, piece.corners)) was_flat[static_cast<std::size_t>(piece.origin)] = 1;
    report.degenerate += static_cast<std::size_t>(std::count(was_flat.begin(), was_flat.end(), 1));
    close_flat_triangles(mesh.vertices, pieces);
    std::erase_if(pieces, [&](const Piece& piece) { return is_degenerate(mesh.vertices, piece.corners); });
    std::set<Triangle> seen;
    std::erase_if(pieces, [&](const Piece& piece) {
        Triangle key = piece.corners;
        std::sort(key.begin(), key.end());
        const bool copy = !seen.insert(key).second;
        report.duplicate += copy;
        return copy;
    });
    if (options.holes != HolePolicy::Keep) {
        close_holes(mesh.vertices, options.holes, static_cast<int>(mesh.triangles.size()), pieces, report);
        // Where the surface has a vertex on an edge, the patch is flat.
        close_flat_triangles(mesh.vertices, pieces);
        std::erase_if(pieces,
                      [&](const Piece& piece) { return is_degenerate(mesh.vertices, piece.corners); });
    }
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const Piece& a, const Piece& b) { return a.origin < b.origin; });

    std::vector<Triangle> triangles = corners_of(pieces);
    report.flipped = orient_welded(mesh.vertices, triangles);

    result.origin = origin_of(mesh, weld, pieces, triangles);
    std::vector<char> used(mesh.vertices.size(), 0);
    for (const Triangle& t : triangles)
        for (const int v : t)
            used[static_cast<std::size_t>(v)] = 1;
    const std::vector<int> new_vertex = keep_used(mesh.vertices, weld, used, result.mesh.vertices, report);
    for (Triangle& t : triangles)
        for (int& v : t)
            v = new_vertex[static_cast<std::size_t>(v)];
    result.mesh.triangles = std::move(triangles);

    // A group has all pieces of its triangles.
    for (const Group& group : mesh.triangle_groups) {
        Group& out = result.mesh.triangle_groups.emplace_back(Group{group.name, {}});
        for (std::size_t t = 0; t < pieces.size(); ++t)
            if (std::binary_search(group.ids.begin(), group.ids.end(), pieces[t].origin))
                out.ids.push_back(static_cast<int>(t));
    }
    return result;
}

}  // namespace limber::build
