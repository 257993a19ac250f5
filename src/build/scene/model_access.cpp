// SPDX-License-Identifier: Apache-2.0
// What scenes ask of a model: its file, and vertices on its surface.
#include "build/file/read_file.h"
#include "build/mesh/vertex_range.h"
#include "build/recipe/selection.h"
#include "build/scene/scene.h"

#include <limber/model/model_file.h>
#include <limber/select/select_on_model.h>

namespace limber::build {

std::shared_ptr<const Model> load_model(const std::filesystem::path& path) {
    Result<std::shared_ptr<const Model>> read = read_model(read_file(path), path.string());
    if (!read.ok()) throw read.error();
    return std::move(read).value();
}

std::vector<int> select_on_model(const std::string& where, const std::string& text, const Model& model) {
    return some_of(where, text, select_on_model(text, model, {.file = mark_ids_of_file}),
                   bounds_of(model.surface.vertices));
}

}  // namespace limber::build
