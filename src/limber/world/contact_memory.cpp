// SPDX-License-Identifier: Apache-2.0
// What a world tells and remembers of contact after a step, and who sleeps. Equation numbers:
// docs/math/contact.md.
#include "limber/world/contact_stage.h"

#include <algorithm>
#include <cmath>

namespace limber {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::VectorXd;

double point_speed(const WorldBody& body, const VectorXd& reach, const VectorXd& v) {
    if (!body.flies()) return reach.dot(v.cwiseAbs());
    const Index rest = v.size() - 6;  // of the shape
    return v.head<3>().norm() + reach[3] * v.segment<3>(3).norm() +
           reach.tail(rest).dot(v.tail(rest).cwiseAbs());
}

// Whoever sleeps and is touched wakes with all that it fell asleep with. Whether anyone did.
bool ContactStage::wake_touched(std::vector<WorldBody>& bodies, double dt) {
    bool woke = false;
    const auto wake_group = [&](std::int32_t surface) {
        if (surface < 0) return;
        const std::uint32_t group = bodies[body_of_surface_[std::size_t(surface)]].sleep_group_;
        if (group == 0) return;
        woke = true;
        for (WorldBody& body : bodies)
            if (body.sleep_group_ == group) {
                body.wake();
                body.report_ = std::visit([&](auto& each) { return each.trial(dt); }, body.body_);
            }
    };
    for (const ContactPoint& point : points_) {
        wake_group(point.body_a);
        wake_group(point.body_b);
    }
    return woke;
}

// Reports, and what the next step needs. Contacts among sleepers stay as they were.
void ContactStage::remember(std::vector<WorldBody>& bodies, double dt) {
    ContactReport& report = state.report;
    next_memory_.clear();
    next_points_.clear();
    next_contacts_.clear();
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (!bodies[i].asleep()) bodies[i].contacts_ = {};
    for (WorldDevice& device : state.devices)
        std::tie(device.contacts_, device.depth_) = std::pair(0, 0.0);
    const auto sleeps = [&](std::uint32_t number) {
        const auto found = std::lower_bound(
            bodies.begin(), bodies.end(), number,
            [](const WorldBody& body, std::uint32_t wanted) { return body.id_.number < wanted; });
        return found != bodies.end() && found->id_.number == number && found->asleep();
    };
    // Both lists are in the same order.
    std::size_t old = 0;
    const auto copy_sleepers_before = [&](const ContactMemory* limit) {
        for (; old < state.memory.size(); ++old) {
            const ContactMemory& memory = state.memory[old];
            if (limit && !(order_of(memory) < order_of(*limit))) return;
            if (!sleeps(memory.a) || (memory.b != 0 && !sleeps(memory.b))) continue;
            next_memory_.push_back(memory);
            next_points_.push_back(state.points[old]);
            next_contacts_.push_back(state.contacts[old]);
        }
    };
    for (std::size_t c = 0; c < points_.size(); ++c) {
        const ContactPoint& point = points_[c];
        const SolverContact& contact = problem_.contacts[c];
        const std::size_t a = body_of_surface_[std::size_t(point.body_a)];
        WorldBody& body_a = bodies[a];
        ContactMemory memory{.a = body_a.id_.number,
                             .domain_a = surfaces_[std::size_t(point.body_a)].domain,
                             .key = point.key};
        WorldContact told;
        told.a = body_a.id_;
        WorldBody* body_b = nullptr;
        if (point.body_b >= 0) {
            body_b = &bodies[body_of_surface_[std::size_t(point.body_b)]];
            memory.b = body_b->id_.number;
            memory.domain_b = surfaces_[std::size_t(point.body_b)].domain;
            told.b = body_b->id_;
        } else if (const auto d = std::size_t(point.obstacle); d >= state.obstacles.size()) {
            WorldDevice& device = state.devices[d - state.obstacles.size()];
            told.device = device.id_;
            memory.device = told.device.number;
            device.contacts_ += contact.impulse[0] > 0 ? 1 : 0;
            device.depth_ = std::max(device.depth_, -(point.gap + dt * contact.velocity[0]));
        } else {
            told.obstacle = state.obstacles[std::size_t(point.obstacle)].id_;
            memory.obstacle = told.obstacle.number;
        }
        copy_sleepers_before(&memory);
        const Matrix3d& axes = axes_[c];
        memory.impulse = contact.impulse[0];
        if (contact.impulse[0] > 0) {
            const Eigen::Vector2d s = next_anchor(contact.friction, contact.velocity.tail<2>());
            memory.anchor = axes.row(1).transpose() * s[0] + axes.row(2).transpose() * s[1];
        }
        told.position = point.position;
        told.normal = point.normal;
        told.impulse = axes.transpose() * contact.impulse;
        told.force = told.impulse / dt;
        told.depth = std::max(0.0, -(point.gap + 0.5 * dt * contact.velocity[0]));
        told.slip = contact.velocity.tail<2>().norm();
        const bool pushes = contact.impulse[0] > 0;
        report.touching += pushes ? 1 : 0;
        report.depth = std::max(report.depth, told.depth);
        const auto count = [&](BodyContacts& of, double sign) {
            of.points += pushes ? 1 : 0;
            of.impulse += sign * told.impulse;
            of.force += sign * told.force;
            of.depth = std::max(of.depth, told.depth);
        };
        count(body_a.contacts_, 1);
        // A body that touches itself has no net force from that.
        if (body_b) count(body_b->contacts_, -1);
        next_memory_.push_back(memory);
        next_points_.push_back(point);
        next_contacts_.push_back(told);
    }
    copy_sleepers_before(nullptr);
    report.points = static_cast<int>(next_points_.size());
    std::swap(state.memory, next_memory_);
    std::swap(state.points, next_points_);
    std::swap(state.contacts, next_contacts_);
}

void ContactStage::forget(std::uint32_t ContactMemory::*who, std::uint32_t number) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < state.memory.size(); ++i) {
        if (state.memory[i].*who == number) continue;
        state.memory[kept] = state.memory[i];
        state.points[kept] = state.points[i];
        state.contacts[kept++] = state.contacts[i];
    }
    state.memory.resize(kept);
    state.points.resize(kept);
    state.contacts.resize(kept);
}

void ContactStage::forget(BodyId id) {
    forget(&ContactMemory::a, id.number);
    forget(&ContactMemory::b, id.number);
}

void ContactStage::forget(ObstacleId id) {
    forget(&ContactMemory::obstacle, id.number);
}

void ContactStage::forget(DeviceId id) {
    forget(&ContactMemory::device, id.number);
}

// A body is still where no point of it moves faster than a hundredth of √(gL); an island sleeps when all its
// bodies have been still for half a second, and nothing carries or moves it.                           (52)
void ContactStage::put_to_sleep(std::vector<WorldBody>& bodies, double gravity, double dt) {
    constexpr double kStillFraction = 0.01, kStillSeconds = 0.5;
    state.report.asleep = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        WorldBody& body = bodies[i];
        if (body.asleep()) continue;
        TouchingBody& t = touching[i];
        if (t.place < 0 || !body.report_.converged) {
            body.still_time_ = 0;
            continue;
        }
        double speed = 0;
        if (t.tree) {
            speed = tree_speed(body, t);
        } else {
            visit_touching([&](const auto& each) { each.start_velocity(t.start_velocity); }, body.body_);
            speed = point_speed(body, t.reach, t.start_velocity);
        }
        const double still = kStillFraction * std::sqrt((gravity > 0 ? gravity : 9.81) * t.shared->size);
        const bool carried = body.support_.path || !body.support_.motion.velocity.isZero(0) ||
                             !body.support_.motion.angular_velocity.isZero(0) || body.targets_ != nullptr;
        body.still_time_ = !carried && speed <= still ? body.still_time_ + dt : 0;
    }
    for (std::size_t k = 0; state.settings->sleep == Sleeping::On && k < islands_.size(); ++k) {
        const Island island = islands_[k];
        const auto body_at = [&](int place) -> WorldBody& {
            return bodies[body_in_problem_[std::size_t(place)]];
        };
        // Nobody sleeps in the hands of a device: those are awake.
        const bool still = std::none_of(island.contacts.begin(), island.contacts.end(),
                                        [&](int c) {
                                            const std::int32_t obstacle = points_[std::size_t(c)].obstacle;
                                            return obstacle >= 0 && obstacles_[std::size_t(obstacle)].awake;
                                        }) &&
                           std::all_of(island.bodies.begin(), island.bodies.end(),
                                       [&](int b) { return body_at(b).still_time_ >= kStillSeconds; });
        if (!still) continue;
        const std::uint32_t group = body_at(island.bodies[0]).id_.number;
        for (const int b : island.bodies) {
            body_at(b).sleep_group_ = group;
            std::visit(
                [](auto& each) {
                    if constexpr (requires { each.halt(); }) each.halt();
                },
                body_at(b).body_);
        }
    }
    for (const WorldBody& body : bodies)
        state.report.asleep += body.asleep() ? 1 : 0;
}

}  // namespace limber
