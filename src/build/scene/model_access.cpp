// SPDX-License-Identifier: Apache-2.0
// What scenes ask of a model: its file, and vertices on its surface.
#include "build/file/read_file.h"
#include "build/recipe/selection.h"
#include "build/scene/scene.h"

#include <limber/model/model_file.h>

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace limber::build {
namespace {

SurfaceMesh surface_mesh(const Model& model) {
    SurfaceMesh mesh;
    mesh.vertices = model.surface.vertices;
    mesh.triangles.assign(model.surface.triangles.begin(), model.surface.triangles.end());
    return mesh;
}

// The first vertex of the surface for each vertex of the user's mesh.
std::unordered_map<int, int> first_of_input(const Model& model) {
    std::unordered_map<int, int> first;
    for (std::size_t i = 0; i < model.surface.input_vertex.size(); ++i)
        first.try_emplace(model.surface.input_vertex[i], static_cast<int>(i));
    return first;
}

std::vector<int> select_by_input_id(const std::string& where, const std::string& text, const Model& model) {
    const auto first = first_of_input(model);
    // As many vertices as the user's mesh; only their number counts.
    SurfaceMesh input;
    int largest = -1;
    for (const auto& [id, vertex] : first)
        largest = std::max(largest, id);
    input.vertices.assign(static_cast<std::size_t>(largest + 1), Vertex::Zero());
    std::vector<int> out;
    for (const int id : select_some(where, text, input)) {
        const auto found = first.find(id);
        if (found == first.end())
            throw InputError{where, fmt::format("vertex {} of the mesh is not on the surface", id),
                             "\"near:x,y,z\" takes the nearest vertex of the surface"};
        out.push_back(found->second);
    }
    return out;
}

}  // namespace

std::shared_ptr<const Model> load_model(const std::filesystem::path& path) {
    Result<std::shared_ptr<const Model>> read = read_model(read_file(path), path.string());
    if (!read.ok()) throw read.error();
    return std::move(read).value();
}

std::vector<int> select_on_model(const std::string& where, const std::string& text, const Model& model) {
    const auto begin = std::min(text.find_first_not_of(" \t"), text.size());
    const std::string_view bare = std::string_view(text).substr(begin);
    if (bare.starts_with('#') || bare.starts_with("file:")) return select_by_input_id(where, text, model);
    const auto first = first_of_input(model);
    std::vector<int> out;
    for (const int v : select_some(where, text, surface_mesh(model)))
        out.push_back(first.at(model.surface.input_vertex[static_cast<std::size_t>(v)]));
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace limber::build
