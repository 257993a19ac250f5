// SPDX-License-Identifier: Apache-2.0
#include "build/file/text_scanner.h"
#include "build/file/visible_text.h"
#include "build/scene/scene_reader.h"

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

// "stvk", "warp" or "linear"; what the model can do, if nothing is said.
void read_method(const JsonPlace& place, SceneBody& body) {
    const Model& model = *body.model;
    body.method = model.stvk ? SceneMethod::Stvk : SceneMethod::Warp;
    if (methods_of(model).empty())
        place.fail("the model has no basis: it is the surface of a rigid body", "limber build --method both");
    place.when("method", [&](const JsonPlace& p) {
        const std::string word = p.word({"stvk", "warp", "linear"});
        body.method = word == "stvk" ? SceneMethod::Stvk : SceneMethod::Warp;
        const bool able = word == "stvk" ? model.stvk != nullptr : model.warp != nullptr;
        if (!able)
            p.fail(fmt::format("the model cannot run as '{}': it was built for {}", word,
                               fmt::join(methods_of(model), ", ")),
                   "limber build --method both");
        if (word == "linear") {
            if (place.has("warping"))
                place.fail("'method' and 'warping' both say that nothing is warped", "leave 'warping' out");
            body.settings["warping"] = word_of(Warping::Linear);
        }
    });
}

void read_grip(const JsonPlace& place, SceneBody& body) {
    for (const char* key : {"priority", "positions_by"})
        if (place.has(key) && body.method == SceneMethod::Stvk)
            place.fail(fmt::format("'{}' is for the constraints of a warped body", key),
                       "\"method\": \"warp\"");
    Constraints words;
    place.read([&](const JsonCursor& at) { read_constraint_keys(at, words); });
    body.grip = {words.priority, words.method};
}

void read_start(const JsonPlace& place, SceneBody& body) {
    place.when("q", [&](const JsonPlace& p) { body.q = p.numbers(body.coordinates()); });
    place.when("v", [&](const JsonPlace& p) { body.v = p.numbers(body.coordinates()); });
    place.each("release", [&](const JsonPlace& p) {
        p.expect_keys({"at", "force"});
        body.release.push_back(read_pull(p, *body.model));
    });
    if (body.q && !body.release.empty())
        place.fail("'q' and 'release' both say where the body starts", "leave one of them out");
    if (!body.release.empty() && body.model->free_body)
        place.fail("a free body has no balance under a force to be released from",
                   "build the model with --fix, or give 'q'");
}

}  // namespace

BodyChange read_change(const JsonPlace& place, SceneMethod method, const Model& model) {
    BodyChange change = body_settings_of(place.value());
    if (method == SceneMethod::Stvk)
        changed(StvkSettings{}, change, model, place.where());
    else
        changed(WarpSettings{}, change, model, place.where());
    return change;
}

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
    std::vector<std::string> keys = {"name", "model", "method",  "position", "rotation",    "support",
                                     "q",    "v",     "release", "priority", "positions_by"};
    keys.insert(keys.end(), body_settings_keys().begin(), body_settings_keys().end());
    place.expect_keys(keys);
    SceneBody body;
    body.model_file = folder.file(place.at("model").text());
    body.model = load_model(body.model_file);
    body.name = read_name(place, body.model_file.stem().string());
    read_method(place, body);
    body.settings.update(read_change(place, body.method, *body.model));
    read_grip(place, body);
    place.when("position", [&](const JsonPlace& p) { body.position = p.numbers(3); });
    place.when("rotation", [&](const JsonPlace& p) { body.rotation = read_rotation(p); });
    place.when("support", [&](const JsonPlace& p) {
        if (body.model->free_body)
            p.fail("the body is free: it has no support that could move", "build the model with --fix");
        body.support = read_guide(p, folder);
    });
    read_start(place, body);
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
