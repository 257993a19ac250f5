// SPDX-License-Identifier: Apache-2.0
#include "build/file/text_scanner.h"
#include "build/file/visible_text.h"
#include "build/scene/scene_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace limber::build {
namespace {

const std::vector<std::string> kStvkKeys = {"rank", "integrator", "newton"};
const std::vector<std::string> kWarpKeys = {"warping", "step", "coriolis", "young_scale", "density_scale"};

BodyChange::Constants read_constants(const JsonPlace& place) {
    place.expect_keys({"young", "poisson", "density"});
    BodyChange::Constants out;
    place.when("young", [&](const JsonPlace& p) { out.young = p.number(positive("Pa")); });
    place.when("poisson", [&](const JsonPlace& p) { out.poisson = p.number(); });
    place.when("density", [&](const JsonPlace& p) { out.density = p.number(positive("kg/m^3")); });
    return out;
}

void read_damping(const JsonPlace& damping, SceneMethod method, BodyChange& out) {
    damping.expect_keys({"alpha", "beta", "strain_rate"});
    damping.when("alpha", [&](const JsonPlace& p) { out.alpha = p.number(not_negative("1/s")); });
    damping.when("beta", [&](const JsonPlace& p) { out.beta = p.number(not_negative("s")); });
    damping.when("strain_rate", [&](const JsonPlace& p) {
        if (method == SceneMethod::Warp)
            p.fail("linear modes have no strain-rate damping",
                   "'beta', which does the same to small motions");
        out.strain_rate = p.number(not_negative("s"));
    });
}

void read_stvk_keys(const JsonPlace& place, BodyChange& out) {
    place.when("rank", [&](const JsonPlace& p) { out.rank = p.whole_number(1, 100000); });
    place.when("newton", [&](const JsonPlace& p) { out.newton = p.whole_number(0, 1000); });
    place.when("integrator", [&](const JsonPlace& p) {
        const std::string word = p.word({"newmark", "central", "euler", "energy"});
        out.integrator = word == "central"  ? StvkIntegrator::CentralDifferences
                         : word == "euler"  ? StvkIntegrator::BackwardEuler
                         : word == "energy" ? StvkIntegrator::EnergyPreserving
                                            : StvkIntegrator::Newmark;
    });
}

void read_warp_keys(const JsonPlace& place, BodyChange& out) {
    place.when("warping", [&](const JsonPlace& p) {
        const std::string word = p.word({"warped", "local", "linear"});
        out.warping = word == "linear" ? Warping::Linear : word == "local" ? Warping::Local : Warping::Warped;
    });
    place.when("step", [&](const JsonPlace& p) {
        out.step = p.word({"semi-implicit", "closed-form"}) == "closed-form" ? OscillatorStep::ClosedForm
                                                                             : OscillatorStep::SemiImplicit;
    });
    place.when("coriolis", [&](const JsonPlace& p) {
        if (!p.value().is_boolean()) p.fail("it is neither true nor false");
        out.coriolis = p.value().get<bool>() ? LocalCoriolis::On : LocalCoriolis::Off;
    });
    const NumberRange scale{1e-9, 1e9, "a factor from 1e-9 to 1e9"};
    place.when("young_scale", [&](const JsonPlace& p) { out.young_scale = p.number(scale); });
    place.when("density_scale", [&](const JsonPlace& p) { out.density_scale = p.number(scale); });
    if ((out.young_scale || out.density_scale) && !out.materials.empty())
        place.fail("'materials' and the scales both say what the body is made of", "leave one of them out");
}

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
            body.settings.warping = Warping::Linear;
        }
    });
}

void read_grip(const JsonPlace& place, SceneBody& body) {
    for (const char* key : {"priority", "positions_by"})
        if (place.has(key) && body.method == SceneMethod::Stvk)
            place.fail(fmt::format("'{}' is for the constraints of a warped body", key),
                       "\"method\": \"warp\"");
    place.when("priority", [&](const JsonPlace& p) {
        body.grip.priority = p.word({"position", "orientation"}) == "orientation"
                                 ? TaskPriority::OrientationFirst
                                 : TaskPriority::PositionFirst;
    });
    place.when("positions_by", [&](const JsonPlace& p) {
        const std::string word = p.word({"predicted", "newton", "previous"});
        body.grip.positions_by = word == "newton"     ? PositionMethod::Newton
                                 : word == "previous" ? PositionMethod::Previous
                                                      : PositionMethod::Predicted;
    });
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

const std::vector<std::string>& change_keys() {
    static const std::vector<std::string> kKeys = [] {
        std::vector<std::string> keys = {"materials", "damping"};
        keys.insert(keys.end(), kStvkKeys.begin(), kStvkKeys.end());
        keys.insert(keys.end(), kWarpKeys.begin(), kWarpKeys.end());
        return keys;
    }();
    return kKeys;
}

BodyChange read_change(const JsonPlace& place, SceneMethod method) {
    const bool warp = method == SceneMethod::Warp;
    for (const std::string& key : warp ? kStvkKeys : kWarpKeys)
        if (place.has(key))
            place.fail(fmt::format("'{}' is a key of {} bodies", key, warp ? "nonlinear" : "warped"),
                       fmt::format("\"method\": \"{}\", or leave it out", warp ? "stvk" : "warp"));
    BodyChange out;
    place.when("materials", [&](const JsonPlace& materials) {
        materials.members(
            [&](const std::string& group, const JsonPlace& p) { out.materials[group] = read_constants(p); });
    });
    place.when("damping", [&](const JsonPlace& damping) { read_damping(damping, method, out); });
    warp ? read_warp_keys(place, out) : read_stvk_keys(place, out);
    return out;
}

void check_change(const BodyChange& change, SceneMethod method, const Model& model,
                  const std::string& where) {
    if (method == SceneMethod::Stvk)
        changed(StvkSettings{}, change, model, where);
    else
        changed(WarpSettings{}, change, model, where);
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
    keys.insert(keys.end(), change_keys().begin(), change_keys().end());
    place.expect_keys(keys);
    SceneBody body;
    body.model_file = folder.file(place.at("model").text());
    body.model = load_model(body.model_file);
    body.name = read_name(place, body.model_file.stem().string());
    read_method(place, body);
    const auto warping = body.settings.warping;
    body.settings = read_change(place, body.method);
    if (warping) body.settings.warping = warping;
    check_change(body.settings, body.method, *body.model, place.where());
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
