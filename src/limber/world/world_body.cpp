// SPDX-License-Identifier: Apache-2.0
#include "limber/world/world_body.h"

#include "limber/world/body_kind.h"

#include "limber/integrate/pull_stiffness.h"
#include "limber/reduced/statics.h"
#include "limber/rigid/cross_matrix.h"
#include "limber/warp/statics.h"

#include <cassert>
#include <cmath>
#include <utility>

namespace limber {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

static_assert(SoftBodyKind<StvkBody> && SoftBodyKind<WarpBody> && SoftBodyKind<FreeStvkBody> &&
              SoftBodyKind<DomainsBody>);
static_assert(CarriedBodyKind<StvkBody> && CarriedBodyKind<WarpBody> && CarriedBodyKind<DomainsBody>);
static_assert(FlyingBodyKind<RigidBody> && FlyingBodyKind<FreeStvkBody> && FlyingBodyKind<DomainsBody>);
static_assert(TouchingKind<StvkBody> && TouchingKind<WarpBody> && TouchingKind<RigidBody> &&
              TouchingKind<FreeStvkBody>);

// Body types that have coordinates.
template <class Body>
constexpr bool kIsSoft = SoftBodyKind<Body>;

// Calls visit(body) where it flies; else the result is empty.
template <class Result, class Visit>
Result of_flying(const AnyBody& any, const Visit& visit) {
    return std::visit(
        [&](const auto& body) -> Result {
            if constexpr (requires { body.flies(); }) {
                return body.flies() ? Result{visit(body)} : Result{};
            } else if constexpr (FlyingBodyKind<std::decay_t<decltype(body)>>) {
                return visit(body);
            } else {
                return Result{};
            }
        },
        any);
}

// The displacement of a vertex at which a spring pulls in a step of dt.
Vector3d ahead_in_frame(const AnyBody& any, int vertex, double dt) {
    return std::visit(
        [&](const auto& body) -> Vector3d {
            using Body = std::decay_t<decltype(body)>;
            if constexpr (std::is_same_v<Body, StvkBody>)
                return body.spring_displacement(vertex, dt);
            else if constexpr (kIsSoft<Body>)
                return body.displacement(vertex) + 0.5 * dt * body.velocity(vertex);
            else
                return Vector3d::Zero();
        },
        any);
}

// Of the body's frame, which stands at `pose` on the support: a point of the support moves with it.
FrameMotion motion_on(const FrameMotion& support, const Pose& support_pose, const Pose& pose) {
    const Vector3d arm = support_pose.orientation * pose.position;
    const Vector3d &w = support.angular_velocity, &w_dot = support.angular_acceleration;
    return {.orientation = (support_pose.orientation * pose.orientation).normalized(),
            .velocity = support.velocity + w.cross(arm),
            .acceleration = support.acceleration + w_dot.cross(arm) + w.cross(w.cross(arm)),
            .angular_velocity = w,
            .angular_acceleration = w_dot};
}

}  // namespace

void WorldBody::use_model(const DomainsBody& tree) {
    const bool replaced = tree.shared_model() != tree.model_as_built();
    if (subtree_.empty()) whole_ = replaced ? tree.model_as_built() : nullptr;
    model_ = tree.shared_model();
}

WorldBody WorldBody::clone() const {
    WorldBody copy(std::visit([](const auto& body) -> AnyBody { return body.clone(); }, body_));
    copy.id_ = id_;
    copy.name_ = name_;
    copy.method_ = method_;
    copy.mount_ = mount_;
    copy.model_ = model_;
    copy.whole_ = whole_;
    copy.subtree_ = subtree_;
    copy.pose_ = pose_;
    copy.support_ = support_;
    copy.forces_ = forces_;
    copy.reduced_force_ = reduced_force_;
    copy.springs_ = springs_;
    if (targets_) copy.targets_ = std::make_unique<Targets>(*targets_);
    copy.begins_ = begins_;
    copy.report_ = report_;
    copy.touch_ = touch_;
    copy.contacts_ = contacts_;
    copy.still_time_ = still_time_;
    copy.sleep_group_ = sleep_group_;
    return copy;
}

BodySettings WorldBody::settings() const {
    return std::visit([](const auto& body) -> BodySettings { return body.settings(); }, body_);
}

double WorldBody::time() const {
    return std::visit([](const auto& body) { return body.state().time; }, body_);
}

Pose WorldBody::pose() const {
    const auto own = of_flying<std::optional<Pose>>(body_, [](const auto& body) { return body.pose(); });
    return own ? *own : support_.pose * pose_;
}

FrameMotion WorldBody::frame_motion() const {
    return motion_on(support_.motion, support_.pose, pose_);
}

const VectorXd& WorldBody::q() const {
    static const VectorXd kNone;
    return std::visit(
        [](const auto& body) -> const VectorXd& {
            if constexpr (kIsSoft<std::decay_t<decltype(body)>>)
                return body.state().q;
            else
                return kNone;
        },
        body_);
}

const VectorXd& WorldBody::v() const {
    static const VectorXd kNone;
    return std::visit(
        [](const auto& body) -> const VectorXd& {
            if constexpr (kIsSoft<std::decay_t<decltype(body)>>)
                return body.state().v;
            else
                return kNone;
        },
        body_);
}

void WorldBody::shape_coordinates(VectorXd& out) const {
    if (const auto* modes = std::get_if<WarpBody>(&body_))
        modes->shape_coordinates(out);
    else
        out = q();
}

const VectorXd& WorldBody::shape_rotations() const {
    const auto* modes = std::get_if<WarpBody>(&body_);
    return modes ? modes->shape_rotations() : q();
}

Vector3d WorldBody::displacement(int vertex) const {
    return std::visit(
        [&](const auto& body) -> Vector3d {
            if constexpr (kIsSoft<std::decay_t<decltype(body)>>)
                return body.displacement(vertex);
            else
                return Vector3d::Zero();
        },
        body_);
}

Vector3d WorldBody::position(int vertex) const {
    assert(vertex >= 0 && std::size_t(vertex) < model_->surface.vertices.size());
    return pose() * Vector3d(model_->surface.vertices[std::size_t(vertex)] + displacement(vertex));
}

Vector3d WorldBody::velocity(int vertex) const {
    if (const auto own = of_flying<std::optional<Vector3d>>(
            body_, [&](const auto& body) { return body.point_velocity(vertex); }))
        return *own;
    const Pose frame = pose();
    const FrameMotion motion = frame_motion();
    const Vector3d in_frame = std::visit(
        [&](const auto& body) -> Vector3d {
            if constexpr (kIsSoft<std::decay_t<decltype(body)>>)
                return body.velocity(vertex);
            else
                return Vector3d::Zero();
        },
        body_);
    return motion.velocity + motion.angular_velocity.cross(position(vertex) - frame.position) +
           frame.orientation * in_frame;
}

Vector3d WorldBody::rotation(int vertex) const {
    const auto* modes = std::get_if<WarpBody>(&body_);
    return modes && method_ == Method::Warp ? modes->rotation(vertex) : Vector3d::Zero();
}

void WorldBody::surface_shape(Eigen::VectorXf& displacement, Eigen::VectorXf& normals) const {
    if (const auto* stvk = std::get_if<StvkBody>(&body_)) {
        stvk->surface_displacement(displacement);
        stvk->surface_normals(displacement, normals);
    } else if (const auto* free = std::get_if<FreeStvkBody>(&body_)) {
        free->surface_displacement(displacement);
        free->surface_normals(displacement, normals);
    } else if (const auto* modes = std::get_if<WarpBody>(&body_)) {
        modes->surface_shape(displacement, normals);
    } else if (const auto* tree = std::get_if<DomainsBody>(&body_)) {
        tree->surface_shape(displacement, normals);
    } else {
        std::get<RigidBody>(body_).surface_shape(displacement, normals);
    }
}

double WorldBody::kinetic_energy() const {
    return std::visit([](const auto& body) { return body.kinetic_energy(); }, body_);
}

double WorldBody::elastic_energy() const {
    return std::visit([](const auto& body) { return body.elastic_energy(); }, body_);
}

std::optional<RigidState> WorldBody::rigid_state() const {
    return of_flying<std::optional<RigidState>>(body_, [](const auto& body) { return body.rigid_state(); });
}

std::optional<WorldBody::Flight> WorldBody::flight() const {
    return of_flying<std::optional<Flight>>(body_, [](const auto& body) {
        return Flight{body.mass(), body.velocity(), body.angular_velocity()};
    });
}

Vector3d WorldBody::spring_force(std::size_t which) const {
    const Spring& spring = springs_[which];
    return stretch_to(spring, position(spring.vertex));
}

// Of a spring whose vertex is at x, in the world.
Vector3d WorldBody::stretch_to(const Spring& spring, const Vector3d& x) const {
    const Vector3d target = spring.space == Spring::Space::World ? spring.target : pose() * spring.target;
    return spring.stiffness * (target - x);
}

Result<double> WorldBody::suggest_pull_stiffness(int vertex, double dt) const {
    if (auto problem = pull_problem(vertex, Eigen::Index(model_->surface.vertices.size()), dt))
        return std::move(*problem);
    if (const auto* stvk = std::get_if<StvkBody>(&body_))
        return limber::suggest_pull_stiffness(*stvk, vertex, dt);
    if (const auto* modes = std::get_if<WarpBody>(&body_))
        return limber::suggest_pull_stiffness(*modes, vertex, dt);
    if (const auto* tree = std::get_if<DomainsBody>(&body_)) return tree->suggest_pull_stiffness(vertex, dt);
    if (const auto* free = std::get_if<FreeStvkBody>(&body_))
        return limber::suggest_pull_stiffness(*free, vertex, dt);
    // Nothing holds it. A force at the arm a from the centre accelerates its point by I/m - [a]× J⁻¹ [a]×.
    const auto& rigid = std::get<RigidBody>(body_);
    const Eigen::Matrix3d R = rigid.state().orientation.toRotationMatrix();
    const Eigen::Matrix3d arm = cross_matrix(rigid.position(vertex) - rigid.state().position);
    const Eigen::Matrix3d inverse_inertia = R * rigid.inertia().inverse() * R.transpose();
    return pull_stiffness(Eigen::Matrix3d::Zero(),
                          Eigen::Matrix3d::Identity() / rigid.mass() - arm * inverse_inertia * arm, dt);
}

const ConstraintReport* WorldBody::constraint_report() const {
    const auto* modes = std::get_if<WarpBody>(&body_);
    return modes && modes->constraints() ? &modes->constraint_report() : nullptr;
}

const Constraints* WorldBody::constraints() const {
    const auto* modes = std::get_if<WarpBody>(&body_);
    return modes ? modes->constraints() : nullptr;
}

Status WorldBody::put_frame() {
    return std::visit(
        [&](auto& body) -> Status {
            using Body = std::decay_t<decltype(body)>;
            if constexpr (CarriedBodyKind<Body>)
                return body.set_frame(frame_motion());
            else if constexpr (kIsSoft<Body>)
                return InputError{"support", "a free body flies: nothing carries it", "\"mount\": \"moved\""};
            else
                return InputError{"support", "a rigid body flies freely: nothing carries it", ""};
        },
        body_);
}

Status WorldBody::use_support(const Support& support) {
    Support before = std::exchange(support_, support);
    Status put = put_frame();
    if (!put.ok()) support_ = std::move(before);
    return put;
}

// A spring's force is held for the step. From where its vertex is at the start it would come late and feed
// the swing; each integrator has the point from where it does not. docs/world.md, docs/math/newmark.md (13)
Status WorldBody::put_spring(const Spring& spring, double dt) {
    const Vector3d& rest = model_->surface.vertices[std::size_t(spring.vertex)];
    if (auto* modes = std::get_if<WarpBody>(&body_)) {
        const Pose frame = pose();
        const Vector3d target =
            spring.space == Spring::Space::World
                ? Vector3d(frame.orientation.conjugate() * (spring.target - frame.position))
                : spring.target;
        return modes->add_spring(spring.vertex, target - rest, spring.stiffness, dt);
    }
    const bool in_world = flies() && spring.space == Spring::Space::World;
    const Vector3d x = in_world ? Vector3d(position(spring.vertex) + 0.5 * dt * velocity(spring.vertex))
                                : pose() * Vector3d(rest + ahead_in_frame(body_, spring.vertex, dt));
    const VertexForce force{spring.vertex, stretch_to(spring, x)};
    return std::visit([&](auto& body) { return body.add_force(force); }, body_);
}

Status WorldBody::put_forces(double dt) {
    return std::visit(
        [&](auto& body) -> Status {
            body.clear_forces();
            for (const VertexForce& force : forces_)
                if (Status added = body.add_force(force); !added.ok()) return added;
            for (const Spring& spring : springs_)
                if (Status added = put_spring(spring, dt); !added.ok()) return added;
            if (reduced_force_.size() == 0) return {};
            using Body = std::decay_t<decltype(body)>;
            if constexpr (std::is_same_v<Body, StvkBody> || std::is_same_v<Body, FreeStvkBody>)
                return body.add_reduced_force(reduced_force_);
            else if constexpr (std::is_same_v<Body, WarpBody>)
                return body.add_modal_force(reduced_force_);
            else
                return InputError{"force", "only nonlinear and warped bodies take forces on coordinates",
                                  "forces on vertices"};
        },
        body_);
}

Status WorldBody::set_forces(const std::vector<VertexForce>& forces, const VectorXd& reduced) {
    std::vector<VertexForce> old_forces = std::exchange(forces_, forces);
    VectorXd old_reduced = std::exchange(reduced_force_, reduced);
    Status put = put_forces();
    if (put.ok()) return put;
    forces_ = std::move(old_forces);
    reduced_force_ = std::move(old_reduced);
    const Status back = put_forces();
    assert(back.ok());
    return put;
}

void WorldBody::before_step(double dt) {
    if (support_.path) {
        support_.path_elapsed += dt;
        const SupportMoment moment = at(*support_.path, support_.path_elapsed);
        support_.pose = {support_.path_start.position + moment.pose.position,
                         (moment.pose.orientation * support_.path_start.orientation).normalized()};
        support_.motion = moment.motion;
        if (moment.over) support_.path.reset();
        const Status put = put_frame();
        assert(put.ok());  // the path was checked when it began
    }
    if (targets_ && !arrived(targets_->motion)) {
        advance(targets_->motion, dt / targets_->smoothing);
        const Status moved = std::get<WarpBody>(body_).set_constraints(targets_->motion.present);
        assert(moved.ok());
    }
    if (begins_)
        if (auto* stvk = std::get_if<StvkBody>(&body_)) {
            const Status put = put_forces();
            assert(put.ok());
            stvk->set_acceleration_from_forces();
        }
    if (!springs_.empty()) {
        const Status put = put_forces(dt);
        assert(put.ok());
    }
    begins_ = false;
}

}  // namespace limber
