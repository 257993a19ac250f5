// SPDX-License-Identifier: Apache-2.0
// Cells as a file lists them, all kinds mixed, on their way to a surface or a volume mesh.
#pragma once
#include "build/mesh_files/files.h"

#include <array>
#include <string>
#include <vector>

namespace limber::build {

// Members of one named group, by position in the arrays of the CellSet. Repeats are allowed.
struct CellGroup {
    std::string name;
    std::vector<int> vertices, triangles, tets, bricks;
};

struct CellSet {
    std::vector<Vertex> vertices;
    std::vector<Triangle> triangles;
    std::vector<Tet> tets;
    std::vector<Brick> bricks;
    std::vector<double> fraction;  // of bricks (VolumeMesh::fraction); empty: all 1
    std::vector<CellGroup> groups;
};

// Two triangles, along the diagonal 0-2 if the quadrilateral is convex.
void add_quad(CellSet& cells, const std::array<int, 4>& corners);

// A volume mesh if there is a tetrahedron or a brick, else a surface mesh. In a volume mesh the triangles
// and vertices of a group become a vertex group, its elements an element group; in a surface mesh its
// triangles become a triangle group. Groups of the same name are joined, empty ones dropped.
// Throws InputError{file, ...} if there are no cells or more than ids can count.
AnyMesh mesh_of(CellSet cells, const std::string& file);

}  // namespace limber::build
