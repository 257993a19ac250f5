// SPDX-License-Identifier: Apache-2.0
// Worlds, their states, recordings and replays in C.
#include "bindings/c/calls.h"

#include <limber/settings/json_cursor.h>
#include <limber/settings/read_settings.h>
#include <limber/world/obstacle_json.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace limber::c {
namespace {

using Json = nlohmann::json;

template <class Act>
limber_status on_json(limber_world* world, const char* text, size_t size, const char* name, const Act& act) {
    return guarded([&]() -> limber_status {
        Arguments in;
        auto* on = in.handle<WorldHandle>(world, "world");
        const std::string_view given = in.text(text, size, name);
        if (!in.ok()) return in.status();
        auto parsed = parse_json_text(given, name);
        if (!parsed.ok()) return fail(LIMBER_REFUSED, parsed.error());
        return done(act(on->session, parsed.value()));
    });
}

template <class Make>
limber_status text_of_world(limber_world* world, const char** json, const Make& make) {
    return guarded([&] {
        Arguments in;
        auto* of = in.handle<WorldHandle>(world, "world");
        return in.one(json, "json") ? give_text(json_text_of(make(of->session)), json) : in.status();
    });
}

Json bodies_of(const Session& session) {
    Json list = Json::array();
    for (const WorldBody& body : session.world().bodies()) {
        Eigen::VectorXd shape;
        body.shape_coordinates(shape);
        // What came off a tree is a part of the model that was added.
        const Model& whole = body.whole_model() ? *body.whole_model() : *body.model();
        Json one = {{"number", body.id().number},        {"name", body.name()},
                    {"method", word_of(body.method())},  {"mount", word_of(body.mount())},
                    {"model", session.name_of(whole)},   {"coordinates", body.q().size()},
                    {"shape_coordinates", shape.size()}, {"vertices", body.model()->surface.vertices.size()}};
        if (!body.subtree().empty()) one["subtree"] = body.subtree();
        list.push_back(std::move(one));
    }
    return list;
}

limber_status create_world(const double* gravity, const ParallelFor& parallel_for, limber_world** world) {
    return guarded([&]() -> limber_status {
        Arguments in;
        if (gravity) in.memory_for(gravity, 3, "gravity");
        if (!in.handle_out(world, "world")) return in.status();
        WorldDef def;
        def.parallel_for = parallel_for;
        if (gravity) def.gravity = Eigen::Map<const Eigen::Vector3d>(gravity);
        if (!def.gravity.allFinite()) return fail(LIMBER_REFUSED, "gravity", "it is not finite");
        return give_handle(WorldHandle{Session(def), {}, {}, {}}, world);
    });
}

}  // namespace

Status free_to_restore(const Session& session) {
    if (session.is_recording()) return InputError{"state", "a recording is running", "stop it first"};
    if (session.replay()) return InputError{"state", "a replay is running", "stop it first"};
    return {};
}

}  // namespace limber::c

using namespace limber::c;

limber_status limber_world_create(const double* gravity, limber_world** world) {
    return create_world(gravity, {}, world);
}

#ifndef __wasm__
limber_status limber_world_create_parallel(const double* gravity, limber_parallel_for run, void* context,
                                           limber_world** world) {
    return create_world(gravity, {run, context}, world);
}
#endif

limber_status limber_world_clone(limber_world* world, limber_world** copy) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<WorldHandle>(world, "world");
        if (!in.handle_out(copy, "copy")) return in.status();
        return give_handle(WorldHandle{of->session.clone(), {}, {}, {}}, copy);
    });
}

limber_status limber_world_free(limber_world* world) {
    return guarded([&] { return free_handle<WorldHandle>(world, "world"); });
}

limber_status limber_world_add_model(limber_world* world, const char* name, size_t size,
                                     limber_model* model) {
    return guarded([&] {
        Arguments in;
        auto* to = in.handle<WorldHandle>(world, "world");
        const std::string_view called = in.text(name, size, "name");
        const auto* added = in.handle<ModelHandle>(model, "model");
        if (called.empty()) in.refuse("name", "it is empty");
        if (in.ok()) to->session.add_model(std::string(called), added->model);
        return in.status();
    });
}

limber_status limber_world_apply(limber_world* world, const char* input, size_t size) {
    return on_json(world, input, size, "input", [](limber::Session& session, const nlohmann::json& json) {
        return session.apply(json, "input");
    });
}

limber_status limber_world_set_dt(limber_world* world, double dt) {
    return guarded([&] {
        Arguments in;
        auto* of = in.handle<WorldHandle>(world, "world");
        return in.ok() ? done(of->session.set_dt(dt)) : in.status();
    });
}

limber_status limber_world_clock(limber_world* world, limber_clock* clock) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<WorldHandle>(world, "world");
        if (!in.one(clock, "clock")) return in.status();
        const limber::World& at = of->session.world();
        const Eigen::Vector3d& g = at.gravity();
        *clock = {at.time(), of->session.dt(), {g.x(), g.y(), g.z()}, at.steps()};
        return LIMBER_OK;
    });
}

limber_status limber_world_wind(limber_world* world, const char** json) {
    return text_of_world(world, json, [](const limber::Session& session) {
        const limber::World& in = session.world();
        return in.wind() ? limber::write_wind(*in.wind(), in.wind_elapsed()) : Json();
    });
}

limber_status limber_world_step(limber_world* world, int32_t count, limber_steps* steps) {
    return guarded([&]() -> limber_status {
        Arguments in;
        auto* of = in.handle<WorldHandle>(world, "world");
        if (steps) in.one(steps, "steps");
        if (!in.ok()) return in.status();
        if (count < 0) return fail(LIMBER_REFUSED, "count", std::to_string(count) + " is below 0");
        limber_steps made{};
        const limber::WorldReport& report = of->session.world().report();
        for (; made.steps < count && of->session.step(1) == 1; ++made.steps) {
            made.not_converged += report.not_converged;
            made.iterations = std::max<std::int32_t>(made.iterations, report.iterations);
        }
        if (steps) *steps = made;
        return LIMBER_OK;
    });
}

limber_status limber_world_bodies(limber_world* world, const char** json) {
    return text_of_world(world, json, [](const limber::Session& session) { return bodies_of(session); });
}

limber_status limber_world_find(limber_world* world, const char* name, size_t size, uint32_t* body) {
    return guarded([&]() -> limber_status {
        Arguments in;
        const auto* of = in.handle<WorldHandle>(world, "world");
        const std::string_view called = in.text(name, size, "name");
        if (!in.one(body, "body")) return in.status();
        const auto found = of->session.world().find(called);
        if (!found)
            return fail(LIMBER_NO_BODY, "body",
                        "the world has no body of the name \"" + std::string(called) + "\"");
        *body = found->number;
        return LIMBER_OK;
    });
}

limber_status limber_world_contact_settings(limber_world* world, const char** json) {
    return text_of_world(world, json, [](const limber::Session& session) {
        const auto& settings = session.world().contact_settings();
        return settings ? limber::write_contact(*settings) : Json();
    });
}

limber_status limber_world_contact_report(limber_world* world, const char** json) {
    return text_of_world(world, json, [](const limber::Session& session) {
        return limber::describe_contact(session.world().report().contact);
    });
}

limber_status limber_world_contacts_count(limber_world* world, size_t* count) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<WorldHandle>(world, "world");
        if (in.one(count, "count")) *count = LIMBER_CONTACT_NUMBERS * of->session.world().contacts().size();
        return in.status();
    });
}

limber_status limber_world_contacts(limber_world* world, double* out, size_t count) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<WorldHandle>(world, "world");
        if (!in.ok()) return in.status();
        const std::vector<limber::WorldContact>& all = of->session.world().contacts();
        if (!in.array(out, count, LIMBER_CONTACT_NUMBERS * all.size(), "out")) return in.status();
        for (const limber::WorldContact& contact : all) {
            for (const std::uint32_t number : {contact.a.number, contact.b.number, contact.obstacle.number})
                *out++ = number;
            for (const Eigen::Vector3d* x :
                 {&contact.position, &contact.normal, &contact.impulse, &contact.force})
                out = std::copy_n(x->data(), 3, out);
            *out++ = contact.depth;
            *out++ = contact.slip;
            *out++ = contact.device.number;
        }
        return LIMBER_OK;
    });
}

limber_status limber_world_obstacles(limber_world* world, const char** json) {
    return text_of_world(world, json, [](const limber::Session& session) {
        return limber::describe_obstacles(session.world());
    });
}

limber_status limber_world_find_obstacle(limber_world* world, const char* name, size_t size,
                                         uint32_t* obstacle) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<WorldHandle>(world, "world");
        const std::string_view called = in.text(name, size, "name");
        if (!in.one(obstacle, "obstacle")) return in.status();
        const auto id = of->session.world().find_obstacle(called);
        if (!id) return fail(LIMBER_REFUSED, "name", "no obstacle has it");
        *obstacle = id->number;
        return LIMBER_OK;
    });
}

limber_status limber_obstacle_inputs(limber_world* world, uint32_t obstacle, const char** json) {
    return guarded([&]() -> limber_status {
        Arguments in;
        const auto* of = in.handle<WorldHandle>(world, "world");
        if (!in.one(json, "json")) return in.status();
        for (const limber::WorldObstacle& each : of->session.world().obstacles())
            if (each.id().number == obstacle)
                return give_text(limber::json_text_of(limber::write_obstacle_inputs(each)), json);
        return fail(LIMBER_REFUSED, "obstacle",
                    "the world has no obstacle of number " + std::to_string(obstacle));
    });
}

limber_status limber_world_save(limber_world* world, limber_state** state) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<WorldHandle>(world, "world");
        if (!in.handle_out(state, "state")) return in.status();
        return give_handle(StateHandle{StateHandle::OfWorld{of->session.world().save(), of->session.dt()}},
                           state);
    });
}

limber_status limber_world_restore(limber_world* world, limber_state* state) {
    return guarded([&]() -> limber_status {
        Arguments in;
        auto* to = in.handle<WorldHandle>(world, "world");
        const auto* given = in.handle<StateHandle>(state, "state");
        if (!in.ok()) return in.status();
        const auto* saved = std::get_if<StateHandle::OfWorld>(&given->state);
        if (!saved) return fail(LIMBER_REFUSED, "state", "it is a state of a body, not of a world");
        limber::Status restored = free_to_restore(to->session);
        if (restored.ok()) restored = to->session.world().restore(saved->state);
        if (restored.ok()) restored = to->session.set_dt(saved->dt);
        return done(restored);
    });
}

limber_status limber_state_free(limber_state* state) {
    return guarded([&] { return free_handle<StateHandle>(state, "state"); });
}

limber_status limber_recording_start(limber_world* world) {
    return guarded([&] {
        Arguments in;
        auto* of = in.handle<WorldHandle>(world, "world");
        return in.ok() ? done(of->session.start_recording()) : in.status();
    });
}

limber_status limber_recording_text(limber_world* world, const char** json) {
    return text_of_world(world, json, [](const limber::Session& session) { return session.recorded(); });
}

limber_status limber_recording_stop(limber_world* world, const char** json) {
    return text_of_world(world, json, [](limber::Session& session) { return session.stop_recording(); });
}

limber_status limber_replay_start(limber_world* world, const char* scene, size_t size) {
    return on_json(world, scene, size, "recording", [](limber::Session& session, const nlohmann::json& json) {
        return session.start_replay(json, "recording");
    });
}

limber_status limber_replay_progress(limber_world* world, limber_progress* progress) {
    return guarded([&] {
        Arguments in;
        const auto* of = in.handle<WorldHandle>(world, "world");
        if (!in.one(progress, "progress")) return in.status();
        const auto replay = of->session.replay();
        *progress = replay ? limber_progress{replay->step, replay->steps, 1} : limber_progress{};
        return LIMBER_OK;
    });
}

limber_status limber_replay_problem(limber_world* world, const char** json) {
    return text_of_world(world, json, [](const limber::Session& session) {
        const auto& problem = session.replay_problem();
        return problem ? limber::json_of(*problem) : nlohmann::json(nullptr);
    });
}

limber_status limber_replay_stop(limber_world* world) {
    return guarded([&] {
        Arguments in;
        auto* of = in.handle<WorldHandle>(world, "world");
        if (in.ok()) of->session.stop_replay();
        return in.status();
    });
}
