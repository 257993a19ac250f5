// SPDX-License-Identifier: Apache-2.0
#include "bindings/wasm/warp_json.h"

#include "bindings/wasm/json_members.h"

namespace limber {
namespace {

constexpr std::pair<const char*, Warping> kWarpings[] = {
    {"warped", Warping::Warped}, {"local", Warping::Local}, {"linear", Warping::Linear}};
constexpr std::pair<const char*, OscillatorStep> kSteps[] = {{"semi-implicit", OscillatorStep::SemiImplicit},
                                                             {"closed-form", OscillatorStep::ClosedForm}};
constexpr std::pair<const char*, TaskPriority> kPriorities[] = {
    {"position", TaskPriority::PositionFirst}, {"orientation", TaskPriority::OrientationFirst}};
constexpr std::pair<const char*, PositionMethod> kMethods[] = {{"predicted", PositionMethod::Predicted},
                                                               {"newton", PositionMethod::Newton},
                                                               {"previous", PositionMethod::Previous}};

Json parse(std::string_view text) {
    return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

// The constraints in the list json[key], each with a vertex and a target.
template <class Constraint, class ReadTarget>
void read_constraints(JsonMembers& read, const Json& json, const char* key, const char* target,
                      const ReadTarget& read_target, std::vector<Constraint>& out) {
    if (!json.contains(key)) return;
    if (!json[key].is_array()) return read.fail(key, "an array was expected");
    for (const Json& entry : json[key]) {
        if (!read.object(entry, key, {"vertex", target})) return;
        Constraint& constraint = out.emplace_back();
        if (!entry.contains("vertex") || !entry.contains(target))
            return read.fail(key, "each constraint needs a vertex and its " + std::string(target));
        read.integer(entry["vertex"], "vertex", constraint.vertex);
        read_target(entry, constraint);
    }
}

}  // namespace

std::optional<InputError> read_warp_settings(std::string_view text, WarpSettings& settings) {
    const Json json = parse(text);
    JsonMembers read;
    if (!read.object(json, "settings",
                     {"warping", "step", "damping", "gravity", "coriolis", "young_scale", "density_scale"}))
        return read.error;
    WarpSettings next = settings;
    read.word(json, "warping", kWarpings, next.warping);
    read.word(json, "step", kSteps, next.step);
    if (json.contains("damping") && read.object(json["damping"], "damping", {"alpha", "beta"})) {
        read.number(json["damping"], "alpha", next.alpha);
        read.number(json["damping"], "beta", next.beta);
    }
    read.vector(json, "gravity", next.gravity);
    bool coriolis = next.coriolis == LocalCoriolis::On;
    read.flag(json, "coriolis", coriolis);
    next.coriolis = coriolis ? LocalCoriolis::On : LocalCoriolis::Off;
    read.number(json, "young_scale", next.young_scale);
    read.number(json, "density_scale", next.density_scale);
    if (!read.error) settings = next;
    return read.error;
}

std::string write_warp_settings(const WarpSettings& s) {
    return text_of({{"warping", name_of(kWarpings, s.warping)},
                    {"step", name_of(kSteps, s.step)},
                    {"damping", {{"alpha", s.alpha}, {"beta", s.beta}}},
                    {"gravity", {s.gravity.x(), s.gravity.y(), s.gravity.z()}},
                    {"coriolis", s.coriolis == LocalCoriolis::On},
                    {"young_scale", s.young_scale},
                    {"density_scale", s.density_scale}});
}

std::optional<InputError> read_frame(std::string_view text, FrameMotion& out) {
    const Json json = parse(text);
    JsonMembers read;
    if (!read.object(json, "frame",
                     {"orientation", "acceleration", "angular_velocity", "angular_acceleration"}))
        return read.error;
    FrameMotion frame;
    read.quaternion(json, "orientation", frame.orientation);
    read.vector(json, "acceleration", frame.acceleration);
    read.vector(json, "angular_velocity", frame.angular_velocity);
    read.vector(json, "angular_acceleration", frame.angular_acceleration);
    if (!read.error) out = frame;
    return read.error;
}

std::optional<InputError> read_constraints_json(std::string_view text, Constraints& out) {
    const Json json = parse(text);
    JsonMembers read;
    if (!read.object(json, "manipulation", {"positions", "orientations", "exercised", "priority", "method"}))
        return read.error;
    Constraints next;
    read_constraints(
        read, json, "positions", "displacement",
        [&](const Json& entry, PositionConstraint& to) {
            read.vector(entry, "displacement", to.displacement);
        },
        next.positions);
    read_constraints(
        read, json, "orientations", "orientation",
        [&](const Json& entry, OrientationConstraint& to) {
            read.quaternion(entry, "orientation", to.orientation);
        },
        next.orientations);
    read.integers(json, "exercised", next.exercised);
    read.word(json, "priority", kPriorities, next.priority);
    read.word(json, "method", kMethods, next.positions_by);
    if (!read.error) out = std::move(next);
    return read.error;
}

}  // namespace limber
