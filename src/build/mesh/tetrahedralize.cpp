// SPDX-License-Identifier: Apache-2.0
// A closed surface is checked, filled by TetGen, and cleared of its cavities.
#include "build/mesh/tetrahedralize.h"

#include "build/mesh/check.h"
#include "build/mesh/element_measure.h"
#include "build/mesh/self_intersections.h"
#include "build/mesh/surface_edges.h"
#include "build/mesh/surface_measures.h"
#include "build/mesh/tetgen_process.h"
#include "build/mesh/vertex_range.h"
#include "build/mesh/weld.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace limber::build {
namespace {

constexpr double kMostTets = 5e7;
constexpr double kUsualTets = 1000;

// What is filled: no vertex twice, none unused, and for messages each triangle's number in the file.
struct Shell {
    SurfaceMesh surface;
    std::vector<int> file_triangle;
};

class Refusal {
 public:
    explicit Refusal(std::string name) : name_(std::move(name)) {}

    [[noreturn]] void operator()(const std::string& problem) const {
        throw InputError{
            name_, problem,
            fmt::format("limber mesh voxelize {0} takes any surface; limber mesh repair {0} may fix this one",
                        name_.empty() ? "SURFACE" : name_)};
    }

 private:
    std::string name_;
};

// "triangle 3", "triangles 3 and 8", "triangles 3, 8, 9 ...".
std::string list_triangles(const std::vector<int>& ids) {
    if (ids.size() == 1) return fmt::format("triangle {}", ids[0]);
    if (ids.size() == 2) return fmt::format("triangles {} and {}", ids[0], ids[1]);
    return fmt::format(
        "triangles {}{}",
        fmt::join(ids.begin(), ids.begin() + std::min<std::ptrdiff_t>(5, std::ssize(ids)), ", "),
        ids.size() > 5 ? " ..." : "");
}

void check_options(const TetrahedralizeOptions& options) {
    if (options.max_volume && !(*options.max_volume > 0 && std::isfinite(*options.max_volume)))
        throw InputError{"max-volume", fmt::format("{} m^3; it must be positive", *options.max_volume), ""};
    if (!(options.max_radius_edge_ratio >= 1.1 && options.max_radius_edge_ratio <= 100))
        throw InputError{"radius-edge ratio",
                         fmt::format("{}; it must lie between 1.1 and 100", options.max_radius_edge_ratio),
                         "1.6 suits most surfaces; TetGen may not end below 1.2"};
}

// Welds vertices (kWeldDistance); refuses what is no surface of triangles with area.
Shell make_shell(const SurfaceMesh& input, const Refusal& refuse) {
    if (input.triangles.empty()) refuse("the surface has no triangles");
    for (std::size_t t = 0; t < input.triangles.size(); ++t) {
        if (!in_range(input.triangles[t], input.vertices.size()))
            refuse(fmt::format("triangle {} names a vertex that is not there (the surface has {})", t,
                               input.vertices.size()));
        for (const int v : input.triangles[t])
            if (!is_usable(input.vertices[static_cast<std::size_t>(v)]))
                refuse(fmt::format("vertex {} of triangle {} is not finite, or beyond {:.0e} m", v, t,
                                   kLargestCoordinate));
    }
    const Welded weld = weld_vertices(input.vertices, kWeldDistance);
    std::vector<Triangle> triangles;
    Shell shell;
    std::map<Triangle, int> seen;
    for (std::size_t t = 0; t < input.triangles.size(); ++t) {
        Triangle corners = input.triangles[t];
        for (int& v : corners)
            v = weld.to[static_cast<std::size_t>(v)];
        // A triangle with two equal corners is a line between two others; without it the surface is the same.
        if (has_repeated_corner(corners)) continue;
        if (is_degenerate(input.vertices, corners)) refuse(fmt::format("triangle {} has no area", t));
        Triangle key = corners;
        std::sort(key.begin(), key.end());
        const auto [place, is_new] = seen.try_emplace(key, static_cast<int>(t));
        if (!is_new) refuse(fmt::format("triangles {} and {} are the same", place->second, t));
        triangles.push_back(corners);
        shell.file_triangle.push_back(static_cast<int>(t));
    }
    if (triangles.empty()) refuse("none of the triangles has an area");

    std::vector<char> used(input.vertices.size(), 0);
    for (const Triangle& t : triangles)
        for (const int v : t)
            used[static_cast<std::size_t>(v)] = 1;
    RepairReport unused;
    const std::vector<int> new_vertex = keep_used(input.vertices, weld, used, shell.surface.vertices, unused);
    for (Triangle& t : triangles)
        for (int& v : t)
            v = new_vertex[static_cast<std::size_t>(v)];
    shell.surface.triangles = std::move(triangles);
    return shell;
}

// Closed, with two sides; flips triangles so that they agree.
void require_closed(Shell& shell, const Refusal& refuse) {
    SurfaceMesh& surface = shell.surface;
    const std::vector<EdgeUse> uses = edge_uses(surface.triangles, surface.vertices.size());
    std::set<int> open, crowded;
    std::size_t open_edges = 0, crowded_edges = 0;
    for_each_edge(uses, [&](std::span<const EdgeUse> edge) {
        if (edge.size() == 1) ++open_edges;
        if (edge.size() > 2 && edge.size() % 2 == 1) ++crowded_edges;
        for (const EdgeUse& use : edge) {
            const int t = shell.file_triangle[static_cast<std::size_t>(use.triangle)];
            if (edge.size() == 1) open.insert(t);
            if (edge.size() > 2 && edge.size() % 2 == 1) crowded.insert(t);
        }
    });
    if (open_edges > 0)
        refuse(fmt::format("the surface has holes: {} of {} belong to one triangle only",
                           open_edges == 1 ? "an edge" : fmt::format("{} edges", open_edges),
                           list_triangles({open.begin(), open.end()})));
    if (crowded_edges > 0)
        refuse(fmt::format("the surface is not manifold: an odd number of triangles share {} of {}",
                           crowded_edges == 1 ? "an edge" : fmt::format("{} edges", crowded_edges),
                           list_triangles({crowded.begin(), crowded.end()})));

    const Orientation orientation = orient(surface.triangles, uses);
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        if (orientation.one_sided[static_cast<std::size_t>(orientation.part[t])])
            refuse(fmt::format("the part with triangle {} has only one side, so it encloses nothing",
                               shell.file_triangle[t]));
        if (orientation.flip[t]) std::swap(surface.triangles[t][1], surface.triangles[t][2]);
    }
}

[[noreturn]] void explain_failure(const Shell& shell, const std::string& failure, const Refusal& refuse) {
    const auto pairs = self_intersections(shell.surface, 1000);
    if (pairs.empty())
        refuse(fmt::format(
            "TetGen cannot fill the surface: {}; parts may lie closer together than it can tell apart "
            "(1e-8 of the size)",
            failure));
    const auto file = [&](int t) { return shell.file_triangle[static_cast<std::size_t>(t)]; };
    refuse(fmt::format("the surface intersects itself: triangles {} and {} cross or touch{}",
                       file(pairs[0].first), file(pairs[0].second),
                       pairs.size() == 1     ? std::string()
                       : pairs.size() < 1000 ? fmt::format(", the first of {} such pairs", pairs.size())
                                             : std::string(", the first of 1000 or more such pairs")));
}

double enclosed_volume(const SurfaceMesh& surface) {
    return build::enclosed_volume(surface.vertices, surface.triangles, bounds_of(surface.vertices).center());
}

Vertex point_of(const TetGenResult& filled, int v) {
    return Eigen::Map<const Vertex>(&filled.points[static_cast<std::size_t>(3 * v)]);
}

// How often the surface goes round each region: not at all round the outside and cavities.
struct Region {
    double volume = 0;
    double largest = 0;  // volume of its largest tet,
    Vertex inside;       // whose centroid this is
    int winding = 0;
};
std::map<double, Region> wind_regions(const Shell& shell, const TetGenResult& filled) {
    std::map<double, Region> regions;
    for (std::size_t t = 0; t < filled.regions.size(); ++t) {
        const int* c = &filled.tets[4 * t];
        const Vertex p = point_of(filled, c[0]);
        const Vertex a = point_of(filled, c[1]) - p, b = point_of(filled, c[2]) - p,
                     d = point_of(filled, c[3]) - p;
        const double volume = std::abs(a.dot(b.cross(d))) / 6;
        Region& region = regions[filled.regions[t]];
        region.volume += volume;
        if (volume <= region.largest) continue;
        region.largest = volume;
        region.inside = p + (a + b + d) / 4;
    }
    for (auto& [id, region] : regions)
        region.winding = static_cast<int>(
            std::lround(winding_number(shell.surface.vertices, shell.surface.triangles, region.inside)));
    return regions;
}

// TetGen keeps the input's points in front, and its regions fill what the surface encloses; nullptr if so.
const char* find_fault(const Shell& shell, const TetGenResult& filled,
                       const std::map<double, Region>& regions) {
    if (filled.points.size() < 3 * shell.surface.vertices.size()) return "it lost vertices";
    for (std::size_t v = 0; v < shell.surface.vertices.size(); ++v)
        if (point_of(filled, static_cast<int>(v)) != shell.surface.vertices[v]) return "it moved vertices";
    double wound = 0, all = 0;
    for (const auto& [id, region] : regions) {
        wound += region.winding * region.volume;
        all += region.volume;
    }
    // Merged facets (below) change the volume of a thin body by up to 1e-5.
    if (std::abs(wound - enclosed_volume(shell.surface)) > 1e-4 * all) return "it left space unfilled";
    return nullptr;
}

}  // namespace

std::string tetrahedra_problem(const SurfaceMesh& surface) {
    try {
        const Refusal refuse("");
        Shell shell = make_shell(surface, refuse);
        require_closed(shell, refuse);
    } catch (const InputError& error) {
        return error.problem;
    }
    return "";
}

VolumeMesh tetrahedralize(const SurfaceMesh& surface, const TetrahedralizeOptions& options,
                          const std::string& name) {
    const Refusal refuse(name);
    check_options(options);
    Shell shell = make_shell(surface, refuse);
    require_closed(shell, refuse);

    // By a power of two to the size of one, which rounds nothing: TetGen's tolerances expect such numbers.
    const Eigen::AlignedBox3d box = bounds_of(shell.surface.vertices);
    int exponent = 0;
    std::frexp(box.sizes().maxCoeff(), &exponent);
    const std::vector<Vertex> original = shell.surface.vertices;
    for (Vertex& v : shell.surface.vertices)
        for (double& x : v)
            x = std::ldexp(x, -exponent);
    const double volume = std::abs(enclosed_volume(shell.surface));

    // p: fill between facets, merging those that meet at this angle in degrees and more (at TetGen's own
    // 179.9 the skin would move); q: quality; A: tell regions apart; J: keep unused points, and so the
    // numbers; Q: quiet.
    std::string switches = fmt::format("p179.9999q{}AJQ", options.max_radius_edge_ratio);
    if (options.max_volume) {
        const double largest = std::ldexp(*options.max_volume, -3 * exponent);
        if (volume / largest > kMostTets)
            throw InputError{
                "max-volume",
                fmt::format("{:.3g} m^3 would give about {:.1g} tetrahedra; at most {:.0g} are possible",
                            *options.max_volume, volume / largest, kMostTets),
                fmt::format("--max-volume {:.1g}", *options.max_volume * volume / largest / 1e5)};
        // TetGen smooths after it has refined, and may exceed the bound by some per cent.
        switches += fmt::format("a{:.17g}", 0.9 * largest);
    } else if (volume > 0) {
        switches += fmt::format("a{:.17g}", volume / kUsualTets);
    }
    const TetGenResult filled = run_tetgen(shell.surface, switches);
    if (!filled.done) explain_failure(shell, filled.failure, refuse);

    const std::map<double, Region> regions = wind_regions(shell, filled);
    if (const char* fault = find_fault(shell, filled, regions)) explain_failure(shell, fault, refuse);

    std::vector<int> new_vertex(filled.points.size() / 3, -1);
    VolumeMesh mesh;
    mesh.up = surface.up;
    for (std::size_t t = 0; t < filled.regions.size(); ++t) {
        if (regions.at(filled.regions[t]).winding == 0) continue;
        const int* c = &filled.tets[4 * t];
        mesh.tets.push_back({c[0], c[1], c[2], c[3]});
        for (const int v : mesh.tets.back())
            new_vertex[static_cast<std::size_t>(v)] = 0;
    }
    for (std::size_t v = 0; v < new_vertex.size(); ++v) {
        if (new_vertex[v] < 0) continue;
        new_vertex[v] = static_cast<int>(mesh.vertices.size());
        Vertex position = point_of(filled, static_cast<int>(v));
        for (double& x : position)
            x = std::ldexp(x, exponent);
        mesh.vertices.push_back(v < original.size() ? original[v] : position);
    }
    for (Tet& tet : mesh.tets)
        for (int& v : tet)
            v = new_vertex[static_cast<std::size_t>(v)];

    if (mesh.tets.empty()) explain_failure(shell, "it left nothing inside", refuse);
    for (Tet& tet : mesh.tets) {
        if (tet_volume(mesh, tet) < 0) std::swap(tet[2], tet[3]);
        if (measure(mesh, tet).shape == ElementShape::Flat)
            explain_failure(shell, "it made flat tetrahedra", refuse);
    }
    return mesh;
}

}  // namespace limber::build
