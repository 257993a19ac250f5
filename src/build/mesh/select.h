// SPDX-License-Identifier: Apache-2.0
// SELECT: the small language that names vertices and elements on the command line and in scenes.
//   "x<0.001 && !(y>0.2)"   a condition on rest positions: < <= > >= == !=, && || !, + - * /, parentheses,
//                           numbers, x y z, and xmin xmax ymin ymax zmin zmax of the mesh; == and != forgive
//                           1e-9 of the mesh's diagonal
//   "#12,15,20-30"          ids, 0-based
//   "near:x,y,z"            the one vertex nearest to a point, m
//   "@name"                 a named group of the mesh file
//   "file:ids.txt"          ids in a text file, separated by white space or commas
//   "all", "none"
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh/volume_mesh.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace limber::build {

// Ids ascending and unique. Throws InputError with the position of the mistake in the text, for ids that
// are out of range, and for names of groups that are not there (listing those that are).
// An empty selection is returned, not refused: the caller knows whether that is a mistake.
std::vector<int> select_vertices(std::string_view text, const VolumeMesh& mesh);
std::vector<int> select_vertices(std::string_view text, const SurfaceMesh& mesh);

// Is the text a condition on positions, rather than ids, a group, a point, "all" or "none"?
bool is_condition(std::string_view text);

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
