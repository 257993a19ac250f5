// SPDX-License-Identifier: Apache-2.0
#include "limber/world/device_json.h"

#include "limber/settings/field_of.h"
#include "limber/world/obstacle_json.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace limber {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostKeys = 1000000;  // of a path

void read_device_settings(const JsonCursor& at, const std::vector<std::string>& more, DeviceSettings& out) {
    std::vector<std::string> keys = more;
    keys.push_back("layer");
    read_fields(at, fields_of<DeviceSettings>(), out, keys);
    Touch touch{.friction = {}, .layers = out.layers};
    if (at.ok())
        at.when("layer", [&](const JsonCursor& p) {
            touch.layers = static_cast<std::uint32_t>(p.whole_number(0, 2147483647, "1, 2, 4, …"));
        });
    out.layers = touch.layers;
    if (at.ok()) at.fail_if(device_problem(out));
}

}  // namespace

DeviceDef read_device_def(const JsonCursor& at, const std::vector<std::string>& extra_keys) {
    DeviceDef def;
    std::vector<std::string> keys = {"name", "position"};
    keys.insert(keys.end(), extra_keys.begin(), extra_keys.end());
    read_device_settings(at, keys, def.settings);
    if (!at.ok()) return def;
    at.when("name", [&](const JsonCursor& p) { def.name = p.text(); });
    at.when("position", [&](const JsonCursor& p) { def.position = p.vector3("m"); });
    return def;
}

HandPath read_hand_path(const JsonCursor& at) {
    HandPath path;
    if (at.size() > kMostKeys) at.fail("it has more than a million positions");
    if (!at.ok()) return path;
    at.each([&](const JsonCursor& p) {
        if (!p.expect_keys({"time", "position"})) return;
        path.push_back({p.at("time").number({}, "s"), p.at("position").vector3("m")});
    });
    if (at.ok()) at.fail_if(hand_path_problem(path));
    return path;
}

void read_for_device(const JsonCursor& at, const WorldDevice& device, std::vector<Input>& out) {
    if (!at.expect_keys({"device", "remove", "place", "set", "move"})) return;
    at.when("remove", [&](const JsonCursor& p) {
        if (p.flag()) out.emplace_back(RemoveDevice{device.id()});
    });
    at.when("place", [&](const JsonCursor& p) {
        if (p.expect_keys({"position"}))
            out.emplace_back(PlaceDevice{device.id(), p.at("position").vector3("m")});
    });
    at.when("set", [&](const JsonCursor& p) {
        SetDevice input{device.id(), device.settings()};
        read_device_settings(p, {}, input.settings);
        out.emplace_back(input);
    });
    at.when("move", [&](const JsonCursor& p) { out.emplace_back(MoveDevice{device.id(), p.vector3("m")}); });
}

Json write_device(const WorldDevice& device) {
    Json json = write_fields(fields_of<DeviceSettings>(), device.settings());
    json["name"] = device.name();
    json["position"] = json_of(device.position());
    if (device.settings().layers != kAllLayers) json["layer"] = device.settings().layers;
    return json;
}

Json describe_devices(const World& world) {
    Json list = Json::array();
    for (const WorldDevice& device : world.devices()) {
        Json about = write_device(device);
        about["number"] = device.id().number;
        about["proxy"] = json_of(device.proxy());
        about["proxy_velocity"] = json_of(device.proxy_velocity());
        about["force"] = json_of(device.force());
        about["contacts"] = device.contacts();
        about["depth"] = device.depth();
        about["coupling"] = {{"stiffness", device.coupling().coupling.stiffness},
                             {"damping", device.coupling().coupling.damping},
                             {"scale", device.coupling().scale},
                             {"is_passive", device.claims_passivity()}};
        about["passivity"] = {{"absorbed", device.passivity().absorbed()},
                              {"dissipated", device.passivity().dissipated()},
                              {"most_given", device.passivity().most_given()}};
        about["readings"] = {{"count", device.readings().readings},
                             {"not_finite", device.readings().not_finite},
                             {"jumps", device.readings().jumps},
                             {"largest_jump", device.readings().largest_jump},
                             {"forces_cut", device.forces_cut()}};
        list.push_back(std::move(about));
    }
    return list;
}

}  // namespace limber
