// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/body_mesh.h"

#include "build/file/text_scanner.h"
#include "build/mesh/boundary.h"
#include "build/mesh/check.h"
#include "build/mesh/repair.h"
#include "build/mesh/surface_measures.h"
#include "build/mesh/vertex_range.h"
#include "build/recipe/filling.h"
#include "build/recipe/holding.h"
#include "build/recipe/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace limber::build {
namespace {

void sort_unique(std::vector<int>& ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

void scale(std::vector<Vertex>& vertices, double metres_per_unit) {
    if (metres_per_unit == 1) return;
    for (Vertex& v : vertices)
        v *= metres_per_unit;
}

// The cells that hold these surface vertices.
std::vector<int> cells_holding(const std::vector<int>& vertices, const Embedding& embedding) {
    std::vector<int> cells;
    for (const int v : vertices)
        cells.push_back(embedding.anchors[static_cast<std::size_t>(v)].element);
    sort_unique(cells);
    return cells;
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

void take_held(Holding held, double surface_area, BodyMesh& body) {
    body.held = {held.nodes.size(), held.area, surface_area};
    body.fixed = std::move(held.nodes);
    if (body.fixed.empty()) return;
    body.notes.push_back(fmt::format("Fixed: {} of {} nodes, at {:.3g} m^2 of the surface ({:.2g}%).",
                                     body.fixed.size(), body.volume.vertices.size(), held.area,
                                     surface_area > 0 ? 100 * held.area / surface_area : 0));
}

void prepare_surface(const SurfaceMesh& surface, const std::string& name, const Recipe& recipe,
                     BodyMesh& body) {
    body.filled = true;
    body.surface = surface;
    scale(body.surface.vertices, recipe.metres_per_unit);
    if (body.surface.triangles.empty())
        throw InputError{name, "the mesh has no triangles", "limber mesh info shows what the file holds"};
    // Else they would be lit from the wrong side.
    if (const std::size_t flipped = orient_outward(body.surface.vertices, body.surface.triangles))
        body.notes.push_back(fmt::format(
            "{}: {} of {} triangles faced inwards or against their neighbours; the model shows them the "
            "right way out",
            name, flipped, body.surface.triangles.size()));
    const MeshReport report = check(body.surface);
    body.volume = fill_surface(body.surface, report, name, recipe, body.filling, body.notes);
    body.embedding = embed(body.volume, body.surface.vertices);
    take_held(hold_surface(recipe.fix, body.surface, body.volume, body.embedding), report.area, body);
    MaterialRecipe materials = recipe.materials;
    for (std::string& text : materials.choices)
        text = material_of_cells(text, body);
    body.materials = assign_materials(body.volume, materials);
    body.input_vertex.resize(body.surface.vertices.size());
    std::iota(body.input_vertex.begin(), body.input_vertex.end(), 0);
}

void prepare_volume(const VolumeMesh& volume, const std::string& name, const Recipe& recipe, BodyMesh& body) {
    body.volume = volume;
    body.filling.quadrature = recipe.quadrature.value_or(BrickQuadrature::Standard);
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
    double area = 0;
    for (const Triangle& t : body.surface.triangles)
        area += area_of(body.surface.vertices, t);
    take_held(hold_volume(recipe.fix, body.volume, body.surface, boundary.volume_vertex), area, body);
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
    if (body.fixed.size() == body.volume.vertices.size())
        throw InputError{"--fix", "every vertex of the volume is fixed; nothing can move",
                         "a smaller selection; the mesh spans " + describe(bounds_of(body.surface.vertices))};
    for (const Problem& problem : check(body.volume).problems)
        body.notes.push_back(fmt::format("{}: {}{}", name, problem.message,
                                         problem.try_this.empty() ? "" : "\ntry: " + problem.try_this));
    return body;
}

}  // namespace limber::build
