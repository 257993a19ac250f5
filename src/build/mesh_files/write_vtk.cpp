// SPDX-License-Identifier: Apache-2.0
// VTK's legacy format as text.
#include "build/mesh_files/cell_text.h"
#include "build/mesh_files/recorded_up.h"
#include "build/mesh_files/vtk_cells.h"

#include <fmt/format.h>

#include <iterator>

namespace limber::build {

std::string vtk_text(const CellView& cells) {
    std::string text = fmt::format("# vtk DataFile Version 3.0\n{}\nASCII\nDATASET UNSTRUCTURED_GRID\n",
                                   up_comment(cells.up));
    auto out = std::back_inserter(text);
    fmt::format_to(out, "POINTS {} double\n", cells.vertices.size());
    for (const Vertex& v : cells.vertices)
        fmt::format_to(out, "{} {} {}\n", v.x(), v.y(), v.z());

    const std::size_t size = 4 * cells.triangles.size() + 5 * cells.tets.size() + 9 * cells.bricks.size();
    fmt::format_to(out, "CELLS {} {}\n", cells.cell_count(), size);
    const auto write_cells = [&](const auto& list) {
        for (const auto& cell : list) {
            fmt::format_to(out, "{}", cell.size());
            for (int corner : cell)
                fmt::format_to(out, " {}", corner);
            text += '\n';
        }
    };
    write_cells(cells.triangles);
    write_cells(cells.tets);
    write_cells(cells.bricks);

    fmt::format_to(out, "CELL_TYPES {}\n", cells.cell_count());
    const auto write_types = [&](std::size_t count, int type) {
        for (std::size_t i = 0; i < count; ++i)
            fmt::format_to(out, "{}\n", type);
    };
    write_types(cells.triangles.size(), kVtkTriangle);
    write_types(cells.tets.size(), kVtkTetra);
    write_types(cells.bricks.size(), kVtkHexahedron);
    return text;
}

}  // namespace limber::build
