// SPDX-License-Identifier: Apache-2.0
// The content of mesh files, format by format. Coordinates are written so that reading gives the same
// bits, except in CalculiX decks.
#pragma once
#include "build/mesh_files/files.h"

#include <span>
#include <string>
#include <vector>

namespace limber::build {

// A surface or a volume mesh as the writers see it. Cells are numbered triangles, tets, bricks; a mesh
// has either triangles or elements.
struct CellView {
    std::span<const Vertex> vertices;
    std::span<const Triangle> triangles;
    std::span<const Tet> tets;
    std::span<const Brick> bricks;
    std::span<const Group> vertex_groups;
    std::span<const Group> cell_groups;
    UpAxis up;
    std::span<const double> fraction = {};  // of bricks; empty: all 1

    std::size_t cell_count() const { return triangles.size() + tets.size() + bricks.size(); }
};
CellView view_of(const SurfaceMesh& mesh);
CellView view_of(const VolumeMesh& mesh);

// MSH 4.1, text. All groups are kept, overlapping ones too.
std::string gmsh_text(const CellView& cells);
// A cell or vertex has one reference: its first group's. Names stand in comments only.
std::string medit_text(const CellView& cells);
// Legacy 3.0, text. No groups.
std::string vtk_text(const CellView& cells);
// Base64 inline, little endian, 64-bit lengths, not compressed. No groups; filled fractions as the cell data
// "fraction".
std::string vtu_text(const CellView& cells, std::span<const VertexField> fields);
// The content of .node and .ele, numbers from 1. A tet has one region, a vertex one marker: its first
// group's.
struct TetGenText {
    std::string node, ele;
};
TetGenText tetgen_text(const VolumeMesh& mesh);
// Sets and regions with their materials. A mesh without materials gets none.
std::string vega_text(const VolumeMesh& mesh);
// *NODE, *ELEMENT and sets, to be included in a deck: NALL, EALL and one set per group.
std::string calculix_text(const VolumeMesh& mesh);

}  // namespace limber::build
