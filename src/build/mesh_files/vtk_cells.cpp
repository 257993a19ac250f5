// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/vtk_cells.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <map>

namespace limber::build {
namespace {

const char* name_of_refused(std::int64_t type) {
    static const std::map<std::int64_t, const char*> names = {
        {13, "wedge"},
        {14, "pyramid"},
        {15, "pentagonal prism"},
        {16, "hexagonal prism"},
        {21, "quadratic line, second order"},
        {22, "6-node triangle, second order"},
        {23, "8-node quadrilateral, second order"},
        {24, "10-node tetrahedron, second order"},
        {25, "20-node hexahedron, second order"},
        {26, "15-node wedge, second order"},
        {27, "13-node pyramid, second order"},
        {28, "9-node quadrilateral, second order"},
        {29, "27-node hexahedron, second order"},
        {42, "polyhedron"},
        {69, "Lagrange triangle, higher order"},
        {70, "Lagrange quadrilateral, higher order"},
        {71, "Lagrange tetrahedron, higher order"},
        {72, "Lagrange hexahedron, higher order"},
    };
    const auto found = names.find(type);
    return found == names.end() ? "unknown" : found->second;
}

}  // namespace

void VtkCellReader::fail(std::string problem, std::string try_this) const {
    throw InputError{fmt::format("{}: cell {}", file_, count_ - 1), std::move(problem), std::move(try_this)};
}

void VtkCellReader::require_corners(std::int64_t type, std::size_t count) const {
    if (corners_.size() != count)
        fail(fmt::format("a cell of type {} has {} points; {} are expected", type, corners_.size(), count));
}

void VtkCellReader::add(std::int64_t type, std::span<const std::int64_t> points, std::size_t first_vertex) {
    ++count_;
    corners_.clear();
    const std::size_t point_count = cells_.vertices.size() - first_vertex;
    for (const std::int64_t point : points) {
        if (point < 0 || static_cast<std::uint64_t>(point) >= point_count)
            fail(fmt::format("point {} is not among 0 to {}", point,
                             static_cast<std::int64_t>(point_count) - 1));
        corners_.push_back(static_cast<int>(first_vertex + static_cast<std::size_t>(point)));
    }
    const auto& v = corners_;
    switch (type) {
        case 0:  // an empty cell
        case kVtkVertex:
        case kVtkPolyVertex:
        case kVtkLine:
        case kVtkPolyLine:
            return;
        case kVtkTriangle:
            require_corners(type, 3);
            cells_.triangles.push_back({v[0], v[1], v[2]});
            return;
        case kVtkTriangleStrip:
            if (v.size() < 3) fail(fmt::format("a triangle strip of {} points", v.size()));
            for (std::size_t i = 2; i < v.size(); ++i) {  // every other triangle runs the other way
                if (i % 2 == 0)
                    cells_.triangles.push_back({v[i - 2], v[i - 1], v[i]});
                else
                    cells_.triangles.push_back({v[i - 1], v[i - 2], v[i]});
            }
            return;
        case kVtkPolygon:
            if (v.size() < 3) fail(fmt::format("a polygon of {} points", v.size()));
            cutter_.cut(cells_.vertices, v, cells_.triangles);
            return;
        case kVtkPixel:
            require_corners(type, 4);
            add_quad(cells_, {v[0], v[1], v[3], v[2]});
            return;
        case kVtkQuad:
            require_corners(type, 4);
            add_quad(cells_, {v[0], v[1], v[2], v[3]});
            return;
        case kVtkTetra:
            require_corners(type, 4);
            cells_.tets.push_back({v[0], v[1], v[2], v[3]});
            return;
        case kVtkVoxel:
            require_corners(type, 8);
            cells_.bricks.push_back({v[0], v[1], v[3], v[2], v[4], v[5], v[7], v[6]});
            return;
        case kVtkHexahedron:
            require_corners(type, 8);
            cells_.bricks.push_back({v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]});
            return;
        default:
            fail(fmt::format("cells of type {} ({}) are not supported", type, name_of_refused(type)),
                 "limber takes linear tetrahedra, hexahedra, voxels and polygons; in ParaView: "
                 "Tetrahedralize");
    }
}

}  // namespace limber::build
