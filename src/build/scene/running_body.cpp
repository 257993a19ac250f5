// SPDX-License-Identifier: Apache-2.0
#include "build/scene/running_body.h"

#include "build/or_throw.h"

#include <limber/reduced/statics.h>
#include <limber/warp/rotation.h>
#include <limber/warp/statics.h>

#include <fmt/format.h>

namespace limber::build {
namespace {

void accept(const Status& status, const std::string& where = "") {
    if (status.ok()) return;
    InputError error = status.error();
    if (!where.empty()) error.where = where + ": " + error.where;
    throw error;
}

}  // namespace

RunningBody::RunningBody(const SceneBody& placed, const Eigen::Vector3d& gravity) : placed_(&placed) {
    placed.method == SceneMethod::Stvk ? start_stvk(gravity) : start_warp(gravity);
}

// A body that stands still has its forces and gravity turned into its axes, so that free bodies, which have
// no support, can be turned too.
Eigen::Vector3d RunningBody::own_axes(const Eigen::Vector3d& world) const {
    return placed_->support ? world : Eigen::Vector3d(placed_->rotation.conjugate() * world);
}

void RunningBody::start_stvk(const Eigen::Vector3d& gravity) {
    const std::string where = "body " + placed_->name;
    const Model& model = *placed_->model;
    StvkSettings settings = changed(StvkSettings{}, placed_->settings, model, where);
    settings.gravity = own_axes(gravity);
    Result<StvkBody> made = make_stvk_body(placed_->model, settings);
    if (!made.ok()) throw made.error();
    StvkBody& body = body_.emplace<StvkBody>(std::move(made).value());
    StvkState state = body.state();
    if (placed_->q) state.q = *placed_->q;
    if (placed_->v) state.v = *placed_->v;
    if (!placed_->release.empty()) {
        const Eigen::Quaterniond frame_from_world = placed_->pose_at(0).orientation.conjugate();
        Eigen::VectorXd f = Eigen::VectorXd::Zero(model.rank);
        for (const VertexPull& how : placed_->release)
            for (const int v : how.vertices)
                f += model.surface.basis.middleRows<3>(3 * v).transpose() *
                     (frame_from_world * how.force / static_cast<double>(how.vertices.size()));
        settings.gravity = frame_from_world * gravity;
        const ReducedEquilibrium balance = or_throw(reduced_equilibrium(model, settings, f));
        state.q = balance.q;
        if (!balance.converged)
            start_problem_ = fmt::format(
                "body {}: no balance was found to release it from: residual {:.2e} after {} "
                "iterations",
                placed_->name, balance.residual, balance.iterations);
    }
    if (placed_->q || placed_->v || !placed_->release.empty()) accept(body.set_state(state), where);
}

void RunningBody::start_warp(const Eigen::Vector3d& gravity) {
    const std::string where = "body " + placed_->name;
    WarpSettings settings = changed(WarpSettings{}, placed_->settings, *placed_->model, where);
    settings.gravity = own_axes(gravity);
    Result<WarpBody> made = make_warp_body(placed_->model->warp, settings);
    if (!made.ok()) throw made.error();
    WarpBody& body = body_.emplace<WarpBody>(std::move(made).value());
    WarpState state = body.state();
    if (placed_->q) state.q = *placed_->q;
    if (placed_->v) state.v = *placed_->v;
    if (!placed_->release.empty()) {
        const Eigen::Quaterniond frame_from_world = placed_->pose_at(0).orientation.conjugate();
        settings.gravity = frame_from_world * gravity;
        std::vector<VertexForce> forces;
        for (const VertexPull& how : placed_->release)
            for (const int v : how.vertices)
                forces.push_back(
                    {v, frame_from_world * how.force / static_cast<double>(how.vertices.size())});
        const WarpedEquilibrium balance =
            or_throw(warped_equilibrium(placed_->model->warp, settings, forces));
        state.q = balance.q;
        if (!balance.converged)
            start_problem_ = fmt::format(
                "body {}: no balance was found to release it from: still moving by {:.2e} after {} "
                "iterations",
                placed_->name, balance.change, balance.iterations);
    }
    if (placed_->q || placed_->v || !placed_->release.empty()) accept(body.set_state(state), where);
    note_turns(body.state().q);
}

void RunningBody::change(const BodyChange& change, const std::string& where) {
    if (auto* body = std::get_if<StvkBody>(&body_)) {
        accept(body->set(changed(body->settings(), change, *placed_->model, where)), where);
    } else {
        WarpBody& modes = std::get<WarpBody>(body_);
        accept(modes.set(changed(modes.settings(), change, *placed_->model, where)), where);
    }
}

void RunningBody::set_gravity(const Eigen::Vector3d& gravity) {
    const auto set = [&](auto& body) {
        auto settings = body.settings();
        settings.gravity = own_axes(gravity);
        accept(body.set(settings));
    };
    warp() ? set(*warp()) : set(std::get<StvkBody>(body_));
}

void RunningBody::set_frame(const FrameMotion& frame) {
    accept(warp() ? warp()->set_frame(frame) : std::get<StvkBody>(body_).set_frame(frame),
           "body " + placed_->name);
}

void RunningBody::clear_forces() {
    warp() ? warp()->clear_forces() : std::get<StvkBody>(body_).clear_forces();
}

void RunningBody::add_force(int vertex, const Eigen::Vector3d& force) {
    accept(warp() ? warp()->add_force({vertex, own_axes(force)})
                  : std::get<StvkBody>(body_).add_force({vertex, own_axes(force)}));
}

bool RunningBody::is_warped() const {
    const auto* modes = std::get_if<WarpBody>(&body_);
    return modes && modes->settings().warping != Warping::Linear;
}

void RunningBody::set_constraints(const Constraints& constraints) {
    is_held_ = !constraints.positions.empty() || !constraints.orientations.empty();
    a_step_late_ = is_held_ && constraints.positions_by == PositionMethod::Previous;
    accept(std::get<WarpBody>(body_).set_constraints(constraints), "body " + placed_->name);
}

std::optional<ConstraintReport> RunningBody::constraint_report() const {
    if (!is_held_) return std::nullopt;
    return std::get<WarpBody>(body_).constraint_report();
}

void RunningBody::set_acceleration_from_forces() {
    if (auto* body = std::get_if<StvkBody>(&body_)) body->set_acceleration_from_forces();
}

Eigen::VectorXd RunningBody::companions() const {
    const auto* modes = std::get_if<WarpBody>(&body_);
    if (!modes) return {};
    Eigen::VectorXd coordinates;
    modes->shape_coordinates(coordinates);
    return coordinates.tail(modes->model().companions());
}

void RunningBody::note_turns(const Eigen::VectorXd& q) {
    turned_by_ = is_warped() ? q : Eigen::VectorXd::Zero(q.size());
}

StepReport RunningBody::step(double dt) {
    if (auto* body = std::get_if<StvkBody>(&body_)) return body->step(dt);
    WarpBody& modes = std::get<WarpBody>(body_);
    const Eigen::VectorXd before = modes.state().q;
    const StepReport report = modes.step(dt);
    note_turns(a_step_late_ && report.converged ? before : modes.state().q);
    return report;
}

const Eigen::VectorXd& RunningBody::q() const {
    const auto* modes = std::get_if<WarpBody>(&body_);
    return modes ? modes->state().q : std::get<StvkBody>(body_).state().q;
}

Eigen::Vector3d RunningBody::displacement(int vertex) const {
    const auto* modes = std::get_if<WarpBody>(&body_);
    return modes ? modes->displacement(vertex)
                 : Eigen::Vector3d(placed_->model->surface.basis.middleRows<3>(3 * vertex) * q());
}

Eigen::Vector3d RunningBody::position(int vertex) const {
    return placed_->model->surface.vertices[static_cast<std::size_t>(vertex)] + displacement(vertex);
}

double RunningBody::kinetic_energy() const {
    const auto* modes = std::get_if<WarpBody>(&body_);
    return modes ? modes->kinetic_energy() : std::get<StvkBody>(body_).kinetic_energy();
}

double RunningBody::elastic_energy() const {
    const auto* modes = std::get_if<WarpBody>(&body_);
    return modes ? modes->elastic_energy() : std::get<StvkBody>(body_).elastic_energy();
}

}  // namespace limber::build
