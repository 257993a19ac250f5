// SPDX-License-Identifier: Apache-2.0
#include "build/scene/body_change.h"

#include "build/file/nearest_word.h"
#include "build/file/text_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace limber::build {
namespace {

// Throws InputError for a group that the model has not, and for constants that no material has.
void change_materials(std::vector<Material>& materials, const BodyChange& change, const Model& model,
                      const std::string& where) {
    for (const auto& [name, constants] : change.materials) {
        const auto group = std::find_if(model.groups.begin(), model.groups.end(),
                                        [&, &n = name](const ModelGroup& g) { return g.name == n; });
        if (group == model.groups.end()) {
            std::vector<std::string> names;
            for (const ModelGroup& g : model.groups)
                names.push_back(g.name);
            const std::string nearest = nearest_word(name, names);
            throw InputError{where, fmt::format("the model has no material group '{}'", printable(name)),
                             nearest.empty() ? fmt::format("its groups are {}", fmt::join(names, ", "))
                                             : fmt::format("'{}'", nearest)};
        }
        Material& material = materials[static_cast<std::size_t>(group - model.groups.begin())];
        material.young = constants.young.value_or(material.young);
        material.poisson = constants.poisson.value_or(material.poisson);
        material.density = constants.density.value_or(material.density);
        if (const auto problem = material_problem(material, where)) throw *problem;
    }
}

// The one factor that all groups have; they may differ by rounding.
double common_factor(const std::vector<double>& factors, const char* what, const std::string& where) {
    for (const double factor : factors)
        if (!(std::abs(factor - factors[0]) <= 1e-9 * factors[0]))
            throw InputError{
                where,
                fmt::format("{} becomes {:.6g} times the built one in one group and {:.6g} times in "
                            "another; linear modes can only change alike everywhere",
                            what, factors[0], factor),
                "the same factor for all groups, \"method\": \"stvk\", or build the model again"};
    return factors[0];
}

}  // namespace

StvkSettings changed(StvkSettings settings, const BodyChange& change, const Model& model,
                     const std::string& where) {
    if (settings.materials.empty() && !change.materials.empty())
        for (const ModelGroup& group : model.groups)
            settings.materials.push_back(group.material);
    change_materials(settings.materials, change, model, where);
    if (change.rank) {
        if (*change.rank > model.rank)
            throw InputError{
                where,
                fmt::format("rank {} was asked for; the model has {} basis vectors", *change.rank,
                            model.rank),
                fmt::format("rank {} or less, or limber build --rank {}", model.rank, *change.rank)};
        settings.coordinates = first_coordinates(*change.rank);
    }
    settings.alpha = change.alpha.value_or(settings.alpha);
    settings.beta = change.beta.value_or(settings.beta);
    settings.strain_rate = change.strain_rate.value_or(settings.strain_rate);
    settings.integrator = change.integrator.value_or(settings.integrator);
    settings.newton = change.newton.value_or(settings.newton);
    return settings;
}

WarpSettings changed(WarpSettings settings, const BodyChange& change, const Model& model,
                     const std::string& where) {
    if (!change.materials.empty()) {
        std::vector<Material> materials;
        for (const ModelGroup& group : model.groups) {
            Material now = group.material;
            now.young *= settings.young_scale;
            now.density *= settings.density_scale;
            materials.push_back(now);
        }
        change_materials(materials, change, model, where);
        std::vector<double> young, density;
        for (std::size_t g = 0; g < materials.size(); ++g) {
            const Material& built = model.groups[g].material;
            if (materials[g].poisson != built.poisson)
                throw InputError{
                    where,
                    fmt::format("Poisson's ratio {:g} was asked for; the linear modes were built with {:g}",
                                materials[g].poisson, built.poisson),
                    "\"method\": \"stvk\", or build the model again"};
            young.push_back(materials[g].young / built.young);
            density.push_back(materials[g].density / built.density);
        }
        settings.young_scale = common_factor(young, "Young's modulus", where);
        settings.density_scale = common_factor(density, "the density", where);
    }
    settings.young_scale = change.young_scale.value_or(settings.young_scale);
    settings.density_scale = change.density_scale.value_or(settings.density_scale);
    settings.alpha = change.alpha.value_or(settings.alpha);
    settings.beta = change.beta.value_or(settings.beta);
    settings.warping = change.warping.value_or(settings.warping);
    settings.step = change.step.value_or(settings.step);
    settings.coriolis = change.coriolis.value_or(settings.coriolis);
    return settings;
}

}  // namespace limber::build
