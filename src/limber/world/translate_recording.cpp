// SPDX-License-Identifier: Apache-2.0
// Recordings of version 1 in the words of version 2. What differs is listed in docs/recording.md.
#include "limber/settings/json_cursor.h"
#include "limber/world/session.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace limber {
namespace {

using Json = nlohmann::json;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Json list_of(const Vector3d& x) {
    return {x.x(), x.y(), x.z()};
}

// Version 1 turned the frame on the body's own place: world_from_body = B F with the scene's placement B, and
// the vectors of the motion were in B's axes. Now S B with the support S: S = B F B⁻¹.
Json support_of(const JsonCursor& frame, const Pose& B) {
    if (!frame.expect_keys({"orientation", "acceleration", "angular_velocity", "angular_acceleration"}))
        return nullptr;
    Quaterniond F = Quaterniond::Identity();
    Vector3d a = Vector3d::Zero(), w = a, w_dot = a;
    frame.when("orientation", [&](const JsonCursor& p) { F = p.quaternion(); });
    frame.when("acceleration", [&](const JsonCursor& p) { a = p.vector3("m/s²"); });
    frame.when("angular_velocity", [&](const JsonCursor& p) { w = p.vector3("rad/s"); });
    frame.when("angular_acceleration", [&](const JsonCursor& p) { w_dot = p.vector3("rad/s²"); });
    const Quaterniond S = B.orientation * F * B.orientation.conjugate();
    a = B.orientation * a;
    w = B.orientation * w;
    w_dot = B.orientation * w_dot;
    // The given acceleration was that of the body's origin, which stands at `arm` on the support.
    const Vector3d arm = S * B.position;
    a -= w_dot.cross(arm) + w.cross(w.cross(arm));
    return {{"position", list_of(B.position - arm)},
            {"rotation", {S.x(), S.y(), S.z(), S.w()}},
            {"acceleration", list_of(a)},
            {"angular_velocity", list_of(w)},
            {"angular_acceleration", list_of(w_dot)}};
}

struct PlacedBody {
    std::string name;
    Pose pose;
};

std::vector<PlacedBody> read_bodies(const JsonCursor& scene) {
    std::vector<PlacedBody> out;
    scene.at("bodies").each([&](const JsonCursor& p) {
        PlacedBody body;
        // Without a name it is called after its model.
        if (p.has("name"))
            body.name = p.at("name").text();
        else if (p.has("model"))
            body.name = p.at("model").text();
        p.when("position", [&](const JsonCursor& at) { body.pose.position = at.vector3("m"); });
        p.when("rotation", [&](const JsonCursor& at) { body.pose.orientation = at.rotation(); });
        out.push_back(std::move(body));
    });
    return out;
}

bool stands_at_origin(const Pose& pose) {
    return pose.position.isZero(0) && pose.orientation.vec().isZero(0);
}

void translate_input(const JsonCursor& p, const std::vector<PlacedBody>& bodies, Json& out) {
    if (!p.expect_keys({"step", "pull", "frame", "pins", "gravity", "dt", "body", "set"})) return;
    const auto add = [&](const char* key, Json value) {
        Json input = {{"step", p.at("step").value()}};
        input[key] = std::move(value);
        out.push_back(std::move(input));
        return &out.back();
    };
    p.when("dt", [&](const JsonCursor& dt) { add("dt", dt.value()); });
    p.when("gravity", [&](const JsonCursor& gravity) { add("gravity", gravity.value()); });
    p.when("pins", [&](const JsonCursor& pins) { add("constraints", pins.value()); });
    p.when("frame", [&](const JsonCursor& frame) {
        bool placed = false;
        for (const PlacedBody& body : bodies)
            placed |= !stands_at_origin(body.pose);
        if (!placed) {
            add("support", support_of(frame, {}));
            return;
        }
        for (const PlacedBody& body : bodies)
            (*add("support", support_of(frame, body.pose)))["body"] = body.name;
    });
    p.when("set", [&](const JsonCursor& set) {
        Json* input = add("set", set.value());
        if (p.has("body")) (*input)["body"] = p.at("body").value();
    });
    // Its target was in the body's frame.
    p.when("pull", [&](const JsonCursor& pull) {
        Json spring = pull.value();
        if (spring.is_object()) spring["space"] = "frame";
        add("pull", std::move(spring));
    });
}

}  // namespace

Json with_old_mounts(Json scene) {
    if (!scene.is_object() || !scene.contains("recording") || !scene["recording"].is_object()) return scene;
    Json& recording = scene["recording"];
    const Json version = recording.value("version", Json());
    if (version != 1 && version != 2) return scene;
    const auto fix = [](Json& body) {
        if (body.is_object() && !body.contains("mount") && body.value("method", Json()) != "rigid")
            body["mount"] = "fixed";
    };
    if (scene.contains("bodies") && scene["bodies"].is_array())
        for (Json& body : scene["bodies"])
            fix(body);
    if (recording.contains("inputs") && recording["inputs"].is_array())
        for (Json& input : recording["inputs"])
            if (input.is_object() && input.contains("add")) fix(input["add"]);
    return scene;
}

Result<Json> translate_recording(const Json& scene, const std::string& where) {
    std::optional<InputError> problem;
    const JsonCursor at(scene, where, problem);
    if (!at.is_object()) {
        at.fail("a recording is an object with the keys \"bodies\" and \"recording\"",
                "a file that the studio saved (docs/recording.md)");
        return std::move(*problem);
    }
    if (!at.has("recording")) return scene;
    const JsonCursor recording = at.at("recording");
    const int version = recording.at("version").whole_number(1, 1000000);
    if (at.ok() && version > kRecordingVersion)
        recording.at("version").fail("version " + std::to_string(version) + " is newer than " +
                                         std::to_string(kRecordingVersion) + ", the newest known here",
                                     "a newer limber");
    if (problem) return std::move(*problem);
    if (version == kRecordingVersion) return scene;
    Json out = with_old_mounts(scene);
    if (version == 1) {
        const std::vector<PlacedBody> bodies = read_bodies(at);
        Json inputs = Json::array();
        recording.each("inputs", [&](const JsonCursor& p) { translate_input(p, bodies, inputs); });
        if (problem) return std::move(*problem);
        for (std::size_t b = 0; b < bodies.size(); ++b)  // as inputs call them
            if (!bodies[b].name.empty()) out["bodies"][b]["name"] = bodies[b].name;
        out["recording"]["inputs"] = std::move(inputs);
    }
    out["recording"]["version"] = kRecordingVersion;
    return out;
}

}  // namespace limber
