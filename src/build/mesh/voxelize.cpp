// SPDX-License-Identifier: Apache-2.0
// Places the grid, keeps the cubes that touch the surface or that the outside does not reach, removes hinges,
// and numbers vertices and cubes: x fastest, z slowest.
#include "build/mesh/voxelize.h"

#include "build/mesh/disjoint_sets.h"
#include "build/mesh/element_shape.h"
#include "build/mesh/repair.h"
#include "build/mesh/surface_edges.h"
#include "build/mesh/surface_measures.h"
#include "build/mesh/vertex_range.h"
#include "build/mesh/voxel_grid.h"
#include "build/mesh/voxel_hinges.h"
#include "build/mesh/voxel_surface.h"
#include "build/mesh/voxel_volume.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <algorithm>
#include <cmath>

namespace limber::build {
namespace {

constexpr int kLargestResolution = 1024;
constexpr std::size_t kMostCubes = 20'000'000;
// Coordinates this close to a plane of the grid, in cubes, are put on it. Single-precision files leave an
// error of 6e-5 cubes at resolution 1024.
constexpr double kSnap = 1e-4;
// A body smaller than this leaves no room for cubes in a double; m.
constexpr double kSmallestSide = 1e-100;
// A cube weighs at least this part of itself, so that no vertex is without mass: cubes that the surface only
// grazes make a body heavier by less than 0.1%.
constexpr float kLeastFraction = 0.01F;

void require_usable(const SurfaceMesh& surface, int resolution) {
    if (resolution < 1 || resolution > kLargestResolution)
        throw InputError{"resolution",
                         fmt::format("{} cubes along the longest side; 1 to {} are possible", resolution,
                                     kLargestResolution),
                         "32 to 128 cubes suit most bodies"};
    if (surface.triangles.empty())
        throw InputError{"surface", "it has no triangles, so there is nothing to voxelize", ""};
    bool has_area = false;
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        const Triangle& triangle = surface.triangles[t];
        if (!in_range(triangle, surface.vertices.size()))
            throw InputError{"surface",
                             fmt::format("triangle {} names a vertex that is not there (the surface has {})",
                                         t, surface.vertices.size()),
                             ""};
        for (const int v : triangle)
            if (!is_usable(surface.vertices[static_cast<std::size_t>(v)]))
                throw InputError{"surface",
                                 fmt::format("vertex {} of triangle {} is not finite, or beyond {:.0e} m", v,
                                             t, kLargestCoordinate),
                                 "limber mesh repair removes such vertices"};
        has_area = has_area || !is_degenerate(surface.vertices, triangle);
    }
    if (!has_area)
        throw InputError{"surface", "none of its triangles has an area, so there is nothing to voxelize", ""};
}

// Cubes of `side` in a grid of `size`, centred on `middle`.
struct Placement {
    Vertex middle;
    double side;
    Cell size;

    Vertex to_grid(const Vertex& x) const {
        Vertex g = (x - middle) / side + half();
        for (double& c : g)
            if (std::abs(c - std::round(c)) < kSnap) c = std::round(c);
        return g;
    }
    Vertex from_grid(const Cell& c) const { return middle + side * (Vertex(c[0], c[1], c[2]) - half()); }
    Vertex half() const { return 0.5 * Vertex(size[0], size[1], size[2]); }
};

Placement place(const SurfaceMesh& surface, int resolution) {
    Eigen::AlignedBox3d box;
    for (const Triangle& t : surface.triangles)
        for (const int v : t)
            box.extend(surface.vertices[static_cast<std::size_t>(v)]);
    const Vertex lengths = box.sizes();
    const double longest = lengths.maxCoeff();
    if (!(longest > kSmallestSide))
        throw InputError{"surface", fmt::format("its longest side is {:.3g} m: too small for cubes", longest),
                         "scale the mesh to metres"};
    Placement placement{box.center(), longest / resolution, {}};
    for (std::size_t i = 0; i < 3; ++i)
        placement.size[i] = std::clamp(
            static_cast<int>(std::ceil(lengths[static_cast<Eigen::Index>(i)] / placement.side - kSnap)), 1,
            resolution);
    return placement;
}

// A wall with nothing on either side is a sheet that would vanish: take the cubes behind the plane's
// triangles (below it if they face both ways alike). Then all kept cubes along walls count as touched.
void take_sheets(VoxelSurface& surface, VoxelGrid& solid) {
    VoxelGrid sheets(solid.size());
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!surface.walls[axis]) continue;
        surface.walls[axis]->for_each([&](const Cell& face) {
            Cell below = face, above = face;
            --below[axis];
            if (!solid[below] && !solid[above]) {
                const bool faces_up = surface.facing[axis][static_cast<std::size_t>(face[axis])] >= 0;
                const bool take_below = (faces_up || !solid.contains(above)) && solid.contains(below);
                sheets.set(take_below ? below : above);
            }
            if (solid[below]) surface.touched.set(below);
            if (solid[above]) surface.touched.set(above);
        });
    }
    for (std::size_t i = 0; i < solid.word_count(); ++i) {
        solid.word(i) |= sheets.word(i);
        surface.touched.word(i) |= sheets.word(i);
    }
}

// What the surface encloses of the cubes. It is closed but for its sheets, and oriented.
class Filling {
 public:
    Filling(SurfaceMesh sound, const Placement& placement) {
        const std::vector<EdgeUse> uses = edge_uses(sound.triangles, sound.vertices.size());
        const Orientation orientation = orient(sound.triangles, uses);
        const std::vector<char> is_closed = closed_parts(uses, orientation);
        std::vector<Triangle> closed;
        for (std::size_t t = 0; t < sound.triangles.size(); ++t)
            (is_closed[static_cast<std::size_t>(orientation.part[t])] ? closed : open_)
                .push_back(sound.triangles[t]);
        if (closed.empty()) return;
        for (Vertex& v : sound.vertices)
            v = placement.to_grid(v);
        volume_.emplace(sound.vertices, closed, placement.size);
        if (!open_.empty()) open_touched_.emplace(rasterize(sound.vertices, open_, placement.size).touched);
    }

    std::size_t open_triangles() const { return open_.size(); }

    // Takes out the cubes that no triangle runs through and that lie in a cavity. Where parts are open this
    // is not known.
    void empty_cavities(const VoxelGrid& touched, VoxelGrid& solid) const {
        if (!volume_ || !open_.empty()) return;
        VoxelGrid filled(solid.size());
        solid.for_each([&](const Cell& c) {
            if (touched[c] || std::abs((*volume_)[c]) > 0.5) filled.set(c);
        });
        // A body of only sheets stays as it is.
        if (filled.count() > 0) solid = filled;
    }

    double operator[](const Cell& c) const {
        if (!volume_ || (open_touched_ && (*open_touched_)[c])) return 1;
        const double inside = std::abs((*volume_)[c]);
        if (!open_.empty() && inside == 0) return 1;  // enclosed by open parts
        return std::clamp(static_cast<float>(inside), kLeastFraction, 1.0F);
    }

 private:
    std::vector<Triangle> open_;
    std::optional<VoxelVolume> volume_;  // of the closed parts; none: nothing is closed
    std::optional<VoxelGrid> open_touched_;
};

// Numbers the vertices plane by plane, one for each cluster of cubes round a grid vertex, and the cubes layer
// by layer between them; only two planes of numbers are in memory.
void number_cubes(const VoxelGrid& solid, const Placement& placement, Voxelized& out) {
    struct GridVertex {
        int first_id = -1;
        unsigned mask = 0;
    };
    const Cell& size = solid.size();
    const auto nx = static_cast<std::size_t>(size[0]), ny = static_cast<std::size_t>(size[1]);
    std::array<std::vector<GridVertex>, 2> planes;  // below and above the layer
    planes.fill(std::vector<GridVertex>((nx + 1) * (ny + 1)));
    const auto at = [&](int x, int y) {
        return static_cast<std::size_t>(y) * (nx + 1) + static_cast<std::size_t>(x);
    };
    const auto number_plane = [&](int z, std::vector<GridVertex>& plane) {
        for_each_corner(solid, z, z, [&](const Cell& c, unsigned mask) {
            plane[at(c[0], c[1])] = {static_cast<int>(out.mesh.vertices.size()), mask};
            const int clusters = corner_cases()[mask].clusters;
            out.mesh.vertices.insert(out.mesh.vertices.end(), static_cast<std::size_t>(clusters),
                                     placement.from_grid(c));
            out.report.split_vertices += static_cast<std::size_t>(clusters - 1);
        });
    };

    out.mesh.bricks.reserve(solid.count());
    DisjointSets parts(solid.count());
    std::vector<int> cubes_below((nx + 1) * (ny + 1), -1), cubes(cubes_below);
    number_plane(0, planes[0]);
    for (int z = 0; z < size[2]; ++z) {
        number_plane(z + 1, planes[1]);
        std::fill(cubes.begin(), cubes.end(), -1);
        for (int y = 0; y < size[1]; ++y)
            for (int x = 0; x < size[0]; ++x) {
                if (!solid[{x, y, z}]) continue;
                Brick brick;
                for (int b = 0; b < 8; ++b) {
                    const GridVertex& v =
                        planes[static_cast<std::size_t>(b >> 2)][at(x + (b & 1), y + (b >> 1 & 1))];
                    // Seen from its corner b, the cube is octant 7 - b.
                    brick[static_cast<std::size_t>(kBrickNode[static_cast<std::size_t>(b)])] =
                        v.first_id + corner_cases()[v.mask].cluster[static_cast<std::size_t>(7 - b)];
                }
                const int id = static_cast<int>(out.mesh.bricks.size());
                out.mesh.bricks.push_back(brick);
                cubes[at(x, y)] = id;
                for (const int neighbour : {x > 0 ? cubes[at(x - 1, y)] : -1,
                                            y > 0 ? cubes[at(x, y - 1)] : -1, cubes_below[at(x, y)]})
                    if (neighbour >= 0) parts.join(neighbour, id);
            }
        std::swap(cubes, cubes_below);
        std::swap(planes[0], planes[1]);
    }
    for (int id = 0; id < static_cast<int>(out.mesh.bricks.size()); ++id)
        out.report.components += parts.find(id) == id;
}

}  // namespace

Voxelized voxelize(const SurfaceMesh& surface, const VoxelizeOptions& options) {
    require_usable(surface, options.resolution);
    const Placement placement = place(surface, options.resolution);
    std::vector<Vertex> vertices;
    vertices.reserve(surface.vertices.size());
    for (const Vertex& v : surface.vertices)
        vertices.push_back(placement.to_grid(v));

    RepairedSurface sound;
    if (options.fill == VoxelFill::Fraction || options.holes != HolePolicy::Keep)
        sound = repair(surface, {.holes = options.holes});
    std::vector<Triangle> triangles = surface.triangles;
    for (std::size_t t = 0; t < sound.origin.triangle.size(); ++t)
        if (sound.origin.triangle[t] < 0) triangles.push_back(sound.origin.corners[t]);
    VoxelSurface touching = rasterize(vertices, triangles, placement.size);
    std::optional<Filling> filling;
    if (options.fill == VoxelFill::Fraction) filling.emplace(std::move(sound.mesh), placement);
    VoxelGrid solid = shut_off(touching);
    if (filling) filling->empty_cavities(touching.touched, solid);
    take_sheets(touching, solid);

    Voxelized result;
    result.mesh.up = surface.up;
    result.report.closed_holes = sound.report.holes_closed;
    if (filling) result.report.open_triangles = filling->open_triangles();
    result.report.grid = placement.size;
    result.report.cube_side = placement.side;
    result.report.surface_cubes = touching.touched.count();
    result.report.inside_cubes = solid.count() - result.report.surface_cubes;
    if (const std::size_t cubes = solid.count(); cubes > kMostCubes)
        throw InputError{
            "resolution",
            fmt::format("{} cubes along the longest side give {} cubes in all; at most {} are possible",
                        options.resolution, cubes, kMostCubes),
            fmt::format("--resolution {}", static_cast<int>(options.resolution *
                                                            std::cbrt(double(kMostCubes) / double(cubes))))};

    const HingeCount hinges = count_hinges(solid);
    result.report.hinge_edges = hinges.edges;
    result.report.hinge_corners = hinges.corners;
    if (options.hinges == HingePolicy::Fill) result.report.filled_cubes = fill_hinges(solid);
    number_cubes(solid, placement, result);
    if (filling) {
        solid.for_each([&](const Cell& c) { result.mesh.fraction.push_back((*filling)[c]); });
        if (std::all_of(result.mesh.fraction.begin(), result.mesh.fraction.end(),
                        [](double f) { return f == 1; }))
            result.mesh.fraction.clear();
    }
    double cubes = 0;
    for (std::size_t b = 0; b < result.mesh.bricks.size(); ++b)
        cubes += result.mesh.fraction_of(b);
    result.report.volume = cubes * placement.side * placement.side * placement.side;
    return result;
}

}  // namespace limber::build
