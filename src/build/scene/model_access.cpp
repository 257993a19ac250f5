// SPDX-License-Identifier: Apache-2.0
// What scenes ask of a model: its file, and vertices on its surface.
#include "build/file/read_file.h"
#include "build/mesh/vertex_range.h"
#include "build/mesh_files/files.h"
#include "build/mesh_files/read_appearance.h"
#include "build/recipe/selection.h"
#include "build/scene/scene_reader.h"

#include <limber/model/model_extension.h>
#include <limber/model/model_file.h>
#include <limber/select/select_on_model.h>

#include <fmt/format.h>

namespace limber::build {
namespace {

bool is_built_model(const std::filesystem::path& path) {
    return format_of(path) == FileFormat::Glb && read_file(path).find(kExtension) != std::string::npos;
}

}  // namespace

std::shared_ptr<const Model> load_model(const std::filesystem::path& path) {
    Result<std::shared_ptr<const Model>> read = read_model(read_file(path), path.string());
    if (!read.ok()) throw read.error();
    return std::move(read).value();
}

std::shared_ptr<const Model> load_rigid_model(const std::filesystem::path& path) {
    if (is_built_model(path)) return load_model(path);
    ShownSurface shown = read_shown_surface(path);
    auto model = std::make_shared<Model>();
    model->name = path.stem().string();
    model->up = read_surface(path).up;
    model->groups.emplace_back().name = "default";
    model->surface.vertices = std::move(shown.vertices);
    model->surface.triangles.assign(shown.triangles.begin(), shown.triangles.end());
    model->surface.input_vertex.assign(shown.input_vertex.begin(), shown.input_vertex.end());
    model->surface.basis.resize(3 * static_cast<Eigen::Index>(model->surface.vertices.size()), 0);
    model->surface.appearance = std::move(shown.appearance);
    return model;
}

std::shared_ptr<const Model> SceneFolder::model(const std::string& name, bool rigid) {
    const std::filesystem::path path = file(name);
    std::error_code none;  // of a file that is not there: reading it says so
    auto& kept = models_[std::filesystem::weakly_canonical(path, none)];
    if (!kept) {
        if (!rigid && std::filesystem::exists(path, none) && path.extension() != ".glb")
            throw InputError{path.string(), "a soft body needs a model; this is a mesh",
                             fmt::format("limber build {}, or \"method\": \"rigid\"", path.string())};
        kept = rigid ? load_rigid_model(path) : load_model(path);
    }
    return kept;
}

std::vector<int> select_on_model(const std::string& where, const std::string& text, const Model& model) {
    return some_of(where, text, select_on_model(text, model, {.file = mark_ids_of_file}),
                   bounds_of(model.surface.vertices));
}

}  // namespace limber::build
