// SPDX-License-Identifier: Apache-2.0
// Wavefront OBJ: vertices, polygons, and the names that o, g and usemtl give to faces. Texture coordinates,
// normals, lines, curves and material libraries are passed over; no other file is ever opened.
#include "build/file/text_scanner.h"
#include "build/mesh_files/files.h"
#include "build/mesh_files/named_groups.h"
#include "build/mesh_files/obj_text.h"
#include "build/mesh_files/polygon.h"

#include <fmt/format.h>

#include <algorithm>

namespace limber::build {
namespace {

// Each triangle is noted in each of its groups, so their number bounds the memory that a face can ask for.
constexpr std::size_t kMostGroupsAtOnce = 32;

// All of them first: a face may come before its vertices. Colours and weights after z are ignored.
std::vector<Vertex> read_vertices(std::string_view bytes, const std::string& name) {
    std::vector<Vertex> vertices;
    TextScanner scan(bytes, name);
    while (!scan.at_end()) {
        const std::string_view statement = scan.token_on_line();
        if (statement == "v") {
            if (vertices.size() == kMostNumbered)
                scan.fail(fmt::format("more than {} vertices", kMostNumbered));
            Vertex vertex;
            for (double& x : vertex)
                x = scan.to_finite_number(next_obj_word(scan), "a coordinate");
            vertices.push_back(vertex);
        }
        skip_obj_statement(scan, statement);
    }
    return vertices;
}

// The names that apply to the faces to come.
class CurrentGroups {
 public:
    void set_object(std::string_view name) { set(object_, {std::string(name)}); }
    void set_material(std::string_view name) { set(material_, {std::string(name)}); }
    void set_groups(std::vector<std::string> names) { set(groups_, std::move(names)); }

    void add(int triangle) {
        if (changed_) look_up();
        for (std::size_t group : current_)
            groups_by_name_.add(group, triangle);
    }
    std::vector<Group> take() { return groups_by_name_.take(); }

 private:
    void set(std::vector<std::string>& names, std::vector<std::string> to) {
        names = std::move(to);
        changed_ = true;
    }
    // An object and its material may share a name; the triangle is noted once.
    void look_up() {
        current_.clear();
        for (const auto* names : {&object_, &groups_, &material_})
            for (const std::string& name : *names)
                if (!name.empty()) current_.push_back(groups_by_name_.index_of(name));
        std::sort(current_.begin(), current_.end());
        current_.erase(std::unique(current_.begin(), current_.end()), current_.end());
        changed_ = false;
    }

    std::vector<std::string> object_, groups_, material_;
    std::vector<std::size_t> current_;
    bool changed_ = true;
    NamedGroups groups_by_name_;
};

std::vector<std::string> read_group_names(TextScanner& scan) {
    std::vector<std::string> names;
    for (auto word = next_obj_word(scan); !word.empty(); word = next_obj_word(scan)) {
        if (names.size() == kMostGroupsAtOnce)
            scan.fail(fmt::format("a g statement has more than {} names", kMostGroupsAtOnce));
        names.emplace_back(word);
    }
    return names;
}

}  // namespace

SurfaceMesh read_obj(std::string_view bytes, const std::string& name) {
    SurfaceMesh mesh;
    mesh.vertices = read_vertices(bytes, name);

    TextScanner scan(bytes, name);
    PolygonCutter cutter;
    CurrentGroups groups;
    std::size_t vertices_so_far = 0;
    std::vector<int> corners;
    while (!scan.at_end()) {
        const std::string_view statement = scan.token_on_line();
        if (statement == "v") {
            ++vertices_so_far;
        } else if (statement == "o") {
            groups.set_object(scan.rest_of_line());
            continue;
        } else if (statement == "usemtl") {
            groups.set_material(scan.rest_of_line());
            continue;
        } else if (statement == "g") {
            groups.set_groups(read_group_names(scan));
            scan.skip_line();
            continue;
        } else if (statement == "f" || statement == "fo") {  // fo: the old spelling
            corners.clear();
            for (auto word = next_obj_word(scan); !word.empty() && word[0] != '#'; word = next_obj_word(scan))
                corners.push_back(obj_vertex(scan, word, vertices_so_far, mesh.vertices.size()));
            if (corners.size() < 3)
                scan.fail(fmt::format("a face has {} corners; it needs at least 3", corners.size()));
            if (mesh.triangles.size() + corners.size() > kMostNumbered)
                scan.fail(fmt::format("more than {} triangles", kMostNumbered));

            const std::size_t first = mesh.triangles.size();
            cutter.cut(mesh.vertices, corners, mesh.triangles);
            for (std::size_t t = first; t < mesh.triangles.size(); ++t)
                groups.add(static_cast<int>(t));
            scan.skip_line();
            continue;
        }
        skip_obj_statement(scan, statement);
    }
    if (mesh.triangles.empty())
        throw InputError{name, fmt::format("the file has no faces ({} vertices)", mesh.vertices.size()),
                         "check that this is an OBJ file and that the export included the mesh"};
    mesh.triangle_groups = groups.take();
    return mesh;
}

}  // namespace limber::build
