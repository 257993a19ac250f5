// SPDX-License-Identifier: Apache-2.0
// TetGen's .node and .ele files.
#include "build/mesh_files/cell_text.h"
#include "build/mesh_files/group_labels.h"
#include "build/mesh_files/recorded_up.h"

#include <fmt/format.h>

#include <iterator>

namespace limber::build {

TetGenText tetgen_text(const VolumeMesh& mesh) {
    const auto markers = number_per_member(mesh.vertex_groups, group_numbers(mesh.vertex_groups, "marker_"),
                                           mesh.vertices.size());
    const auto regions = number_per_member(mesh.element_groups, group_numbers(mesh.element_groups, "region_"),
                                           mesh.element_count());
    const bool has_markers = !mesh.vertex_groups.empty(), has_regions = !mesh.element_groups.empty();

    TetGenText text;
    auto node = std::back_inserter(text.node);
    fmt::format_to(node, "# {}\n{} 3 0 {}\n", up_comment(mesh.up), mesh.vertices.size(), has_markers ? 1 : 0);
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const Vertex& v = mesh.vertices[i];
        fmt::format_to(node, "{} {} {} {}", i + 1, v.x(), v.y(), v.z());
        if (has_markers) fmt::format_to(node, " {}", markers[i]);
        text.node += '\n';
    }
    auto ele = std::back_inserter(text.ele);
    fmt::format_to(ele, "{} 4 {}\n", mesh.tets.size(), has_regions ? 1 : 0);
    for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
        fmt::format_to(ele, "{}", i + 1);
        for (int corner : mesh.tets[i])
            fmt::format_to(ele, " {}", corner + 1);
        if (has_regions) fmt::format_to(ele, " {}", regions[i]);
        text.ele += '\n';
    }
    return text;
}

}  // namespace limber::build
