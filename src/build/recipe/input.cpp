// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/recipe.h"
#include "models/models.h"

#include <fmt/format.h>

#include <algorithm>

namespace limber::build {
namespace {

// The parts of an assembled tree say all that a user could: only how the file is kept is open.
void require_as_it_is(const Recipe& recipe, const std::string& name) {
    if (recipe.fix.empty() && recipe.materials.choices.empty() && !recipe.modes && !recipe.rank &&
        !recipe.domains && recipe.improve.empty() && recipe.interfaces.empty() && !recipe.method &&
        std::holds_alternative<ModalDerivatives>(recipe.basis) &&
        !std::holds_alternative<Tetrahedra>(recipe.filling) &&
        std::get<Voxels>(recipe.filling).resolution == 0)
        return;
    throw InputError{name, "this model is assembled from parts, each with its own mesh, basis and foot",
                     fmt::format("limber build {}", name)};
}

BuildInput sample(const std::string& name, Recipe& recipe) {
    const models::ModelInfo& info = models::find(name);
    if (auto* voxels = std::get_if<Voxels>(&recipe.filling)) {
        if (voxels->resolution == 0) voxels->resolution = info.resolution;
        // As in the papers, whose tables and figures are repeated with these models.
        if (!voxels->fill) voxels->fill = VoxelFill::Full;
    }
    if (auto tree = models::tree(name)) {
        require_as_it_is(recipe, name);
        return {models::make(name), name, {}, std::make_shared<const models::SampleTree>(std::move(*tree))};
    }
    if (recipe.fix.empty()) recipe.fix = {info.fix};
    recipe.materials.base = info.material;
    if (auto cut = models::cut(name); cut && !recipe.domains) {
        DomainsChoice choice;
        choice.ranks = cut->ranks;
        choice.rigid = cut->rigid;
        choice.cut = DomainSample{std::move(*cut)};
        recipe.domains = std::move(choice);
    }
    return {models::make(name), name, {}};
}

}  // namespace

BuildInput open_input(const std::string& file_or_name, Recipe& recipe) {
    std::error_code none;
    const bool is_file = std::filesystem::exists(file_or_name, none);
    const auto& samples = models::list();
    const bool is_sample = std::any_of(samples.begin(), samples.end(),
                                       [&](const models::ModelInfo& m) { return m.name == file_or_name; });
    if (!is_file && is_sample) return sample(file_or_name, recipe);
    if (!is_file && std::filesystem::path(file_or_name).extension().empty())
        throw InputError{file_or_name, "there is neither a file nor a built-in model of that name",
                         "limber models list shows the models"};
    BuildInput input{read_mesh(file_or_name), file_or_name, {}};
    if (std::holds_alternative<SurfaceMesh>(input.mesh)) input.shown = read_shown_surface(file_or_name);
    return input;
}

}  // namespace limber::build
