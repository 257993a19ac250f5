// SPDX-License-Identifier: Apache-2.0
// Medit's text format.
#include "build/mesh_files/cell_text.h"
#include "build/mesh_files/group_labels.h"
#include "build/mesh_files/recorded_up.h"

#include <fmt/format.h>

#include <iterator>

namespace limber::build {
namespace {

void write_legend(std::string& text, std::string_view kind, std::span<const Group> groups,
                  std::span<const std::int64_t> numbers) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
        std::string name = groups[g].name;
        for (char& c : name)
            if (static_cast<unsigned char>(c) < 32) c = '_';
        fmt::format_to(std::back_inserter(text), "# reference {} of {}: {}\n", numbers[g], kind, name);
    }
}

template <class Cell>
void write_cells(std::string& text, std::string_view keyword, std::span<const Cell> cells,
                 std::span<const std::int64_t> references) {
    if (cells.empty()) return;
    fmt::format_to(std::back_inserter(text), "{}\n{}\n", keyword, cells.size());
    for (std::size_t c = 0; c < cells.size(); ++c) {
        for (int corner : cells[c])
            fmt::format_to(std::back_inserter(text), "{} ", corner + 1);
        fmt::format_to(std::back_inserter(text), "{}\n", references[c]);
    }
}

}  // namespace

std::string medit_text(const CellView& cells) {
    const auto vertex_numbers = group_numbers(cells.vertex_groups, "vertex_reference_");
    const auto cell_numbers = group_numbers(cells.cell_groups, "reference_");
    const auto vertex_references =
        number_per_member(cells.vertex_groups, vertex_numbers, cells.vertices.size());
    const auto cell_references = number_per_member(cells.cell_groups, cell_numbers, cells.cell_count());

    std::string text =  // 2: doubles
        fmt::format("MeshVersionFormatted 2\nDimension 3\n# {}\n", up_comment(cells.up));
    write_legend(text, "vertices", cells.vertex_groups, vertex_numbers);
    write_legend(text, "cells", cells.cell_groups, cell_numbers);
    fmt::format_to(std::back_inserter(text), "Vertices\n{}\n", cells.vertices.size());
    for (std::size_t i = 0; i < cells.vertices.size(); ++i) {
        const Vertex& v = cells.vertices[i];
        fmt::format_to(std::back_inserter(text), "{} {} {} {}\n", v.x(), v.y(), v.z(), vertex_references[i]);
    }
    std::span<const std::int64_t> references = cell_references;
    write_cells(text, "Triangles", cells.triangles, references);
    references = references.subspan(cells.triangles.size());
    write_cells(text, "Tetrahedra", cells.tets, references);
    references = references.subspan(cells.tets.size());
    write_cells(text, "Hexahedra", cells.bricks, references);
    text += "End\n";
    return text;
}

}  // namespace limber::build
