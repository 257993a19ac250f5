// SPDX-License-Identifier: Apache-2.0
#include "limber/world/body_json.h"

#include "limber/domains/subtree.h"
#include "limber/settings/read_settings.h"
#include "limber/shown_name.h"
#include "limber/world/obstacle_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace limber {
namespace {

using Json = nlohmann::json;

// A domain and all that hangs on it, in place of the whole tree.
void read_subtree(const JsonCursor& at, BodyDef& def) {
    def.subtree = at.text();
    if (!at.ok()) return;
    const auto domain = def.model->domains ? find_domain(*def.model->domains, def.subtree) : std::nullopt;
    if (!domain)
        return at.fail(def.model->domains ? "the tree has no domain '" + shown_name(def.subtree) + "'"
                                          : "the model is no tree of domains",
                       "limber info tells its domains");
    auto made = subtree_model(*def.model, *domain);
    if (!made.ok()) return at.fail(made.error().problem, made.error().try_this);
    def.whole = std::exchange(def.model, std::move(made).value());
}

}  // namespace

BodySettings read_body_settings(const JsonCursor& at, const Model& model, Method method, Mount mount,
                                const BodySettings& settings) {
    const auto read = [&](auto typed) {
        const Status done = read_settings(at.value(), at.where(), model, typed);
        if (!done.ok()) at.fail_with(done.error());
        return typed;
    };
    if (method == Method::Stvk && mount == Mount::Free) {
        // Only what the object names can differ from what a free body needs.
        const StvkSettings named =
            read(std::holds_alternative<StvkSettings>(settings)
                     ? std::get<StvkSettings>(settings)
                     : StvkSettings{.integrator = StvkIntegrator::EnergyPreserving, .newton = 0});
        if (const auto problem = free_settings_problem(named); problem && at.ok())
            at.at(problem->where).fail_if(problem);
        return named;
    }
    if (method == Method::Stvk)
        return read(std::holds_alternative<StvkSettings>(settings) ? std::get<StvkSettings>(settings)
                                                                   : StvkSettings{});
    if (method == Method::Rigid)
        return read(std::holds_alternative<RigidSettings>(settings) ? std::get<RigidSettings>(settings)
                                                                    : RigidSettings{});
    if (method == Method::Domains)
        return read(std::holds_alternative<DomainsSettings>(settings) ? std::get<DomainsSettings>(settings)
                                                                      : DomainsSettings{});
    return read(std::holds_alternative<WarpSettings>(settings) ? std::get<WarpSettings>(settings)
                                                               : warp_settings_of(method));
}

BodyDef read_body_def(const JsonCursor& at, const ModelLookup& models,
                      const std::vector<std::string>& extra_keys) {
    BodyDef def;
    std::vector<std::string> keys = {"name",     "model",    "method", "mount",    "position",
                                     "rotation", "q",        "v",      "velocity", "angular_velocity",
                                     "release",  "friction", "layer",  "subtree"};
    keys.insert(keys.end(), body_settings_keys().begin(), body_settings_keys().end());
    keys.insert(keys.end(), extra_keys.begin(), extra_keys.end());
    if (!at.expect_keys(keys)) return def;
    at.when("name", [&](const JsonCursor& p) { def.name = p.text(); });
    const JsonCursor model = at.at("model");
    const std::string name = model.text();
    if (!at.ok()) return def;
    def.model = models(name);
    if (!def.model) {
        model.fail("there is no model \"" + name + "\"");
        return def;
    }
    at.when("subtree", [&](const JsonCursor& p) { read_subtree(p, def); });
    if (!at.ok()) return def;
    def.method = read_method(at, *def.model);
    if (!at.ok()) return def;
    at.when("mount", [&](const JsonCursor& p) { def.mount = p.word<Mount>(); });
    const Result<Mount> mount = mount_of(def.method, *def.model, def.mount);
    if (at.ok() && !mount.ok())
        (at.has("mount") ? at.at("mount") : at).fail(mount.error().problem, mount.error().try_this);
    if (!at.ok()) return def;
    def.mount = mount.value();
    const Json settings = body_settings_of(at.value());
    def.settings = read_body_settings(at.with(settings), *def.model, def.method, *def.mount, {});
    at.when("position", [&](const JsonCursor& p) { def.pose.position = p.vector3("m"); });
    at.when("rotation", [&](const JsonCursor& p) { def.pose.orientation = p.rotation(); });
    read_touch(at, def.touch);
    const Eigen::Index coordinates = def.method == Method::Stvk      ? def.model->rank
                                     : def.method == Method::Domains ? coordinates_of(*def.model->domains)
                                     : def.model->warp               ? def.model->warp->modes()
                                                                     : 0;
    at.when("q", [&](const JsonCursor& p) { def.q = p.numbers(coordinates); });
    at.when("v", [&](const JsonCursor& p) { def.v = p.numbers(coordinates); });
    const bool is_callers = std::find(extra_keys.begin(), extra_keys.end(), "release") != extra_keys.end();
    if (!is_callers)
        at.when("release", [&](const JsonCursor& p) {
            def.release = read_vertex_forces(p, static_cast<int>(def.model->surface.vertices.size()));
        });
    for (const char* key : {"velocity", "angular_velocity"})
        at.when(key, [&](const JsonCursor& p) {
            if (def.mount != Mount::Free)
                p.fail("the body does not fly", "\"mount\": \"free\"");
            else
                (key[0] == 'v' ? def.velocity : def.angular_velocity) =
                    p.vector3(key[0] == 'v' ? "m/s" : "rad/s");
        });
    return def;
}

Json write_body_settings(const WorldBody& body) {
    Json json = std::visit(
        [&](const auto& settings) -> Json {
            if constexpr (std::is_same_v<std::decay_t<decltype(settings)>, std::monostate>)
                return Json::object();
            else
                return write_settings(*body.model(), settings);
        },
        body.settings());
    json.erase("gravity");  // the world's
    if (body.touch().friction) json["friction"] = *body.touch().friction;
    if (body.touch().layers != kAllLayers) json["layer"] = body.touch().layers;
    return json;
}

Json write_body(const WorldBody& body, const std::string& model) {
    Json json = write_body_settings(body);
    json["name"] = body.name();
    json["model"] = model;
    if (!body.subtree().empty()) json["subtree"] = body.subtree();
    json["method"] = word_of(body.method());
    if (body.method() == Method::Linear) json.erase("warping");
    const std::optional<WorldBody::Flight> flight = body.flight();
    if (body.method() != Method::Rigid) json["mount"] = word_of(body.mount());
    const Pose pose = flight ? body.pose() : body.mounted();
    if (!pose.position.isZero(0)) json["position"] = json_of(pose.position);
    if (!pose.orientation.vec().isZero(0)) json["rotation"] = json_of(pose.orientation);
    if (flight) {
        json["velocity"] = json_of(flight->velocity);
        json["angular_velocity"] = json_of(flight->angular_velocity);
    }
    if (!body.q().isZero(0) || !body.v().isZero(0)) {
        json["q"] = json_of(body.q());
        json["v"] = json_of(body.v());
    }
    return json;
}

}  // namespace limber
