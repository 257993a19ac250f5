// SPDX-License-Identifier: Apache-2.0
// Trees of domains in contact: a surface for each domain, and in the solver as many coordinates as contact
// can tell apart. Equation numbers: docs/math/contact.md.
#include "limber/world/contact_stage.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::Map;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// The fastest that any point of a domain can be with a twist of its frame, in its axes, and rates of its
// coordinates, m/s.
template <class Rates>
double domain_speed(const TouchSurface& part, double scale, const Vector6d& twist,
                    const Eigen::Ref<const VectorXd>& q, const Rates& v) {
    double farthest = part.radius, rate = 0;
    for (Index k = 0; k < q.size(); ++k) {
        farthest += part.reach[k] * std::abs(q[k]);
        rate += part.reach[k] * std::abs(v[k]);
    }
    return twist.head<3>().norm() + scale * (twist.tail<3>().norm() * farthest + rate);
}

DomainsBody& tree_of(AnyBody& body) {
    return std::get<DomainsBody>(body);
}

}  // namespace

std::shared_ptr<const TouchSurface> make_touch_tree(const std::shared_ptr<const Model>& model) {
    auto out = std::make_shared<TouchSurface>();
    bool touches = false;
    for (const DomainPart& part : model->domains->parts) {
        out->parts.push_back(
            make_touch_surface(part.model, part.model->rank > 0 ? Method::Stvk : Method::Rigid));
        if (const auto& made = out->parts.back()) {
            touches = true;
            out->young = std::max(out->young, made->young);
            out->density = std::max(out->density, made->density);
        }
    }
    if (!touches) return nullptr;
    Eigen::AlignedBox3d box;
    for (const Vector3d& x : model->surface.vertices)
        box.extend(x);
    out->size = box.diagonal().norm();
    return out;
}

void ContactStage::describe_tree(WorldBody& body, std::size_t place, const SurfaceMoment& common, double half,
                                 double dt) {
    DomainsBody& tree = tree_of(body.body_);
    TouchingBody& t = touching[place];
    tree.drift(half);
    t.now = t.start = Pose{};
    if (!body.flies()) {
        t.frame = body.frame_motion();
        const Pose end = body.pose();
        t.now = moved_back(end, t.frame, half);
        t.start = moved_back(end, t.frame, 2 * half);
    }
    const TreeTouch& at = tree.touching();
    const VectorXd &q = tree.state().q, &v = tree.state().v, &end_v = tree.trial_rates();
    const bool moves = half > 0;
    for (std::size_t d = 0; d < tree.tree().size(); ++d) {
        const TreeDomain& domain = tree.tree().domains[d];
        const TouchSurface* part = t.shared->parts[std::size_t(domain.part)].get();
        if (!part || tree.settings().domains[d].detached) continue;
        SurfaceMoment moment = common;
        moment.surface = part->surface.get();
        if (!t.tree->self_bounds.empty())
            moment.self_bound = t.tree->self_bounds[std::size_t(domain.part)].get();
        moment.domain = static_cast<std::uint32_t>(d);
        moment.parent = domain.parent;
        const auto rank = std::size_t(domain.rank);
        moment.now.scale = moment.start.scale = domain.scale;
        moment.now.q = {at.q.data() + domain.first, rank};
        moment.start.q = {q.data() + domain.first, rank};
        const Matrix3d& R = at.rotations[d];
        const Pose now{at.positions[d], Eigen::Quaterniond(R)};
        const Vector6d twist = at.start.col(Index(d));
        FrameMotion motion;
        motion.velocity = R * twist.head<3>();
        motion.angular_velocity = R * twist.tail<3>();
        moment.now.pose = t.now * now;
        moment.start.pose = moves ? t.start * moved_back(now, motion, half) : moment.now.pose;
        if (moves) {
            const Vector6d change = at.end.col(Index(d)) - twist;
            moment.extra_drift =
                dt *
                domain_speed(*part, domain.scale, change, at.q.segment(domain.first, domain.rank),
                             end_v.segment(domain.first, domain.rank) - v.segment(domain.first, domain.rank));
        }
        surfaces_.push_back(moment);
        body_of_surface_.push_back(place);
    }
}

std::size_t ContactStage::add_tree_rows(const WorldBody& body, TouchingTree& tree,
                                        const SurfaceMoment& surface, const SurfacePoint& point,
                                        const Matrix3d& axes, const Matrix3d& axes_cross_offset) {
    const auto& of = std::get<DomainsBody>(body.body_);
    const auto domain = static_cast<int>(surface.domain);
    Map<Matrix3Xd> rows = tree.coordinates.add(domain, of.tree().domains[std::size_t(domain)].rank);
    for (std::size_t k = 0; k < 3; ++k)
        if (point.weights[Index(k)] != 0)
            of.add_rows(domain, point.vertices[k], point.weights[Index(k)], axes, rows);
    rows.middleCols<3>(3) -= axes_cross_offset * surface.now.pose.orientation.toRotationMatrix();
    return tree.coordinates.points() - 1;
}

Vector3d ContactStage::tree_velocity(const WorldBody& body, const TouchingTree& tree, std::size_t point,
                                     Moment moment) const {
    const auto& of = std::get<DomainsBody>(body.body_);
    const int d = tree.coordinates.domain(point);
    const TreeDomain& domain = of.tree().domains[std::size_t(d)];
    const auto rows = tree.coordinates.rows(point);
    const bool start = moment == Moment::Start || body.asleep();
    const VectorXd& v = start ? of.state().v : of.trial_rates();
    Vector3d out = rows.leftCols<6>() * (start ? of.touching().start : of.touching().end).col(d);
    out += rows.rightCols(domain.rank).lazyProduct(v.segment(domain.first, domain.rank));
    return out;
}

void ContactStage::reduce_tree(WorldBody& body, TouchingBody& t) {
    DomainsBody& of = tree_of(body.body_);
    TouchingTree& tree = *t.tree;
    TreePaths& paths = of.touch_domains(tree.coordinates.find_domains());
    tree.coordinates.reduce(paths);
    const auto most = std::size_t(std::max<Index>(1, tree.coordinates.entries()));
    const auto size = std::size_t(tree.coordinates.size());
    tree.y.resize(std::size_t(paths.size()));
    tree.impulses.resize(tree.y.size());
    for (std::vector<double>* w : {&tree.free_velocity, &tree.velocity, &tree.real_velocity}) {
        w->reserve(most);  // linearised anew, there may be more of them
        w->resize(size);
    }
    Map<VectorXd> y(tree.y.data(), paths.size());
    of.trial_velocities(y);
    tree.coordinates.coordinates(tree.y, tree.free_velocity);
    of.start_velocities(y);
    tree.coordinates.coordinates(tree.y, tree.velocity);
}

// Of all contacts of a tree, each with room for as many coordinates as there can be.
void ContactStage::add_reduced_rows(const TouchingBody& t) {
    const TreeCoordinates& of = t.tree->coordinates;
    const auto add = [&](int body, int point, std::size_t& first) {
        if (body != t.place || point < 0) return;
        first = problem_.rows.size();
        problem_.rows.resize(first + 3 * std::size_t(std::max<Index>(1, of.entries())));
        of.reduced_rows(std::size_t(point), {problem_.rows.data() + first, 3, of.size()});
    };
    for (std::size_t c = 0; c < problem_.contacts.size(); ++c) {
        SolverContact& contact = problem_.contacts[c];
        add(contact.a, tree_points_[c].a, contact.rows_a);
        add(contact.b, tree_points_[c].b, contact.rows_b);
    }
}

bool ContactStage::try_tree(WorldBody& body, TouchingBody& t, const Island& island, double dt) {
    DomainsBody& of = tree_of(body.body_);
    TouchingTree& tree = *t.tree;
    std::fill(tree.impulses.begin(), tree.impulses.end(), 0.0);
    for (const int c : island.contacts) {
        const SolverContact& contact = problem_.contacts[std::size_t(c)];
        const TreePoints& at = tree_points_[std::size_t(c)];
        if (contact.a == t.place)
            tree.coordinates.add_impulse(std::size_t(at.a), contact.impulse, tree.impulses);
        if (contact.b == t.place)
            tree.coordinates.add_impulse(std::size_t(at.b), -contact.impulse, tree.impulses);
    }
    const StepReport before = body.report_;
    body.report_ =
        of.trial_touching(dt, Map<const VectorXd>(tree.impulses.data(), Index(tree.impulses.size())));
    add_work(before, body.report_);
    if (!body.report_.converged) return false;
    of.trial_velocities(Map<VectorXd>(tree.y.data(), Index(tree.y.size())));
    tree.coordinates.coordinates(tree.y, tree.real_velocity);
    return true;
}

// L there, and the w* from which the same impulses lead there.                                       (51)
void ContactStage::linearize_tree(WorldBody& body, TouchingBody& t, const Island& island) {
    TouchingTree& tree = *t.tree;
    reduce_tree(body, t);  // free: at the end of the trial
    tree.velocity = tree.free_velocity;
    std::construct_at(&problem_.bodies[std::size_t(t.place)], tree.free_velocity, tree.velocity);
    Map<VectorXd> free(tree.free_velocity.data(), Index(tree.free_velocity.size()));
    const auto pass = [&](int point, std::size_t first, const Vector3d& impulse) {
        Map<Matrix3Xd> rows(problem_.rows.data() + first, 3, tree.coordinates.size());
        tree.coordinates.reduced_rows(std::size_t(point), rows);
        free -= rows.transpose().lazyProduct(impulse);
    };
    for (const int c : island.contacts) {
        const SolverContact& contact = problem_.contacts[std::size_t(c)];
        if (contact.a == t.place) pass(tree_points_[std::size_t(c)].a, contact.rows_a, contact.impulse);
        if (contact.b == t.place) pass(tree_points_[std::size_t(c)].b, contact.rows_b, -contact.impulse);
    }
}

double ContactStage::tree_speed(WorldBody& body, const TouchingBody& t) {
    DomainsBody& of = tree_of(body.body_);
    of.update_start();
    double fastest = 0;
    for (std::size_t d = 0; d < of.tree().size(); ++d) {
        const TreeDomain& domain = of.tree().domains[d];
        const auto& part = t.shared->parts[std::size_t(domain.part)];
        if (!part || of.settings().domains[d].detached) continue;
        fastest = std::max(fastest, domain_speed(*part, domain.scale, of.touching().start.col(Index(d)),
                                                 of.state().q.segment(domain.first, domain.rank),
                                                 of.state().v.segment(domain.first, domain.rank)));
    }
    return fastest;
}

}  // namespace limber
