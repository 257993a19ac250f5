// SPDX-License-Identifier: Apache-2.0
#include "bindings/wasm/settings_json.h"

#include "bindings/wasm/json_members.h"

namespace limber {
namespace {

constexpr std::pair<const char*, StvkIntegrator> kIntegrators[] = {
    {"newmark", StvkIntegrator::Newmark},
    {"central", StvkIntegrator::CentralDifferences},
    {"euler", StvkIntegrator::BackwardEuler},
    {"energy", StvkIntegrator::EnergyPreserving}};
constexpr std::pair<const char*, StvkPrecision> kPrecisions[] = {{"double", StvkPrecision::Double},
                                                                 {"float", StvkPrecision::Float}};

}  // namespace

std::optional<InputError> read_settings(std::string_view text, const Model& model, StvkSettings& settings) {
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    JsonMembers read;
    if (!read.object(json, "settings",
                     {"materials", "rank", "coordinates", "integrator", "newton", "tolerance", "damping",
                      "gravity", "precision"}))
        return read.error;
    StvkSettings next = settings;
    if (next.materials.empty())
        for (const ModelGroup& group : model.groups)
            next.materials.push_back(group.material);
    if (json.contains("materials")) read.materials(json["materials"], model, next.materials);
    if (json.contains("rank")) {
        int rank = 0;
        read.integer(json["rank"], "rank", rank);
        if (rank < 1 || rank > model.rank)
            read.fail("rank", "it is " + std::to_string(rank),
                      "between 1 and " + std::to_string(model.rank) + ", the model's own");
        else
            next.coordinates = first_coordinates(rank);
    }
    read.integers(json, "coordinates", next.coordinates);
    read.word(json, "integrator", kIntegrators, next.integrator);
    if (json.contains("newton")) read.integer(json["newton"], "newton", next.newton);
    read.number(json, "tolerance", next.tolerance);
    if (json.contains("damping") &&
        read.object(json["damping"], "damping", {"alpha", "beta", "strain_rate"})) {
        read.number(json["damping"], "alpha", next.alpha);
        read.number(json["damping"], "beta", next.beta);
        read.number(json["damping"], "strain_rate", next.strain_rate);
    }
    read.vector(json, "gravity", next.gravity);
    read.word(json, "precision", kPrecisions, next.precision);
    if (!read.error) settings = std::move(next);
    return read.error;
}

std::string write_settings(const Model& model, const StvkSettings& s) {
    Json materials = Json::object();
    for (std::size_t g = 0; g < s.materials.size() && g < model.groups.size(); ++g)
        materials[model.groups[g].name] = {{"young", s.materials[g].young},
                                           {"poisson", s.materials[g].poisson},
                                           {"density", s.materials[g].density}};
    const Json json = {{"materials", materials},
                       {"coordinates", s.coordinates},
                       {"integrator", name_of(kIntegrators, s.integrator)},
                       {"newton", s.newton},
                       {"tolerance", s.tolerance},
                       {"damping", {{"alpha", s.alpha}, {"beta", s.beta}, {"strain_rate", s.strain_rate}}},
                       {"gravity", {s.gravity.x(), s.gravity.y(), s.gravity.z()}},
                       {"precision", name_of(kPrecisions, s.precision)}};
    return text_of(json);
}

std::string write_error(const InputError& error) {
    return text_of({{"where", error.where}, {"problem", error.problem}, {"try_this", error.try_this}});
}

}  // namespace limber
