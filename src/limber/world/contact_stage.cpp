// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/contact.md.
#include "limber/world/contact_stage.h"

#include "limber/rigid/cross_matrix.h"
#include "limber/world/body_kind.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <tuple>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Two unit vectors that make a right-handed frame with n (Duff et al. 2017).
Matrix3d frame_of(const Vector3d& n) {
    const double sign = std::copysign(1.0, n.z()), a = -1 / (sign + n.z()), b = n.x() * n.y() * a;
    Matrix3d out;
    out.row(0) = n;
    out.row(1) = Vector3d(1 + sign * n.x() * n.x() * a, sign * b, -sign * n.x());
    out.row(2) = Vector3d(b, sign + n.y() * n.y() * a, -n.y());
    return out;
}

Vector3d point_velocity_of(const FrameMotion& motion, const Pose& pose, const Vector3d& x) {
    return motion.velocity + motion.angular_velocity.cross(x - pose.position);
}

}  // namespace

void ContactStage::move_obstacles(double dt) {
    for (WorldObstacle& obstacle : state.obstacles) {
        if (!obstacle.path_) continue;
        obstacle.path_elapsed_ += dt;
        const SupportMoment moment = at(*obstacle.path_, obstacle.path_elapsed_);
        obstacle.pose_ = {obstacle.path_start_.position + moment.pose.position,
                          (moment.pose.orientation * obstacle.path_start_.orientation).normalized()};
        obstacle.motion_ = moment.motion;
        if (moment.over) obstacle.path_.reset();
    }
}

void ContactStage::read_devices(double dt) {
    for (WorldDevice& device : state.devices)
        device.begin_step(dt);
}

void ContactStage::move_proxies(double dt) {
    for (std::size_t d = 0; d < state.devices.size(); ++d) {
        WorldDevice& device = state.devices[d];
        const TouchingBody* t =
            on() && prepared ? &touching[touching.size() - state.devices.size() + d] : nullptr;
        device.end_step(t && t->place >= 0 ? Vector3d(t->real_velocity) : device.step_.velocity_free, dt);
    }
}

// Jacobian rows and laws of the contacts that count; those that stay apart in the step do not.
void ContactStage::build_problem(std::vector<WorldBody>& bodies, double dt, const ParallelFor& parallel) {
    const ContactSettings& settings = *state.settings;
    const double margin = state.report.margin;
    problem_.bodies.clear();
    problem_.contacts.clear();
    problem_.rows.clear();
    axes_.clear();
    tree_points_.clear();
    for (TouchingBody& t : touching)
        if (t.tree) t.tree->coordinates.clear();
    // The first entry of the rows; of a tree the number of the point.
    const auto add_rows = [&](std::size_t place, std::int32_t surface, const SurfacePoint& point,
                              const Matrix3d& axes, const Vector3d& offset) {
        TouchingBody& t = touching[place];
        if (t.tree)
            return add_tree_rows(bodies[place], *t.tree, surfaces_[std::size_t(surface)], point,
                                 bodies[place].flies() ? axes : axes * t.now.orientation.toRotationMatrix(),
                                 axes * cross_matrix(offset));
        const std::size_t first = problem_.rows.size();
        problem_.rows.resize(first + 3 * std::size_t(t.start_velocity.size()), 0.0);
        Eigen::Map<Eigen::Matrix3Xd> rows(problem_.rows.data() + first, 3, t.start_velocity.size());
        rows.setZero();
        if (is_device(place)) {
            rows = axes;
            return first;
        }
        const Matrix3d own =
            bodies[place].flies() ? axes : Matrix3d(axes * t.now.orientation.toRotationMatrix());
        visit_touching(
            [&](const auto& each) {
                for (std::size_t k = 0; k < 3; ++k)
                    if (point.weights[Index(k)] != 0)
                        each.add_rows(point.vertices[k], point.weights[Index(k)], own, rows);
            },
            bodies[place].body_);
        if (bodies[place].flies())
            rows.middleCols<3>(3) -= axes * cross_matrix(offset) * t.now.orientation.toRotationMatrix();
        return first;
    };
    const auto support_velocity = [&](std::size_t place, const Vector3d& x) -> Vector3d {
        if (bodies[place].flies()) return Vector3d::Zero();
        return point_velocity_of(touching[place].frame, touching[place].now, x);
    };
    const auto friction_of = [&](const std::optional<double>& own) {
        return own.value_or(settings.friction);
    };

    std::size_t kept = 0;
    for (const ContactPoint& point : points_) {
        if (!(point.area > 0)) continue;
        const std::size_t a = body_of_surface_[std::size_t(point.body_a)];
        const Matrix3d axes = frame_of(point.normal);
        SolverContact contact;
        const std::size_t rows_before = problem_.rows.size();
        contact.a = static_cast<int>(a);  // a place in the list of bodies until all are known
        // Impulses on two bodies act in one point, half-way between theirs: no torque is left over.     (48)
        contact.rows_a = add_rows(a, point.body_a, point.a, axes, -0.5 * point.apart);
        Vector3d bias = support_velocity(a, point.position);
        double friction = friction_of(bodies[a].touch_.friction);
        ContactMemory who{.a = bodies[a].id_.number,
                          .domain_a = surfaces_[std::size_t(point.body_a)].domain,
                          .key = point.key};
        TreePoints in_trees;
        if (touching[a].tree) in_trees.a = static_cast<int>(contact.rows_a);
        if (point.body_b >= 0) {
            const std::size_t b = body_of_surface_[std::size_t(point.body_b)];
            contact.b = static_cast<int>(b);
            contact.rows_b = add_rows(b, point.body_b, point.b, axes, 0.5 * point.apart);
            bias -= support_velocity(b, point.position);
            friction *= friction_of(bodies[b].touch_.friction);
            who.b = bodies[b].id_.number;
            who.domain_b = surfaces_[std::size_t(point.body_b)].domain;
            if (touching[b].tree) in_trees.b = static_cast<int>(contact.rows_b);
        } else if (const auto d = std::size_t(point.obstacle); d >= state.obstacles.size()) {
            const std::size_t b = bodies.size() + d - state.obstacles.size();
            contact.b = static_cast<int>(b);
            contact.rows_b = add_rows(b, -1, {}, axes, Vector3d::Zero());
            friction *= friction_of(device_at(b).settings_.friction);
            who.device = device_at(b).id_.number;
        } else {
            const WorldObstacle& obstacle = state.obstacles[std::size_t(point.obstacle)];
            bias -= point_velocity_of(obstacle.motion_, obstacles_[std::size_t(point.obstacle)].now,
                                      point.position);
            friction *= friction_of(obstacle.friction_);
            who.obstacle = obstacle.id_.number;
        }
        contact.bias = axes * bias;
        contact.coefficient = std::sqrt(friction);  // the geometric mean
        const auto velocity_of = [&](VectorXd TouchingBody::*v) {
            const auto part = [&](int place, std::size_t first) -> Vector3d {
                const TouchingBody& t = touching[std::size_t(place)];
                if (t.tree)
                    return tree_velocity(bodies[std::size_t(place)], *t.tree, first,
                                         v == &TouchingBody::start_velocity ? Moment::Start : Moment::End);
                const VectorXd& of = v == &TouchingBody::free_velocity && is_device(std::size_t(place))
                                         ? t.real_velocity
                                         : t.*v;
                return Eigen::Map<const Eigen::Matrix3Xd>(problem_.rows.data() + first, 3, of.size()) * of;
            };
            Vector3d u = contact.bias + part(contact.a, contact.rows_a);
            if (contact.b >= 0) u -= part(contact.b, contact.rows_b);
            return u;
        };
        contact.velocity = velocity_of(&TouchingBody::start_velocity);
        const double before = contact.velocity[0], after = velocity_of(&TouchingBody::free_velocity)[0];
        if (!(point.gap + dt * std::min(before, after) < margin || point.gap - 0.5 * dt * before < 0)) {
            problem_.rows.resize(rows_before);
            if (in_trees.b >= 0) touching[std::size_t(contact.b)].tree->coordinates.drop_last();
            if (in_trees.a >= 0) touching[std::size_t(contact.a)].tree->coordinates.drop_last();
            continue;
        }
        contact.normal = {.dt = dt,
                          .stiffness = state.report.stiffness * point.area,
                          .dissipation = settings.dissipation,
                          .gap = point.gap,
                          .start_velocity = before,
                          .regime = who.device != 0 ? NormalRegime::Slow : regime_of(before)};
        contact.friction = {.dt = dt, .stiffness = contact.normal.stiffness};
        const auto last = std::lower_bound(
            state.memory.begin(), state.memory.end(), who,
            [](const ContactMemory& x, const ContactMemory& y) { return order_of(x) < order_of(y); });
        if (last != state.memory.end() && order_of(*last) == order_of(who)) {
            contact.friction.anchor = (axes * last->anchor).tail<2>();
            contact.friction.radius = contact.coefficient * last->impulse;
        }
        problem_.contacts.push_back(contact);
        axes_.push_back(axes);
        tree_points_.push_back(in_trees);
        points_[kept++] = point;
    }
    points_.resize(kept);

    // Bodies that have a contact, in their order.
    for (const SolverContact& contact : problem_.contacts) {
        touching[std::size_t(contact.a)].place = 0;
        if (contact.b >= 0) touching[std::size_t(contact.b)].place = 0;
    }
    body_in_problem_.clear();
    for (std::size_t i = 0; i < touching.size(); ++i) {
        TouchingBody& t = touching[i];
        if (!t.takes_part || t.place < 0) continue;
        t.place = static_cast<int>(body_in_problem_.size());
        body_in_problem_.push_back(i);
        if (t.tree) {
            reduce_tree(bodies[i], t);
            problem_.bodies.emplace_back(t.tree->free_velocity, t.tree->velocity);
            continue;
        }
        t.velocity = t.start_velocity;
        problem_.bodies.emplace_back(&t.A, &t.free_velocity, &t.velocity);
    }
    for_each_index(parallel, static_cast<int>(body_in_problem_.size()), [&](int k) {
        const std::size_t i = body_in_problem_[std::size_t(k)];
        TouchingBody& t = touching[i];
        if (!t.tree && !is_device(i))
            visit_touching([&](auto& each) { each.trial_matrix(t.A); }, bodies[i].body_);
    });
    for (SolverContact& contact : problem_.contacts) {
        contact.a = touching[std::size_t(contact.a)].place;
        if (contact.b >= 0) contact.b = touching[std::size_t(contact.b)].place;
    }
    for (const std::size_t i : body_in_problem_)
        if (touching[i].tree) add_reduced_rows(touching[i]);
}

void ContactStage::run(std::vector<WorldBody>& bodies, double gravity, double dt,
                       const ParallelFor& parallel) {
    ContactReport& report = state.report;
    if (!prepared) choose_automatic_values(bodies, gravity);
    prepared = true;
    report.enabled = true;
    report.points = report.touching = report.islands = report.iterations = report.linearizations = 0;
    report.not_converged = report.speeds_off = report.radii_unsettled = report.reverted = 0;
    report.residual = report.depth = report.speed_error = 0;
    DetectOptions options;
    options.margin = report.margin;
    // A proxy may come twice as far as in the last step, as far as its device moved and some of its radius
    // more: contacts within that distance are known.
    for (WorldDevice& device : state.devices) {
        const double distance = 2 * dt * device.proxy_.velocity.norm() +
                                (device.input_.position - device.position_before_).norm() +
                                std::max(report.margin, 0.01 * device.settings_.radius);
        device.most_distance_ = std::min(device.most_distance_, distance);
        options.margin = std::max(options.margin, report.margin + device.most_distance_);
    }
    options.self = state.settings->self;
    // Each time somebody wakes, at most as often as there are groups.
    do {
        describe(bodies, dt);
        options.before = before_;
        const DetectReport found = detect(surfaces_, obstacles_, options, detect_work_, points_);
        report.left_out = found.left_out;
        report.cut_short = found.cut_short;
        report.refused = found.refused;
    } while (wake_touched(bodies, dt));
    build_problem(bodies, dt, parallel);
    islands_.find(problem_);
    report.islands = static_cast<int>(islands_.size());
    solve_islands(bodies, dt, parallel);
    remember(bodies, dt);
}

}  // namespace limber
