// SPDX-License-Identifier: Apache-2.0
#include "limber/world/obstacle_json.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace limber {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using Json = nlohmann::json;

constexpr FieldRange kLength{.least = 0, .most = 1e9, .above = true};  // m

double length_at(const JsonCursor& at, const char* key) {
    return at.at(key).number(kLength, "m");
}

// The plane through normal · x = offset, as a pose of z = 0.
Pose plane_pose(const JsonCursor& at) {
    Vector3d normal = Vector3d::UnitZ();
    double offset = 0;
    if (!at.expect_keys({"normal", "offset"})) return {};
    at.when("normal", [&](const JsonCursor& p) {
        normal = p.vector3();
        if (p.ok() && !(normal.norm() > 1e-12 && normal.norm() < 1e12))
            p.fail("it has no direction", "[0, 0, 1]");
    });
    at.when("offset", [&](const JsonCursor& p) { offset = p.number({}, "m"); });
    if (!at.ok()) return {};
    normal.normalize();
    return {offset * normal, Quaterniond::FromTwoVectors(Vector3d::UnitZ(), normal)};
}

void read_shape(const JsonCursor& at,
                const std::function<std::shared_ptr<const Model>(const std::string&)>& models,
                ObstacleDef& out) {
    const std::vector<std::string> kinds = {"plane", "sphere", "capsule", "box", "cylinder", "mesh"};
    if (!at.ok() || (at.is_object() && !at.expect_keys(kinds))) return;
    if (!at.is_object() || at.keys().size() != 1)
        return at.fail("a shape is an object with one of plane, sphere, capsule, box, cylinder, mesh",
                       "{\"plane\": {\"normal\": [0, 0, 1], \"offset\": 0}}");
    at.when("plane", [&](const JsonCursor& p) {
        out.shape = PlaneShape{};
        out.pose = out.pose * plane_pose(p);
    });
    at.when("sphere", [&](const JsonCursor& p) {
        if (p.expect_keys({"radius"})) out.shape = SphereShape{length_at(p, "radius")};
    });
    at.when("capsule", [&](const JsonCursor& p) {
        if (p.expect_keys({"radius", "length"}))
            out.shape = CapsuleShape{length_at(p, "radius"), length_at(p, "length")};
    });
    at.when("box", [&](const JsonCursor& p) {
        if (p.expect_keys({"size"})) out.shape = BoxShape{p.at("size").vector3("m")};
    });
    at.when("cylinder", [&](const JsonCursor& p) {
        if (p.expect_keys({"radius", "length"}))
            out.shape = CylinderShape{length_at(p, "radius"), length_at(p, "length")};
    });
    at.when("mesh", [&](const JsonCursor& p) {
        out.mesh = p.text();
        if (!p.ok()) return;
        const std::shared_ptr<const Model> model = models(out.mesh);
        if (!model) return p.fail("there is no mesh or model \"" + out.mesh + "\"");
        auto field = make_distance_field(model->surface.vertices, model->surface.triangles, {}, p.where());
        if (!field.ok()) return p.fail_with(field.error());
        out.shape = MeshShape{std::move(field).value()};
    });
    if (at.ok()) at.fail_if(shape_problem(out.shape));
}

}  // namespace

void read_touch(const JsonCursor& body, Touch& in_out) {
    body.when("friction", [&](const JsonCursor& p) {
        in_out.friction = p.number({.least = 0, .most = 1000}, "", "0.5; ice has 0.05, rubber 1");
    });
    body.when("layer", [&](const JsonCursor& p) {
        in_out.layers = static_cast<std::uint32_t>(
            p.whole_number(0, 2147483647, "1, 2, 4, … and their sums; 0 touches nothing"));
    });
}

ObstacleDef read_obstacle_def(const JsonCursor& at,
                              const std::function<std::shared_ptr<const Model>(const std::string&)>& models,
                              const std::vector<std::string>& extra_keys) {
    ObstacleDef def;
    std::vector<std::string> keys = {"name", "shape", "position", "rotation", "friction", "layer"};
    keys.insert(keys.end(), extra_keys.begin(), extra_keys.end());
    if (!at.expect_keys(keys)) return def;
    at.when("name", [&](const JsonCursor& p) { def.name = p.text(); });
    at.when("position", [&](const JsonCursor& p) { def.pose.position = p.vector3("m"); });
    at.when("rotation", [&](const JsonCursor& p) { def.pose.orientation = p.rotation(); });
    if (at.ok()) read_shape(at.at("shape"), models, def);
    Touch touch;
    read_touch(at, touch);
    def.friction = touch.friction;
    def.layers = touch.layers;
    return def;
}

Json write_obstacle(const WorldObstacle& obstacle) {
    const Pose& pose = obstacle.path() ? obstacle.path_start() : obstacle.pose();
    const Json shape = std::visit(
        [&](const auto& each) -> Json {
            using Each = std::decay_t<decltype(each)>;
            if constexpr (std::is_same_v<Each, PlaneShape>)
                return {{"plane", Json::object()}};
            else if constexpr (std::is_same_v<Each, SphereShape>)
                return {{"sphere", {{"radius", each.radius}}}};
            else if constexpr (std::is_same_v<Each, CapsuleShape>)
                return {{"capsule", {{"radius", each.radius}, {"length", each.length}}}};
            else if constexpr (std::is_same_v<Each, BoxShape>)
                return {{"box", {{"size", json_of(each.size)}}}};
            else if constexpr (std::is_same_v<Each, CylinderShape>)
                return {{"cylinder", {{"radius", each.radius}, {"length", each.length}}}};
            else
                return {{"mesh", obstacle.mesh()}};
        },
        obstacle.shape());
    Json json = {{"name", obstacle.name()},
                 {"shape", shape},
                 {"position", json_of(pose.position)},
                 {"rotation", json_of(pose.orientation)}};
    if (obstacle.friction()) json["friction"] = *obstacle.friction();
    if (obstacle.layers() != kAllLayers) json["layer"] = obstacle.layers();
    return json;
}

Json describe_contact(const ContactReport& report) {
    return {{"enabled", report.enabled},
            {"stiffness", report.stiffness},
            {"margin", report.margin},
            {"points", report.points},
            {"touching", report.touching},
            {"islands", report.islands},
            {"asleep", report.asleep},
            {"iterations", report.iterations},
            {"linearizations", report.linearizations},
            {"residual", report.residual},
            {"depth", report.depth},
            {"speed_error", report.speed_error},
            {"not_converged", report.not_converged},
            {"speeds_off", report.speeds_off},
            {"radii_unsettled", report.radii_unsettled},
            {"reverted", report.reverted},
            {"left_out", report.left_out},
            {"cut_short", report.cut_short},
            {"refused", report.refused}};
}

Json describe_obstacles(const World& world) {
    Json list = Json::array();
    for (const WorldObstacle& obstacle : world.obstacles()) {
        Json about = write_obstacle(obstacle);
        about["number"] = obstacle.id().number;
        about["position"] = json_of(obstacle.pose().position);
        about["rotation"] = json_of(obstacle.pose().orientation);
        list.push_back(std::move(about));
    }
    return list;
}

}  // namespace limber
