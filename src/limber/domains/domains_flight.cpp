// SPDX-License-Identifier: Apache-2.0
// A tree with a free root: where it is and how it moves as a whole.
#include "limber/domains/domains_body_impl.h"

#include <Eigen/Geometry>

namespace limber {

using Eigen::Vector3d;
using Eigen::VectorXd;

bool DomainsBody::flies() const {
    return impl_->settings.mount == RootMount::Free;
}

Pose DomainsBody::pose() const {
    return impl_->state.root;
}

TreeMomentum DomainsBody::momentum() const {
    impl_->place();
    TreeMomentum out = tree_momentum(tree(), impl_->state.v, impl_->stepper.work);
    if (!flies()) return out;
    const Pose& root = impl_->state.root;
    const Eigen::Matrix3d R = root.orientation.toRotationMatrix();
    out.centre = root * out.centre;
    out.momentum = R * out.momentum;
    out.angular_momentum = R * out.angular_momentum;
    out.inertia = R * out.inertia * R.transpose();
    return out;
}

double DomainsBody::mass() const {
    impl_->place();
    return impl_->stepper.work.nodes[0].subtree_mass;
}

Vector3d DomainsBody::velocity() const {
    const TreeMomentum now = momentum();
    return now.momentum / now.mass;
}

Vector3d DomainsBody::angular_velocity() const {
    return impl_->state.root.orientation * impl_->state.angular_velocity;
}

Vector3d DomainsBody::point_velocity(int vertex) const {
    impl_->place();
    return impl_->state.root.orientation * impl_->averaged(vertex, [&](int k) { return impl_->rate_of(k); });
}

RigidState DomainsBody::rigid_state() const {
    const TreeMomentum now = momentum();
    return {.time = impl_->state.time,
            .position = now.centre,
            .orientation = impl_->state.root.orientation,
            .momentum = now.momentum,
            .angular_momentum = now.angular_momentum};
}

Status DomainsBody::place(const Pose& root, const Vector3d& velocity, const Vector3d& angular_velocity) {
    Impl& in = *impl_;
    if (!flies()) return InputError{"placement", "the tree's root is carried: its support places it", ""};
    if (auto problem = pose_problem(root)) return problem;
    TreeState state = in.state;
    state.root.position = root.position;
    state.root.orientation = root.orientation.normalized();
    state.angular_velocity = state.root.orientation.conjugate() * angular_velocity;
    // The root's origin moves such that the centre has the velocity: P = m v₀ + P(v₀ = 0).
    RootMotion turning;
    turning.twist << Vector3d::Zero(), state.angular_velocity;
    in.placed = false;
    evaluate_motion(tree(), in.settings.domains, turning, state.q, state.v, in.stepper.work);
    const TreeMomentum still = tree_momentum(tree(), state.v, in.stepper.work);
    state.velocity = velocity - state.root.orientation * Vector3d(still.momentum / still.mass);
    return set_state(state);
}

Status DomainsBody::set_shape(const VectorXd& q, const VectorXd& v) {
    const TreeState before = impl_->state;
    const Vector3d speed = flies() ? velocity() : Vector3d::Zero();
    TreeState state = before;
    state.q = q;
    state.v = v;
    state.frame.reset();
    if (Status set = set_state(state); !set.ok() || !flies()) return set;
    Status placed = place(before.root, speed, angular_velocity());
    if (placed.ok()) return placed;
    const Status back = set_state(before);
    return back.ok() ? placed : back;
}

}  // namespace limber
