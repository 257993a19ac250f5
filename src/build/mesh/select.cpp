// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/select.h"

#include "build/file/read_file.h"
#include "build/file/text_scanner.h"
#include "build/mesh/condition.h"
#include "build/mesh/vertex_range.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace limber::build {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (!text.empty() && blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && blank(text.back()))
        text.remove_suffix(1);
    return text;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

// The text before the next comma or blank that is not a comma or blank; `text` loses it and what precedes it.
std::string_view next_item(std::string_view& text) {
    constexpr std::string_view separators = ", \t\r\n";
    text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
    const auto item = text.substr(0, text.find_first_of(separators));
    text.remove_prefix(item.size());
    return item;
}

void sort_unique(std::vector<int>& ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

std::vector<int> ids_of(const std::vector<bool>& chosen) {
    std::vector<int> ids;
    for (std::size_t i = 0; i < chosen.size(); ++i)
        if (chosen[i]) ids.push_back(static_cast<int>(i));
    return ids;
}

// Marks "12" or "20-30". Ranges are checked before they are walked, so no text can ask for more than the
// mesh has.
void mark_ids(std::string_view item, const std::string& where, std::vector<bool>& out) {
    const auto whole = [&](std::string_view digits) {
        std::size_t id = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
        if (error == std::errc::result_out_of_range) return std::numeric_limits<std::size_t>::max();
        if (error != std::errc{} || end != digits.data() + digits.size())
            throw InputError{where,
                             fmt::format("expected a vertex id or a range, found '{}'", printable(item)),
                             "ids are whole numbers from 0, ranges like 20-30"};
        return id;
    };
    const auto dash = item.find('-');
    const std::size_t first = whole(item.substr(0, dash));
    const std::size_t last = dash == std::string_view::npos ? first : whole(item.substr(dash + 1));
    if (std::max(first, last) >= out.size())
        throw InputError{
            where,
            fmt::format("vertex {} is not there; the mesh has {} vertices", printable(item), out.size()),
            "ids count from 0, in the file's order"};
    if (first > last)
        throw InputError{where, fmt::format("the range {} runs backwards", printable(item)), ""};
    for (std::size_t id = first; id <= last; ++id)
        out[id] = true;
}

std::vector<int> ids_in_text(std::string_view list, const std::string& where, std::size_t vertices) {
    std::vector<bool> chosen(vertices, false);
    bool any = false;
    for (auto item = next_item(list); !item.empty(); item = next_item(list), any = true)
        mark_ids(item, where, chosen);
    if (!any) throw InputError{where, "no ids follow", "write them like \"#12,15,20-30\""};
    return ids_of(chosen);
}

std::vector<int> ids_in_file(std::string_view path, std::size_t vertices) {
    const std::string name(path);
    const std::string bytes = read_file(name);
    TextScanner scanner(bytes, name);
    std::vector<bool> chosen(vertices, false);
    while (!scanner.at_end()) {
        const std::string where = scanner.where();
        std::string_view line = scanner.rest_of_line();
        for (auto item = next_item(line); !item.empty(); item = next_item(line))
            mark_ids(item, where, chosen);
    }
    return ids_of(chosen);
}

std::vector<int> nearest(std::string_view point_text, const std::string& where,
                         const std::vector<Vertex>& vertices) {
    Vertex point;
    std::string_view rest = point_text;
    for (double& coordinate : point) {
        const auto item = next_item(rest);
        const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), coordinate);
        if (item.empty() || error != std::errc{} || end != item.data() + item.size() ||
            !std::isfinite(coordinate))
            throw InputError{where,
                             item.empty() ? "expected three numbers x,y,z"
                                          : fmt::format("expected a number, found '{}'", printable(item)),
                             "write it like \"near:0,0,1\", in m"};
    }
    if (const auto extra = next_item(rest); !extra.empty())
        throw InputError{where, fmt::format("a fourth number '{}'", printable(extra)),
                         "write it like \"near:0,0,1\", in m"};

    int best = -1;
    double best_distance_squared = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const double distance_squared = (vertices[i] - point).squaredNorm();
        if (distance_squared < best_distance_squared) {
            best_distance_squared = distance_squared;
            best = static_cast<int>(i);
        }
    }
    return best < 0 ? std::vector<int>{} : std::vector<int>{best};
}

const Group* find_group(const std::vector<Group>& groups, std::string_view name) {
    const auto found =
        std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.name == name; });
    return found == groups.end() ? nullptr : &*found;
}

[[noreturn]] void fail_for_group(const std::string& where, std::string_view name,
                                 std::initializer_list<const std::vector<Group>*> lists) {
    constexpr std::size_t kShown = 12;
    std::string known;
    std::size_t count = 0;
    for (const auto* groups : lists)
        for (const Group& group : *groups)
            if (count++ < kShown)
                known += fmt::format("{}@{}", known.empty() ? "" : ", ", printable(group.name));
    if (count > kShown) known += fmt::format(" and {} more", count - kShown);
    throw InputError{where, fmt::format("the mesh has no group '{}'", printable(name)),
                     count == 0 ? "the file names no groups; use a condition such as \"x<0.1\""
                                : "its groups are " + known};
}

std::span<const int> corners_of(const VolumeMesh& mesh, std::size_t element) {
    if (element < mesh.tets.size()) return mesh.tets[element];
    return mesh.bricks[element - mesh.tets.size()];
}

std::vector<int> group_vertices(std::string_view name, const std::string& where, const VolumeMesh& mesh) {
    if (const Group* group = find_group(mesh.vertex_groups, name)) return group->ids;
    const Group* group = find_group(mesh.element_groups, name);
    if (!group) fail_for_group(where, name, {&mesh.vertex_groups, &mesh.element_groups});
    std::vector<bool> chosen(mesh.vertices.size(), false);
    for (int element : group->ids)
        for (int v : corners_of(mesh, static_cast<std::size_t>(element)))
            chosen[static_cast<std::size_t>(v)] = true;
    return ids_of(chosen);
}

std::vector<int> group_vertices(std::string_view name, const std::string& where, const SurfaceMesh& mesh) {
    const Group* group = find_group(mesh.triangle_groups, name);
    if (!group) fail_for_group(where, name, {&mesh.triangle_groups});
    std::vector<int> ids;
    for (int triangle : group->ids)
        for (int v : mesh.triangles[static_cast<std::size_t>(triangle)])
            ids.push_back(v);
    sort_unique(ids);
    return ids;
}

template <class Mesh>
std::vector<int> select(std::string_view text, const Mesh& mesh) {
    text = trimmed(text);
    const std::string where = fmt::format("in '{}'", printable(text));
    if (text.empty())
        throw InputError{where, "the selection is empty text", "write a condition such as \"x<0.1\", or all"};
    if (text == "none") return {};
    if (text == "all") {
        std::vector<int> ids(mesh.vertices.size());
        std::iota(ids.begin(), ids.end(), 0);
        return ids;
    }
    if (take_prefix(text, "#")) return ids_in_text(text, where, mesh.vertices.size());
    if (take_prefix(text, "near:")) return nearest(text, where, mesh.vertices);
    if (take_prefix(text, "file:")) return ids_in_file(text, mesh.vertices.size());
    if (take_prefix(text, "@")) return group_vertices(text, where, mesh);

    const Condition condition = parse_condition(text, bounds_of(mesh.vertices));
    std::vector<int> ids;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        if (holds(condition, mesh.vertices[i])) ids.push_back(static_cast<int>(i));
    return ids;
}

}  // namespace

std::vector<int> select_vertices(std::string_view text, const VolumeMesh& mesh) {
    return select(text, mesh);
}

std::vector<int> select_vertices(std::string_view text, const SurfaceMesh& mesh) {
    return select(text, mesh);
}

bool is_condition(std::string_view text) {
    text = trimmed(text);
    for (std::string_view prefix : {"#", "near:", "file:", "@"})
        if (text.starts_with(prefix)) return false;
    return !text.empty() && text != "all" && text != "none";
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
    text = trimmed(text);
    std::vector<int> elements;
    if (text.starts_with("@"))
        if (const Group* group = find_group(mesh.element_groups, text.substr(1))) return group->ids;

    if (std::string_view point = text; take_prefix(point, "near:"))
        return nearest(point, fmt::format("in '{}'", printable(text)), centroids_of(mesh));
    if (is_condition(text)) {
        const Condition condition = parse_condition(text, bounds_of(mesh.vertices));
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
