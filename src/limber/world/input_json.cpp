// SPDX-License-Identifier: Apache-2.0
#include "limber/world/input_json.h"

#include "limber/domains/subtree.h"
#include "limber/settings/read_settings.h"
#include "limber/shown_name.h"
#include "limber/world/device_json.h"
#include "limber/world/obstacle_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace limber {
namespace {

using Json = nlohmann::json;

constexpr double kMostSpringStiffness = 1e15;  // N/m
constexpr std::size_t kMostPoses = 1000000;    // of a path

int vertices_of(const Model& model) {
    return static_cast<int>(model.surface.vertices.size());
}

BodySettings read_body_settings(const Json& object, const std::string& where, const Model& model,
                                Method method, Mount mount, BodySettings settings, const JsonCursor& at) {
    const auto read = [&](auto typed) {
        const Status done = read_settings(object, where, model, typed);
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

Spring read_spring(const JsonCursor& at, int vertex_count) {
    Spring spring;
    if (!at.expect_keys({"vertex", "target", "stiffness", "space"})) return spring;
    spring.vertex = at.at("vertex").whole_number(0, vertex_count - 1);
    spring.target = at.at("target").vector3("m");
    spring.stiffness = at.at("stiffness").number({.least = 0, .most = kMostSpringStiffness}, "N/m");
    at.when("space", [&](const JsonCursor& space) {
        spring.space =
            space.word_among({"world", "frame"}) == 1 ? Spring::Space::Frame : Spring::Space::World;
    });
    return spring;
}

// One, a list of them, or null.
std::vector<Spring> read_springs(const JsonCursor& at, int vertex_count) {
    std::vector<Spring> springs;
    if (at.is_null()) return springs;
    if (at.is_object())
        springs.push_back(read_spring(at, vertex_count));
    else
        at.each([&](const JsonCursor& each) { springs.push_back(read_spring(each, vertex_count)); });
    return springs;
}

SetConstraints read_wanted(const JsonCursor& at, BodyId body, int vertex_count) {
    SetConstraints input{body, {}, 0};
    if (at.is_null()) return input;
    Json rest = at.value();
    if (rest.is_object()) rest.erase("smoothing");
    at.when("smoothing",
            [&](const JsonCursor& s) { input.smoothing = s.number({.least = 0, .most = 1e6}, "s"); });
    if (at.ok()) input.constraints = read_constraints(at.with(rest), vertex_count);
    return input;
}

// { "position", "rotation" } and the keys of a motion; null: at rest at the origin.
SetSupport read_support(const JsonCursor& at, BodyId body) {
    SetSupport input{body, {}, {}};
    if (at.is_null()) return input;
    if (!at.expect_keys(
            {"position", "rotation", "velocity", "acceleration", "angular_velocity", "angular_acceleration"}))
        return input;
    at.when("position", [&](const JsonCursor& p) { input.pose.position = p.vector3("m"); });
    at.when("rotation", [&](const JsonCursor& p) { input.pose.orientation = p.quaternion(); });
    input.motion.orientation = input.pose.orientation;
    at.when("velocity", [&](const JsonCursor& p) { input.motion.velocity = p.vector3("m/s"); });
    at.when("acceleration", [&](const JsonCursor& p) { input.motion.acceleration = p.vector3("m/s²"); });
    at.when("angular_velocity",
            [&](const JsonCursor& p) { input.motion.angular_velocity = p.vector3("rad/s"); });
    at.when("angular_acceleration",
            [&](const JsonCursor& p) { input.motion.angular_acceleration = p.vector3("rad/s²"); });
    return input;
}

double read_elapsed(const JsonCursor& at) {
    double elapsed = 0;
    at.when("elapsed", [&](const JsonCursor& p) { elapsed = p.number({.least = 0}, "s"); });
    return elapsed;
}

// A path, and how much of it has passed.
struct ReadPath {
    SupportPath path;
    double elapsed = 0;  // s
};

ReadPath read_shake(const JsonCursor& at) {
    Shake shake;
    ReadPath input{shake, 0};
    if (!at.expect_keys({"direction", "amplitude", "hz", "periods", "elapsed"})) return input;
    shake.direction = at.at("direction").vector3();
    shake.amplitude = at.at("amplitude").number({}, "m");
    shake.hz = at.at("hz").number({.least = 0, .above = true}, "Hz");
    at.when("periods", [&](const JsonCursor& p) { shake.periods = p.whole_number(1, 1000000); });
    input.path = shake;
    input.elapsed = read_elapsed(at);
    at.fail_if(path_problem(input.path));
    return input;
}

// { "rate", "positions": 3 numbers a pose, "orientations": 4 numbers a pose }
ReadPath read_follow(const JsonCursor& at) {
    PosePath path;
    ReadPath input{path, 0};
    if (!at.expect_keys({"rate", "positions", "orientations", "elapsed"})) return input;
    path.rate = at.at("rate").number({.least = 0, .above = true}, "1/s");
    const std::size_t numbers = at.at("positions").size(), poses = numbers / 3;
    if (numbers % 3 != 0 || poses > kMostPoses)
        at.at("positions")
            .fail(std::to_string(numbers) + " numbers; it takes three for each of at most " +
                  std::to_string(kMostPoses) + " poses");
    if (!at.ok()) return input;
    const Eigen::VectorXd positions = at.at("positions").numbers(static_cast<Eigen::Index>(3 * poses));
    const Eigen::VectorXd orientations = at.at("orientations").numbers(static_cast<Eigen::Index>(4 * poses));
    if (!at.ok()) return input;
    for (std::size_t i = 0; i < poses; ++i)
        path.poses.push_back({positions.segment<3>(3 * Eigen::Index(i)),
                              Eigen::Quaterniond(orientations.segment<4>(4 * Eigen::Index(i)))});
    input.path = std::move(path);
    input.elapsed = read_elapsed(at);
    at.fail_if(path_problem(input.path));
    return input;
}

PlaceBody read_place(const JsonCursor& at, BodyId body) {
    PlaceBody input{body, {}};
    if (!at.expect_keys({"position", "rotation", "velocity", "angular_velocity"})) return input;
    at.when("position", [&](const JsonCursor& p) { input.pose.position = p.vector3("m"); });
    at.when("rotation", [&](const JsonCursor& p) { input.pose.orientation = p.rotation(); });
    at.when("velocity", [&](const JsonCursor& p) { input.velocity = p.vector3("m/s"); });
    at.when("angular_velocity", [&](const JsonCursor& p) { input.angular_velocity = p.vector3("rad/s"); });
    return input;
}

SetState read_state(const JsonCursor& at, const WorldBody& body) {
    SetState input{body.id(), {}, {}};
    if (!at.expect_keys({"q", "v"})) return input;
    at.when("q", [&](const JsonCursor& p) { input.q = p.numbers(body.q().size()); });
    at.when("v", [&](const JsonCursor& p) { input.v = p.numbers(body.q().size()); });
    return input;
}

// What the object asks of one body.
void read_for_body(const JsonCursor& at, const WorldBody& body, std::vector<Input>& out) {
    const int vertices = vertices_of(*body.model());
    const bool flies = body.flies();
    at.when("remove", [&](const JsonCursor& p) {
        if (p.flag()) out.emplace_back(RemoveBody{body.id()});
    });
    at.when("place", [&](const JsonCursor& p) { out.emplace_back(read_place(p, body.id())); });
    at.when("state", [&](const JsonCursor& p) { out.emplace_back(read_state(p, body)); });
    at.when("set", [&](const JsonCursor& p) {
        Json settings = p.value();
        if (p.is_object() && (p.has("friction") || p.has("layer"))) {
            SetTouch input{body.id(), body.touch()};
            read_touch(p, input.touch);
            out.emplace_back(input);
            settings.erase("friction");
            settings.erase("layer");
            if (settings.empty()) return;
        }
        out.emplace_back(
            SetSettings{body.id(), read_body_settings(settings, p.where(), *body.model(), body.method(),
                                                      body.mount(), body.settings(), p)});
    });
    if (!flies || at.has("body")) {
        at.when("support", [&](const JsonCursor& p) { out.emplace_back(read_support(p, body.id())); });
        const auto follow = [&](ReadPath read) {
            out.emplace_back(FollowPath{body.id(), std::move(read.path), read.elapsed});
        };
        at.when("shake", [&](const JsonCursor& p) { follow(read_shake(p)); });
        at.when("follow", [&](const JsonCursor& p) { follow(read_follow(p)); });
    }
    if (body.method() == Method::Warp || at.has("body"))
        at.when("constraints",
                [&](const JsonCursor& p) { out.emplace_back(read_wanted(p, body.id(), vertices)); });
    if (at.has("forces") || at.has("reduced_force")) {
        SetForces input{body.id(), {}, {}};
        at.when("forces", [&](const JsonCursor& p) { input.forces = read_vertex_forces(p, vertices); });
        at.when("reduced_force", [&](const JsonCursor& p) { input.reduced = p.numbers(body.q().size()); });
        out.emplace_back(std::move(input));
    }
    at.when("pull", [&](const JsonCursor& p) {
        out.emplace_back(SetSprings{body.id(), read_springs(p, vertices)});
    });
}

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

// What the object asks of one obstacle.
void read_for_obstacle(const JsonCursor& at, const WorldObstacle& obstacle, std::vector<Input>& out) {
    if (!at.expect_keys({"obstacle", "remove", "place", "shake", "follow"})) return;
    at.when("remove", [&](const JsonCursor& p) {
        if (p.flag()) out.emplace_back(RemoveObstacle{obstacle.id()});
    });
    at.when("place", [&](const JsonCursor& p) {
        const PlaceBody read = read_place(p, {});
        MoveObstacle input{obstacle.id(), read.pose, {}};
        input.motion.orientation = read.pose.orientation;
        input.motion.velocity = read.velocity;
        input.motion.angular_velocity = read.angular_velocity;
        out.emplace_back(input);
    });
    const auto follow = [&](ReadPath read) {
        out.emplace_back(FollowObstacle{obstacle.id(), std::move(read.path), read.elapsed});
    };
    at.when("shake", [&](const JsonCursor& p) { follow(read_shake(p)); });
    at.when("follow", [&](const JsonCursor& p) { follow(read_follow(p)); });
}

Json numbers_of(const Eigen::VectorXd& x) {
    return std::vector<double>(x.begin(), x.end());
}
Json numbers_of(const Eigen::Quaterniond& q) {
    return {q.x(), q.y(), q.z(), q.w()};
}

Json write_spring(const Spring& spring) {
    Json json = {
        {"vertex", spring.vertex}, {"target", numbers_of(spring.target)}, {"stiffness", spring.stiffness}};
    if (spring.space == Spring::Space::Frame) json["space"] = "frame";
    return json;
}

Json write_path(const SupportPath& of, double elapsed) {
    if (const auto* shake = std::get_if<Shake>(&of))
        return {{"shake",
                 {{"direction", numbers_of(shake->direction)},
                  {"amplitude", shake->amplitude},
                  {"hz", shake->hz},
                  {"periods", shake->periods},
                  {"elapsed", elapsed}}}};
    const auto& path = std::get<PosePath>(of);
    Json positions = Json::array(), orientations = Json::array();
    for (const Pose& pose : path.poses) {
        for (const double x : pose.position)
            positions.push_back(x);
        for (const double x : pose.orientation.coeffs())
            orientations.push_back(x);
    }
    return {{"follow",
             {{"rate", path.rate},
              {"positions", std::move(positions)},
              {"orientations", std::move(orientations)},
              {"elapsed", elapsed}}}};
}

Json write_support(const WorldBody::Support& support, const Pose& pose) {
    const FrameMotion& m = support.motion;
    return {{"position", numbers_of(pose.position)},
            {"rotation", numbers_of(pose.orientation)},
            {"velocity", numbers_of(m.velocity)},
            {"acceleration", numbers_of(m.acceleration)},
            {"angular_velocity", numbers_of(m.angular_velocity)},
            {"angular_acceleration", numbers_of(m.angular_acceleration)}};
}

bool stands(const WorldBody::Support& support) {
    const FrameMotion& m = support.motion;
    return support.pose.position.isZero(0) && support.pose.orientation.vec().isZero(0) &&
           m.velocity.isZero(0) && m.acceleration.isZero(0) && m.angular_velocity.isZero(0) &&
           m.angular_acceleration.isZero(0);
}

}  // namespace

const std::vector<std::string>& input_keys() {
    static const std::vector<std::string> kKeys = {
        "body",    "add",          "remove",   "gravity",     "place",  "state",         "set",
        "support", "shake",        "follow",   "constraints", "forces", "reduced_force", "pull",
        "contact", "add_obstacle", "obstacle", "add_device",  "device", "move",          "wind"};
    return kKeys;
}

Result<std::vector<Input>> read_inputs(const Json& object, const std::string& where, const World& world,
                                       const ModelLookup& models) {
    std::optional<InputError> problem;
    const JsonCursor at(object, where, problem);
    std::vector<Input> out;
    if (!at.expect_keys(input_keys())) return std::move(*problem);
    at.when("add", [&](const JsonCursor& p) { out.emplace_back(read_body_def(p, models)); });
    at.when("gravity", [&](const JsonCursor& p) { out.emplace_back(SetGravity{p.vector3("m/s²")}); });
    at.when("wind", [&](const JsonCursor& p) {
        ReadWind wind = read_wind(p);
        out.emplace_back(SetWind{std::move(wind.settings), wind.elapsed});
    });
    at.when("contact", [&](const JsonCursor& p) { out.emplace_back(SetContact{read_contact(p)}); });
    at.when("add_obstacle", [&](const JsonCursor& p) { out.emplace_back(read_obstacle_def(p, models)); });
    at.when("add_device", [&](const JsonCursor& p) { out.emplace_back(read_device_def(p)); });
    if (at.has("device")) {
        std::vector<std::string> names;
        for (const WorldDevice& device : world.devices())
            names.push_back(device.name());
        const std::size_t which = at.at("device").word_among(names);
        if (at.ok()) read_for_device(at, world.devices()[which], out);
    } else if (at.has("obstacle")) {
        std::vector<std::string> names;
        for (const WorldObstacle& obstacle : world.obstacles())
            names.push_back(obstacle.name());
        const std::size_t which = at.at("obstacle").word_among(names);
        if (at.ok()) read_for_obstacle(at, world.obstacles()[which], out);
    } else if (at.has("body")) {
        std::vector<std::string> names;
        for (const WorldBody& body : world.bodies())
            names.push_back(body.name());
        const std::size_t which = at.at("body").word_among(names);
        if (at.ok()) read_for_body(at, world.bodies()[which], out);
    } else {
        for (const WorldBody& body : world.bodies())
            if (at.ok()) read_for_body(at, body, out);
    }
    if (problem) return std::move(*problem);
    return out;
}

Status apply_all(World& world, const std::vector<Input>& inputs) {
    if (inputs.size() == 1) return world.apply(inputs[0]);
    const WorldState before = world.save();
    for (const Input& input : inputs)
        if (Status done = world.apply(input); !done.ok()) {
            const Status back = world.restore(before);
            return back.ok() ? done : back;
        }
    return {};
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
    def.settings = read_body_settings(body_settings_of(at.value()), at.where(), *def.model, def.method,
                                      *def.mount, {}, at);
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
        at.when("release",
                [&](const JsonCursor& p) { def.release = read_vertex_forces(p, vertices_of(*def.model)); });
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

Json write_body(const WorldBody& body, const std::string& model) {
    Json json = std::visit(
        [&](const auto& settings) -> Json {
            if constexpr (std::is_same_v<std::decay_t<decltype(settings)>, std::monostate>)
                return Json::object();
            else
                return write_settings(*body.model(), settings);
        },
        body.settings());
    json.erase("gravity");  // the world's
    json["name"] = body.name();
    json["model"] = model;
    if (!body.subtree().empty()) json["subtree"] = body.subtree();
    json["method"] = word_of(body.method());
    if (body.method() == Method::Linear) json.erase("warping");
    if (body.touch().friction) json["friction"] = *body.touch().friction;
    if (body.touch().layers != kAllLayers) json["layer"] = body.touch().layers;
    const std::optional<WorldBody::Flight> flight = body.flight();
    if (body.method() != Method::Rigid) json["mount"] = word_of(body.mount());
    const Pose pose = flight ? body.pose() : body.mounted();
    if (!pose.position.isZero(0)) json["position"] = numbers_of(pose.position);
    if (!pose.orientation.vec().isZero(0)) json["rotation"] = numbers_of(pose.orientation);
    if (flight) {
        json["velocity"] = numbers_of(flight->velocity);
        json["angular_velocity"] = numbers_of(flight->angular_velocity);
    }
    if (!body.q().isZero(0) || !body.v().isZero(0)) {
        json["q"] = numbers_of(body.q());
        json["v"] = numbers_of(body.v());
    }
    return json;
}

std::vector<Json> write_inputs(const WorldBody& body) {
    std::vector<Json> out;
    const auto add = [&](const char* key, Json value) {
        out.push_back({{"body", body.name()}, {key, std::move(value)}});
    };
    const WorldBody::Support& support = body.support();
    if (support.path) {
        add("support", write_support(support, support.path_start));
        out.push_back(write_path(*support.path, support.path_elapsed));
        out.back()["body"] = body.name();
    } else if (!stands(support)) {
        add("support", write_support(support, support.pose));
    }
    if (const Constraints* constraints = body.constraints())
        add("constraints", write_constraints(*constraints));
    if (const WorldBody::Targets* targets = body.targets(); targets && !arrived(targets->motion)) {
        Json wanted = write_constraints(targets->motion.target);
        wanted["smoothing"] = targets->smoothing;
        add("constraints", std::move(wanted));
    }
    if (!body.forces().empty() || body.reduced_force().size() > 0) {
        Json forces = Json::array();
        for (const VertexForce& force : body.forces())
            forces.push_back(write_vertex_force(force));
        add("forces", std::move(forces));
        if (body.reduced_force().size() > 0) out.back()["reduced_force"] = numbers_of(body.reduced_force());
    }
    if (!body.springs().empty()) {
        Json springs = Json::array();
        for (const Spring& spring : body.springs())
            springs.push_back(write_spring(spring));
        add("pull", std::move(springs));
    }
    return out;
}

std::vector<Json> write_obstacle_inputs(const WorldObstacle& obstacle) {
    std::vector<Json> out;
    if (obstacle.path()) {
        out.push_back(write_path(*obstacle.path(), obstacle.path_elapsed()));
    } else if (!obstacle.motion().velocity.isZero(0) || !obstacle.motion().angular_velocity.isZero(0)) {
        out.push_back({{"place",
                        {{"position", numbers_of(obstacle.pose().position)},
                         {"rotation", numbers_of(obstacle.pose().orientation)},
                         {"velocity", numbers_of(obstacle.motion().velocity)},
                         {"angular_velocity", numbers_of(obstacle.motion().angular_velocity)}}}});
    }
    for (Json& input : out)
        input["obstacle"] = obstacle.name();
    return out;
}

}  // namespace limber
