// SPDX-License-Identifier: Apache-2.0
// Vega FEM's text format.
#include "build/mesh_files/cell_text.h"
#include "build/mesh_files/group_labels.h"
#include "build/mesh_files/recorded_up.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <iterator>
#include <map>

namespace limber::build {
namespace {

template <class Cell>
void write_elements(std::string& text, std::string_view kind, const std::vector<Cell>& cells) {
    auto out = std::back_inserter(text);
    fmt::format_to(out, "*ELEMENTS\n{}\n{} {} 0\n", kind, cells.size(), Cell().size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        fmt::format_to(out, "{}", i + 1);
        for (int corner : cells[i])
            fmt::format_to(out, " {}", corner + 1);
        text += '\n';
    }
    text += '\n';
}

}  // namespace

std::string vega_text(const VolumeMesh& mesh) {
    std::string text = fmt::format("# Vega mesh file, numbers from 1, {}\n", up_comment(mesh.up));
    auto out = std::back_inserter(text);
    fmt::format_to(out, "*VERTICES\n{} 3 0 0\n", mesh.vertices.size());
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const Vertex& v = mesh.vertices[i];
        fmt::format_to(out, "{} {} {} {}\n", i + 1, v.x(), v.y(), v.z());
    }
    text += '\n';
    if (mesh.tets.empty())
        write_elements(text, "CUBIC", mesh.bricks);
    else
        write_elements(text, "TET", mesh.tets);

    const auto names = plain_names(mesh.element_groups, LetterCase::Keep, 60, {"allElements"});
    std::map<std::string_view, std::string_view> set_of_group = {{"", "allElements"}};
    for (std::size_t g = 0; g < names.size(); ++g) {
        set_of_group.emplace(mesh.element_groups[g].name, names[g]);
        fmt::format_to(out, "*SET {}\n", names[g]);
        const auto& ids = mesh.element_groups[g].ids;
        for (std::size_t i = 0; i < ids.size(); ++i)
            fmt::format_to(out, "{}{}", ids[i] + 1,
                           i + 1 == ids.size() ? "\n"
                           : (i + 1) % 16 == 0 ? ",\n"
                                               : ", ");
        text += '\n';
    }
    for (std::size_t m = 0; m < mesh.materials.size(); ++m) {
        const Material& material = mesh.materials[m].second;
        fmt::format_to(out, "*MATERIAL material_{}\nENU, {}, {}, {}\n\n", m + 1, material.density,
                       material.young, material.poisson);
    }
    for (std::size_t m = 0; m < mesh.materials.size(); ++m) {
        const auto set = set_of_group.find(mesh.materials[m].first);
        if (set == set_of_group.end())
            throw InputError{
                "the mesh",
                fmt::format("a material for the group '{}', which is not there", mesh.materials[m].first),
                ""};
        fmt::format_to(out, "*REGION\n{}, material_{}\n\n", set->second, m + 1);
    }
    if (mesh.materials.empty())
        text += "# The mesh came without materials; Vega needs a *MATERIAL and a *REGION here.\n";
    return text;
}

}  // namespace limber::build
