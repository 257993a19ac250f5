// SPDX-License-Identifier: Apache-2.0
#include "limber/world/world.h"

#include "limber/shown_name.h"
#include "limber/world/start.h"
#include "limber/world/world_impl.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

namespace limber {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// Tells the ids of one world from those of another; results do not depend on it.
std::uint32_t next_world_number() {
    static std::atomic<std::uint32_t> last{0};
    return ++last;
}

constexpr std::size_t kMostBodies = 1000000;

}  // namespace

InputError named(InputError error, const std::string& name) {
    error.where = "body " + shown_name(name) + (error.where.empty() ? "" : ": " + error.where);
    return error;
}

WorldState::WorldState() = default;
WorldState::~WorldState() = default;
WorldState::WorldState(const WorldState&) = default;
WorldState& WorldState::operator=(const WorldState&) = default;

World::World(const WorldDef& def) : impl_(std::make_unique<Impl>()) {
    impl_->world_number = next_world_number();
    impl_->gravity = def.gravity;
    impl_->parallel_for = def.parallel_for;
    if (def.wind && !wind_problem(*def.wind)) impl_->wind = std::make_shared<const Wind>(*def.wind);
    if (def.contact && !contact_settings_problem(*def.contact)) impl_->contact.state.settings = def.contact;
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

WorldBody* World::Impl::find(BodyId id) {
    const auto place =
        std::lower_bound(bodies.begin(), bodies.end(), id,
                         [](const WorldBody& body, BodyId wanted) { return body.id() < wanted; });
    return place != bodies.end() && place->id() == id ? &*place : nullptr;
}

Status World::Impl::known(BodyId id) {
    if (id.world != world_number)
        return InputError{"body", id.world == 0 ? "no body is named" : "the body is of another world", ""};
    if (find(id)) return {};
    return InputError{"body", "body number " + std::to_string(id.number) + " is not there, or no longer", ""};
}

SharedParts& World::Impl::shared_parts_of(const std::shared_ptr<const Model>& model) {
    for (SharedParts& each : parts)
        if (each.model == model) return each;
    parts.emplace_back().model = model;
    return parts.back();
}

void World::Impl::drop_unused_parts() {
    std::erase_if(parts, [&](const SharedParts& each) {
        return std::none_of(bodies.begin(), bodies.end(),
                            [&](const WorldBody& body) { return body.model() == each.model; });
    });
}

void World::Impl::share_memory(StvkBody& body, std::size_t first_bodies) {
    for (std::size_t i = 0; i < first_bodies; ++i)
        if (const auto* like = std::get_if<StvkBody>(&bodies[i].body_); like && body.share_with(*like)) {
            if (parallel_for.run) body.unshare();
            return;
        }
}

// Coefficients are read once for all bodies that share them. Found anew where bodies or settings changed.
void World::Impl::group() {
    regroup = false;
    batches.clear();
    batch_of.assign(bodies.size(), -1);
    place_in_batch.assign(bodies.size(), 0);
    std::vector<bool> taken(bodies.size(), false);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        auto* first = std::get_if<StvkBody>(&bodies[i].body_);
        if (!first || taken[i]) continue;
        Batch step;
        for (std::size_t j = i; j < bodies.size(); ++j) {
            auto* other = std::get_if<StvkBody>(&bodies[j].body_);
            if (!other || taken[j] || !StvkBatch::can_share(*first, *other)) continue;
            taken[j] = true;
            step.members.push_back(j);
            step.bodies.push_back(other);
        }
        if (step.members.size() < 2) continue;
        for (std::size_t k = 0; k < step.members.size(); ++k) {
            batch_of[step.members[k]] = static_cast<int>(batches.size());
            place_in_batch[step.members[k]] = static_cast<int>(k);
        }
        batches.push_back(std::move(step));
    }
}

Result<BodyId> World::add(BodyDef def) {
    Impl& in = *impl_;
    if (def.name.empty()) {
        std::uint32_t number = in.last_body + 1;
        do
            def.name = "body" + std::to_string(number++);
        while (impl_->is_taken(def.name));
    }
    const auto refuse = [&](InputError error) {
        in.drop_unused_parts();
        return named(std::move(error), def.name);
    };
    if (impl_->is_taken(def.name))
        return refuse({"name", "another body, obstacle or device has it", "a name of its own"});
    if (in.bodies.size() >= kMostBodies)
        return refuse({"", "a world has at most " + std::to_string(kMostBodies) + " bodies", ""});
    if (!def.model) return refuse({"model", "there is none", ""});
    if (auto problem = pose_problem(def.pose)) return refuse(std::move(*problem));
    if (auto problem = def.touch.friction ? friction_problem(*def.touch.friction) : std::nullopt)
        return refuse(std::move(*problem));
    const Result<Mount> mount = mount_of(def.method, *def.model, def.mount);
    if (!mount.ok()) return refuse(mount.error());
    def.mount = mount.value();
    if (def.mount != Mount::Free && !(def.velocity.isZero(0) && def.angular_velocity.isZero(0)))
        return refuse({"velocity", "the body does not fly: it has no velocity of its own",
                       "\"mount\": \"free\", or a support that moves"});
    auto made = in.make(def);
    if (!made.ok()) return refuse(made.error());
    if (auto problem = in.touch_problem(made.value(), def.touch)) return refuse(std::move(*problem));

    WorldBody body(std::move(made).value());
    body.id_ = {in.world_number, in.last_body + 1};
    body.name_ = def.name;
    body.method_ = def.method;
    body.mount_ = *def.mount;
    body.model_ = def.model;
    body.whole_ = def.whole;
    body.subtree_ = def.subtree;
    if (const auto* tree = std::get_if<DomainsBody>(&body.body_)) body.use_model(*tree);
    body.touch_ = def.touch;
    if (def.mount != Mount::Free) {
        body.pose_ = def.pose;
        body.pose_.orientation.normalize();
        if (Status stands = body.use_support({}); !stands.ok()) return refuse(stands.error());
    } else if (def.method == Method::Rigid &&
               (def.q.size() > 0 || def.v.size() > 0 || !def.release.empty())) {
        return refuse({"q", "a rigid body has no coordinates to start from", "velocity, angular_velocity"});
    }
    if (!def.release.empty()) {
        if (def.q.size() > 0)
            return refuse(
                {"release", "q and release both say where the body starts", "leave one of them out"});
        auto balance = balance_under(body.body_, *def.model, body.pose_.orientation, def.release);
        if (!balance.ok()) return refuse(balance.error());
        def.q = balance.value().q;
        body.report_ = balance.value().report;
    }
    if (def.q.size() > 0 || def.v.size() > 0)
        if (Status set = set_motion(body.body_, def.q, def.v); !set.ok()) return refuse(set.error());
    body.begins_ = def.start == StartAcceleration::FromForces;
    if (auto* stvk = std::get_if<StvkBody>(&body.body_)) in.share_memory(*stvk, in.bodies.size());
    in.bodies.push_back(std::move(body));
    ++in.last_body;
    in.regroup = true;
    in.contact.prepared = false;
    in.make_touch_parts(in.bodies.back());
    return in.bodies.back().id();
}

Status World::remove(BodyId id) {
    if (Status known = impl_->known(id); !known.ok()) return known;
    impl_->wake(id);
    impl_->contact.forget(id);
    impl_->contact.prepared = false;
    std::erase_if(impl_->bodies, [&](const WorldBody& body) { return body.id() == id; });
    impl_->drop_unused_parts();
    impl_->regroup = true;
    return {};
}

Status World::apply(const Input& input) {
    if (const auto* def = std::get_if<BodyDef>(&input)) {
        const Result<BodyId> added = add(*def);
        return added.ok() ? Status() : Status(added.error());
    }
    if (const auto* obstacle = std::get_if<ObstacleDef>(&input)) {
        const Result<ObstacleId> added = add(*obstacle);
        return added.ok() ? Status() : Status(added.error());
    }
    if (const auto* device = std::get_if<DeviceDef>(&input)) {
        const Result<DeviceId> added = add(*device);
        return added.ok() ? Status() : Status(added.error());
    }
    if (const auto* gone = std::get_if<RemoveBody>(&input)) return remove(gone->body);
    return std::visit(
        [&](const auto& each) -> Status {
            using Each = std::decay_t<decltype(each)>;
            if constexpr (std::is_same_v<Each, BodyDef> || std::is_same_v<Each, RemoveBody> ||
                          std::is_same_v<Each, ObstacleDef> || std::is_same_v<Each, DeviceDef>) {
                return {};
            } else if constexpr (std::is_same_v<Each, SetGravity> || std::is_same_v<Each, SetContact> ||
                                 std::is_same_v<Each, SetWind>) {
                return impl_->apply(each);
            } else if constexpr (requires { each.obstacle; }) {
                const Status known = impl_->known(each.obstacle);
                return known.ok() ? impl_->apply(each) : known;
            } else if constexpr (requires { each.device; }) {
                const Status known = impl_->known(each.device);
                return known.ok() ? impl_->apply(each) : known;
            } else {
                if (Status known = impl_->known(each.body); !known.ok()) return known;
                const Status done = impl_->apply(each);
                if (!done.ok()) return named(done.error(), impl_->find(each.body)->name());
                impl_->wake(each.body);
                return done;
            }
        },
        input);
}

const WorldReport& World::step(double dt) {
    Impl& in = *impl_;
    in.report.not_converged = 0;
    in.report.iterations = 0;
    if (!(dt > 0) || !std::isfinite(dt)) {
        for (WorldBody& body : in.bodies) {
            body.report_ = {};
            body.report_.converged = false;
            body.report_.problem = StepProblem::TimeStep;
        }
        in.report.not_converged = static_cast<int>(in.bodies.size());
        return in.report;
    }
    if (in.regroup) in.group();
    const bool touching = in.contact.on();
    if (touching && !in.contact.prepared) in.prepare_touching();
    in.contact.move_obstacles(dt);
    in.contact.read_devices(dt);
    for (WorldBody& body : in.bodies) {
        body.before_step(dt);
        if (auto* tree = std::get_if<DomainsBody>(&body.body_))
            tree->set_wind(in.wind, in.wind_elapsed, body.pose().position);
    }
    for (Batch& step : in.batches) {
        step.bodies.clear();
        for (const std::size_t member : step.members) {
            WorldBody& body = in.bodies[member];
            if (body.asleep()) continue;
            in.place_in_batch[member] = static_cast<int>(step.bodies.size());
            step.bodies.push_back(&std::get<StvkBody>(body.body_));
        }
        step.batch.evaluate(step.bodies);
    }
    for_each_index(in.parallel_for, static_cast<int>(in.bodies.size()), [&](int place) {
        const auto i = static_cast<std::size_t>(place);
        WorldBody& body = in.bodies[i];
        if (body.asleep()) return;
        const int together = in.batch_of[i];
        body.report_ = together >= 0 ? in.batches[std::size_t(together)].batch.trial(
                                           in.place_in_batch[i], std::get<StvkBody>(body.body_), dt)
                                     : std::visit([&](auto& each) { return each.trial(dt); }, body.body_);
    });
    const double gravity = in.gravity.norm();
    if (touching) in.contact.run(in.bodies, gravity, dt, in.parallel_for);
    in.contact.move_proxies(dt);
    for (WorldBody& body : in.bodies) {
        if (body.asleep()) continue;
        std::visit([](auto& each) { each.commit(); }, body.body_);
        in.report.not_converged += body.report_.converged ? 0 : 1;
        in.report.iterations = std::max(in.report.iterations, body.report_.iterations);
    }
    if (touching) in.contact.put_to_sleep(in.bodies, gravity, dt);
    in.report.contact = in.contact.state.report;
    ++in.report.step;
    in.report.time += dt;
    in.wind_elapsed += in.wind ? dt : 0;
    return in.report;
}

const WorldReport& World::report() const {
    return impl_->report;
}
double World::time() const {
    return impl_->report.time;
}
long long World::steps() const {
    return impl_->report.step;
}
const Vector3d& World::gravity() const {
    return impl_->gravity;
}
const WindSettings* World::wind() const {
    return impl_->wind ? &impl_->wind->settings() : nullptr;
}
double World::wind_elapsed() const {
    return impl_->wind_elapsed;
}
const std::vector<WorldBody>& World::bodies() const {
    return impl_->bodies;
}
const WorldBody* World::body(BodyId id) const {
    return impl_->find(id);
}

std::optional<BodyId> World::find(std::string_view name) const {
    for (const WorldBody& body : impl_->bodies)
        if (body.name() == name) return body.id();
    return std::nullopt;
}

WorldState World::save() const {
    auto copy = std::make_shared<WorldState::Impl>();
    copy->world_number = impl_->world_number;
    copy->gravity = impl_->gravity;
    copy->report = impl_->report;
    copy->parts = impl_->parts;
    copy->contact = impl_->contact.state;
    copy->wind = impl_->wind;
    copy->wind_elapsed = impl_->wind_elapsed;
    copy->bodies.reserve(impl_->bodies.size());
    for (const WorldBody& body : impl_->bodies)
        copy->bodies.push_back(body.clone());
    WorldState state;
    state.impl_ = std::move(copy);
    return state;
}

Status World::restore(const WorldState& state) {
    if (!state.impl_ || state.impl_->world_number != impl_->world_number)
        return InputError{"state", state.impl_ ? "it is of another world" : "it is empty",
                          "a state of save()"};
    const WorldState::Impl& saved = *state.impl_;
    impl_->gravity = saved.gravity;
    impl_->report = saved.report;
    impl_->parts = saved.parts;
    // No id is given twice, also where the obstacle or device is gone by this.
    const std::uint32_t last_obstacle = impl_->contact.state.last_obstacle;
    const std::uint32_t last_device = impl_->contact.state.last_device;
    impl_->contact.state = saved.contact;
    impl_->contact.state.last_obstacle = last_obstacle;
    impl_->contact.state.last_device = last_device;
    impl_->contact.prepared = false;
    impl_->wind = saved.wind;
    impl_->wind_elapsed = saved.wind_elapsed;
    impl_->bodies.clear();
    for (const WorldBody& body : saved.bodies)
        impl_->bodies.push_back(body.clone());
    impl_->regroup = true;
    return {};
}

World World::clone() const {
    World copy;
    Impl& to = *copy.impl_;
    to.last_body = impl_->last_body;
    to.gravity = impl_->gravity;
    to.parallel_for = impl_->parallel_for;
    to.report = impl_->report;
    to.parts = impl_->parts;
    to.contact.state = impl_->contact.state;
    to.wind = impl_->wind;
    to.wind_elapsed = impl_->wind_elapsed;
    for (WorldContact& contact : to.contact.state.contacts)
        for (std::uint32_t* world :
             {&contact.a.world, &contact.b.world, &contact.obstacle.world, &contact.device.world})
            if (*world != 0) *world = to.world_number;
    for (WorldObstacle& obstacle : to.contact.state.obstacles)
        obstacle.id_.world = to.world_number;
    for (WorldDevice& device : to.contact.state.devices)
        device.id_.world = to.world_number;
    to.bodies.reserve(impl_->bodies.size());
    for (const WorldBody& body : impl_->bodies) {
        WorldBody& same = to.bodies.emplace_back(body.clone());
        same.id_.world = to.world_number;
        // Scratch memory is shared within a world, not between worlds: another thread may use this one.
        if (auto* stvk = std::get_if<StvkBody>(&same.body_)) {
            stvk->unshare();
            to.share_memory(*stvk, to.bodies.size() - 1);
        }
    }
    return copy;
}

}  // namespace limber
