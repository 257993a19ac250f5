// SPDX-License-Identifier: Apache-2.0
// Cells by VTK's numbers for their types, which the legacy format and .vtu share
// (VTK file formats, "Linear cell types").
#pragma once
#include "build/mesh_files/cell_set.h"
#include "build/mesh_files/polygon.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace limber::build {

enum VtkType : int {
    kVtkVertex = 1,
    kVtkPolyVertex = 2,
    kVtkLine = 3,
    kVtkPolyLine = 4,
    kVtkTriangle = 5,
    kVtkTriangleStrip = 6,
    kVtkPolygon = 7,
    kVtkPixel = 8,  // a rectangle, its corners row by row
    kVtkQuad = 9,
    kVtkTetra = 10,
    kVtkVoxel = 11,  // a box, its corners row by row
    kVtkHexahedron = 12,
};

class VtkCellReader {
 public:
    // Adds to `cells`, whose vertices are there already. `file` is for messages.
    VtkCellReader(CellSet& cells, std::string file) : cells_(cells), file_(std::move(file)) {}

    // `points` are indices of the piece whose points are the vertices from `first_vertex` to the last.
    // Points and lines are passed over; second order, wedges, pyramids and polyhedra are refused.
    void add(std::int64_t type, std::span<const std::int64_t> points, std::size_t first_vertex = 0);

 private:
    [[noreturn]] void fail(std::string problem, std::string try_this = "") const;
    void require_corners(std::int64_t type, std::size_t count) const;

    CellSet& cells_;
    std::string file_;
    std::size_t count_ = 0;     // cells seen
    std::vector<int> corners_;  // of the present cell
    PolygonCutter cutter_;
};

}  // namespace limber::build
