// SPDX-License-Identifier: Apache-2.0
// Obstacles and contact settings of a world.
#include "limber/settings/read_settings.h"
#include "limber/shown_name.h"
#include "limber/world/world_impl.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace limber {

using Eigen::VectorXd;

namespace {

constexpr std::size_t kMostObstacles = 100000;

InputError of_obstacle(InputError error, const std::string& name) {
    error.where = "obstacle " + shown_name(name) + (error.where.empty() ? "" : ": " + error.where);
    return error;
}

}  // namespace

WorldObstacle* World::Impl::find(ObstacleId id) {
    std::vector<WorldObstacle>& all = contact.state.obstacles;
    const auto place = std::lower_bound(
        all.begin(), all.end(), id,
        [](const WorldObstacle& obstacle, ObstacleId wanted) { return obstacle.id() < wanted; });
    return place != all.end() && place->id() == id ? &*place : nullptr;
}

Status World::Impl::known(ObstacleId id) {
    if (id.world != world_number)
        return InputError{"obstacle",
                          id.world == 0 ? "no obstacle is named" : "the obstacle is of another world", ""};
    if (find(id)) return {};
    return InputError{"obstacle",
                      "obstacle number " + std::to_string(id.number) + " is not there, or no longer", ""};
}

std::optional<InputError> World::Impl::closed_form_problem(const WarpSettings& settings,
                                                           const Touch& touch) const {
    if (!contact.on() || touch.layers == 0 || settings.step != OscillatorStep::ClosedForm)
        return std::nullopt;
    return InputError{"step",
                      "a warped body in closed form takes no contact: its steps have no system matrix",
                      "\"step\": \"semi-implicit\", or \"layer\": 0 so that it touches nothing"};
}

std::optional<InputError> World::Impl::coupling_problem(const DomainsSettings& settings,
                                                        const Touch& touch) const {
    if (!contact.on() || touch.layers == 0 || settings.coupling == Coupling::Exact) return std::nullopt;
    return InputError{"coupling",
                      "a tree with coupling L1 or L2 takes no contact: children do not act back on their "
                      "parents, so impulses would be lost",
                      "\"coupling\": \"exact\", or \"layer\": 0 so that it touches nothing"};
}

std::optional<InputError> World::Impl::touch_problem(const AnyBody& body, const Touch& touch) const {
    if (const auto* tree = std::get_if<DomainsBody>(&body)) return coupling_problem(tree->settings(), touch);
    const auto* modes = std::get_if<WarpBody>(&body);
    return modes ? closed_form_problem(modes->settings(), touch) : std::nullopt;
}

void World::Impl::make_touch_parts(const WorldBody& body) {
    if (!contact.on()) return;
    const Method method = body.method();
    SharedParts& shared = shared_parts_of(body.model());
    auto& part = shared.touch_part(method);
    if (!part)
        part = method == Method::Domains ? make_touch_tree(body.model())
                                         : make_touch_surface(body.model(), method);
    if (!part || contact.state.settings->self == SelfContact::Off) return;
    const auto bound = [](const TouchSurface* of, std::shared_ptr<const SelfBound>& out) {
        if (!out && of && of->surface->motion() != SurfaceMotion::Rigid)
            out = std::make_shared<const SelfBound>(bound_self_contact(*of->surface));
    };
    if (method == Method::Domains) {
        shared.self_domains.resize(part->parts.size());
        for (std::size_t p = 0; p < part->parts.size(); ++p)
            bound(part->parts[p].get(), shared.self_domains[p]);
    } else if (method != Method::Rigid) {
        bound(part.get(), method == Method::Stvk ? shared.self_stvk : shared.self_warp);
    }
}

void World::Impl::prepare_touching() {
    contact.touching.resize(bodies.size() + contact.state.devices.size());
    for (std::size_t i = bodies.size(); i < contact.touching.size(); ++i) {
        contact.touching[i] = {};  // a device's, which may have been a body's
        contact.touching[i].set_size(3);
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Method method = bodies[i].method();
        make_touch_parts(bodies[i]);
        SharedParts& shared = shared_parts_of(bodies[i].model());
        const auto& part = shared.touch_part(method);
        TouchingBody& t = contact.touching[i];
        t.shared = part;
        t.self_bound = method == Method::Stvk                                 ? shared.self_stvk
                       : method == Method::Rigid || method == Method::Domains ? nullptr
                                                                              : shared.self_warp;
        if (method != Method::Domains) {
            t.tree.reset();
        } else {
            if (!t.tree) t.tree = std::make_unique<TouchingTree>();
            t.tree->self_bounds = shared.self_domains;
        }
        if (!part) continue;
        if (!t.tree)
            visit_touching([&](const auto& each) { t.set_size(each.velocity_size()); }, bodies[i].body_);
        t.reach = part->reach;
        if (method != Method::Stvk) continue;
        const BodySettings settings = bodies[i].settings();
        const std::vector<int>& used = std::get<StvkSettings>(settings).coordinates;
        const Eigen::Index rigid = bodies[i].flies() ? 6 : 0;
        t.reach.setOnes(rigid + Eigen::Index(used.size()));
        if (rigid > 0) t.reach.segment<3>(3).setConstant(part->size);
        for (std::size_t k = 0; k < used.size(); ++k)
            t.reach[rigid + Eigen::Index(k)] = part->reach[used[k]];
    }
}

void World::Impl::wake(BodyId id) {
    const std::uint32_t group = find(id)->sleep_group_;
    find(id)->wake();
    if (group == 0) return;
    for (WorldBody& body : bodies)
        if (body.sleep_group_ == group) body.wake();
}

void World::Impl::wake_all() {
    for (WorldBody& body : bodies)
        body.wake();
}

Status World::Impl::apply(const SetTouch& input) {
    if (input.touch.friction)
        if (auto problem = friction_problem(*input.touch.friction)) return std::move(*problem);
    WorldBody& body = *find(input.body);
    if (auto problem = touch_problem(body.kind(), input.touch)) return std::move(*problem);
    body.touch_ = input.touch;
    contact.prepared = false;
    wake_all();  // what it touches may fall through it now
    return {};
}

Status World::Impl::apply(const SetContact& input) {
    if (input.settings)
        if (auto problem = contact_settings_problem(*input.settings)) return std::move(*problem);
    const std::optional<ContactSettings> before = std::exchange(contact.state.settings, input.settings);
    for (const WorldBody& body : bodies)
        if (auto problem = touch_problem(body.kind(), body.touch())) {
            contact.state.settings = before;
            return named(std::move(*problem), body.name());
        }
    // What touched begins anew.
    contact.state.memory.clear();
    contact.state.points.clear();
    contact.state.contacts.clear();
    contact.state.report = {};
    for (WorldBody& body : bodies)
        body.contacts_ = {};
    for (WorldDevice& device : contact.state.devices) {
        device.contacts_ = 0;
        device.depth_ = 0;
    }
    contact.prepared = false;
    wake_all();
    for (const WorldBody& body : bodies)
        make_touch_parts(body);
    return {};
}

Result<ObstacleId> World::add(ObstacleDef def) {
    Impl& in = *impl_;
    ContactState& state = in.contact.state;
    if (def.name.empty()) {
        std::uint32_t number = state.last_obstacle + 1;
        do
            def.name = "obstacle" + std::to_string(number++);
        while (impl_->is_taken(def.name));
    }
    const auto refuse = [&](InputError error) { return of_obstacle(std::move(error), def.name); };
    if (impl_->is_taken(def.name))
        return refuse({"name", "another body, obstacle or device has it", "a name of its own"});
    if (state.obstacles.size() >= kMostObstacles)
        return refuse({"", "a world has at most " + std::to_string(kMostObstacles) + " obstacles", ""});
    if (auto problem = shape_problem(def.shape, "shape")) return refuse(std::move(*problem));
    if (auto problem = pose_problem(def.pose)) return refuse(std::move(*problem));
    if (def.friction)
        if (auto problem = friction_problem(*def.friction)) return refuse(std::move(*problem));
    if (!state.settings)
        if (Status on = in.apply(SetContact{ContactSettings{}}); !on.ok()) return refuse(on.error());
    WorldObstacle obstacle;
    obstacle.id_ = {in.world_number, ++state.last_obstacle};
    obstacle.name_ = std::move(def.name);
    obstacle.shape_ = std::move(def.shape);
    obstacle.mesh_ = std::move(def.mesh);
    obstacle.pose_ = def.pose;
    obstacle.pose_.orientation.normalize();
    obstacle.friction_ = def.friction;
    obstacle.layers_ = def.layers;
    state.obstacles.push_back(std::move(obstacle));
    in.wake_all();
    return state.obstacles.back().id_;
}

Status World::remove(ObstacleId id) {
    if (Status known = impl_->known(id); !known.ok()) return known;
    return impl_->apply(RemoveObstacle{id});
}

Status World::Impl::apply(const RemoveObstacle& input) {
    contact.forget(input.obstacle);
    std::erase_if(contact.state.obstacles,
                  [&](const WorldObstacle& obstacle) { return obstacle.id() == input.obstacle; });
    wake_all();
    return {};
}

Status World::Impl::apply(const MoveObstacle& input) {
    WorldObstacle& obstacle = *find(input.obstacle);
    if (auto problem = pose_problem(input.pose)) return of_obstacle(std::move(*problem), obstacle.name());
    if (auto problem = frame_problem(input.motion)) return of_obstacle(std::move(*problem), obstacle.name());
    const Pose pose{input.pose.position, input.pose.orientation.normalized()};
    const bool jumps = input.motion.velocity.isZero(0) && input.motion.angular_velocity.isZero(0) &&
                       (pose.position != obstacle.pose_.position ||
                        pose.orientation.coeffs() != obstacle.pose_.orientation.coeffs());
    obstacle.pose_ = pose;
    obstacle.motion_ = input.motion;
    obstacle.path_.reset();
    if (jumps) wake_all();  // one that moves wakes whom it touches
    return {};
}

Status World::Impl::apply(const FollowObstacle& input) {
    WorldObstacle& obstacle = *find(input.obstacle);
    if (auto problem = path_problem(input.path)) return of_obstacle(std::move(*problem), obstacle.name());
    if (!(input.elapsed >= 0) || !std::isfinite(input.elapsed))
        return of_obstacle({"path", number(input.elapsed) + " s of it cannot have passed", ""},
                           obstacle.name());
    obstacle.path_ = input.path;
    obstacle.path_start_ = obstacle.pose_;
    obstacle.path_elapsed_ = input.elapsed;
    wake_all();
    return {};
}

const std::optional<ContactSettings>& World::contact_settings() const {
    return impl_->contact.state.settings;
}
const std::vector<WorldContact>& World::contacts() const {
    return impl_->contact.state.contacts;
}
const std::vector<WorldObstacle>& World::obstacles() const {
    return impl_->contact.state.obstacles;
}
const WorldObstacle* World::obstacle(ObstacleId id) const {
    return impl_->find(id);
}

std::optional<ObstacleId> World::find_obstacle(std::string_view name) const {
    for (const WorldObstacle& obstacle : impl_->contact.state.obstacles)
        if (obstacle.name() == name) return obstacle.id();
    return std::nullopt;
}

}  // namespace limber
