// SPDX-License-Identifier: Apache-2.0
// The bodies of a world in C.
#include "bindings/c/calls.h"

#include <limber/settings/read_settings.h>
#include <limber/world/input_json.h>
#include <limber/world/start.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace limber::c {
namespace {

static_assert(static_cast<int>(StepProblem::None) == LIMBER_NO_PROBLEM &&
              static_cast<int>(StepProblem::TimeStep) == LIMBER_TIME_STEP &&
              static_cast<int>(StepProblem::NotSolved) == LIMBER_NOT_SOLVED &&
              static_cast<int>(StepProblem::BlowUp) == LIMBER_BLOW_UP);

// A body that was asked for, and its world.
struct Asked {
    WorldHandle* world = nullptr;
    const WorldBody* body = nullptr;
};
Asked ask(Arguments& in, limber_world* world, uint32_t number) {
    Asked asked;
    asked.world = in.handle<WorldHandle>(world, "world");
    asked.body = in.body(asked.world, number);
    return asked;
}

std::size_t numbers_count(const WorldBody& body, std::int32_t which, Arguments& in) {
    const auto* warped = std::get_if<WarpBody>(&body.kind());
    const auto q = static_cast<std::size_t>(body.q().size());
    switch (which) {
        case LIMBER_Q:
        case LIMBER_V:
            return q;
        case LIMBER_SHAPE_COORDINATES:
            return q + (warped ? static_cast<std::size_t>(warped->model().companions()) : 0);
        case LIMBER_SHAPE_ROTATIONS:
            return static_cast<std::size_t>(body.shape_rotations().size());
        case LIMBER_POSE:
        case LIMBER_SUPPORT_POSE:
            return 7;
        case LIMBER_ENERGIES:
            return 2;
        case LIMBER_SPRING_FORCES:
            return 3 * body.springs().size();
        case LIMBER_STABLE_DT:
            return std::holds_alternative<StvkBody>(body.kind()) ? 1 : 0;
        case LIMBER_MOMENTA:
            return body.rigid_state() ? 6 : 0;
        case LIMBER_BODY_CONTACTS:
            return 9;
        case LIMBER_DOMAIN_POSES: {
            const auto* tree = std::get_if<DomainsBody>(&body.kind());
            return tree ? 7 * tree->tree().size() : 0;
        }
        case LIMBER_FLIGHT:
            return body.flies() ? 10 : 0;
        default:
            in.refuse("which", "there is no array " + std::to_string(which));
            return 0;
    }
}

template <class Vector>
double* copied(const Vector& numbers, double* out) {
    return std::copy_n(numbers.data(), numbers.size(), out);
}
void copy_pose(const Pose& pose, double* out) {
    copied(pose.orientation.coeffs(), copied(pose.position, out));
}

// `out` has room.
void copy_numbers(const WorldBody& body, std::int32_t which, WorldHandle& world, double* out) {
    switch (which) {
        case LIMBER_Q:
            copied(body.q(), out);
            break;
        case LIMBER_V:
            copied(body.v(), out);
            break;
        case LIMBER_SHAPE_COORDINATES:
            body.shape_coordinates(world.coordinates);
            copied(world.coordinates, out);
            break;
        case LIMBER_SHAPE_ROTATIONS:
            copied(body.shape_rotations(), out);
            break;
        case LIMBER_POSE:
            copy_pose(body.pose(), out);
            break;
        case LIMBER_SUPPORT_POSE:
            copy_pose(body.support().pose, out);
            break;
        case LIMBER_ENERGIES:
            out[0] = body.kinetic_energy();
            out[1] = body.elastic_energy();
            break;
        case LIMBER_SPRING_FORCES:
            for (std::size_t i = 0; i < body.springs().size(); ++i)
                out = copied(body.spring_force(i), out);
            break;
        case LIMBER_STABLE_DT:
            out[0] = std::get<StvkBody>(body.kind()).stable_dt();
            break;
        case LIMBER_BODY_CONTACTS: {
            const BodyContacts& contacts = body.contacts();
            *out++ = contacts.points;
            out = copied(contacts.impulse, copied(contacts.force, out));
            *out++ = contacts.depth;
            *out = body.asleep() ? 1 : 0;
            break;
        }
        case LIMBER_DOMAIN_POSES: {
            const auto& tree = std::get<DomainsBody>(body.kind());
            for (std::size_t i = 0; i < tree.tree().size(); ++i, out += 7) {
                copy_pose(tree.domain_pose(i), out);
                if (tree.settings().domains[i].detached) std::fill_n(out + 3, 4, 0.0);
            }
            break;
        }
        case LIMBER_FLIGHT: {
            const WorldBody::Flight flight = *body.flight();
            *out++ = flight.mass;
            for (const Eigen::Vector3d& x :
                 {body.rigid_state()->position, flight.velocity, flight.angular_velocity})
                out = copied(x, out);
            break;
        }
        default:
            copied(body.rigid_state()->angular_momentum, copied(body.rigid_state()->momentum, out));
    }
}

Eigen::Vector3d vector_of(const WorldBody& body, std::int32_t which, int vertex) {
    switch (which) {
        case LIMBER_POSITION:
            return body.position(vertex);
        case LIMBER_VELOCITY:
            return body.velocity(vertex);
        case LIMBER_DISPLACEMENT:
            return body.displacement(vertex);
        default:
            return body.rotation(vertex);
    }
}

void copy_surface(const Eigen::VectorXf& numbers, float* out, std::size_t count) {
    if (!out) return;
    const auto found = std::min(count, static_cast<std::size_t>(numbers.size()));
    std::fill(std::copy_n(numbers.data(), found, out), out + count, 0.0f);
}

}  // namespace
}  // namespace limber::c

using namespace limber::c;

limber_status limber_body_numbers_count(limber_world* world, uint32_t body, int32_t which, size_t* count) {
    return guarded([&] {
        Arguments in;
        const Asked of = ask(in, world, body);
        if (!in.one(count, "count")) return in.status();
        const std::size_t found = numbers_count(*of.body, which, in);
        if (in.ok()) *count = found;
        return in.status();
    });
}

limber_status limber_body_numbers(limber_world* world, uint32_t body, int32_t which, double* out,
                                  size_t count) {
    return guarded([&] {
        Arguments in;
        const Asked of = ask(in, world, body);
        if (!in.ok()) return in.status();
        const std::size_t needed = numbers_count(*of.body, which, in);
        if (in.array(out, count, needed, "out") && needed > 0) copy_numbers(*of.body, which, *of.world, out);
        return in.status();
    });
}

limber_status limber_body_settings(limber_world* world, uint32_t body, const char** json) {
    return guarded([&] {
        Arguments in;
        const Asked of = ask(in, world, body);
        if (!in.one(json, "json")) return in.status();
        return give_text(limber::json_text_of(limber::write_body_settings(*of.body)), json);
    });
}

limber_status limber_body_inputs(limber_world* world, uint32_t body, const char** json) {
    return guarded([&] {
        Arguments in;
        const Asked of = ask(in, world, body);
        if (!in.one(json, "json")) return in.status();
        return give_text(limber::json_text_of(limber::write_inputs(*of.body)), json);
    });
}

limber_status limber_body_model(limber_world* world, uint32_t body, limber_model** model) {
    return guarded([&] {
        Arguments in;
        const Asked of = ask(in, world, body);
        return in.handle_out(model, "model") ? give_handle(ModelHandle{of.body->model()}, model)
                                             : in.status();
    });
}

limber_status limber_body_report(limber_world* world, uint32_t body, limber_step_report* report) {
    return guarded([&] {
        Arguments in;
        const Asked of = ask(in, world, body);
        if (in.one(report, "report"))
            *report = report_of(of.body->report(), of.body->constraint_report() != nullptr);
        return in.status();
    });
}

limber_status limber_body_constraints(limber_world* world, uint32_t body, limber_constraint_report* report) {
    return guarded([&] {
        Arguments in;
        const Asked of = ask(in, world, body);
        if (!in.one(report, "report")) return in.status();
        const limber::ConstraintReport* found = of.body->constraint_report();
        *report = found ? limber_constraint_report{found->position_error, found->orientation_error,
                                                   found->fraction, found->iterations, 1}
                        : limber_constraint_report{};
        return LIMBER_OK;
    });
}

limber_status limber_body_vertices(limber_world* world, uint32_t body, int32_t which, const int32_t* vertices,
                                   size_t vertex_count, double* out, size_t count) {
    return guarded([&] {
        Arguments in;
        const Asked of = ask(in, world, body);
        if (which < LIMBER_POSITION || which > LIMBER_ROTATION)
            in.refuse("which", "there is no vector " + std::to_string(which));
        in.memory_for(vertices, vertex_count, "vertices");
        if (!in.array(out, count, 3 * vertex_count, "out")) return in.status();
        const auto known = static_cast<std::int32_t>(of.body->model()->surface.vertices.size());
        for (std::size_t i = 0; i < vertex_count; ++i)
            if (vertices[i] < 0 || vertices[i] >= known)
                in.refuse("vertices", "there is no surface vertex " + std::to_string(vertices[i]) +
                                          "; the model has " + std::to_string(known));
        for (std::size_t i = 0; in.ok() && i < vertex_count; ++i)
            out = copied(vector_of(*of.body, which, vertices[i]), out);
        return in.status();
    });
}

limber_status limber_body_surface(limber_world* world, uint32_t body, float* displacement, float* normals,
                                  size_t count) {
    return guarded([&] {
        Arguments in;
        const Asked of = ask(in, world, body);
        if (!in.ok()) return in.status();
        const std::size_t needed = 3 * of.body->model()->surface.vertices.size();
        if (displacement || !normals) in.array(displacement, count, needed, "displacement");
        if (normals) in.array(normals, count, needed, "normals");
        if (!in.ok()) return in.status();
        of.body->surface_shape(of.world->displacement, of.world->normals);
        copy_surface(of.world->displacement, displacement, count);
        copy_surface(of.world->normals, normals, count);
        return LIMBER_OK;
    });
}

limber_status limber_body_suggest_pull_stiffness(limber_world* world, uint32_t body, int32_t vertex,
                                                 double dt, double* stiffness) {
    return guarded([&]() -> limber_status {
        Arguments in;
        const Asked of = ask(in, world, body);
        if (!in.one(stiffness, "stiffness")) return in.status();
        const limber::Result<double> found = of.body->suggest_pull_stiffness(vertex, dt);
        if (!found.ok()) return fail(LIMBER_REFUSED, found.error());
        *stiffness = found.value();
        return LIMBER_OK;
    });
}

limber_status limber_body_balance(limber_world* world, uint32_t body, const int32_t* vertices,
                                  const double* forces, size_t force_count, double* q, size_t count,
                                  limber_step_report* report) {
    return guarded([&]() -> limber_status {
        Arguments in;
        const Asked of = ask(in, world, body);
        in.memory_for(vertices, force_count, "vertices");
        in.memory_for(forces, 3 * force_count, "forces");
        if (!in.one(report, "report")) return in.status();
        if (!in.array(q, count, static_cast<std::size_t>(of.body->q().size()), "q")) return in.status();
        const auto found =
            limber::balance_under(of.body->kind(), *of.body->model(), of.body->pose().orientation,
                                  forces_of(vertices, forces, force_count));
        if (!found.ok()) return fail(LIMBER_REFUSED, found.error());
        copied(found.value().q, q);
        *report = report_of(found.value().report, false);
        return LIMBER_OK;
    });
}

limber_status limber_body_save(limber_world* world, uint32_t body, limber_state** state) {
    return guarded([&] {
        Arguments in;
        const Asked of = ask(in, world, body);
        if (!in.handle_out(state, "state")) return in.status();
        StateHandle::OfBody saved;
        saved.flies = of.body->flies();
        std::visit([&](const auto& each) { saved.state = each.state(); }, of.body->kind());
        return give_handle(StateHandle{std::move(saved)}, state);
    });
}

limber_status limber_body_restore(limber_world* world, uint32_t body, limber_state* state) {
    return guarded([&]() -> limber_status {
        Arguments in;
        const Asked to = ask(in, world, body);
        const auto* given = in.handle<StateHandle>(state, "state");
        if (!in.ok()) return in.status();
        const auto* saved = std::get_if<StateHandle::OfBody>(&given->state);
        if (!saved) return fail(LIMBER_REFUSED, "state", "it is a state of a world, not of a body");
        if (saved->flies != to.body->flies())
            return fail(LIMBER_REFUSED, "state",
                        saved->flies ? "it is of a body that flies; this one is on a support"
                                     : "it is of a body on a support; this one flies");
        limber::Session& session = to.world->session;
        if (const limber::Status allowed = free_to_restore(session); !allowed.ok()) return done(allowed);
        return done(session.world().apply(limber::RestoreState{to.body->id(), saved->state}));
    });
}
