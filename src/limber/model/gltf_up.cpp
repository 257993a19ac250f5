// SPDX-License-Identifier: Apache-2.0
#include <limber/model/gltf_up.h>
#include <limber/model/json_text.h>

namespace limber {

namespace {

constexpr const char* kGenerator = "limber";

}  // namespace

nlohmann::json gltf_asset(UpAxis up) {
    return {{"version", "2.0"}, {"generator", kGenerator}, {"extras", {{"up", up_text(up)}}}};
}

void turn_to_gltf_up(nlohmann::json& root_node, UpAxis up) {
    if (up == UpAxis::Y) return;
    const Eigen::Quaterniond turn = gltf_from_model(up);
    root_node["rotation"] = {turn.x(), turn.y(), turn.z(), turn.w()};
}

std::optional<UpAxis> recorded_gltf_up(const nlohmann::json& document) {
    const nlohmann::json* asset = find_object(document, "asset");
    const nlohmann::json* extras = asset ? find_object(*asset, "extras") : nullptr;
    if (!extras || find_text(*asset, "generator") != kGenerator) return std::nullopt;
    return parse_up(find_text(*extras, "up").value_or(""));
}

Eigen::Quaterniond without_gltf_turn(const Eigen::Quaterniond& root_rotation, UpAxis up) {
    constexpr double kRounding = 1e-6;  // rad; a program may have written the rotation as floats
    const Eigen::Quaterniond turn = gltf_from_model(up);
    if (root_rotation.angularDistance(turn) < kRounding) return Eigen::Quaterniond::Identity();
    return turn.conjugate() * root_rotation;
}

}  // namespace limber
