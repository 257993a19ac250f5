// SPDX-License-Identifier: Apache-2.0
// What each input does.
#include "limber/settings/read_settings.h"
#include "limber/world/start.h"
#include "limber/world/world_impl.h"

#include <cassert>
#include <cmath>
#include <string>
#include <utility>

namespace limber {

using Eigen::Vector3d;

namespace {

constexpr std::size_t kMostSprings = 1000;
constexpr double kMostStiffness = 1e15;  // N/m; with targets within kFarthest forces stay finite

// Of the box around the surface, m.
double diagonal(const ModelSurface& surface) {
    Vector3d low = surface.vertices[0], high = low;
    for (const Vector3d& x : surface.vertices) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    return (high - low).norm();
}

}  // namespace

Status World::Impl::apply(const SetGravity& input) {
    if (!input.gravity.allFinite()) return InputError{"gravity", "it is not finite", "0 0 -9.81"};
    const auto give = [](WorldBody& body, const Vector3d& to) {
        return std::visit(
            [&](auto& each) {
                auto settings = each.settings();
                settings.gravity = to;
                return each.set(settings);
            },
            body.body_);
    };
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Status given = give(bodies[i], input.gravity);
        if (given.ok()) continue;
        for (std::size_t k = 0; k < i; ++k) {
            const Status back = give(bodies[k], gravity);
            assert(back.ok());
        }
        return named(given.error(), bodies[i].name());
    }
    gravity = input.gravity;
    contact.prepared = false;
    wake_all();
    return {};
}

Status World::Impl::apply(const SetWind& input) {
    if (auto problem = input.settings ? wind_problem(*input.settings) : std::nullopt)
        return std::move(*problem);
    if (!(input.elapsed >= 0) || !std::isfinite(input.elapsed))
        return InputError{"wind: elapsed", number(input.elapsed) + " s of it cannot have passed", "0"};
    wind = input.settings ? std::make_shared<const Wind>(*input.settings) : nullptr;
    wind_elapsed = input.settings ? input.elapsed : 0;
    wake_all();
    return {};
}

Status World::Impl::apply(const SetSettings& input) {
    WorldBody& body = *find(input.body);
    // Found anew where bodies or settings changed.
    regroup = true;
    contact.prepared = false;
    if (auto* tree = std::get_if<DomainsBody>(&body.body_)) {
        auto settings = settings_of<DomainsSettings>(input.settings, gravity);
        if (!settings.ok()) return settings.error();
        if (auto problem = coupling_problem(settings.value(), body.touch())) return std::move(*problem);
        settings.value().mount = tree->settings().mount;
        return set_tree(body, settings.value());
    }
    const Status set = std::visit(
        [&](auto& each) -> Status {
            using Settings = std::decay_t<decltype(each.settings())>;
            auto settings = settings_of<Settings>(input.settings, gravity);
            if (!settings.ok()) return settings.error();
            if constexpr (std::is_same_v<Settings, WarpSettings>)
                if (auto problem = closed_form_problem(settings.value(), body.touch()))
                    return std::move(*problem);
            return each.set(settings.value());
        },
        body.body_);
    if (!set.ok()) return set;
    if (const auto* modes = std::get_if<WarpBody>(&body.body_)) body.method_ = method_of(modes->settings());
    if (auto* stvk = std::get_if<StvkBody>(&body.body_))
        for (const WorldBody& other : bodies)
            if (const auto* like = std::get_if<StvkBody>(&other.body_);
                like && like != stvk && stvk->share_with(*like))
                break;
    return {};
}

Status World::Impl::apply(const SetState& input) {
    WorldBody& body = *find(input.body);
    if (Status set = set_motion(body.body_, input.q, input.v); !set.ok()) return set;
    body.begins_ = input.start == StartAcceleration::FromForces;
    return {};
}

Status World::Impl::apply(const RestoreState& input) {
    WorldBody& body = *find(input.body);
    const Status set = std::visit(
        [&](auto& each) -> Status {
            using State = std::decay_t<decltype(each.state())>;
            const auto* state = std::get_if<State>(&input.state);
            if (!state) return InputError{"state", "it is of another kind of body", ""};
            return each.set_state(*state);
        },
        body.body_);
    if (set.ok()) body.begins_ = false;
    return set;
}

Status World::Impl::apply(const PlaceBody& input) {
    if (auto problem = pose_problem(input.pose)) return std::move(*problem);
    WorldBody& body = *find(input.body);
    // As a body that is added: placed where a scene says, it is the same to the last bit.
    const Pose pose{input.pose.position, input.pose.orientation.normalized()};
    if (auto* rigid = std::get_if<RigidBody>(&body.body_))
        return rigid->place(pose, input.velocity, input.angular_velocity);
    if (auto* free = std::get_if<FreeStvkBody>(&body.body_))
        return free->place(pose, input.velocity, input.angular_velocity);
    if (auto* tree = std::get_if<DomainsBody>(&body.body_); tree && tree->flies())
        return tree->place(pose, input.velocity, input.angular_velocity);
    if (!input.velocity.isZero(0) || !input.angular_velocity.isZero(0))
        return InputError{"velocity", "the body is fixed to its support: it has no velocity of its own",
                          "\"mount\": \"free\", or a support that moves"};
    const Pose before = std::exchange(body.pose_, pose);
    Status put = body.put_frame();
    if (!put.ok()) body.pose_ = before;
    return put;
}

Status World::Impl::apply(const SetForces& input) {
    return find(input.body)->set_forces(input.forces, input.reduced);
}

Status World::Impl::apply(const SetSprings& input) {
    WorldBody& body = *find(input.body);
    if (input.springs.size() > kMostSprings)
        return InputError{"pull",
                          std::to_string(input.springs.size()) + " springs; at most " +
                              std::to_string(kMostSprings) + " pull on a body",
                          ""};
    const auto vertices = static_cast<int>(body.model()->surface.vertices.size());
    for (const Spring& spring : input.springs) {
        if (spring.vertex < 0 || spring.vertex >= vertices)
            return InputError{"pull",
                              "there is no surface vertex " + std::to_string(spring.vertex) +
                                  "; the model has " + std::to_string(vertices) + ", numbered from 0",
                              ""};
        if (!(spring.target.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <= kFarthest) ||
            !(spring.stiffness >= 0 && spring.stiffness <= kMostStiffness))
            return InputError{"pull",
                              "the target is not a place within 1e12 m, or the stiffness " +
                                  number(spring.stiffness) + " N/m is not from 0 to 1e15",
                              ""};
    }
    body.springs_ = input.springs;
    const Status put = body.put_forces();  // also where none is left
    assert(put.ok());
    return {};
}

Status World::Impl::apply(const SetConstraints& input) {
    WorldBody& body = *find(input.body);
    auto* modes = std::get_if<WarpBody>(&body.body_);
    if (!modes) return InputError{"constraints", "only warped bodies have them", "\"method\": \"warp\""};
    if (!(input.smoothing >= 0) || !std::isfinite(input.smoothing))
        return InputError{"constraints", "a smoothing of " + number(input.smoothing) + " s is not from 0",
                          ""};
    if (auto problem = constraints_problem(modes->model(), input.constraints)) return std::move(*problem);
    const bool any = !input.constraints.positions.empty() || !input.constraints.orientations.empty();
    if (input.smoothing == 0 || !any) {
        body.targets_.reset();
        return modes->set_constraints(input.constraints);
    }
    if (!body.targets_) {
        body.targets_ = std::make_unique<WorldBody::Targets>();
        body.targets_->motion.size = diagonal(body.model()->surface);
        if (const Constraints* now = modes->constraints())
            body.targets_->motion.first = body.targets_->motion.present = *now;
    }
    set_target(body.targets_->motion, input.constraints,
               [&](int vertex) { return placement_of(*modes, vertex); });
    body.targets_->smoothing = input.smoothing;
    return {};
}

Status World::Impl::apply(const SetSupport& input) {
    if (auto problem = pose_problem(input.pose)) return std::move(*problem);
    WorldBody::Support support;
    support.pose = input.pose;
    support.pose.orientation.normalize();
    support.motion = input.motion;
    return find(input.body)->use_support(support);
}

Status World::Impl::apply(const FollowPath& input) {
    if (auto problem = path_problem(input.path)) return std::move(*problem);
    if (!(input.elapsed >= 0) || !std::isfinite(input.elapsed))
        return InputError{"path", number(input.elapsed) + " s of it cannot have passed", ""};
    WorldBody& body = *find(input.body);
    // A path that the body cannot follow (a model without moments) is refused now, not while it runs.
    const WorldBody::Support before = body.support_;
    WorldBody::Support support = before;
    support.motion = {.acceleration = Vector3d::UnitX(), .angular_velocity = Vector3d::UnitX()};
    if (std::holds_alternative<Shake>(input.path)) support.motion.angular_velocity.setZero();
    if (Status able = body.use_support(support); !able.ok()) return able;
    support = before;
    support.path = input.path;
    support.path_start = before.pose;
    support.path_elapsed = input.elapsed;
    return body.use_support(support);
}

}  // namespace limber
