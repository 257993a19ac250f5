// SPDX-License-Identifier: Apache-2.0
// SELECT (limber/select/select.h) on meshes: their named groups, and ids in files.
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh/volume_mesh.h"

#include <limber/result.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace limber::build {

// Ids ascending and unique. Throws what select_points() returns as an error. "@name" is a group of vertices,
// or the corners of the elements or triangles of a group.
std::vector<int> select_vertices(std::string_view text, const VolumeMesh& mesh);
std::vector<int> select_vertices(std::string_view text, const SurfaceMesh& mesh);

// The ids of a text file, for SelectSources::file; does not throw.
Status mark_ids_of_file(std::string_view path, std::vector<bool>& marks);

// Elements: a condition is tested at the element's centroid; near: is the one with the nearest centroid; an
// element group is taken as it is; ids and file: give the elements all of whose vertices are selected.
std::vector<int> select_elements(std::string_view text, const VolumeMesh& mesh);

// Materials of all elements: the file's own, then `base` where it has none, then each ("SELECT", material)
// in order; later ones win. Constants are checked.
struct MaterialChoice {
    std::string select;
    Material material;
};
MaterialMap assign_materials(const VolumeMesh& mesh, const Material& base,
                             const std::vector<MaterialChoice>& choices);

}  // namespace limber::build
