// SPDX-License-Identifier: Apache-2.0
// What a kind of body must offer to live in a world. A new kind is a class that does, a place in AnyBody, a
// Method and its settings.
#pragma once
#include <limber/integrate/step_report.h>
#include <limber/model/vertex_force.h>
#include <limber/result.h>
#include <limber/rigid/rigid_body.h>

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

// What contact asks of a kind, on top; docs/math/contact.md, section 5. Velocities v are the kind's own.
// Trees of domains, whose matrix is never formed, have their own way (contact_trees.cpp).
template <class Body>
concept TouchingKind = BodyKind<Body> &&
    requires(Body& body, const Body& fixed, double seconds, int vertex, const Eigen::Matrix3d& axes,
             Eigen::VectorXd& v, Eigen::MatrixXd& A, Eigen::Map<Eigen::Matrix3Xd>& rows) {
    { fixed.velocity_size() } -> std::convertible_to<Eigen::Index>;
    // At the start of the step and at the end of the last trial, and how an impulse changes that: A Δv = P.
    fixed.start_velocity(v);
    fixed.trial_velocity(v);
    body.trial_matrix(A);
    // Moves to the half-drifted pose, where Jacobians are taken: rows += weight · axes · ∂x/∂v of a vertex.
    // Axes are directions in the world, or in the frame of a body on a support.
    body.drift(seconds);
    fixed.add_rows(vertex, seconds, axes, rows);
    { body.trial_touching(seconds, v) } -> std::same_as<StepReport>;
    body.halt();
};

// One that deforms: displacement and velocity are those in its frame.
template <class Body>
concept SoftBodyKind = BodyKind<Body> && requires(const Body& fixed, int vertex) {
    { fixed.state().q } -> std::convertible_to<Eigen::VectorXd>;
    { fixed.state().v } -> std::convertible_to<Eigen::VectorXd>;
    { fixed.displacement(vertex) } -> std::convertible_to<Eigen::Vector3d>;
    { fixed.velocity(vertex) } -> std::convertible_to<Eigen::Vector3d>;
};

// One that hangs on a support.
template <class Body>
concept CarriedBodyKind = BodyKind<Body> && requires(Body& body, const Body& fixed) {
    { body.set_frame(fixed.frame()) } -> std::same_as<Status>;
};

// One that has a pose, a mass and momenta of its own. One that is also a CarriedBodyKind is either, and
// flies() says which.
template <class Body>
concept FlyingBodyKind = BodyKind<Body> &&
    requires(Body& body, const Body& fixed, int vertex, const Eigen::Vector3d& x) {
    { fixed.rigid_state() } -> std::convertible_to<RigidState>;
    { body.place(fixed.pose(), x, x) } -> std::same_as<Status>;
    { fixed.mass() } -> std::convertible_to<double>;
    { fixed.velocity() } -> std::convertible_to<Eigen::Vector3d>;
    { fixed.angular_velocity() } -> std::convertible_to<Eigen::Vector3d>;
    { fixed.point_velocity(vertex) } -> std::convertible_to<Eigen::Vector3d>;
};

}  // namespace limber
