// SPDX-License-Identifier: Apache-2.0
#include "limber/settings/read_settings.h"

#include "limber/settings/field_of.h"
#include "limber/settings/nearest_word.h"
#include "limber/shown_name.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace limber {
namespace {

using Json = nlohmann::json;

struct MethodKeys {
    Method method;
    const char* called;
    std::vector<std::string> keys;
};

const std::vector<MethodKeys>& keys_by_method() {
    static const std::vector<MethodKeys> kKeys = {
        {Method::Stvk, "nonlinear", keys_of(fields_of<StvkSettings>())},
        {Method::Warp, "warped", keys_of(fields_of<WarpSettings>())},
        {Method::Rigid, "rigid", keys_of(fields_of<RigidSettings>())},
        {Method::Domains, "trees of domains as", keys_of(fields_of<DomainsSettings>())}};
    return kKeys;
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// Keys that another method knows.
void refuse_other_methods(const JsonCursor& object, const std::vector<std::string>& own) {
    for (const std::string& key : object.keys())
        for (const MethodKeys& other : keys_by_method())
            if (!contains(own, key) && contains(other.keys, key))
                return object.fail(
                    "'" + key + "' is a key of " + other.called + " bodies",
                    "\"method\": \"" + std::string(word_of(other.method)) + "\", or leave it out");
}

// One material for each group: changes those that the object names.
void read_materials(const JsonCursor& object, const Model& model, std::vector<Material>& materials) {
    for (const std::string& name : object.keys()) {
        std::vector<std::string> names;
        std::size_t group = 0;
        for (const ModelGroup& g : model.groups)
            names.push_back(g.name);
        while (group < names.size() && names[group] != name)
            ++group;
        if (group == names.size()) {
            const std::string nearest = nearest_word(name, names);
            std::string all;
            for (const std::string& known : names)
                all += (all.empty() ? "" : ", ") + shown_name(known);
            return object.fail("the model has no material group '" + shown_name(name) + "'",
                               nearest.empty() ? "its groups are " + all : "'" + shown_name(nearest) + "'");
        }
        read_fields(object.at(name), fields_of<Material>(), materials[group]);
    }
}

void read_coordinates(const JsonCursor& object, const Model& model, StvkSettings& out) {
    if (object.has("rank") && object.has("coordinates"))
        return object.fail("'rank' and 'coordinates' both choose basis vectors", "leave one of them out");
    object.when("rank", [&](const JsonCursor& at) {
        const int rank = at.whole_number(1, kMostRank);
        if (rank > model.rank)
            at.fail("rank " + std::to_string(rank) + " was asked for; the model has " +
                        std::to_string(model.rank) + " basis vectors",
                    "rank " + std::to_string(model.rank) + " or less, or limber build --rank " +
                        std::to_string(rank));
        out.coordinates = first_coordinates(rank);
    });
    object.when("coordinates", [&](const JsonCursor& at) {
        std::vector<bool> used(static_cast<std::size_t>(std::max(model.rank, 0)), false);
        for (std::size_t i = 0; i < out.coordinates.size(); ++i) {
            const int vector = out.coordinates[i];
            const std::string asked = "basis vector " + std::to_string(vector) + " was asked for";
            if (vector >= model.rank)
                return at.entry(i).fail(
                    asked + "; the model has " + std::to_string(model.rank) + ", numbered from 0",
                    "at most " + std::to_string(model.rank) +
                        " coordinates, or build the model with a larger rank");
            if (used[static_cast<std::size_t>(vector)]) return at.entry(i).fail(asked + " twice");
            used[static_cast<std::size_t>(vector)] = true;
        }
    });
}

// The one factor that all groups have; they may differ by rounding.
double common_factor(const std::vector<double>& factors, const char* what, const JsonCursor& at) {
    for (const double factor : factors)
        if (!(std::abs(factor - factors[0]) <= 1e-9 * factors[0])) {
            at.fail(std::string(what) + " becomes " + number(factors[0], 6) +
                        " times the built one in one group and " + number(factor, 6) +
                        " times in another; linear modes can only change alike everywhere",
                    "the same factor for all groups, \"method\": \"stvk\", or build the model again");
            return 1;
        }
    const double factor = factors.empty() ? 1 : factors[0];
    if (!kScale.contains(factor))
        at.fail(std::string(what) + " becomes " + number(factor, 6) +
                    " times the built one; the factor must be " + kScale.text(),
                "build the model again");
    return factor;
}

void read_scales(const JsonCursor& at, const Model& model, WarpSettings& out) {
    std::vector<Material> materials;
    for (const ModelGroup& group : model.groups) {
        materials.push_back(group.material);
        materials.back().young *= out.young_scale;
        materials.back().density *= out.density_scale;
    }
    read_materials(at, model, materials);
    if (!at.ok()) return;
    std::vector<double> young, density;
    for (std::size_t g = 0; g < materials.size(); ++g) {
        const Material& built = model.groups[g].material;
        if (materials[g].poisson != built.poisson)
            return at.fail("Poisson's ratio " + number(materials[g].poisson, 6) +
                               " was asked for; the linear modes were built with " + number(built.poisson, 6),
                           "\"method\": \"stvk\", or build the model again");
        young.push_back(materials[g].young / built.young);
        density.push_back(materials[g].density / built.density);
    }
    out.young_scale = common_factor(young, "Young's modulus", at);
    out.density_scale = common_factor(density, "the density", at);
}

// Old spellings, of scenes and recordings that were written before.
Json with_present_keys_of_constraints(Json object) {
    if (object.contains("method") && !object.contains("positions_by")) {
        object["positions_by"] = object["method"];
        object.erase("method");
    }
    return object;
}

template <class T, class Read>
Status read_text(std::string_view text, const std::string& where, T& out, const Read& read) {
    const Result<Json> parsed = parse_json_text(text, where);
    if (!parsed.ok()) return parsed.error();
    std::optional<InputError> problem;
    T value = read(JsonCursor(parsed.value(), where, problem));
    if (!problem) out = std::move(value);
    return problem;
}

int read_vertex(const JsonCursor& object, int vertex_count) {
    return object.at("vertex").whole_number(0, vertex_count - 1);
}

}  // namespace

Status read_settings(const Json& object, const std::string& where, const Model& model, StvkSettings& in_out) {
    std::optional<InputError> problem;
    const JsonCursor cursor(object, where, problem);
    StvkSettings next = in_out;
    refuse_other_methods(cursor, keys_of(fields_of<StvkSettings>()));
    read_fields(cursor, fields_of<StvkSettings>(), next);
    cursor.when("materials", [&](const JsonCursor& at) {
        if (at.keys().empty()) return;  // as they are
        if (next.materials.size() != model.groups.size()) {
            next.materials.clear();
            for (const ModelGroup& group : model.groups)
                next.materials.push_back(group.material);
        }
        read_materials(at, model, next.materials);
    });
    if (cursor.ok()) read_coordinates(cursor, model, next);
    if (!problem) in_out = std::move(next);
    return problem;
}

Status read_settings(const Json& object, const std::string& where, const Model& model, WarpSettings& in_out) {
    std::optional<InputError> problem;
    const JsonCursor cursor(object, where, problem);
    WarpSettings next = in_out;
    refuse_other_methods(cursor, keys_of(fields_of<WarpSettings>()));
    cursor.when("damping", [](const JsonCursor& damping) {
        damping.when("strain_rate", [](const JsonCursor& at) {
            at.fail("linear modes have no strain-rate damping",
                    "'beta', which does the same to small motions");
        });
    });
    if (cursor.has("materials") && (cursor.has("young_scale") || cursor.has("density_scale")))
        cursor.fail("'materials' and the scales both say what the body is made of", "leave one of them out");
    if (cursor.ok()) read_fields(cursor, fields_of<WarpSettings>(), next);
    cursor.when("materials", [&](const JsonCursor& at) { read_scales(at, model, next); });
    if (!problem) in_out = next;
    return problem;
}

Status read_settings(const Json& object, const std::string& where, const Model&, RigidSettings& in_out) {
    std::optional<InputError> problem;
    const JsonCursor cursor(object, where, problem);
    RigidSettings next = in_out;
    refuse_other_methods(cursor, keys_of(fields_of<RigidSettings>()));
    if (cursor.ok()) read_fields(cursor, fields_of<RigidSettings>(), next);
    if (!problem) in_out = next;
    return problem;
}

namespace {

void read_domain_states(const JsonCursor& object, const DomainsModel& tree, std::vector<DomainState>& out) {
    if (out.empty()) out.resize(tree.domains.size());
    for (const std::string& name : object.keys()) {
        const auto found = std::find_if(tree.domains.begin(), tree.domains.end(),
                                        [&](const Domain& d) { return d.name == name; });
        if (found == tree.domains.end()) {
            std::vector<std::string> names;
            for (const Domain& d : tree.domains)
                names.push_back(d.name);
            const std::string nearest = nearest_word(name, names);
            return object.fail(
                "the tree has no domain '" + shown_name(name) + "'",
                nearest.empty() ? "limber info tells its domains" : "'" + shown_name(nearest) + "'");
        }
        object.when(name, [&](const JsonCursor& at) {
            read_fields(at, fields_of<DomainState>(), out[std::size_t(found - tree.domains.begin())]);
        });
    }
}

}  // namespace

Status read_settings(const Json& object, const std::string& where, const Model& model,
                     DomainsSettings& in_out) {
    std::optional<InputError> problem;
    const JsonCursor cursor(object, where, problem);
    DomainsSettings next = in_out;
    refuse_other_methods(cursor, keys_of(fields_of<DomainsSettings>()));
    if (cursor.ok()) read_fields(cursor, fields_of<DomainsSettings>(), next);
    if (cursor.ok() && model.domains)
        cursor.when("domains",
                    [&](const JsonCursor& at) { read_domain_states(at, *model.domains, next.domains); });
    if (!problem) in_out = std::move(next);
    return problem;
}

Json write_settings(const Model& model, const DomainsSettings& settings) {
    Json out = write_fields(fields_of<DomainsSettings>(), settings);
    if (!model.domains || settings.domains.size() != model.domains->domains.size()) return out;
    Json changed = Json::object();
    for (std::size_t i = 0; i < settings.domains.size(); ++i) {
        const DomainState& d = settings.domains[i];
        const int parent = model.domains->domains[i].parent;
        if (parent >= 0 && settings.domains[std::size_t(parent)].detached) continue;
        if (d.young != 1 || d.density != 1 || d.frozen || d.detached || !d.part.empty())
            changed[model.domains->domains[i].name] = write_fields(fields_of<DomainState>(), d);
    }
    if (!changed.empty()) out["domains"] = std::move(changed);
    return out;
}

Json write_settings(const Model& model, const StvkSettings& settings) {
    Json out = write_fields(fields_of<StvkSettings>(), settings);
    Json& materials = out["materials"] = Json::object();
    for (std::size_t g = 0; g < settings.materials.size() && g < model.groups.size(); ++g)
        materials[model.groups[g].name] = write_fields(fields_of<Material>(), settings.materials[g]);
    return out;
}

Json write_settings(const Model&, const WarpSettings& settings) {
    return write_fields(fields_of<WarpSettings>(), settings);
}

Json write_settings(const Model&, const RigidSettings& settings) {
    return write_fields(fields_of<RigidSettings>(), settings);
}

const std::vector<std::string>& body_settings_keys() {
    static const std::vector<std::string> kKeys = [] {
        std::vector<std::string> keys;
        const auto add = [&](const auto& fields) {
            for (const Field& field : fields) {
                std::string key = field.name.substr(0, field.name.find('.'));
                if (!field.is_of_world && !contains(keys, key)) keys.push_back(std::move(key));
            }
        };
        add(fields_of<StvkSettings>());
        add(fields_of<WarpSettings>());
        add(fields_of<RigidSettings>());
        add(fields_of<DomainsSettings>());
        return keys;
    }();
    return kKeys;
}

Json body_settings_of(const Json& object) {
    Json out = Json::object();
    if (object.is_object())
        for (const std::string& key : body_settings_keys())
            if (const auto found = object.find(key); found != object.end()) out[key] = *found;
    return out;
}

Method read_method(const JsonCursor& object, const Model& model) {
    Method method = model.domains ? Method::Domains
                    : model.stvk  ? Method::Stvk
                    : model.warp  ? Method::Warp
                                  : Method::Rigid;
    object.when("method", [&](const JsonCursor& at) {
        method = at.word<Method>();
        const bool able = method == Method::Stvk      ? model.stvk != nullptr
                          : method == Method::Domains ? model.domains != nullptr
                          : method == Method::Rigid   ? model.domains == nullptr
                                                      : model.warp != nullptr;
        if (!able) {
            std::string known;
            for (const std::string& word : methods_of(model))
                known += (known.empty() ? "" : ", ") + word;
            at.fail("the model cannot run as '" + std::string(word_of(method)) + "': it was built for " +
                        (known.empty() ? "rigid bodies" : known),
                    method == Method::Domains ? "limber build --domains" : "limber build --method both");
        }
        if (method == Method::Linear && object.has("warping"))
            object.fail("'method' and 'warping' both say that nothing is warped", "leave 'warping' out");
    });
    if (method == Method::Warp)
        object.when("warping", [&](const JsonCursor& at) {
            if (at.word<Warping>() == Warping::Linear) method = Method::Linear;
        });
    return method;
}

Method method_of(const WarpSettings& settings) {
    return settings.warping == Warping::Linear ? Method::Linear : Method::Warp;
}

WarpSettings warp_settings_of(Method method) {
    return {.warping = method == Method::Linear ? Warping::Linear : Warping::Warped};
}

void read_constraint_keys(const JsonCursor& object, Constraints& in_out) {
    for (const FieldOf<Constraints>& field : fields_of<Constraints>())
        if (field.kind == FieldKind::Word)
            object.when(field.name, [&](const JsonCursor& at) { field.read(at, field, in_out); });
}

Constraints read_constraints(const JsonCursor& given, int vertex_count) {
    const Json present = with_present_keys_of_constraints(given.value());
    const JsonCursor at = given.with(present);
    Constraints out;
    at.each("exercised", [&](const JsonCursor& vertex) { vertex.whole_number(0, vertex_count - 1); });
    read_fields(at, fields_of<Constraints>(), out, {"positions", "orientations"});
    at.each("positions", [&](const JsonCursor& one) {
        if (!one.expect_keys({"vertex", "displacement"})) return;
        out.positions.push_back({read_vertex(one, vertex_count), one.at("displacement").vector3("m")});
    });
    at.each("orientations", [&](const JsonCursor& one) {
        if (!one.expect_keys({"vertex", "orientation"})) return;
        out.orientations.push_back({read_vertex(one, vertex_count), one.at("orientation").quaternion()});
    });
    return at.ok() ? out : Constraints{};
}

Json write_constraints(const Constraints& constraints) {
    Json out = write_fields(fields_of<Constraints>(), constraints);
    Json& positions = out["positions"] = Json::array();
    for (const PositionConstraint& one : constraints.positions)
        positions.push_back({{"vertex", one.vertex}, {"displacement", json_of(one.displacement)}});
    Json& orientations = out["orientations"] = Json::array();
    for (const OrientationConstraint& one : constraints.orientations)
        orientations.push_back({{"vertex", one.vertex}, {"orientation", json_of(one.orientation)}});
    return out;
}

FrameMotion read_frame(const JsonCursor& at) {
    FrameMotion out;
    read_fields(at, fields_of<FrameMotion>(), out);
    return at.ok() ? out : FrameMotion{};
}

Json write_frame(const FrameMotion& frame) {
    return write_fields(fields_of<FrameMotion>(), frame);
}

std::optional<ContactSettings> read_contact(const JsonCursor& at) {
    if (at.is_null()) return std::nullopt;
    ContactSettings settings;
    read_fields(at, fields_of<ContactSettings>(), settings);
    return settings;
}

Json write_contact(const ContactSettings& settings) {
    return write_fields(fields_of<ContactSettings>(), settings);
}

ReadWind read_wind(const JsonCursor& at) {
    ReadWind out;
    if (at.is_null()) return out;
    out.settings.emplace();
    read_fields(at, fields_of<WindSettings>(), *out.settings, {"elapsed"});
    at.when("elapsed", [&](const JsonCursor& p) { out.elapsed = p.number(kNotNegative, "s"); });
    if (at.ok()) at.fail_if(wind_problem(*out.settings));
    return out;
}

Json write_wind(const WindSettings& settings, double elapsed) {
    Json out = write_fields(fields_of<WindSettings>(), settings);
    if (elapsed != 0) out["elapsed"] = elapsed;
    return out;
}

Pose read_pose(const JsonCursor& at) {
    Pose out;
    if (!at.expect_keys({"position", "rotation"})) return out;
    at.when("position", [&](const JsonCursor& p) { out.position = p.vector3("m"); });
    at.when("rotation", [&](const JsonCursor& p) { out.orientation = p.rotation(); });
    return out;
}

Json write_pose(const Pose& pose) {
    return {{"position", json_of(pose.position)}, {"rotation", json_of(pose.orientation)}};
}

VertexForce read_vertex_force(const JsonCursor& at, int vertex_count) {
    VertexForce out{0, Eigen::Vector3d::Zero()};
    if (!at.expect_keys({"vertex", "force"})) return out;
    out.vertex = read_vertex(at, vertex_count);
    out.force = at.at("force").vector3("N");
    return out;
}

std::vector<VertexForce> read_vertex_forces(const JsonCursor& list, int vertex_count) {
    std::vector<VertexForce> out;
    list.each([&](const JsonCursor& at) { out.push_back(read_vertex_force(at, vertex_count)); });
    return out;
}

Json write_vertex_force(const VertexForce& force) {
    return {{"vertex", force.vertex}, {"force", json_of(force.force)}};
}

template <class Settings>
Status read_settings_text(std::string_view text, const std::string& where, const Model& model,
                          Settings& in_out) {
    const Result<Json> parsed = parse_json_text(text, where);
    if (!parsed.ok()) return parsed.error();
    return read_settings(parsed.value(), where, model, in_out);
}

template <class Settings>
std::string settings_text(const Model& model, const Settings& settings) {
    return json_text_of(write_settings(model, settings));
}

Status read_frame_text(std::string_view text, const std::string& where, FrameMotion& out) {
    return read_text(text, where, out, [](const JsonCursor& at) { return read_frame(at); });
}

Status read_constraints_text(std::string_view text, const std::string& where, int vertex_count,
                             Constraints& out) {
    return read_text(text, where, out,
                     [&](const JsonCursor& at) { return read_constraints(at, vertex_count); });
}

template Status read_settings_text<StvkSettings>(std::string_view, const std::string&, const Model&,
                                                 StvkSettings&);
template Status read_settings_text<WarpSettings>(std::string_view, const std::string&, const Model&,
                                                 WarpSettings&);
template std::string settings_text<StvkSettings>(const Model&, const StvkSettings&);
template std::string settings_text<WarpSettings>(const Model&, const WarpSettings&);

}  // namespace limber
