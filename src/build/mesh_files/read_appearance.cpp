// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/read_appearance.h"

#include "build/file/read_file.h"
#include "build/mesh_files/files.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace limber::build {

void arrange_parts(ShownSurface& surface, const std::vector<int>& material_of_triangle) {
    std::map<int, int> place;  // of a material among those in use
    std::vector<int> material_at;
    for (const int material : material_of_triangle)
        if (place.try_emplace(material, static_cast<int>(place.size())).second)
            material_at.push_back(material);
    if (material_at == std::vector<int>{-1}) return;

    std::vector<SurfacePart>& parts = surface.appearance.parts;
    parts.clear();
    for (const int material : material_at)
        parts.push_back({0, 0, material});
    for (const int material : material_of_triangle)
        ++parts[place[material]].triangle_count;
    for (std::size_t p = 1; p < parts.size(); ++p)
        parts[p].first_triangle = parts[p - 1].first_triangle + parts[p - 1].triangle_count;

    std::vector<int> next;
    for (const SurfacePart& part : parts)
        next.push_back(part.first_triangle);
    std::vector<Triangle> sorted(surface.triangles.size());
    for (std::size_t t = 0; t < sorted.size(); ++t)
        sorted[next[place[material_of_triangle[t]]]++] = surface.triangles[t];
    surface.triangles = std::move(sorted);
}

float linear_color(double srgb) {
    const double x = std::clamp(srgb, 0.0, 1.0);
    return static_cast<float>(x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4));
}

ShownSurface read_shown_surface(const std::filesystem::path& path) {
    const FileFormat format = format_of(path);
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    if (format == FileFormat::Obj) return read_obj_appearance(read_file(path), path.string(), folder);
    if (format == FileFormat::Glb) return read_glb_appearance(read_file(path), path.string());
    if (format == FileFormat::Gltf) return read_gltf_appearance(read_file(path), path.string(), folder);

    SurfaceMesh mesh = read_surface(path);
    ShownSurface out;
    if (format == FileFormat::Ply) out.appearance.colors = read_ply_colors(read_file(path), path.string());
    out.input_vertex.resize(mesh.vertices.size());
    std::iota(out.input_vertex.begin(), out.input_vertex.end(), 0);
    out.vertices = std::move(mesh.vertices);
    out.triangles = std::move(mesh.triangles);
    return out;
}

}  // namespace limber::build
