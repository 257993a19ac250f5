// SPDX-License-Identifier: Apache-2.0
// What a kind of body must offer to live in a world. A new kind is a class that does, a place in AnyBody, a
// Method and its settings.
#pragma once
#include <limber/integrate/step_report.h>
#include <limber/model/vertex_force.h>
#include <limber/result.h>

#include <Eigen/Core>
#include <concepts>
#include <utility>

namespace limber {

template <class Body>
concept BodyKind = std::move_constructible<Body> &&
    requires(Body& body, const Body& fixed, const VertexForce& force, double dt,
             const Eigen::VectorXd* impulse) {
    // Settings, with the world's gravity in them, and the whole state: set_state(state()) goes on bit by bit.
    { body.set(fixed.settings()) } -> std::same_as<Status>;
    { body.set_state(fixed.state()) } -> std::same_as<Status>;
    { fixed.state().time } -> std::convertible_to<double>;
    { fixed.clone() } -> std::same_as<Body>;
    // Forces on vertices of the surface, world axes, until they are changed.
    body.clear_forces();
    { body.add_force(force) } -> std::same_as<Status>;
    // The end of a step under an impulse on the body's velocities, from a state that stays; then taken.
    { body.trial(dt, impulse) } -> std::same_as<StepReport>;
    body.commit();
    { fixed.kinetic_energy() } -> std::convertible_to<double>;
    { fixed.elastic_energy() } -> std::convertible_to<double>;
};

// One that hangs on a support and deforms; the others have a pose of their own.
template <class Body>
concept SoftBodyKind = BodyKind<Body> && requires(Body& body, const Body& fixed, int vertex) {
    { body.set_frame(fixed.frame()) } -> std::same_as<Status>;
    { fixed.state().q } -> std::convertible_to<Eigen::VectorXd>;
    { fixed.state().v } -> std::convertible_to<Eigen::VectorXd>;
    { fixed.displacement(vertex) } -> std::convertible_to<Eigen::Vector3d>;
    { fixed.velocity(vertex) } -> std::convertible_to<Eigen::Vector3d>;
};

}  // namespace limber
