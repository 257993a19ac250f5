// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/filling.h"

#include "build/mesh/tetrahedralize.h"
#include "build/mesh/voxelize.h"
#include "build/recipe/bending.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace limber::build {
namespace {

// What a user is ready to wait for without having asked; for thin bodies up to the second number, since fewer
// than two cubes across bend far too stiffly.
constexpr double kWantedSeconds = 5, kThinSeconds = 15;
constexpr int kWantedAcross = 2;
// Frequencies that are too high by more than this factor are told.
constexpr double kMuchTooHigh = 1.3;
// By more than this one with the textbook element: λ gets one point. Two cubes of rubber (0.45): 1.18,
// three: 1.09.
constexpr double kThin = 1.1;
constexpr int kLeastResolution = 8, kMostResolution = 160;
// Cubes along the longest side that a note still proposes.
constexpr int kMostAdvised = 512;

double seconds_of(const Voxelized& voxels) {
    return estimated_seconds(voxels.mesh.vertices.size(), 8 * voxels.mesh.bricks.size());
}

// "3.2 mm".
std::string length_text(double metres) {
    if (metres >= 1) return fmt::format("{:.3g} m", metres);
    if (metres >= 0.01) return fmt::format("{:.3g} cm", metres * 100);
    if (metres >= 1e-3) return fmt::format("{:.3g} mm", metres * 1e3);
    return fmt::format("{:.3g} um", metres * 1e6);
}

// "2.4", "103".
std::string number_text(double x) {
    return x < 100 ? fmt::format("{:.2g}", x) : fmt::format("{:.0f}", x);
}

// "1 cube", "1.2 cubes".
std::string cubes_text(double cubes) {
    const std::string number = number_text(cubes);
    return number + (number == "1" ? " cube" : " cubes");
}

// Cubes come in whole numbers a side, and their number grows between linearly (a rod) and with the cube (a
// ball) of it: follow the power that the last two tries showed.
int resolution_for(const SurfaceMesh& surface, double seconds) {
    int resolution = 24, last = 0, best = kLeastResolution;
    double last_seconds = 0, power = 3;
    for (int tries = 0; tries < 6; ++tries) {
        const double now = seconds_of(voxelize(
            surface, {.resolution = resolution, .fill = VoxelFill::Full, .holes = HolePolicy::Keep}));
        if (now <= 1.1 * seconds) best = std::max(best, resolution);
        if (last > 0)
            power = std::clamp(std::log(now / last_seconds) / std::log(double(resolution) / last), 1.0, 3.0);
        last = resolution;
        last_seconds = now;
        resolution =
            std::clamp(static_cast<int>(std::lround(resolution * std::pow(seconds / now, 1 / power))),
                       kLeastResolution, kMostResolution);
        if (resolution == last) break;
    }
    return best;
}

// So many cubes along the longest side make a body so many whole cubes thick: a little more would begin
// another layer.
int whole_layers(double resolution, double thickness, int layers) {
    return static_cast<int>(std::floor(resolution * layers / thickness + 1e-6));
}

int usual_resolution(const SurfaceMesh& surface, double poisson) {
    const int usual = resolution_for(surface, kWantedSeconds);
    const Voxelized voxels = voxelize(surface, {.resolution = usual});
    const double thickness =
        bending_of(voxels.mesh, voxels.report.cube_side, poisson, BrickQuadrature::Standard).thickness;
    if (thickness >= kWantedAcross) return usual;
    const int most = std::max(usual, resolution_for(surface, kThinSeconds));
    const int layers = std::min(kWantedAcross, static_cast<int>(most * thickness / usual));
    return layers == 0 ? most : std::max(usual, whole_layers(usual, thickness, layers));
}

double poisson_of(const Recipe& recipe) {
    return recipe.materials.poisson.value_or(recipe.materials.base.poisson);
}

// Full cubes at the surface make thin bodies heavier.
void note_overfill(double enclosed, const VoxelReport& report, std::vector<std::string>& notes) {
    constexpr double kMuchMore = 1.25;
    if (!(report.volume > kMuchMore * enclosed)) return;
    notes.push_back(fmt::format(
        "Cubes overfill the shape: they have {:.2g} times the volume that the surface encloses, and the body "
        "is "
        "as much heavier. --fill fraction counts them by what they hold; --tets follows the surface.",
        report.volume / enclosed));
}

// Of a body that is few cubes thick: by how much it errs, and what helps.
void note_bending(FillReport& report, double poisson, std::vector<std::string>& notes) {
    const double too_high = std::sqrt(report.bending_excess);
    if (too_high < kMuchTooHigh) return;
    // Of shapes that are no plates along the grid, cubes at the surface are filled in part whatever their
    // number.
    int layers = 1;
    while (std::sqrt(plate_excess(layers, poisson, report.quadrature)) > kMuchTooHigh ||
           whole_layers(report.resolution, report.cubes_thick, layers) <= report.resolution)
        ++layers;
    const int better = whole_layers(report.resolution, report.cubes_thick, layers);
    std::string advice = " No practical number of cubes resolves it: thicken its parts.";
    if (better <= kMostAdvised) {
        report.better_resolution = better;
        advice = fmt::format(" --resolution {} makes it {} thick.", better, cubes_text(layers));
    }
    notes.push_back(fmt::format(
        "Coarse cubes: half of the body is no more than {} thick. There it bends about "
        "{} times too stiffly, so its lowest frequencies are about {} times too high.{}",
        cubes_text(report.cubes_thick), number_text(report.bending_excess), number_text(too_high), advice));
}

// Bodies of full cubes repeat published numbers, of the textbook element.
BrickQuadrature usual_quadrature(const Voxels& wanted, const Bending& standard) {
    const bool full = wanted.fill == VoxelFill::Full;
    return !full && std::sqrt(standard.excess) > kThin ? BrickQuadrature::Selective
                                                       : BrickQuadrature::Standard;
}

VolumeMesh fill_with_cubes(const SurfaceMesh& surface, const MeshReport& report, const Recipe& recipe,
                           FillReport& out, std::vector<std::string>& notes) {
    const auto& wanted = std::get<Voxels>(recipe.filling);
    const double poisson = poisson_of(recipe);
    const int resolution = wanted.resolution > 0 ? wanted.resolution
                           : out.thickness > 0   ? usual_resolution(surface, poisson)
                                                 : resolution_for(surface, kWantedSeconds);
    Voxelized voxels =
        voxelize(surface, {.resolution = resolution, .fill = wanted.fill.value_or(VoxelFill::Fraction)});
    out.kind = "cubes";
    out.resolution = resolution;
    out.element_side = voxels.report.cube_side;
    out.volume = voxels.report.volume;
    out.seconds = seconds_of(voxels);
    const Bending standard = bending_of(voxels.mesh, out.element_side, poisson, BrickQuadrature::Standard);
    out.quadrature = recipe.quadrature.value_or(usual_quadrature(wanted, standard));
    if (out.thickness > 0) {
        const Bending bending = bending_of(voxels.mesh, out.element_side, poisson, out.quadrature);
        // 2 volume / area is a third of the thickness of a ball and more of everything else in one piece. A
        // stack that is thicker runs through several sheets, such as the floors of a building.
        out.cubes_thick = std::min(bending.thickness, 3 * out.thickness / out.element_side);
        out.bending_excess = bending.excess;
    }
    const double across = out.thickness / out.element_side;
    if (wanted.resolution == 0) {
        std::string note = fmt::format("Filled with {} cubes of {}, {} along the longest side.",
                                       voxels.mesh.bricks.size(), length_text(out.element_side), resolution);
        note += out.thickness > 0
                    ? fmt::format(" Mean thickness (2 volume / area): {}, {}.", length_text(out.thickness),
                                  cubes_text(across))
                    : std::string(
                          " The surface is open, so it has no thickness of its own: where the cubes do "
                          "not close it, the body is a shell one cube thick.");
        notes.push_back(note + fmt::format(" A build takes about {} s. --resolution takes another number.",
                                           std::max(1L, std::lround(out.seconds))));
    }
    note_bending(out, poisson, notes);
    if (report.watertight && wanted.fill == VoxelFill::Full)
        note_overfill(std::abs(report.volume), voxels.report, notes);
    return std::move(voxels.mesh);
}

std::string closed_holes_note(std::size_t count) {
    return fmt::format("{} closed for the cubes, which fill the body: {} at most {:g}% of its surface.",
                       count == 1 ? "A hole was" : fmt::format("{} holes were", count),
                       count == 1 ? "it has" : "they have", 100 * kSmallHoles);
}

VolumeMesh fill_with_tets(const SurfaceMesh& surface, const std::string& name, const Tetrahedra& wanted,
                          FillReport& out, std::vector<std::string>& notes) {
    VolumeMesh mesh = tetrahedralize(surface, {.max_volume = wanted.max_volume}, name);
    out.kind = "tetrahedra";
    for (const Tet& tet : mesh.tets)
        out.volume += tet_volume(mesh, tet);
    // The edge of the regular tet of the mean volume: V = a^3 / (6 sqrt 2).
    out.element_side = std::cbrt(6 * std::sqrt(2.0) * out.volume / static_cast<double>(mesh.tets.size()));
    out.seconds = estimated_seconds(mesh.vertices.size(), mesh.tets.size());
    constexpr std::size_t kFewTets = 500;
    if (mesh.tets.size() < kFewTets)
        notes.push_back(
            fmt::format("Only {} tetrahedra: the body deforms too stiffly. A smaller --max-volume "
                        "gives more; without it there are some thousands.",
                        mesh.tets.size()));
    return mesh;
}

}  // namespace

double estimated_seconds(std::size_t nodes, std::size_t points) {
    const auto n = static_cast<double>(nodes);
    return 0.55e-3 * n * (1 + n / 30000) + 3.3e-5 * static_cast<double>(points);
}

VolumeMesh fill_surface(const SurfaceMesh& surface, const MeshReport& report, const std::string& name,
                        const Recipe& recipe, FillReport& out, std::vector<std::string>& notes) {
    out.thickness = mean_thickness(report);
    out.quadrature = recipe.quadrature.value_or(BrickQuadrature::Standard);
    if (const auto* tets = std::get_if<Tetrahedra>(&recipe.filling))
        return fill_with_tets(surface, name, *tets, out, notes);
    if (!report.watertight) {
        const RepairedSurface closed = repair(surface, {.holes = HolePolicy::CloseSmall});
        if (closed.report.holes_closed > 0) {
            notes.push_back(closed_holes_note(closed.report.holes_closed));
            const MeshReport as_closed = check(closed.mesh);
            out.thickness = mean_thickness(as_closed);
            return fill_with_cubes(closed.mesh, as_closed, recipe, out, notes);
        }
    }
    return fill_with_cubes(surface, report, recipe, out, notes);
}

}  // namespace limber::build
