// SPDX-License-Identifier: Apache-2.0
#include "build/file/read_file.h"
#include "build/file/text_scanner.h"
#include "build/scene/json_reader.h"
#include "build/scene/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace limber::build {
namespace {

constexpr double kMostSteps = 1e9;

BodyChange::Constants read_constants(const JsonPlace& place) {
    place.expect_keys({"young", "poisson", "density"});
    BodyChange::Constants out;
    place.when("young", [&](const JsonPlace& p) { out.young = p.number(positive("Pa")); });
    place.when("poisson", [&](const JsonPlace& p) { out.poisson = p.number(); });
    place.when("density", [&](const JsonPlace& p) { out.density = p.number(positive("kg/m^3")); });
    return out;
}

const std::vector<std::string> kChangeKeys = {"materials", "damping", "rank", "integrator", "newton"};

// The keys of kChangeKeys; the caller has checked that there are no unknown ones.
BodyChange read_change(const JsonPlace& place) {
    BodyChange out;
    place.when("materials", [&](const JsonPlace& materials) {
        materials.members(
            [&](const std::string& group, const JsonPlace& p) { out.materials[group] = read_constants(p); });
    });
    place.when("damping", [&](const JsonPlace& damping) {
        damping.expect_keys({"alpha", "beta", "strain_rate"});
        damping.when("alpha", [&](const JsonPlace& p) { out.alpha = p.number(not_negative("1/s")); });
        damping.when("beta", [&](const JsonPlace& p) { out.beta = p.number(not_negative("s")); });
        damping.when("strain_rate",
                     [&](const JsonPlace& p) { out.strain_rate = p.number(not_negative("s")); });
    });
    place.when("rank", [&](const JsonPlace& p) { out.rank = p.whole_number(1, 100000); });
    place.when("newton", [&](const JsonPlace& p) { out.newton = p.whole_number(0, 1000); });
    place.when("integrator", [&](const JsonPlace& p) {
        const std::string word = p.word({"newmark", "central", "euler", "energy"});
        out.integrator = word == "central"  ? BodyIntegrator::CentralDifferences
                         : word == "euler"  ? BodyIntegrator::BackwardEuler
                         : word == "energy" ? BodyIntegrator::EnergyPreserving
                                            : BodyIntegrator::Newmark;
    });
    return out;
}

VertexPull read_pull(const JsonPlace& place, const Model& model) {
    VertexPull pull;
    const JsonPlace at = place.at("at");
    pull.vertices = select_on_model(at.where(), at.text(), model);
    pull.force = place.at("force").numbers(3);
    return pull;
}

// Names stand in the head of the CSV and in the .npz, beside the times "t".
std::string checked_name(const std::string& name, const JsonPlace& place) {
    const bool bad = std::any_of(name.begin(), name.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == ',' || c == '"' || c == '/' || c == '\\';
    });
    if (name.empty() || name == "t" || bad)
        place.fail(fmt::format("'{}' cannot name a column: not empty, not t, no comma, quote or slash",
                               printable(name)),
                   "give another 'name'");
    return name;
}

void read_start(const JsonPlace& place, SceneBody& body) {
    const Eigen::Index r = body.model->rank;
    place.when("q", [&](const JsonPlace& p) { body.q = p.numbers(r); });
    place.when("v", [&](const JsonPlace& p) { body.v = p.numbers(r); });
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

SceneBody read_body(const JsonPlace& place, const std::filesystem::path& folder) {
    std::vector<std::string> keys = {"name",    "model", "method", "position", "rotation",
                                     "support", "q",     "v",      "release"};
    keys.insert(keys.end(), kChangeKeys.begin(), kChangeKeys.end());
    place.expect_keys(keys);
    SceneBody body;
    const JsonPlace model = place.at("model");
    body.model_file = folder / model.text();
    body.model = load_model(body.model_file);
    body.name =
        checked_name(place.has("name") ? place.at("name").text() : body.model_file.stem().string(), place);
    place.when("method", [](const JsonPlace& p) {
        if (p.word({"stvk", "warp"}) == "warp")
            p.fail("this limber has no modal warping yet", "\"method\": \"stvk\"");
    });
    place.when("support", [](const JsonPlace& p) {
        p.fail("moving supports are not there yet", "leave it out: the fixed vertices stay where they are");
    });
    place.when("position", [&](const JsonPlace& p) { body.position = p.numbers(3); });
    place.when("rotation", [&](const JsonPlace& p) {
        const Eigen::Vector4d xyzw = p.numbers(4);
        if (!(std::abs(xyzw.norm() - 1) < 1e-3))
            p.fail(fmt::format("a quaternion [x, y, z, w] of length {:.6g}; a rotation has length 1",
                               xyzw.norm()),
                   "[0, 0, 0, 1] is no rotation");
        body.rotation = Eigen::Quaterniond(xyzw[3], xyzw[0], xyzw[1], xyzw[2]).normalized();
    });
    body.settings = read_change(place);
    changed({}, body.settings, *body.model, place.where());  // groups, rank and ranges
    read_start(place, body);
    return body;
}

// The one meant by "body": "NAME"; the only one, if it is left out.
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

void read_time(const JsonPlace& place, Scene& scene) {
    place.when("duration", [&](const JsonPlace& p) { scene.duration = p.number(positive("s")); });
    place.when("dt", [&](const JsonPlace& p) { scene.dt = p.number(positive("s")); });
    place.when("every", [&](const JsonPlace& p) { scene.every = p.whole_number(1, 1000000000); });
    if (!(scene.duration / scene.dt <= kMostSteps))
        place.fail(fmt::format("{:g} steps of {:g} s; the limit is {:g}", scene.duration / scene.dt, scene.dt,
                               kMostSteps),
                   "a longer 'dt' or a shorter 'duration'");
}

void read_actions(const JsonPlace& place, Scene& scene) {
    place.each("forces", [&](const JsonPlace& p) {
        p.expect_keys({"body", "at", "force", "from", "to"});
        SceneForce force;
        force.body = find_body(p, scene.bodies);
        force.pull = read_pull(p, *scene.bodies[force.body].model);
        force.to = scene.duration;
        p.when("from", [&](const JsonPlace& t) { force.from = t.number(not_negative("s")); });
        p.when("to", [&](const JsonPlace& t) { force.to = t.number(not_negative("s")); });
        if (!(force.from <= force.to))
            p.fail(fmt::format("it acts from {:g} s to {:g} s, which is earlier", force.from, force.to));
        scene.forces.push_back(std::move(force));
    });
    place.each("events", [&](const JsonPlace& p) {
        p.expect_keys({"time", "body", "set"});
        SceneEvent event;
        event.time = p.at("time").number(not_negative("s"));
        event.body = find_body(p, scene.bodies);
        const JsonPlace set = p.at("set");
        set.expect_keys(kChangeKeys);
        event.set = read_change(set);
        changed({}, event.set, *scene.bodies[event.body].model, set.where());
        scene.events.push_back(std::move(event));
    });
    std::stable_sort(scene.events.begin(), scene.events.end(),
                     [](const SceneEvent& a, const SceneEvent& b) { return a.time < b.time; });
    place.each("probes", [&](const JsonPlace& p) {
        p.expect_keys({"name", "body", "at"});
        SceneProbe probe;
        probe.name = p.has("name") ? checked_name(p.at("name").text(), p)
                                   : fmt::format("probe{}", scene.probes.size());
        probe.body = find_body(p, scene.bodies);
        const JsonPlace at = p.at("at");
        probe.vertices = select_on_model(at.where(), at.text(), *scene.bodies[probe.body].model);
        for (const SceneBody& body : scene.bodies)
            if (body.name == probe.name) p.fail(fmt::format("a body has the name '{}' already", probe.name));
        for (const SceneProbe& other : scene.probes)
            if (other.name == probe.name) p.fail(fmt::format("two probes have the name '{}'", probe.name));
        scene.probes.push_back(std::move(probe));
    });
}

}  // namespace

long long Scene::steps() const {
    return std::max(1LL, std::llround(duration / dt));
}

Scene read_scene(std::string_view json, const std::string& name, const std::filesystem::path& folder) {
    const nlohmann::json root = parse_json(json, name);
    const JsonPlace place(root, name);
    place.expect_keys({"duration", "dt", "gravity", "bodies", "forces", "events", "probes", "every"});
    Scene scene;
    read_time(place, scene);
    place.when("gravity", [&](const JsonPlace& p) { scene.gravity = p.numbers(3); });
    const JsonPlace bodies = place.at("bodies");
    bodies.each([&](const JsonPlace& p) {
        scene.bodies.push_back(read_body(p, folder));
        for (std::size_t i = 0; i + 1 < scene.bodies.size(); ++i)
            if (scene.bodies[i].name == scene.bodies.back().name)
                p.fail(fmt::format("two bodies have the name '{}'", printable(scene.bodies[i].name)),
                       "give each its own 'name'");
    });
    if (scene.bodies.empty()) bodies.fail("the list has no body");
    read_actions(place, scene);
    return scene;
}

Scene read_scene(const std::filesystem::path& path) {
    return read_scene(read_file(path), path.string(), path.parent_path());
}

}  // namespace limber::build
