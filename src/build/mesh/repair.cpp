// SPDX-License-Identifier: Apache-2.0
// Repair of volume meshes, and the welding that surfaces share. Repair of surfaces: repair_surface.cpp.
#include "build/mesh/repair.h"

#include "build/mesh/element_measure.h"
#include "build/mesh/vertex_range.h"
#include "build/mesh/weld.h"

#include <algorithm>
#include <set>

namespace limber::build {
namespace {

// Bottom and top change places: the brick seen in a mirror.
Brick mirrored(const Brick& b) {
    return {b[4], b[5], b[6], b[7], b[0], b[1], b[2], b[3]};
}
Tet mirrored(const Tet& t) {
    return {t[0], t[1], t[3], t[2]};
}

// Puts what is left of `elements` into `kept`; new_id gets one entry per element, -1 for dropped ones.
template <class Element>
void repair_elements(const std::vector<Element>& elements, const VolumeMesh& welded,
                     const std::vector<int>& vertex_map, RepairReport& report, std::vector<Element>& kept,
                     std::vector<int>& new_id) {
    const int first_id =
        static_cast<int>(std::count_if(new_id.begin(), new_id.end(), [](int id) { return id >= 0; }));
    std::set<Element> seen;
    for (const Element& original : elements) {
        new_id.push_back(-1);
        if (!in_range(original, vertex_map.size())) {
            ++report.degenerate;
            continue;
        }
        Element element;
        std::transform(original.begin(), original.end(), element.begin(),
                       [&](int v) { return vertex_map[static_cast<std::size_t>(v)]; });
        const bool finite = std::none_of(element.begin(), element.end(), [](int v) { return v < 0; });
        if (!finite || has_repeated_corner(element) || measure(welded, element).shape == ElementShape::Flat) {
            ++report.degenerate;
            continue;
        }
        Element key = element;
        std::sort(key.begin(), key.end());
        if (!seen.insert(key).second) {
            ++report.duplicate;
            continue;
        }
        if (measure(welded, element).shape == ElementShape::Inverted) {
            if (measure(welded, mirrored(element)).shape == ElementShape::Inverted) {
                ++report.inverted_left;
            } else {
                element = mirrored(element);
                ++report.flipped;
            }
        }
        new_id.back() = first_id + static_cast<int>(kept.size());
        kept.push_back(element);
    }
}

}  // namespace

std::vector<Group> renumbered(const std::vector<Group>& groups, const std::vector<int>& new_id) {
    std::vector<Group> result;
    for (const Group& group : groups) {
        Group& out = result.emplace_back(Group{group.name, {}});
        for (const int id : group.ids)
            if (id >= 0 && static_cast<std::size_t>(id) < new_id.size() &&
                new_id[static_cast<std::size_t>(id)] >= 0)
                out.ids.push_back(new_id[static_cast<std::size_t>(id)]);
        std::sort(out.ids.begin(), out.ids.end());
        out.ids.erase(std::unique(out.ids.begin(), out.ids.end()), out.ids.end());
    }
    return result;
}

RepairedVolume repair(const VolumeMesh& mesh, const RepairOptions& options) {
    RepairedVolume result;
    VolumeMesh welded;
    const Welded weld = weld_vertices(mesh.vertices, options.weld_distance);
    welded.vertices = mesh.vertices;
    std::vector<int> new_element;
    repair_elements(mesh.tets, welded, weld.to, result.report, welded.tets, new_element);
    repair_elements(mesh.bricks, welded, weld.to, result.report, welded.bricks, new_element);

    std::vector<char> used(mesh.vertices.size(), 0);
    const auto use = [&](const auto& elements) {
        for (const auto& element : elements)
            for (const int v : element)
                used[static_cast<std::size_t>(v)] = 1;
    };
    use(welded.tets);
    use(welded.bricks);
    const std::vector<int> new_vertex =
        keep_used(mesh.vertices, weld, used, result.mesh.vertices, result.report);
    const auto renumber = [&](auto& elements) {
        for (auto& element : elements)
            for (int& v : element)
                v = new_vertex[static_cast<std::size_t>(v)];
    };
    renumber(welded.tets);
    renumber(welded.bricks);
    result.mesh.tets = std::move(welded.tets);
    result.mesh.bricks = std::move(welded.bricks);
    if (!mesh.fraction.empty()) {
        for (std::size_t b = 0; b < mesh.bricks.size(); ++b)
            if (new_element[mesh.tets.size() + b] >= 0) result.mesh.fraction.push_back(mesh.fraction_of(b));
    }
    result.mesh.vertex_groups = renumbered(mesh.vertex_groups, new_vertex);
    result.mesh.element_groups = renumbered(mesh.element_groups, new_element);
    result.mesh.materials = mesh.materials;
    result.mesh.up = mesh.up;
    return result;
}

}  // namespace limber::build
