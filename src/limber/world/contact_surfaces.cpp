// SPDX-License-Identifier: Apache-2.0
// What detection is told of bodies, obstacles and devices in a step. Equation numbers: docs/math/contact.md.
#include "limber/world/contact_stage.h"

#include "limber/world/body_kind.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Tells the numbers of devices from those of obstacles, behind which they stand in detection's list.
constexpr std::uint32_t kDeviceKeys = 1u << 31;

std::span<const double> span_of(const VectorXd& x) {
    return {x.data(), std::size_t(x.size())};
}

}  // namespace

std::shared_ptr<const TouchSurface> make_touch_surface(const std::shared_ptr<const Model>& model,
                                                       Method method) {
    const SurfaceMotion motion = method == Method::Rigid  ? SurfaceMotion::Rigid
                                 : method == Method::Stvk ? SurfaceMotion::Reduced
                                                          : SurfaceMotion::Warped;
    auto surface = share_contact_surface(model, motion);
    if (!surface.ok()) return nullptr;
    auto out = std::make_shared<TouchSurface>();
    out->surface = std::move(surface).value();
    Eigen::AlignedBox3d box;
    for (const Vector3d& x : model->surface.vertices)
        box.extend(x);
    out->size = box.diagonal().norm();
    for (const Vector3d& x : model->surface.vertices)
        out->radius = std::max(out->radius, x.norm());
    for (const ModelGroup& group : model->groups) {
        out->young = std::max(out->young, group.material.young);
        out->density = std::max(out->density, group.material.density);
    }
    const auto vertices = Index(model->surface.vertices.size());
    if (motion == SurfaceMotion::Rigid) {
        out->reach = VectorXd::Ones(6);
        out->reach.tail<3>().setConstant(out->size);  // about its centre, which lies in the box
        return out;
    }
    const auto reach_of = [&](const auto& rows) {
        VectorXd reach = VectorXd::Zero(rows.cols());
        for (Index p = 0; p < vertices; ++p)
            reach = reach.cwiseMax(rows.middleRows(3 * p, 3).colwise().norm().transpose());
        return reach;
    };
    out->reach = motion == SurfaceMotion::Reduced ? reach_of(model->surface.basis)
                                                  : reach_of(model->warp->surface_modes);
    return out;
}

void ContactStage::choose_automatic_values(const std::vector<WorldBody>& bodies, double gravity) {
    std::vector<TouchingMaterial> materials;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const TouchingBody& each = touching[i];
        if (!each.shared || bodies[i].touch().layers == 0) continue;
        if (const auto* tree = std::get_if<DomainsBody>(&bodies[i].body_)) {
            for (std::size_t d = 0; d < tree->tree().size(); ++d) {
                const TreeDomain& domain = tree->tree().domains[d];
                const DomainState& factors = tree->settings().domains[d];
                const auto& part = each.shared->parts[std::size_t(domain.part)];
                if (part && !factors.detached)
                    materials.push_back({domain.scale * part->size, factors.density * part->density,
                                         domain.rank > 0 ? factors.young * part->young : 0});
            }
            continue;
        }
        TouchingMaterial of{each.shared->size, each.shared->density, each.shared->young};
        const BodySettings settings = bodies[i].settings();
        if (const auto* rigid = std::get_if<RigidSettings>(&settings)) {
            of.density = rigid->density;
            of.young = 0;
        } else if (const auto* stvk = std::get_if<StvkSettings>(&settings)) {
            of.density = of.young = 0;
            for (const Material& material : stvk->materials) {
                of.density = std::max(of.density, material.density);
                of.young = std::max(of.young, material.young);
            }
        } else if (const auto* warp = std::get_if<WarpSettings>(&settings)) {
            of.density *= warp->density_scale;
            of.young *= warp->young_scale;
        }
        materials.push_back(of);
    }
    const AutomaticContact chosen = automatic_contact(materials, gravity);
    state.report.stiffness = state.settings->stiffness.value_or(chosen.stiffness);
    state.report.margin = state.settings->margin.value_or(chosen.margin);
}

// Where every surface is at the half-drifted pose, and how far it may come.
void ContactStage::describe(std::vector<WorldBody>& bodies, double dt) {
    surfaces_.clear();
    body_of_surface_.clear();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        WorldBody& body = bodies[i];
        TouchingBody& t = touching[i];
        t.takes_part = t.shared && body.touch_.layers != 0 && (body.asleep() || body.report_.converged);
        t.place = -1;
        if (!t.takes_part) continue;
        SurfaceMoment moment;
        moment.surface = t.shared->surface.get();  // null: a tree
        moment.self_bound = t.self_bound.get();
        moment.id = body.id_.number;
        moment.layers = body.touch_.layers;
        moment.awake = !body.asleep();
        const double half = moment.awake ? 0.5 * dt : 0;
        if (t.tree) {
            describe_tree(body, i, moment, half, dt);
            continue;
        }
        visit_touching(
            [&](auto& each) {
                each.start_velocity(t.start_velocity);
                if (moment.awake)
                    each.trial_velocity(t.free_velocity);
                else
                    t.free_velocity = t.start_velocity;
                each.drift(half);
                using Body = std::decay_t<decltype(each)>;
                if constexpr (FlyingBodyKind<Body>) {
                    t.start = each.pose();
                    t.now = each.drifted_pose();
                    if constexpr (SoftBodyKind<Body>) {
                        moment.start.q = span_of(each.state().q);
                        moment.now.q = span_of(each.drifted_q());
                    }
                } else {
                    t.frame = body.frame_motion();
                    const Pose end = body.pose();
                    t.now = moved_back(end, t.frame, half);
                    t.start = moved_back(end, t.frame, 2 * half);
                    moment.now.q = span_of(each.drifted_q());
                    if constexpr (std::is_same_v<Body, WarpBody>) {
                        each.shape_coordinates(t.start_shape);
                        const Index m = each.drifted_q().size();
                        const auto shape = span_of(t.start_shape);
                        moment.start.q = shape.subspan(0, std::size_t(m));
                        moment.start.z = shape.subspan(std::size_t(m));
                        moment.now.z = span_of(each.drifted_amplitudes());
                        if (each.settings().warping != Warping::Linear) {
                            moment.now.p = moment.now.q;
                            moment.start.p = moment.start.q;
                        }
                    } else {
                        moment.start.q = span_of(each.state().q);
                    }
                }
            },
            body.body_);
        moment.now.pose = t.now;
        moment.start.pose = t.start;
        t.velocity = t.free_velocity - t.start_velocity;  // scratch until the solve
        moment.extra_drift = dt * point_speed(body, t.reach, t.velocity);
        surfaces_.push_back(moment);
        body_of_surface_.push_back(i);
    }
    obstacles_.clear();
    for (const WorldObstacle& obstacle : state.obstacles) {
        ObstacleMoment moment;
        moment.shape = &obstacle.shape_;
        moment.now = moved_back(obstacle.pose_, obstacle.motion_, 0.5 * dt);
        moment.start = moved_back(obstacle.pose_, obstacle.motion_, dt);
        moment.id = obstacle.id_.number;
        moment.layers = obstacle.layers_;
        moment.awake = !obstacle.motion_.velocity.isZero(0) || !obstacle.motion_.angular_velocity.isZero(0);
        obstacles_.push_back(moment);
    }
    describe_devices(dt);
    list_before();
}

// The contacts of the last step, with the places of this one; surfaces and obstacles are by their numbers.
void ContactStage::list_before() {
    before_.clear();
    const auto surface_of = [&](std::uint32_t id, std::uint32_t domain) -> std::int32_t {
        const auto found = std::lower_bound(surfaces_.begin(), surfaces_.end(), std::pair(id, domain),
                                            [](const SurfaceMoment& each, const auto& wanted) {
                                                return std::pair(each.id, each.domain) < wanted;
                                            });
        return found != surfaces_.end() && found->id == id && found->domain == domain
                   ? static_cast<std::int32_t>(found - surfaces_.begin())
                   : -1;
    };
    const auto obstacle_of = [&](std::uint32_t id) -> std::int32_t {
        const auto found = std::lower_bound(
            obstacles_.begin(), obstacles_.end(), id,
            [](const ObstacleMoment& each, std::uint32_t wanted) { return each.id < wanted; });
        return found != obstacles_.end() && found->id == id
                   ? static_cast<std::int32_t>(found - obstacles_.begin())
                   : -1;
    };
    for (std::size_t i = 0; i < state.points.size(); ++i) {
        const ContactMemory& who = state.memory[i];
        ContactPoint point = state.points[i];
        point.body_a = surface_of(who.a, who.domain_a);
        point.body_b = who.b != 0 ? surface_of(who.b, who.domain_b) : -1;
        // A device is an obstacle to detection.
        const std::uint32_t still = who.device != 0 ? kDeviceKeys | who.device : who.obstacle;
        point.obstacle = still != 0 ? obstacle_of(still) : -1;
        if (point.body_a >= 0 && (point.body_b >= 0) == (who.b != 0) && (point.obstacle >= 0) == (still != 0))
            before_.push_back(point);
    }
}

// Spheres where they stand at the start: a proxy goes by backward Euler, so that the slow law, which looks a
// step ahead from there, sees where it ends.
void ContactStage::describe_devices(double dt) {
    for (std::size_t i = touching.size() - state.devices.size(); i < touching.size(); ++i) {
        const WorldDevice& device = device_at(i);
        TouchingBody& t = touching[i];
        t.place = -1;
        t.takes_part = device.step_.A > 0;
        t.start_velocity = device.proxy_.velocity;
        t.free_velocity = device.step_.velocity_free;
        t.A = device.step_.A * Matrix3d::Identity();
        // As far as it may come.
        const double distance = dt * t.free_velocity.norm();
        t.real_velocity =
            t.free_velocity * (distance > device.most_distance_ ? device.most_distance_ / distance : 1);
        ObstacleMoment moment;
        moment.shape = &device.shape_;
        moment.now.position = moment.start.position = device.proxy_.position;
        moment.id = kDeviceKeys | device.id_.number;
        moment.layers = t.takes_part ? device.settings_.layers : 0;
        moment.awake = true;
        obstacles_.push_back(moment);
    }
}

}  // namespace limber
