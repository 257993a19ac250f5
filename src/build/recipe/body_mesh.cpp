// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/body_mesh.h"

#include "build/file/text_scanner.h"
#include "build/mesh/boundary.h"
#include "build/mesh/check.h"
#include "build/mesh/tetrahedralize.h"
#include "build/mesh/vertex_range.h"
#include "build/mesh/voxelize.h"
#include "build/recipe/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace limber::build {
namespace {

// Enough for smooth bending of a compact body, few enough that a build takes seconds.
constexpr double kCubes = 4000;
constexpr int kLeastResolution = 8, kMostResolution = 160;

void sort_unique(std::vector<int>& ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

void scale(std::vector<Vertex>& vertices, double metres_per_unit) {
    if (metres_per_unit == 1) return;
    for (Vertex& v : vertices)
        v *= metres_per_unit;
}

// A body of N cubes a side has between N and N³ of them: two corrections by the cube root come close to
// kCubes.
Voxelized voxelize_to_size(const SurfaceMesh& surface) {
    int resolution = 24;
    Voxelized out = voxelize(surface, {.resolution = resolution});
    for (int correction = 0; correction < 2; ++correction) {
        const double ratio = kCubes / static_cast<double>(std::max<std::size_t>(out.mesh.bricks.size(), 1));
        const int next = std::clamp(static_cast<int>(std::lround(resolution * std::cbrt(ratio))),
                                    kLeastResolution, kMostResolution);
        if (next == resolution) break;
        resolution = next;
        out = voxelize(surface, {.resolution = resolution});
    }
    return out;
}

// "none" is the one selection that may be empty: a free body.
template <class Mesh>
std::vector<int> selection_to_fix(const std::string& text, const Mesh& mesh) {
    return text == "none" ? std::vector<int>{} : select_some("--fix", text, mesh);
}

// The cells that hold these surface vertices.
std::vector<int> cells_holding(const std::vector<int>& vertices, const Embedding& embedding) {
    std::vector<int> cells;
    for (const int v : vertices)
        cells.push_back(embedding.anchors[static_cast<std::size_t>(v)].element);
    sort_unique(cells);
    return cells;
}

VolumeMesh fill(const SurfaceMesh& surface, const std::string& name, const Recipe& recipe, BodyMesh& body) {
    if (const auto* tets = std::get_if<Tetrahedra>(&recipe.filling))
        return tetrahedralize(surface, {.max_volume = tets->max_volume}, name);
    const int resolution = std::get<Voxels>(recipe.filling).resolution;
    Voxelized voxels =
        resolution > 0 ? voxelize(surface, {.resolution = resolution}) : voxelize_to_size(surface);
    const VoxelReport& report = voxels.report;
    if (resolution == 0)
        body.notes.push_back(fmt::format(
            "filled with {} cubes, {} along the longest side; --resolution "
            "takes another number",
            voxels.mesh.bricks.size(), *std::max_element(report.grid.begin(), report.grid.end())));
    return std::move(voxels.mesh);
}

// Cubes that only touch the surface count in full: thin bodies become heavier.
void note_volume(double enclosed, BodyMesh& body) {
    constexpr double kMuchMore = 1.25;
    double filled = 0;
    for (const Brick& brick : body.volume.bricks)
        filled += brick_volume(body.volume, brick);
    if (!(filled > kMuchMore * enclosed)) return;
    body.notes.push_back(fmt::format(
        "the cubes have {:.2g} times the volume that the surface encloses, so the body is as much heavier; "
        "--tets or a larger --resolution comes nearer",
        filled / enclosed));
}

// A selection of surface vertices, such as "@handle" or "#1,2", stands for the cells that hold them: it
// becomes a group of elements. A condition is tested at the middle of each cell.
std::string material_of_cells(const std::string& text, BodyMesh& body) {
    const auto [select, constants] = split_material(text);
    const auto begin = select.find_first_not_of(" \t");
    const std::string_view bare = begin == std::string::npos ? "" : std::string_view(select).substr(begin);
    const bool by_vertices = bare.starts_with('#') || bare.starts_with('@') || bare.starts_with("near:") ||
                             bare.starts_with("file:");
    if (!by_vertices) return text;
    const std::string group(bare.starts_with('@') ? bare.substr(1) : bare);
    body.volume.element_groups.push_back(
        {group, cells_holding(select_some("--material", select, body.surface), body.embedding)});
    return fmt::format("@{}:{}", group, constants);
}

void prepare_surface(const SurfaceMesh& surface, const std::string& name, const Recipe& recipe,
                     BodyMesh& body) {
    body.filled = true;
    body.surface = surface;
    scale(body.surface.vertices, recipe.metres_per_unit);
    if (body.surface.triangles.empty())
        throw InputError{name, "the mesh has no triangles", "limber mesh info shows what the file holds"};
    const MeshReport report = check(body.surface);
    body.inside_out = report.watertight && report.volume < 0;
    if (body.inside_out)
        body.notes.push_back(
            fmt::format("{}: the triangles face inwards; the model shows them turned", name));
    body.volume = fill(body.surface, name, recipe, body);
    if (report.watertight) note_volume(std::abs(report.volume), body);
    body.embedding = embed(body.volume, body.surface.vertices);
    for (const std::string& text : recipe.fix)
        for (const int v : selection_to_fix(text, body.surface)) {
            const auto& anchor = body.embedding.anchors[static_cast<std::size_t>(v)];
            body.fixed.insert(body.fixed.end(), anchor.nodes.begin(), anchor.nodes.begin() + anchor.count);
        }
    MaterialRecipe materials = recipe.materials;
    for (std::string& text : materials.choices)
        text = material_of_cells(text, body);
    body.materials = assign_materials(body.volume, materials);
    body.input_vertex.resize(body.surface.vertices.size());
    std::iota(body.input_vertex.begin(), body.input_vertex.end(), 0);
}

void prepare_volume(const VolumeMesh& volume, const std::string& name, const Recipe& recipe, BodyMesh& body) {
    body.volume = volume;
    scale(body.volume.vertices, recipe.metres_per_unit);
    require_sound(body.volume, name);
    Boundary boundary = boundary_of(body.volume);
    body.surface = std::move(boundary.surface);
    body.input_vertex.assign(boundary.volume_vertex.begin(), boundary.volume_vertex.end());
    body.embedding.volume_vertices = body.volume.vertices.size();
    for (const int v : boundary.volume_vertex) {
        Embedding::Anchor anchor;
        anchor.nodes[0] = v;
        anchor.weights[0] = 1;
        anchor.count = 1;
        body.embedding.anchors.push_back(anchor);
    }
    for (const std::string& text : recipe.fix) {
        const auto ids = selection_to_fix(text, body.volume);
        body.fixed.insert(body.fixed.end(), ids.begin(), ids.end());
    }
    body.materials = assign_materials(body.volume, recipe.materials);
}

}  // namespace

BodyMesh prepare_body(const BuildInput& input, const Recipe& recipe, const Progress& progress) {
    const std::string& name = input.name;
    BodyMesh body;
    if (const auto* surface = std::get_if<SurfaceMesh>(&input.mesh)) {
        tell(progress, "filling the surface", 0);
        prepare_surface(*surface, name, recipe, body);
    } else {
        tell(progress, "checking the volume", 0);
        prepare_volume(std::get<VolumeMesh>(input.mesh), name, recipe, body);
    }
    sort_unique(body.fixed);
    if (body.fixed.size() == body.volume.vertices.size())
        throw InputError{"--fix", "every vertex of the volume is fixed; nothing can move",
                         "a smaller selection; the mesh spans " + describe(bounds_of(body.surface.vertices))};
    for (const Problem& problem : check(body.volume).problems)
        body.notes.push_back(fmt::format("{}: {}{}", name, problem.message,
                                         problem.try_this.empty() ? "" : "\ntry: " + problem.try_this));
    return body;
}

}  // namespace limber::build
