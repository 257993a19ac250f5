// SPDX-License-Identifier: Apache-2.0
#include "limber/world/input_json.h"

#include "limber/settings/read_settings.h"
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

// What the object names of the list; null: nothing, which is the problem.
template <class List>
const typename List::value_type* named(const JsonCursor& at, const std::string& key, const List& list) {
    std::vector<std::string> names;
    for (const auto& each : list)
        names.push_back(each.name());
    const JsonCursor name = at.at(key);
    if (at.ok() && names.empty()) name.fail("the world has none");
    const std::size_t which = name.word_among(names);
    return at.ok() ? &list[which] : nullptr;
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
            SetSettings{body.id(), read_body_settings(p.with(settings), *body.model(), body.method(),
                                                      body.mount(), body.settings())});
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

Json write_spring(const Spring& spring) {
    Json json = {
        {"vertex", spring.vertex}, {"target", json_of(spring.target)}, {"stiffness", spring.stiffness}};
    if (spring.space == Spring::Space::Frame) json["space"] = "frame";
    return json;
}

Json write_path(const SupportPath& of, double elapsed) {
    if (const auto* shake = std::get_if<Shake>(&of))
        return {{"shake",
                 {{"direction", json_of(shake->direction)},
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
    return {{"position", json_of(pose.position)},
            {"rotation", json_of(pose.orientation)},
            {"velocity", json_of(m.velocity)},
            {"acceleration", json_of(m.acceleration)},
            {"angular_velocity", json_of(m.angular_velocity)},
            {"angular_acceleration", json_of(m.angular_acceleration)}};
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
        if (const auto* device = named(at, "device", world.devices())) read_for_device(at, *device, out);
    } else if (at.has("obstacle")) {
        if (const auto* obstacle = named(at, "obstacle", world.obstacles()))
            read_for_obstacle(at, *obstacle, out);
    } else if (at.has("body")) {
        if (const auto* body = named(at, "body", world.bodies())) read_for_body(at, *body, out);
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
        if (body.reduced_force().size() > 0) out.back()["reduced_force"] = json_of(body.reduced_force());
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
                        {{"position", json_of(obstacle.pose().position)},
                         {"rotation", json_of(obstacle.pose().orientation)},
                         {"velocity", json_of(obstacle.motion().velocity)},
                         {"angular_velocity", json_of(obstacle.motion().angular_velocity)}}}});
    }
    for (Json& input : out)
        input["obstacle"] = obstacle.name();
    return out;
}

}  // namespace limber
