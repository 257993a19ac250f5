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
std::string checked_name(const std::string& name, const JsonPlace& place) {
    const bool bad = name.find_first_of(",\"/\\") != std::string::npos || visible_text(name) != name;
    if (name.empty() || name == "t" || bad)
        place.fail(
            fmt::format("'{}' cannot name a column: not empty, not t, no comma, quote, slash or control "
                        "character",
                        printable(name)),
            "give another 'name'");
    return name;
}

// What the run-time library's reader leaves to the scene.
const std::vector<std::string> kKeysOfScene = {"support", "release", "priority", "positions_by"};

void read_grip(const JsonPlace& place, SceneBody& body) {
    for (const char* key : {"priority", "positions_by"})
        if (place.has(key) && body.method != Method::Warp && body.method != Method::Linear)
            place.fail(fmt::format("'{}' is for the constraints of a warped body", key),
                       "\"method\": \"warp\"");
    Constraints words;
    place.read([&](const JsonCursor& at) { read_constraint_keys(at, words); });
    body.grip = {words.priority, words.positions_by};
}

void read_release(const JsonPlace& place, SceneBody& body) {
    place.each("release", [&](const JsonPlace& p) {
        p.expect_keys({"at", "force"});
        add_forces(read_pull(p, *body.model), body.release);
    });
    if (body.release.empty()) return;
    if (body.method == Method::Rigid) place.fail("a rigid body does not bend under 'release'");
    if (body.q.size() > 0)
        place.fail("'q' and 'release' both say where the body starts", "leave one of them out");
    if (body.model->free_body)
        place.fail("a free body has no balance under a force to be released from",
                   "build the model with --fix, or give 'q'");
}

void read_support(const JsonPlace& place, SceneFolder& folder, SceneBody& body) {
    place.when("support", [&](const JsonPlace& p) {
        if (body.method == Method::Rigid)
            p.fail("a rigid body flies freely: nothing carries it", "'velocity' and 'angular_velocity'");
        if (body.model->free_body)
            p.fail("the body is free: it has no support that could move", "build the model with --fix");
        body.support = read_guide(p, folder);
    });
}

// Mass and inertia come from the volume that the surface encloses.
void check_closed(const JsonPlace& model, const SceneBody& body) {
    const Result<MassProperties> found = mass_properties(body.model->surface);
    if (found.ok()) return;
    const std::string file = body.model_file.filename().string();
    model.fail(fmt::format("{} cannot be a rigid body: {}", printable(file), found.error().problem),
               fmt::format("limber mesh repair {} -o closed.obj", printable(file)));
}

}  // namespace

VertexPull read_pull(const JsonPlace& place, const Model& model) {
    VertexPull pull;
    const JsonPlace at = place.at("at");
    pull.vertices = select_on_model(at.where(), at.text(), model);
    pull.force = place.at("force").numbers(3);
    return pull;
}

std::string read_name(const JsonPlace& place, const std::string& otherwise) {
    return checked_name(place.has("name") ? place.at("name").text() : otherwise, place);
}

SceneBody read_body(const JsonPlace& place, SceneFolder& folder) {
    SceneBody body;
    const JsonPlace model = place.at("model");
    body.model_file = folder.file(model.text());
    const bool rigid = place.has("method") && place.at("method").value() == "rigid";
    const std::shared_ptr<const Model> loaded = folder.model(model.text(), rigid);
    place.read([&](const JsonCursor& at) {
        static_cast<BodyDef&>(body) = read_body_def(
            at, [&](const std::string&) { return loaded; }, kKeysOfScene);
    });
    body.name = checked_name(place.has("name") ? body.name : body.model_file.stem().string(), place);
    if (body.method == Method::Rigid) check_closed(model, body);
    read_grip(place, body);
    read_support(place, folder, body);
    read_release(place, body);
    return body;
}

std::size_t find_body(const JsonPlace& place, const std::vector<SceneBody>& bodies) {
    if (!place.has("body")) {
        if (bodies.size() == 1) return 0;
        place.fail("which of the bodies is meant? The key 'body' is missing");
    }
    std::vector<std::string> names;
    for (const SceneBody& body : bodies)
        names.push_back(body.name);
    const std::string name = place.at("body").word(names);
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace limber::build
