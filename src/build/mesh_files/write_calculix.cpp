// SPDX-License-Identifier: Apache-2.0
// The mesh part of a CalculiX (Abaqus) deck. CalculiX cuts numbers behind 20 characters without a word,
// hence 12 significant digits; it reads names in upper case and at most 16 entries on a line.
#include "build/mesh_files/cell_text.h"
#include "build/mesh_files/group_labels.h"

#include <fmt/format.h>

#include <iterator>

namespace limber::build {
namespace {

constexpr std::size_t kLongestName = 60;  // CalculiX allows 80
constexpr std::size_t kMostOnALine = 16;

template <class Cell>
void write_elements(std::string& text, std::string_view type, const std::vector<Cell>& cells,
                    std::size_t first_id) {
    if (cells.empty()) return;
    auto out = std::back_inserter(text);
    fmt::format_to(out, "*ELEMENT, TYPE={}, ELSET=EALL\n", type);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        fmt::format_to(out, "{}", first_id + i);
        for (int corner : cells[i])
            fmt::format_to(out, ", {}", corner + 1);
        text += '\n';
    }
}

void write_sets(std::string& text, std::string_view keyword, std::span<const Group> groups,
                std::span<const std::string> names) {
    auto out = std::back_inserter(text);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const auto& ids = groups[g].ids;
        if (ids.empty()) continue;  // CalculiX has no empty sets
        fmt::format_to(out, "*{}, {}={}\n", keyword, keyword, names[g]);
        for (std::size_t i = 0; i < ids.size(); ++i)
            fmt::format_to(out, "{}{}", ids[i] + 1,
                           i + 1 == ids.size() || (i + 1) % kMostOnALine == 0 ? ",\n" : ", ");
    }
}

}  // namespace

std::string calculix_text(const VolumeMesh& mesh) {
    std::string text =
        "** Mesh in SI units: nodes NALL, elements EALL, and a set for every group.\n"
        "** Include it in a deck with *INCLUDE, INPUT=file; nodes and elements count from 1.\n";
    auto out = std::back_inserter(text);
    text += "*NODE, NSET=NALL\n";
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const Vertex& v = mesh.vertices[i];
        fmt::format_to(out, "{}, {:.12g}, {:.12g}, {:.12g}\n", i + 1, v.x(), v.y(), v.z());
    }
    write_elements(text, "C3D4", mesh.tets, 1);
    write_elements(text, "C3D8", mesh.bricks, 1 + mesh.tets.size());
    write_sets(text, "NSET", mesh.vertex_groups,
               plain_names(mesh.vertex_groups, LetterCase::Upper, kLongestName, {"NALL"}));
    write_sets(text, "ELSET", mesh.element_groups,
               plain_names(mesh.element_groups, LetterCase::Upper, kLongestName, {"EALL"}));
    return text;
}

}  // namespace limber::build
