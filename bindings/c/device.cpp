// SPDX-License-Identifier: Apache-2.0
// Haptic devices of worlds, and the link that a device's driver calls, in C.
#include "bindings/c/calls.h"

#include <limber/settings/json_cursor.h>
#include <limber/world/device_json.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace limber::c {
namespace {

Eigen::Vector3d three(const double* numbers) {
    return {numbers[0], numbers[1], numbers[2]};
}

const WorldDevice* device_of(const WorldHandle* world, std::uint32_t number, Arguments& in) {
    if (!in.ok()) return nullptr;
    for (const WorldDevice& device : world->session.world().devices())
        if (device.id().number == number) return &device;
    in.refuse("device", "the world has no device of number " + std::to_string(number));
    return nullptr;
}

// JSON has no NaN: a recording keeps what the world made of it.
Status move_recorded(Session& session, const WorldDevice& device, const Eigen::Vector3d& position) {
    const Eigen::Vector3d& x = position.allFinite() ? position : device.position();
    return session.apply({{"device", device.name()}, {"move", {x.x(), x.y(), x.z()}}});
}

}  // namespace
}  // namespace limber::c

using namespace limber::c;

limber_status limber_world_devices(limber_world* world, const char** json) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<WorldHandle>(world, "world");
        if (!in.one(json, "json")) return in.status();
        return give_text(limber::json_text_of(limber::describe_devices(of->session.world())), json);
    });
}

limber_status limber_world_find_device(limber_world* world, const char* name, size_t size, uint32_t* device) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<WorldHandle>(world, "world");
        const std::string_view called = in.text(name, size, "name");
        if (!in.one(device, "device")) return in.status();
        const auto id = of->session.world().find_device(called);
        if (!id) return fail(LIMBER_REFUSED, "name", "no device has it");
        *device = id->number;
        return LIMBER_OK;
    });
}

limber_status limber_device_move(limber_world* world, uint32_t device, const double* position) {
    return guarded([&] {
        Arguments in;
        auto* of = in.handle<WorldHandle>(world, "world");
        if (!in.memory_for(position, 3, "position")) return in.status();
        const limber::WorldDevice* moved = device_of(of, device, in);
        if (!moved) return in.status();
        if (of->session.is_recording()) return done(move_recorded(of->session, *moved, three(position)));
        return done(of->session.world().apply(limber::MoveDevice{moved->id(), three(position)}));
    });
}

limber_status limber_device_numbers(limber_world* world, uint32_t device, double* out, size_t count) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<WorldHandle>(world, "world");
        if (!in.array(out, count, LIMBER_DEVICE_NUMBERS, "out")) return in.status();
        const limber::WorldDevice* told = device_of(of, device, in);
        if (!told) return in.status();
        for (const Eigen::Vector3d* x : {&told->position(), &told->proxy(), &told->force()})
            out = std::copy_n(x->data(), 3, out);
        const limber::PassiveCoupling& coupling = told->coupling();
        for (const double x : {double(told->contacts()), told->depth(), coupling.coupling.stiffness,
                               coupling.coupling.damping, told->claims_passivity() ? 1.0 : 0.0,
                               told->passivity().absorbed(), told->passivity().dissipated(),
                               told->passivity().most_given(), double(told->readings().readings),
                               double(told->readings().not_finite), double(told->readings().jumps)})
            *out++ = x;
        return LIMBER_OK;
    });
}

limber_status limber_link_create(double period, double damping, double delay, double max_force,
                                 double max_speed, limber_link** link) {
    return guarded([&] {
        Arguments in;
        if (!in.handle_out(link, "link")) return in.status();
        limber::DeviceLinkDef def;
        def.hardware = {damping, period, delay, max_force};
        def.max_speed = max_speed;
        if (auto problem = limber::device_link_problem(def)) return fail(LIMBER_REFUSED, *problem);
        return give_handle(LinkHandle{std::make_unique<limber::DeviceLink>(def)}, link);
    });
}

limber_status limber_link_free(limber_link* link) {
    return guarded([&] { return free_handle<LinkHandle>(link, "link"); });
}

limber_status limber_link_exchange(limber_link* link, const double* position, double* force,
                                   uint32_t* events) {
    return guarded([&] {
        Arguments in;
        auto* of = in.handle<LinkHandle>(link, "link");
        if (!in.memory_for(position, 3, "position") || !in.memory_for(force, 3, "force") ||
            !in.one(events, "events"))
            return in.status();
        const limber::DeviceLink::Exchanged answer = of->link->exchange(three(position));
        std::copy_n(answer.force.data(), 3, force);
        *events = answer.events;
        return LIMBER_OK;
    });
}

limber_status limber_link_read(limber_link* link, double* position, double* readings) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<LinkHandle>(link, "link");
        if (!in.memory_for(position, 3, "position") || !in.one(readings, "readings")) return in.status();
        const limber::DeviceReading reading = of->link->reading();
        std::copy_n(reading.position.data(), 3, position);
        *readings = static_cast<double>(reading.readings);
        return LIMBER_OK;
    });
}

limber_status limber_link_answer(limber_link* link, const double* force) {
    return guarded([&] {
        Arguments in;
        auto* of = in.handle<LinkHandle>(link, "link");
        if (in.memory_for(force, 3, "force")) of->link->answer(three(force));
        return in.status();
    });
}

limber_status limber_link_numbers(limber_link* link, double* out, size_t count) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<LinkHandle>(link, "link");
        if (!in.array(out, count, LIMBER_LINK_NUMBERS, "out")) return in.status();
        const limber::DeviceReport report = of->link->report();
        for (const double x :
             {double(report.readings), double(report.not_finite), double(report.jumps), report.largest_jump,
              double(report.forces_cut), double(report.forces_stale), double(report.forces_not_finite),
              report.absorbed, report.dissipated, report.most_given})
            *out++ = x;
        return LIMBER_OK;
    });
}
