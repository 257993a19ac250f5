// SPDX-License-Identifier: Apache-2.0
// Haptic devices of a world.
#include "limber/shown_name.h"
#include "limber/world/world_impl.h"

#include <algorithm>
#include <string>
#include <utility>

namespace limber {
namespace {

constexpr std::size_t kMostDevices = 64;  // hands, and what tests make of them

InputError of_device(InputError error, const std::string& name) {
    error.where = "device " + shown_name(name) + (error.where.empty() ? "" : ": " + error.where);
    return error;
}

}  // namespace

WorldDevice* World::Impl::find(DeviceId id) {
    for (WorldDevice& device : contact.state.devices)
        if (device.id() == id) return &device;
    return nullptr;
}

Status World::Impl::known(DeviceId id) {
    if (id.world != world_number)
        return InputError{"device", id.world == 0 ? "no device is named" : "the device is of another world",
                          ""};
    if (find(id)) return {};
    return InputError{"device", "device number " + std::to_string(id.number) + " is not there, or no longer",
                      ""};
}

Result<DeviceId> World::add(DeviceDef def) {
    Impl& in = *impl_;
    ContactState& state = in.contact.state;
    if (def.name.empty()) {
        std::uint32_t number = state.last_device + 1;
        do
            def.name = "device" + std::to_string(number++);
        while (impl_->is_taken(def.name));
    }
    const auto refuse = [&](InputError error) { return of_device(std::move(error), def.name); };
    if (impl_->is_taken(def.name))
        return refuse({"name", "another body, obstacle or device has it", "a name of its own"});
    if (state.devices.size() >= kMostDevices)
        return refuse({"", "a world has at most " + std::to_string(kMostDevices) + " devices", ""});
    if (auto problem = device_problem(def.settings)) return refuse(std::move(*problem));
    if (!def.position.allFinite()) return refuse({"position", "it is not finite", ""});
    if (!state.settings)
        if (Status on = in.apply(SetContact{ContactSettings{}}); !on.ok()) return refuse(on.error());
    WorldDevice device;
    device.id_ = {in.world_number, ++state.last_device};
    device.name_ = std::move(def.name);
    device.settings_ = def.settings;
    device.shape_ = SphereShape{def.settings.radius};
    device.stand_at(def.position);
    state.devices.push_back(std::move(device));
    in.contact.prepared = false;
    return state.devices.back().id_;
}

Status World::remove(DeviceId id) {
    if (Status known = impl_->known(id); !known.ok()) return known;
    return impl_->apply(RemoveDevice{id});
}

Status World::Impl::apply(const RemoveDevice& input) {
    contact.forget(input.device);
    std::erase_if(contact.state.devices,
                  [&](const WorldDevice& device) { return device.id() == input.device; });
    contact.prepared = false;
    return {};
}

Status World::Impl::apply(const SetDevice& input) {
    WorldDevice& device = *find(input.device);
    if (auto problem = device_problem(input.settings)) return of_device(std::move(*problem), device.name());
    device.settings_ = input.settings;
    device.shape_ = SphereShape{input.settings.radius};
    return {};
}

Status World::Impl::apply(const MoveDevice& input) {
    find(input.device)->reading_ = input.position;
    return {};
}

Status World::Impl::apply(const PlaceDevice& input) {
    WorldDevice& device = *find(input.device);
    if (!input.position.allFinite()) return of_device({"position", "it is not finite", ""}, device.name());
    WorldDevice placed;
    placed.id_ = device.id_;
    placed.name_ = device.name_;
    placed.settings_ = device.settings_;
    placed.shape_ = device.shape_;
    placed.stand_at(input.position);
    device = std::move(placed);
    contact.forget(input.device);
    return {};
}

bool World::Impl::is_taken(std::string_view name) const {
    const auto has = [&](const auto& list) {
        return std::any_of(list.begin(), list.end(), [&](const auto& each) { return each.name() == name; });
    };
    return has(bodies) || has(contact.state.obstacles) || has(contact.state.devices);
}
const std::vector<WorldDevice>& World::devices() const {
    return impl_->contact.state.devices;
}
const WorldDevice* World::device(DeviceId id) const {
    return impl_->find(id);
}

std::optional<DeviceId> World::find_device(std::string_view name) const {
    for (const WorldDevice& device : impl_->contact.state.devices)
        if (device.name() == name) return device.id();
    return std::nullopt;
}

}  // namespace limber
