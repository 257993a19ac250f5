// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/cell_set.h"

#include "build/mesh_files/named_groups.h"
#include "build/mesh_files/polygon.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace limber::build {
namespace {

void add_all(NamedGroups& groups, const std::string& name, const std::vector<int>& ids, int shift = 0) {
    if (ids.empty()) return;
    const std::size_t group = groups.index_of(name);
    for (int id : ids)
        groups.add(group, id + shift);
}

std::vector<Group> sorted(std::vector<Group> groups) {
    for (auto& [name, ids] : groups) {
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    }
    return groups;
}

VolumeMesh volume_of(CellSet cells) {
    NamedGroups vertex_groups, element_groups;
    const int first_brick = static_cast<int>(cells.tets.size());
    for (const CellGroup& group : cells.groups) {
        add_all(element_groups, group.name, group.tets);
        add_all(element_groups, group.name, group.bricks, first_brick);
        add_all(vertex_groups, group.name, group.vertices);
        for (int t : group.triangles)
            for (int v : cells.triangles[static_cast<std::size_t>(t)])
                vertex_groups.add(vertex_groups.index_of(group.name), v);
    }
    VolumeMesh mesh;
    mesh.vertices = std::move(cells.vertices);
    mesh.tets = std::move(cells.tets);
    mesh.bricks = std::move(cells.bricks);
    mesh.fraction = std::move(cells.fraction);
    mesh.vertex_groups = sorted(vertex_groups.take());
    mesh.element_groups = sorted(element_groups.take());
    return mesh;
}

SurfaceMesh surface_of(CellSet cells) {
    NamedGroups triangle_groups;
    for (const CellGroup& group : cells.groups)
        add_all(triangle_groups, group.name, group.triangles);
    SurfaceMesh mesh;
    mesh.vertices = std::move(cells.vertices);
    mesh.triangles = std::move(cells.triangles);
    mesh.triangle_groups = sorted(triangle_groups.take());
    return mesh;
}

}  // namespace

void add_quad(CellSet& cells, const std::array<int, 4>& corners) {
    PolygonCutter().cut(cells.vertices, corners, cells.triangles);
}

AnyMesh mesh_of(CellSet cells, const std::string& file) {
    const std::size_t elements = cells.tets.size() + cells.bricks.size();
    const std::size_t most = std::max({cells.vertices.size(), cells.triangles.size(), elements});
    if (most > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw InputError{file, fmt::format("{} vertices or cells; limber counts to 2147483647", most),
                         "coarsen the mesh"};
    if (elements > 0) return volume_of(std::move(cells));
    if (cells.triangles.empty())
        throw InputError{file, "the file holds no triangles, tetrahedra or hexahedra",
                         "export the mesh with its cells"};
    return surface_of(std::move(cells));
}

}  // namespace limber::build
