// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/select.h"

#include "build/file/read_file.h"
#include "build/file/text_scanner.h"
#include "build/mesh/vertex_range.h"
#include "build/or_throw.h"

#include <limber/printable.h>
#include <limber/select/condition.h>
#include <limber/select/select.h>

#include <algorithm>
#include <span>

namespace limber::build {
namespace {

const Group* find_group(const std::vector<Group>& groups, std::string_view name) {
    const auto found =
        std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.name == name; });
    return found == groups.end() ? nullptr : &*found;
}

std::vector<std::string_view> names_of(std::initializer_list<const std::vector<Group>*> lists) {
    std::vector<std::string_view> names;
    for (const auto* groups : lists)
        for (const Group& group : *groups)
            names.push_back(group.name);
    return names;
}

std::span<const int> corners_of(const VolumeMesh& mesh, std::size_t element) {
    if (element < mesh.tets.size()) return mesh.tets[element];
    return mesh.bricks[element - mesh.tets.size()];
}

Result<std::vector<int>> group_vertices(std::string_view name, const std::string& where,
                                        const VolumeMesh& mesh) {
    if (const Group* group = find_group(mesh.vertex_groups, name)) return group->ids;
    const Group* group = find_group(mesh.element_groups, name);
    if (!group) return unknown_group(name, where, names_of({&mesh.vertex_groups, &mesh.element_groups}));
    std::vector<bool> chosen(mesh.vertices.size(), false);
    for (int element : group->ids)
        for (int v : corners_of(mesh, static_cast<std::size_t>(element)))
            chosen[static_cast<std::size_t>(v)] = true;
    return ids_of_marks(chosen);
}

Result<std::vector<int>> group_vertices(std::string_view name, const std::string& where,
                                        const SurfaceMesh& mesh) {
    const Group* group = find_group(mesh.triangle_groups, name);
    if (!group) return unknown_group(name, where, names_of({&mesh.triangle_groups}));
    std::vector<bool> chosen(mesh.vertices.size(), false);
    for (int triangle : group->ids)
        for (int v : mesh.triangles[static_cast<std::size_t>(triangle)])
            chosen[static_cast<std::size_t>(v)] = true;
    return ids_of_marks(chosen);
}

template <class Mesh>
std::vector<int> select(std::string_view text, const Mesh& mesh) {
    const SelectSources sources{
        .group = [&](std::string_view name,
                     const std::string& where) { return group_vertices(name, where, mesh); },
        .file = mark_ids_of_file};
    return or_throw(select_points(text, mesh.vertices, sources));
}

}  // namespace

Status mark_ids_of_file(std::string_view path, std::vector<bool>& marks) {
    try {
        const std::string name(path);
        const std::string bytes = read_file(name);
        TextScanner scanner(bytes, name);
        while (!scanner.at_end()) {
            const std::string where = scanner.where();
            if (Status status = mark_ids(scanner.rest_of_line(), where, marks); !status.ok()) return status;
        }
    } catch (const InputError& error) {
        return error;
    }
    return {};
}

std::vector<int> select_vertices(std::string_view text, const VolumeMesh& mesh) {
    return select(text, mesh);
}

std::vector<int> select_vertices(std::string_view text, const SurfaceMesh& mesh) {
    return select(text, mesh);
}

static std::vector<Vertex> centroids_of(const VolumeMesh& mesh) {
    std::vector<Vertex> centroids;
    for (std::size_t e = 0; e < mesh.element_count(); ++e) {
        Vertex sum = Vertex::Zero();
        const auto corners = corners_of(mesh, e);
        for (int v : corners)
            sum += mesh.vertices[static_cast<std::size_t>(v)];
        centroids.push_back(sum / static_cast<double>(corners.size()));
    }
    return centroids;
}

std::vector<int> select_elements(std::string_view text, const VolumeMesh& mesh) {
    const SelectForm form = select_form(text);
    std::string_view bare = text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    bare = bare.substr(0, bare.find_last_not_of(" \t\r\n") + 1);
    std::vector<int> elements;
    if (form == SelectForm::Group)
        if (const Group* group = find_group(mesh.element_groups, bare.substr(1))) return group->ids;
    if (form == SelectForm::Near)
        return or_throw(select_nearest(bare.substr(bare.find(':') + 1), "in '" + printable(bare) + "'",
                                       centroids_of(mesh)));
    if (form == SelectForm::Condition) {
        const Condition condition = or_throw(parse_condition(bare, bounds_of(mesh.vertices)));
        const std::vector<Vertex> centroids = centroids_of(mesh);
        for (std::size_t e = 0; e < centroids.size(); ++e)
            if (holds(condition, centroids[e])) elements.push_back(static_cast<int>(e));
        return elements;
    }

    std::vector<bool> chosen(mesh.vertices.size(), false);
    for (int v : select(text, mesh))
        chosen[static_cast<std::size_t>(v)] = true;
    for (std::size_t e = 0; e < mesh.element_count(); ++e) {
        const auto corners = corners_of(mesh, e);
        if (std::all_of(corners.begin(), corners.end(),
                        [&](int v) { return chosen[static_cast<std::size_t>(v)]; }))
            elements.push_back(static_cast<int>(e));
    }
    return elements;
}

}  // namespace limber::build
