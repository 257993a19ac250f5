// SPDX-License-Identifier: Apache-2.0
// What contact asks of a tree of domains. Equation numbers: docs/math/contact.md.
#include "limber/domains/domains_body_impl.h"
#include "limber/domains/tree_views.h"
#include "limber/rigid/cross_matrix.h"

#include <Eigen/Geometry>
#include <cassert>

namespace limber {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// The root's twist in its own axes, taken to another pose: the velocity of the centre of mass stays as it is
// in the world, and what the root has beside it turns with the tree, as does the spin.
Vector6d root_twist(const TreeState& state, const TreeMomentum& momentum, const Matrix3d& there) {
    const Vector3d v = momentum.momentum / momentum.mass;
    Vector6d out;
    out << there.transpose() * v - state.root.orientation.conjugate() * (v - state.velocity),
        state.angular_velocity;
    return out;
}

// Twists of all frames from that of the root and the rates of the coordinates.
void spread(const DomainTree& tree, const TreeWork& work, const Vector6d& root, const VectorXd& v,
            Matrix6Xd& out) {
    out.col(0) = root;
    for (std::size_t i = 1; i < tree.size(); ++i) {
        const TreeDomain& d = tree.domains[i];
        const TreeDomain& up = tree.domains[std::size_t(d.parent)];
        out.col(Index(i)) = to_child(work.nodes[i].link, out.col(d.parent),
                                     link_sum(link_rows(work.phi, d, up), segment(v, up).data()));
    }
}

}  // namespace

void DomainsBody::Impl::drift() {
    const bool free = settings.mount == RootMount::Free;
    const std::size_t count = tree().size();
    touch.q = state.q + touch.seconds * state.v;
    RootMotion root;
    if (free)
        root.pose = {
            state.root.position,
            (state.root.orientation * exp_rotation(touch.seconds * state.angular_velocity)).normalized()};
    placed = false;
    TreeWork& work = stepper.work;
    evaluate_motion(tree(), settings.domains, root, touch.q, state.v, work);
    touch.root_position = root.pose.position;
    if (free && has_end) {
        // The centre of mass goes straight on; contact counts moments from there.
        const TreeMomentum& at = stepper.start_momentum;
        const DomainNode& first = work.nodes[0];
        touch.root_position =
            at.centre + touch.seconds / at.mass * at.momentum - first.R * first.subtree_centre;
        const Vector3d shift = touch.root_position - root.pose.position;
        for (DomainNode& node : work.nodes)
            node.x += shift;
    }
    touch.positions.resize(count);
    touch.rotations.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        touch.positions[i] = work.nodes[i].x;
        touch.rotations[i] = work.nodes[i].R;
    }
    touch.drifted = true;
}

void DomainsBody::drift(double seconds) {
    Impl& in = *impl_;
    in.touch.seconds = seconds;
    in.drift();
    const auto count = Index(in.tree().size());
    const bool free = in.settings.mount == RootMount::Free;
    const Matrix3d& R = in.touch.rotations[0];
    in.touch.start.resize(6, count);
    in.touch.end.resize(6, count);
    const auto root_of = [&](const TreeState& state, const TreeMomentum& momentum) -> Vector6d {
        if (!free || !in.has_end) return Vector6d::Zero();
        return root_twist(state, momentum, R);
    };
    spread(in.tree(), in.stepper.work, root_of(in.state, in.stepper.start_momentum), in.state.v,
           in.touch.start);
    if (in.has_end)
        spread(in.tree(), in.stepper.work, root_of(in.next, in.stepper.end_momentum), in.next.v,
               in.touch.end);
    else
        in.touch.end = in.touch.start;
}

const TreeTouch& DomainsBody::touching() const {
    return impl_->touch;
}

// [n t₁ t₂]ᵀ R [1, −[sx]×, sU].                                                                      (48)
void DomainsBody::add_rows(int domain, int vertex, double weight, const Matrix3d& axes,
                           Eigen::Ref<Eigen::Matrix3Xd> rows) const {
    const Impl& in = *impl_;
    const TreeDomain& d = in.tree().domains[std::size_t(domain)];
    const ModelSurface& surface = in.part_of(domain).surface;
    const Matrix3d turned = weight * axes * in.touch.rotations[std::size_t(domain)];
    Vector3d x = surface.vertices[std::size_t(vertex)];
    if (d.rank > 0) {
        const auto U = surface.basis.middleRows<3>(3 * Index(vertex));
        x += U.lazyProduct(in.touch.q.segment(d.first, d.rank));
        for (Index k = 0; k < d.rank; ++k)
            rows.col(6 + k).noalias() += turned * (d.scale * U.col(k));
    }
    rows.leftCols<3>() += turned;
    rows.middleCols<3>(3) -= turned * cross_matrix(d.scale * x);
}

TreePaths& DomainsBody::touch_domains(std::span<const int> domains) {
    Impl& in = *impl_;
    assert(in.settings.coupling == Coupling::Exact && in.trial_dt > 0);
    if (!in.touch.drifted) in.drift();
    // The stiffness is that of the last Newton iteration. Where it is not positive the mass is left.
    const double h = in.trial_dt;
    const TreeDamping damping{in.settings.alpha, in.settings.beta};
    TreeWork& work = in.stepper.work;
    if (!factorize_tree(in.tree(), in.settings.domains, Coupling::Exact, damping,
                        {.damping = 0.5 * h, .stiffness = 0.25 * h * h}, work))
        factorize_tree(in.tree(), in.settings.domains, Coupling::Exact, {}, {}, work);
    in.touch.paths.copy(in.tree(), in.settings.domains, in.settings.mount, work, domains);
    return in.touch.paths;
}

const VectorXd& DomainsBody::trial_rates() const {
    return impl_->next.v;
}

void DomainsBody::update_start() {
    Impl& in = *impl_;
    Vector6d root = Vector6d::Zero();
    if (in.settings.mount == RootMount::Free)
        root << in.state.root.orientation.conjugate() * in.state.velocity, in.state.angular_velocity;
    spread(in.tree(), in.stepper.work, root, in.state.v, in.touch.start);
}

void DomainsBody::start_velocities(Eigen::Ref<VectorXd> y) const {
    impl_->touch.paths.velocities(impl_->touch.start.col(0), impl_->state.v, y);
}

void DomainsBody::trial_velocities(Eigen::Ref<VectorXd> y) const {
    const Impl& in = *impl_;
    Vector6d root = Vector6d::Zero();
    if (in.settings.mount == RootMount::Free)
        root = root_twist(in.next, in.stepper.end_momentum, in.touch.rotations[0]);
    in.touch.paths.velocities(root, in.next.v, y);
}

StepReport DomainsBody::trial_touching(double dt, const Eigen::Ref<const VectorXd>& impulses) {
    TreeTouch& touch = impl_->touch;
    TreeImpulse on;
    Vector6d root;
    touch.impulse.resize(tree().coordinates);
    touch.paths.generalize(impulses, touch.impulse, root);
    on.coordinates = &touch.impulse;
    const Matrix3d& R = touch.rotations[0];
    on.sum = R * root.head<3>();
    on.moment = R * root.tail<3>();
    on.about = touch.root_position;
    return impl_->trial(dt, &on);
}

void DomainsBody::halt() {
    impl_->state.v.setZero();
    impl_->state.velocity.setZero();
    impl_->state.angular_velocity.setZero();
    impl_->placed = false;
}

}  // namespace limber
