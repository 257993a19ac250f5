// SPDX-License-Identifier: Apache-2.0
#include "bindings/wasm/settings_json.h"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

namespace limber {
namespace {

using Json = nlohmann::json;

constexpr std::pair<const char*, BodyIntegrator> kIntegrators[] = {
    {"newmark", BodyIntegrator::Newmark},
    {"central", BodyIntegrator::CentralDifferences},
    {"euler", BodyIntegrator::BackwardEuler},
    {"energy", BodyIntegrator::EnergyPreserving}};
constexpr std::pair<const char*, BodyPrecision> kPrecisions[] = {{"double", BodyPrecision::Double},
                                                                 {"float", BodyPrecision::Float}};

// Reads members of one object; keeps the first problem.
struct Reader {
    std::optional<InputError> error;

    void fail(const std::string& where, const std::string& problem, const std::string& try_this = "") {
        if (!error) error = InputError{where, problem, try_this};
    }
    bool object(const Json& json, const std::string& where, std::initializer_list<const char*> keys) {
        if (!json.is_object()) return fail(where, "an object was expected"), false;
        std::string known;
        for (const char* key : keys)
            known += (known.empty() ? "" : ", ") + std::string(key);
        for (const auto& [key, value] : json.items())
            if (std::find(keys.begin(), keys.end(), key) == keys.end())
                fail(where, "there is no setting \"" + key + "\"", "one of: " + known);
        return !error;
    }
    void number(const Json& json, const char* key, double& out) {
        if (!json.contains(key)) return;
        json[key].is_number() ? void(out = json[key].get<double>()) : fail(key, "a number was expected");
    }
    void integer(const Json& json, const char* key, int& out) {
        if (json.is_number_integer() && json.get<std::int64_t>() >= -1000000 &&
            json.get<std::int64_t>() <= 1000000)
            out = json.get<int>();
        else
            fail(key, "a small whole number was expected");
    }
    template <class Choices, class Value>
    void word(const Json& json, const char* key, const Choices& choices, Value& out) {
        if (!json.contains(key)) return;
        std::string known;
        for (const auto& [name, value] : choices) {
            if (json[key] == name) {
                out = value;
                return;
            }
            known += (known.empty() ? "" : ", ") + std::string(name);
        }
        fail(key, "it is " + json[key].dump(), "one of: " + known);
    }
    void materials(const Json& json, const Model& model, std::vector<Material>& out) {
        if (!json.is_object()) return fail("materials", "an object was expected");
        for (const auto& [name, value] : json.items()) {
            const auto group = std::find_if(model.groups.begin(), model.groups.end(),
                                            [&, &key = name](const ModelGroup& g) { return g.name == key; });
            if (group == model.groups.end())
                return fail("materials", "the model has no group \"" + name + "\"");
            if (!object(value, "material \"" + name + "\"", {"young", "poisson", "density"})) return;
            Material& material = out[static_cast<std::size_t>(group - model.groups.begin())];
            number(value, "young", material.young);
            number(value, "poisson", material.poisson);
            number(value, "density", material.density);
        }
    }
    void coordinates(const Json& json, std::vector<int>& out) {
        if (!json.is_array()) return fail("coordinates", "an array was expected");
        out.assign(json.size(), 0);
        for (std::size_t i = 0; i < json.size(); ++i)
            integer(json[i], "coordinates", out[i]);
    }
    void vector(const Json& json, const char* key, Eigen::Vector3d& out) {
        if (!json.contains(key)) return;
        const Json& list = json[key];
        if (!list.is_array() || list.size() != 3 ||
            !std::all_of(list.begin(), list.end(), [](const Json& x) { return x.is_number(); }))
            return fail(key, "three numbers were expected");
        for (int i = 0; i < 3; ++i)
            out[i] = list[static_cast<std::size_t>(i)].get<double>();
    }
};

template <class Choices, class Value>
const char* name_of(const Choices& choices, Value value) {
    for (const auto& [name, choice] : choices)
        if (choice == value) return name;
    return "";
}

}  // namespace

std::optional<InputError> read_settings(std::string_view text, const Model& model, BodySettings& settings) {
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    Reader read;
    if (!read.object(json, "settings",
                     {"materials", "rank", "coordinates", "integrator", "newton", "tolerance", "damping",
                      "gravity", "precision"}))
        return read.error;
    BodySettings next = settings;
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
    if (json.contains("coordinates")) read.coordinates(json["coordinates"], next.coordinates);
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

std::string write_settings(const Model& model, const BodySettings& s) {
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
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string write_error(const InputError& error) {
    return Json{{"where", error.where}, {"problem", error.problem}, {"try_this", error.try_this}}.dump(
        -1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace limber
