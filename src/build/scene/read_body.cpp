// SPDX-License-Identifier: Apache-2.0
#include "build/file/text_scanner.h"
#include "build/file/visible_text.h"
#include "build/scene/scene_reader.h"

#include <limber/rigid/mass_properties.h>
#include <limber/settings/read_settings.h>
#include <limber/world/input_json.h>

#include <fmt/format.h>

#include <algorithm>

namespace limber::build {
namespace {

// Names stand in the head of the CSV and in the .npz, beside the times "t".
std::string checked_name(const std::string& name, const JsonCursor& place) {
    const bool bad = name.find_first_of(",\"/\\") != std::string::npos || visible_text(name) != name;
    if (name.empty() || name == "t" || bad)
        refuse(place,
               fmt::format("'{}' cannot name a column: not empty, not t, no comma, quote, slash or control "
                           "character",
                           printable(name)),
               "give another 'name'");
    return name;
}

// What the run-time library's reader leaves to the scene.
const std::vector<std::string> kKeysOfScene = {"support", "release", "priority", "positions_by"};

void read_grip(const JsonCursor& place, SceneBody& body) {
    for (const char* key : {"priority", "positions_by"})
        if (place.has(key) && body.method != Method::Warp && body.method != Method::Linear)
            refuse(place, fmt::format("'{}' is for the constraints of a warped body", key),
                   "\"method\": \"warp\"");
    Constraints words;
    read_constraint_keys(place, words);
    body.constraint_settings = {words.priority, words.positions_by};
}

void read_release(const JsonCursor& place, SceneBody& body) {
    place.each("release", [&](const JsonCursor& p) {
        or_throw(p, p.expect_keys({"at", "force"}));
        add_forces(read_pull(p, *body.model), body.release);
    });
    if (body.release.empty()) return;
    if (body.method == Method::Rigid) refuse(place, "a rigid body does not bend under 'release'");
    if (body.method == Method::Domains)
        refuse(place, "the balance of a tree of domains under 'release' is not computed",
               "'forces' with 'damping', and 'to' when they end");
    if (body.q.size() > 0)
        refuse(place, "'q' and 'release' both say where the body starts", "leave one of them out");
    if (body.model->free_body)
        refuse(place, "a free body has no balance under a force to be released from",
               "build the model with --fix, or give 'q'");
}

void read_support(const JsonCursor& place, SceneFolder& folder, SceneBody& body) {
    place.when("support", [&](const JsonCursor& p) {
        if (body.flies())
            refuse(p,
                   fmt::format("a {} body flies freely: nothing carries it",
                               body.method == Method::Rigid ? "rigid" : "free"),
                   "'velocity' and 'angular_velocity'");
        if (body.model->free_body)
            refuse(p, "the body is free: it has no support that could move", "build the model with --fix");
        body.support = read_guide(p, folder);
    });
}

// Mass and inertia come from the volume that the surface encloses.
void check_closed(const JsonCursor& model, const SceneBody& body) {
    const Result<MassProperties> found = mass_properties(body.model->surface);
    if (found.ok()) return;
    const std::string file = body.model_file.filename().string();
    refuse(model, fmt::format("{} cannot be a rigid body: {}", printable(file), found.error().problem),
           fmt::format("limber mesh repair {} -o closed.obj", printable(file)));
}

}  // namespace

std::vector<int> read_vertices(const JsonCursor& at, const Model& model) {
    return select_on_model(at.where(), or_throw(at, at.text()), model);
}

VertexPull read_pull(const JsonCursor& place, const Model& model) {
    VertexPull pull;
    pull.vertices = read_vertices(place.at("at"), model);
    pull.force = place.at("force").vector3("N");
    return pull;
}

std::string read_name(const JsonCursor& place, const std::string& otherwise) {
    return checked_name(place.has("name") ? or_throw(place, place.at("name").text()) : otherwise, place);
}

SceneBody read_body(const JsonCursor& place, SceneFolder& folder) {
    SceneBody body;
    const JsonCursor model = place.at("model");
    const std::string file = or_throw(model, model.text());
    body.model_file = folder.file(file);
    const bool rigid = place.has("method") && place.at("method").value() == "rigid";
    const std::shared_ptr<const Model> loaded = folder.model(file, rigid);
    static_cast<BodyDef&>(body) = read_body_def(
        place, [&](const std::string&) { return loaded; }, kKeysOfScene);
    or_throw(place);
    body.name = checked_name(place.has("name") ? body.name : body.model_file.stem().string(), place);
    if (body.method == Method::Rigid) check_closed(model, body);
    read_grip(place, body);
    read_support(place, folder, body);
    read_release(place, body);
    return body;
}

std::size_t find_body(const JsonCursor& place, const std::vector<SceneBody>& bodies) {
    if (!place.has("body")) {
        if (bodies.size() == 1) return 0;
        refuse(place, "which of the bodies is meant? The key 'body' is missing");
    }
    std::vector<std::string> names;
    for (const SceneBody& body : bodies)
        names.push_back(body.name);
    return or_throw(place, place.at("body").word_among(names));
}

}  // namespace limber::build
