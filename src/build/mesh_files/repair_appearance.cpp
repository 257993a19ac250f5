// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/repair_appearance.h"

#include "build/file/atomic_file.h"
#include "build/mesh_files/files.h"
#include "build/mesh_files/recorded_up.h"
#include "build/mesh_files/write_surface.h"
#include "build/or_throw.h"

#include <limber/model/model_file.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>

namespace limber::build {
namespace {

int material_at(const Appearance& appearance, int triangle) {
    for (const SurfacePart& part : appearance.parts)
        if (triangle >= part.first_triangle && triangle < part.first_triangle + part.triangle_count)
            return part.material;
    return -1;
}

// Triangles of one material together, in the order of `materials`.
std::vector<std::size_t> by_material(const std::vector<int>& material) {
    std::vector<std::size_t> order(material.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return material[a] < material[b]; });
    return order;
}

// One vertex for each pair of a place and a look.
ModelSurface split_by_looks(const DressedSurface& surface) {
    ModelSurface out;
    Appearance& looks = out.appearance;
    const Appearance& before = surface.appearance;
    looks.materials = before.materials;
    looks.textures = before.textures;
    looks.images = before.images;
    looks.texture_coordinates.resize(before.texture_coordinates.size());
    std::map<std::pair<int, int>, int> vertex_of;
    for (const std::size_t t : by_material(surface.material)) {
        auto& triangle = out.triangles.emplace_back();
        for (std::size_t i = 0; i < 3; ++i) {
            const int place = surface.mesh.triangles[t][i], look = surface.corners[t][i];
            const auto [entry, is_new] =
                vertex_of.try_emplace({place, look}, static_cast<int>(out.vertices.size()));
            triangle[i] = entry->second;
            if (!is_new) continue;
            out.vertices.push_back(surface.mesh.vertices[static_cast<std::size_t>(place)]);
            out.input_vertex.push_back(place);
            for (std::size_t set = 0; set < looks.texture_coordinates.size(); ++set)
                looks.texture_coordinates[set].push_back(
                    before.texture_coordinates[set][static_cast<std::size_t>(look)]);
            if (!before.colors.empty()) looks.colors.push_back(before.colors[static_cast<std::size_t>(look)]);
        }
        const int material = surface.material[t];
        if (looks.parts.empty() || looks.parts.back().material != material)
            looks.parts.push_back({static_cast<std::int32_t>(out.triangles.size()) - 1, 0, material});
        ++looks.parts.back().triangle_count;
    }
    return out;
}

void write_glb(const std::filesystem::path& path, const DressedSurface& surface) {
    const ModelSurface split = split_by_looks(surface);
    const Eigen::MatrixXd none(3 * static_cast<Eigen::Index>(split.vertices.size()), 0);
    const Eigen::VectorXd no_scale(0);
    write_file(path,
               or_throw(write_moving_surface({path.stem().string(), surface.mesh.up, split, none, no_scale},
                                             {}, {}, path.string()))
                   .bytes);
}

// As the file has it; with its number if another has the same.
std::string material_name(const Appearance& appearance, int material) {
    const auto plain = [&](const SurfaceMaterial& m) {
        std::string name = m.name.empty() ? "material" : m.name;
        for (char& c : name)
            if (static_cast<unsigned char>(c) <= ' ') c = '_';
        return name;
    };
    const std::string name = plain(appearance.materials[static_cast<std::size_t>(material)]);
    const auto same = std::count_if(appearance.materials.begin(), appearance.materials.end(),
                                    [&](const SurfaceMaterial& m) { return plain(m) == name; });
    return same == 1 ? name : fmt::format("{}_{}", name, material);
}

bool has_more_than_mtl(const SurfaceMaterial& m) {
    return m.metallic_roughness_texture.texture >= 0 || m.normal_texture.texture >= 0 ||
           m.occlusion_texture.texture >= 0 || m.emissive_texture.texture >= 0 || !m.extensions.empty() ||
           m.emissive != std::array<double, 3>{0, 0, 0};
}

// The library with its pictures, and how each material is called.
WrittenLooks write_library(const std::filesystem::path& obj, const Appearance& appearance) {
    WrittenLooks out;
    const std::string stem = obj.stem().string();
    std::string text;
    auto end = std::back_inserter(text);
    std::map<int, std::string> picture_of;  // image -> file name
    for (std::size_t m = 0; m < appearance.materials.size(); ++m) {
        const SurfaceMaterial& material = appearance.materials[m];
        const auto& color = material.base_color;
        fmt::format_to(end, "newmtl {}\nKd {} {} {}\nd {}\n", material_name(appearance, static_cast<int>(m)),
                       color[0], color[1], color[2], color[3]);
        const int texture = material.base_color_texture.texture;
        if (texture < 0 || material.base_color_texture.set != 0) continue;
        const int image = appearance.textures[static_cast<std::size_t>(texture)].image;
        const SurfaceImage& picture = appearance.images[static_cast<std::size_t>(image)];
        const auto [entry, is_new] = picture_of.try_emplace(
            image, fmt::format("{}_{}.{}", stem, image, picture.type == ImageType::Png ? "png" : "jpg"));
        if (is_new) {
            out.files.push_back(obj.parent_path() / entry->second);
            write_file(out.files.back(), picture.bytes);
        }
        fmt::format_to(end, "map_Kd {}\n", entry->second);
    }
    out.files.push_back(obj.parent_path() / (stem + ".mtl"));
    write_file(out.files.back(), text);
    if (std::any_of(appearance.materials.begin(), appearance.materials.end(), has_more_than_mtl))
        out.notes.push_back(
            "of the materials only base colours, opacity and their textures are written: .glb holds all of "
            "them");
    return out;
}

// The colour of each welded vertex; the first of its corners.
std::vector<VertexColor> color_of_vertices(const DressedSurface& surface) {
    std::vector<VertexColor> out(surface.mesh.vertices.size(), VertexColor{1, 1, 1, 1});
    for (std::size_t t = surface.corners.size(); t-- > 0;)
        for (std::size_t i = 0; i < 3; ++i)
            out[static_cast<std::size_t>(surface.mesh.triangles[t][i])] =
                surface.appearance.colors[static_cast<std::size_t>(surface.corners[t][i])];
    return out;
}

WrittenLooks write_obj(const std::filesystem::path& path, const DressedSurface& surface) {
    const Appearance& looks = surface.appearance;
    WrittenLooks out;
    if (!looks.materials.empty()) out = write_library(path, looks);
    std::string text = fmt::format("# {}\n", up_comment(surface.mesh.up));
    auto end = std::back_inserter(text);
    if (!looks.materials.empty()) fmt::format_to(end, "mtllib {}.mtl\n", path.stem().string());
    std::vector<VertexColor> colors;
    if (!looks.colors.empty()) colors = color_of_vertices(surface);
    for (std::size_t v = 0; v < surface.mesh.vertices.size(); ++v) {
        const Vertex& p = surface.mesh.vertices[v];
        fmt::format_to(end, "v {} {} {}", p.x(), p.y(), p.z());
        if (!colors.empty())
            fmt::format_to(end, " {:.6g} {:.6g} {:.6g}", screen_color(colors[v][0]),
                           screen_color(colors[v][1]), screen_color(colors[v][2]));
        text += '\n';
    }
    const bool has_uv = !looks.texture_coordinates.empty();
    if (has_uv)
        for (const TextureCoordinate& uv : looks.texture_coordinates[0])
            fmt::format_to(end, "vt {} {}\n", uv[0], 1 - static_cast<double>(uv[1]));
    const std::vector<std::string> groups = group_statements(surface.mesh);
    std::string group;
    int material = -1;
    for (const std::size_t t : by_material(surface.material)) {
        if (groups[t] != group) fmt::format_to(end, "g{}\n", group = groups[t]);
        if (surface.material[t] != material && surface.material[t] >= 0)
            fmt::format_to(end, "usemtl {}\n", material_name(looks, material = surface.material[t]));
        text += 'f';
        for (std::size_t i = 0; i < 3; ++i) {
            fmt::format_to(end, " {}", surface.mesh.triangles[t][i] + std::int64_t{1});
            if (has_uv) fmt::format_to(end, "/{}", surface.corners[t][i] + std::int64_t{1});
        }
        text += '\n';
    }
    write_file(path, text);
    return out;
}

bool has_looks(const DressedSurface& surface) {
    return !surface.appearance.materials.empty() || !surface.appearance.colors.empty();
}

}  // namespace

SurfaceMesh to_repair(const ShownSurface& shown, const SurfaceMesh& file) {
    SurfaceMesh out;
    out.up = file.up;
    out.vertices = shown.vertices;
    out.triangles = shown.triangles;
    if (file.triangle_groups.empty()) return out;
    std::map<Triangle, std::vector<int>> place;  // of the file's triangles, last first
    for (int t = static_cast<int>(file.triangles.size()); t-- > 0;)
        place[file.triangles[static_cast<std::size_t>(t)]].push_back(t);
    std::vector<int> shown_at(file.triangles.size(), -1);
    for (std::size_t t = 0; t < shown.triangles.size(); ++t) {
        Triangle key = shown.triangles[t];
        for (int& v : key)
            v = shown.input_vertex[static_cast<std::size_t>(v)];
        const auto found = place.find(key);
        if (found == place.end() || found->second.empty()) continue;
        shown_at[static_cast<std::size_t>(found->second.back())] = static_cast<int>(t);
        found->second.pop_back();
    }
    for (const Group& group : file.triangle_groups) {
        Group& moved = out.triangle_groups.emplace_back(Group{group.name, {}});
        for (const int id : group.ids)
            if (shown_at[static_cast<std::size_t>(id)] >= 0)
                moved.ids.push_back(shown_at[static_cast<std::size_t>(id)]);
        std::sort(moved.ids.begin(), moved.ids.end());
    }
    return out;
}

DressedSurface dressed(RepairedSurface repaired, const ShownSurface& shown) {
    DressedSurface out;
    out.appearance = shown.appearance;
    out.corners = std::move(repaired.origin.corners);
    std::vector<int> material_at_vertex(repaired.mesh.vertices.size(), -1);
    for (std::size_t t = 0; t < repaired.origin.triangle.size(); ++t) {
        const int from = repaired.origin.triangle[t];
        out.material.push_back(from < 0 ? -1 : material_at(shown.appearance, from));
        if (from >= 0)
            for (const int v : repaired.mesh.triangles[t])
                material_at_vertex[static_cast<std::size_t>(v)] = out.material.back();
    }
    for (std::size_t t = 0; t < repaired.origin.triangle.size(); ++t)
        if (repaired.origin.triangle[t] < 0)
            out.material[t] = material_at_vertex[static_cast<std::size_t>(repaired.mesh.triangles[t][0])];
    out.mesh = std::move(repaired.mesh);
    return out;
}

WrittenLooks write_dressed(const std::filesystem::path& path, const DressedSurface& surface) {
    const FileFormat format = format_of(path);
    if (has_looks(surface) && !surface.mesh.triangles.empty()) {
        if (format == FileFormat::Glb) {
            write_glb(path, surface);
            return {};
        }
        if (format == FileFormat::Obj) return write_obj(path, surface);
        if (format == FileFormat::Ply && !surface.appearance.colors.empty()) {
            write_file(path, ply_bytes(surface.mesh, color_of_vertices(surface)));
            if (surface.appearance.materials.empty()) return {};
            return {{}, {"materials and textures are not written: .glb and .obj hold them"}};
        }
    }
    write_surface(path, surface.mesh);
    if (!has_looks(surface)) return {};
    return {{}, {"colours and textures are not written: .glb and .obj hold them"}};
}

}  // namespace limber::build
