// SPDX-License-Identifier: Apache-2.0
// Checks of surfaces, and what they share with those of volumes.
#include "build/mesh/check.h"
#include "build/mesh/disjoint_sets.h"
#include "build/mesh/problems.h"
#include "build/mesh/self_intersections.h"
#include "build/mesh/surface_edges.h"
#include "build/mesh/surface_measures.h"
#include "build/mesh/vertex_range.h"
#include "build/mesh/weld.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace limber::build {
namespace {

// A bounding box outside this range is more likely a wrong unit than a body; m.
constexpr double kSmallestBody = 1e-6, kLargestBody = 1e5;
constexpr std::size_t kMostPairs = 1000;

// `mesh` is welded; `given` are the triangles before that.
void check_triangles(const SurfaceMesh& mesh, const std::vector<Triangle>& given, MeshReport& report) {
    Offenders out_of_range, degenerate, duplicates, unreferenced;
    std::vector<char> used(mesh.vertices.size(), 0), used_place(used);
    DisjointSets parts(mesh.vertices.size());
    std::vector<std::pair<Triangle, std::size_t>> keys;
    keys.reserve(mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        Triangle tri = mesh.triangles[t];
        if (!in_range(tri, mesh.vertices.size())) {
            out_of_range.add(t);
            continue;
        }
        if (is_degenerate(mesh.vertices, tri))
            degenerate.add(t);
        else
            report.area += area_of(mesh.vertices, tri);
        for (const int v : given[t])
            used[static_cast<std::size_t>(v)] = 1;
        for (const int v : tri) {
            used_place[static_cast<std::size_t>(v)] = 1;
            parts.join(tri[0], v);
        }
        std::sort(tri.begin(), tri.end());
        keys.emplace_back(tri, t);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::size_t> repeated;
    for (std::size_t i = 1; i < keys.size(); ++i)
        if (keys[i].first == keys[i - 1].first) repeated.push_back(keys[i].second);
    std::sort(repeated.begin(), repeated.end());
    for (const std::size_t t : repeated)
        duplicates.add(t);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        if (!used[v]) unreferenced.add(v);
        if (used_place[v] && parts.find(static_cast<int>(v)) == static_cast<int>(v)) ++report.components;
    }

    add_problem(
        report, "out_of_range", out_of_range,
        fmt::format("{} a vertex that is not there; the first is triangle {}",
                    counted(out_of_range.count, "triangle names", "triangles name"), out_of_range.first()),
        "");
    add_problem(report, "degenerate", degenerate,
                fmt::format("{} no area; the first is triangle {}",
                            counted(degenerate.count, "triangle has", "triangles have"), degenerate.first()),
                "limber mesh repair");
    add_problem(report, "duplicate", duplicates,
                fmt::format("{} a copy of another; the first is triangle {}",
                            are(duplicates.count, "triangle"), duplicates.first()),
                "limber mesh repair");
    add_problem(report, "unreferenced", unreferenced,
                fmt::format("{} used by no triangle; the first is vertex {}",
                            are(unreferenced.count, "vertex", "vertices"), unreferenced.first()),
                "limber mesh repair");
}

void check_self_intersections(const SurfaceMesh& mesh, MeshReport& report) {
    const auto finite = [&](const Triangle& t) {
        return in_range(t, mesh.vertices.size()) && std::all_of(t.begin(), t.end(), [&](int v) {
                   return is_usable(mesh.vertices[static_cast<std::size_t>(v)]);
               });
    };
    if (!std::all_of(mesh.triangles.begin(), mesh.triangles.end(), finite)) return;
    const auto pairs = self_intersections(mesh, kMostPairs);
    Offenders crossing;
    for (const auto& [a, b] : pairs) {
        Triangle first = mesh.triangles[static_cast<std::size_t>(a)],
                 second = mesh.triangles[static_cast<std::size_t>(b)];
        std::sort(first.begin(), first.end());
        std::sort(second.begin(), second.end());
        if (first == second) continue;  // told as duplicates
        if (crossing.count++ == 0)
            crossing.first_ids = {a, b};
        else if (crossing.first_ids.size() < kMostIds)
            crossing.first_ids.push_back(b);
    }
    if (crossing.count == 0) return;
    add_problem(report, "self_intersections", crossing,
                fmt::format("the surface intersects itself: {}{} of triangles cross or touch; the first "
                            "are triangles {} and {}",
                            pairs.size() == kMostPairs ? "at least " : "", counted(crossing.count, "pair"),
                            crossing.first_ids[0], crossing.first_ids[1]),
                "cubes work: limber mesh voxelize; tetrahedra need parts that do not cross");
}

void check_edges(const SurfaceMesh& mesh, MeshReport& report) {
    Offenders open, crowded, disagreeing, one_sided;
    const std::vector<EdgeUse> uses = edge_uses(mesh.triangles, mesh.vertices.size());
    for_each_edge(uses, [&](std::span<const EdgeUse> edge) {
        const auto t = static_cast<std::size_t>(edge[0].triangle);
        if (edge.size() == 1) open.add(t);
        if (edge.size() > 2) crowded.add(t);
        if (edge.size() == 2 && edge[0].forward == edge[1].forward) disagreeing.add(t);
    });
    const Orientation orientation = orient(mesh.triangles, uses);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        if (orientation.one_sided[static_cast<std::size_t>(orientation.part[t])]) one_sided.add(t);
    report.orientable = one_sided.count == 0;
    report.watertight = !uses.empty() && open.count + crowded.count + disagreeing.count == 0;

    add_problem(report, "open_edges", open,
                fmt::format("the surface has holes: {}; the first is of triangle {}",
                            counted(open.count, "open edge"), open.first()),
                "cubes work: limber mesh voxelize; tetrahedra need a closed surface: limber mesh repair");
    add_problem(report, "non_manifold_edges", crowded,
                fmt::format("{} shared by three or more triangles; the first is of triangle {}",
                            are(crowded.count, "edge"), crowded.first()),
                "cubes work: limber mesh voxelize");
    if (report.orientable)
        add_problem(report, "orientation", disagreeing,
                    fmt::format("at {} the two triangles face opposite sides; the first is of triangle {}",
                                counted(disagreeing.count, "edge"), disagreeing.first()),
                    "limber mesh repair");
    add_problem(report, "not_orientable", one_sided,
                fmt::format("a part of {} has only one side, like a Moebius strip; its first is triangle {}",
                            counted(one_sided.count, "triangle"), one_sided.first()),
                "cubes work: limber mesh voxelize");
}

}  // namespace

MeshReport check(const SurfaceMesh& input, const CheckOptions& options) {
    MeshReport report;
    const Welded weld = weld_vertices(input.vertices, kWeldDistance);
    SurfaceMesh mesh;
    mesh.vertices = input.vertices;
    mesh.triangles = weld_corners(input.triangles, weld);
    report.seam_vertices = weld.count;
    report.vertices = mesh.vertices.size();
    report.triangles = mesh.triangles.size();
    if (mesh.triangles.empty())
        report.problems.push_back({"empty", "the surface has no triangles", "", 0, {}});
    check_vertices(mesh.vertices, report);
    check_triangles(mesh, input.triangles, report);
    check_edges(mesh, report);
    if (options.self_intersections) check_self_intersections(mesh, report);
    const bool finite = std::none_of(report.problems.begin(), report.problems.end(),
                                     [](const Problem& p) { return p.kind == "not_finite"; });
    if (report.watertight && finite) {
        report.volume = enclosed_volume(mesh.vertices, mesh.triangles, report.bounds.center());
        if (report.volume < 0)
            report.problems.push_back(
                {"inside_out",
                 fmt::format("the triangles face inwards (signed volume {:.3g} m^3)", report.volume),
                 "limber mesh repair",
                 mesh.triangles.size(),
                 {}});
    }
    sort_worst_first(report);
    return report;
}

double mean_thickness(const MeshReport& report) {
    return report.watertight && report.area > 0 ? 2 * std::abs(report.volume) / report.area : 0;
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
    if (count == 1) return fmt::format("1 {}", one);
    return many.empty() ? fmt::format("{} {}s", count, one) : fmt::format("{} {}", count, many);
}

std::string are(std::size_t count, std::string_view one, std::string_view many) {
    return counted(count, one, many) + (count == 1 ? " is" : " are");
}

void add_problem(MeshReport& report, std::string kind, const Offenders& offenders, std::string message,
                 std::string try_this) {
    if (offenders.count == 0) return;
    report.problems.push_back(
        {std::move(kind), std::move(message), std::move(try_this), offenders.count, offenders.first_ids});
}

void check_vertices(const std::vector<Vertex>& vertices, MeshReport& report) {
    Offenders not_finite;
    for (std::size_t v = 0; v < vertices.size(); ++v)
        if (!is_usable(vertices[v])) not_finite.add(v);
    add_problem(
        report, "not_finite", not_finite,
        fmt::format("{} not finite, or beyond {:.0e} m; the first is vertex {}",
                    are(not_finite.count, "vertex", "vertices"), kLargestCoordinate, not_finite.first()),
        "limber mesh repair");

    report.bounds = bounds_of(vertices);
    if (report.bounds.isEmpty()) return;
    const double side = report.bounds.sizes().maxCoeff();
    if (side < kSmallestBody || side > kLargestBody)
        report.problems.push_back(
            {"scale",
             fmt::format("the longest side is {:.3g} m, {}: limber takes coordinates as metres", side,
                         side < kSmallestBody ? "less than a micrometre" : "more than 100 km"),
             "scale the mesh to metres (millimetres times 0.001)",
             1,
             {}});
}

void sort_worst_first(MeshReport& report) {
    static constexpr std::array<std::string_view, 16> order{
        "empty",          "not_finite",         "out_of_range",       "inverted",   "degenerate",
        "duplicate",      "non_manifold_faces", "non_manifold_edges", "open_edges", "self_intersections",
        "not_orientable", "orientation",        "inside_out",         "hinge",      "scale",
        "sliver"};
    const auto rank = [](const Problem& problem) {
        return std::find(order.begin(), order.end(), problem.kind) - order.begin();
    };
    std::stable_sort(report.problems.begin(), report.problems.end(),
                     [&](const Problem& a, const Problem& b) { return rank(a) < rank(b); });
}

}  // namespace limber::build
