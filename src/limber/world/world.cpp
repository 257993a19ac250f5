// SPDX-License-Identifier: Apache-2.0
#include "limber/world/world.h"

#include "limber/reduced/stvk_batch.h"
#include "limber/settings/read_settings.h"
#include "limber/shown_name.h"
#include "limber/world/start.h"

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

constexpr std::size_t kMostBodies = 1000000, kMostSprings = 1000;
constexpr double kMostStiffness = 1e15;  // N/m; with targets within kFarthest forces stay finite

// What is derived from a model, once for all its bodies in this world.
struct SharedParts {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const SharedStvk> stvk;
    std::shared_ptr<const SharedWarp> warp;
    std::shared_ptr<const SharedRigid> rigid;
};

// Bodies whose coefficients are read together.
struct Batch {
    StvkBatch batch;
    std::vector<std::size_t> members;  // places in the list of bodies
    std::vector<StvkBody*> bodies;     // the same
};

InputError named(InputError error, const std::string& name) {
    error.where = "body " + shown_name(name) + (error.where.empty() ? "" : ": " + error.where);
    return error;
}

// Of the box around the surface, m.
double diagonal(const ModelSurface& surface) {
    Vector3d low = surface.vertices[0], high = low;
    for (const Vector3d& x : surface.vertices) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    return (high - low).norm();
}

// The settings of the method, whatever the caller left out.
template <class Settings>
Result<Settings> settings_of(const BodySettings& given, const Vector3d& gravity) {
    Settings out;
    if (const auto* set = std::get_if<Settings>(&given))
        out = *set;
    else if (!std::holds_alternative<std::monostate>(given))
        return InputError{"settings", "they are those of another method", ""};
    out.gravity = gravity;
    return out;
}

Result<WarpSettings> warp_settings_of(const BodyDef& def, const Vector3d& gravity) {
    auto out = settings_of<WarpSettings>(def.settings, gravity);
    if (!out.ok()) return out;
    if (def.method == Method::Linear) out.value().warping = Warping::Linear;
    return out;
}

}  // namespace

struct World::Impl {
    std::uint32_t world_number = next_world_number();
    std::uint32_t last_body = 0;
    Vector3d gravity = Vector3d::Zero();
    WorldReport report;
    std::vector<WorldBody> bodies;  // by id
    std::vector<SharedParts> parts;
    std::vector<Batch> batches;       // made when bodies or settings changed
    std::vector<int> batch_of;        // per body; -1: stepped by itself
    std::vector<int> place_in_batch;  // per body
    bool regroup = true;

    WorldBody* find(BodyId id);
    Status known(BodyId id);
    SharedParts& shared_parts_of(const std::shared_ptr<const Model>& model);
    void drop_unused_parts();
    void group();

    Result<AnyBody> make(const BodyDef& def);
    Result<AnyBody> make_stvk(const BodyDef& def);
    Result<AnyBody> make_warp(const BodyDef& def);
    Result<AnyBody> make_rigid(const BodyDef& def);

    Status apply(const SetGravity& input);
    Status apply(const SetSettings& input);
    Status apply(const SetState& input);
    Status apply(const RestoreState& input);
    Status apply(const PlaceBody& input);
    Status apply(const SetForces& input);
    Status apply(const SetSprings& input);
    Status apply(const SetConstraints& input);
    Status apply(const SetSupport& input);
    Status apply(const FollowPath& input);
};

struct WorldState::Impl {
    std::uint32_t world_number;
    Vector3d gravity;
    WorldReport report;
    std::vector<WorldBody> bodies;
    std::vector<SharedParts> parts;
};

WorldState::WorldState() = default;
WorldState::~WorldState() = default;
WorldState::WorldState(const WorldState&) = default;
WorldState& WorldState::operator=(const WorldState&) = default;

World::World(const WorldDef& def) : impl_(std::make_unique<Impl>()) {
    impl_->gravity = def.gravity;
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
    return parts.emplace_back(SharedParts{model, nullptr, nullptr, nullptr});
}

void World::Impl::drop_unused_parts() {
    std::erase_if(parts, [&](const SharedParts& each) {
        return std::none_of(bodies.begin(), bodies.end(),
                            [&](const WorldBody& body) { return body.model() == each.model; });
    });
}

Result<AnyBody> World::Impl::make_stvk(const BodyDef& def) {
    auto settings = settings_of<StvkSettings>(def.settings, gravity);
    if (!settings.ok()) return settings.error();
    SharedParts& shared = shared_parts_of(def.model);
    if (!shared.stvk) {
        auto made = share_stvk(def.model);
        if (!made.ok()) return made.error();
        shared.stvk = std::move(made).value();
    }
    auto made = make_stvk_body(shared.stvk, std::move(settings).value());
    if (!made.ok()) return made.error();
    return AnyBody(std::move(made).value());
}

Result<AnyBody> World::Impl::make_warp(const BodyDef& def) {
    auto settings = warp_settings_of(def, gravity);
    if (!settings.ok()) return settings.error();
    if (!def.model->warp)
        return InputError{"method", "the model was built without modal warping",
                          "build it with --method both"};
    SharedParts& shared = shared_parts_of(def.model);
    if (!shared.warp) {
        auto made = share_warp(def.model->warp);
        if (!made.ok()) return made.error();
        shared.warp = std::move(made).value();
    }
    auto made = make_warp_body(shared.warp, settings.value());
    if (!made.ok()) return made.error();
    return AnyBody(std::move(made).value());
}

Result<AnyBody> World::Impl::make_rigid(const BodyDef& def) {
    auto settings = settings_of<RigidSettings>(def.settings, gravity);
    if (!settings.ok()) return settings.error();
    SharedParts& shared = shared_parts_of(def.model);
    if (!shared.rigid) {
        auto made = share_rigid(def.model);
        if (!made.ok()) return made.error();
        shared.rigid = std::move(made).value();
    }
    auto made = make_rigid_body(shared.rigid, settings.value());
    if (!made.ok()) return made.error();
    if (Status placed = made.value().place(def.pose, def.velocity, def.angular_velocity); !placed.ok())
        return placed.error();
    return AnyBody(std::move(made).value());
}

Result<AnyBody> World::Impl::make(const BodyDef& def) {
    switch (def.method) {
        case Method::Stvk:
            return make_stvk(def);
        case Method::Warp:
        case Method::Linear:
            return make_warp(def);
        case Method::Rigid:
            return make_rigid(def);
    }
    return InputError{"method", "it is none of stvk, warp, linear, rigid", ""};
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
        while (find(def.name));
    }
    const auto refuse = [&](InputError error) {
        in.drop_unused_parts();
        return named(std::move(error), def.name);
    };
    if (find(def.name)) return refuse({"name", "another body has it", "a name of its own"});
    if (in.bodies.size() >= kMostBodies)
        return refuse({"", "a world has at most " + std::to_string(kMostBodies) + " bodies", ""});
    if (!def.model) return refuse({"model", "there is none", ""});
    if (auto problem = pose_problem(def.pose)) return refuse(std::move(*problem));
    auto made = in.make(def);
    if (!made.ok()) return refuse(made.error());

    WorldBody body(std::move(made).value());
    body.id_ = {in.world_number, in.last_body + 1};
    body.name_ = def.name;
    body.method_ = def.method;
    body.model_ = def.model;
    if (def.method != Method::Rigid) {
        body.pose_ = def.pose;
        body.pose_.orientation.normalize();
        if (Status stands = body.use_support({}); !stands.ok()) return refuse(stands.error());
    } else if (def.q.size() > 0 || def.v.size() > 0 || !def.release.empty()) {
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
    if (auto* stvk = std::get_if<StvkBody>(&body.body_))
        for (const WorldBody& other : in.bodies)
            if (const auto* like = std::get_if<StvkBody>(&other.body_); like && stvk->share_with(*like))
                break;
    in.bodies.push_back(std::move(body));
    ++in.last_body;
    in.regroup = true;
    return in.bodies.back().id();
}

Status World::remove(BodyId id) {
    if (Status known = impl_->known(id); !known.ok()) return known;
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
    if (const auto* gone = std::get_if<RemoveBody>(&input)) return remove(gone->body);
    return std::visit(
        [&](const auto& each) -> Status {
            using Each = std::decay_t<decltype(each)>;
            if constexpr (std::is_same_v<Each, BodyDef> || std::is_same_v<Each, RemoveBody>) {
                return {};
            } else if constexpr (std::is_same_v<Each, SetGravity>) {
                return impl_->apply(each);
            } else {
                if (Status known = impl_->known(each.body); !known.ok()) return known;
                const Status done = impl_->apply(each);
                return done.ok() ? done : Status(named(done.error(), impl_->find(each.body)->name()));
            }
        },
        input);
}

Status World::Impl::apply(const SetGravity& input) {
    if (!input.gravity.allFinite()) return InputError{"gravity", "it is not finite", "0 0 -9.81"};
    const auto give = [](WorldBody& body, const Vector3d& to) {
        return std::visit(
            [&](auto& each) {
                auto settings = each.settings();
                settings.gravity = to;
                return each.set(settings);
            },
            body.body_);
    };
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Status given = give(bodies[i], input.gravity);
        if (given.ok()) continue;
        for (std::size_t k = 0; k < i; ++k) {
            const Status back = give(bodies[k], gravity);
            assert(back.ok());
        }
        return named(given.error(), bodies[i].name());
    }
    gravity = input.gravity;
    return {};
}

Status World::Impl::apply(const SetSettings& input) {
    WorldBody& body = *find(input.body);
    const Status set = std::visit(
        [&](auto& each) -> Status {
            using Settings = std::decay_t<decltype(each.settings())>;
            auto settings = settings_of<Settings>(input.settings, gravity);
            if (!settings.ok()) return settings.error();
            return each.set(settings.value());
        },
        body.body_);
    if (!set.ok()) return set;
    if (const auto* modes = std::get_if<WarpBody>(&body.body_)) body.method_ = method_of(modes->settings());
    regroup = true;
    if (auto* stvk = std::get_if<StvkBody>(&body.body_))
        for (const WorldBody& other : bodies)
            if (const auto* like = std::get_if<StvkBody>(&other.body_);
                like && like != stvk && stvk->share_with(*like))
                break;
    return {};
}

Status World::Impl::apply(const SetState& input) {
    WorldBody& body = *find(input.body);
    if (Status set = set_motion(body.body_, input.q, input.v); !set.ok()) return set;
    body.begins_ = input.start == StartAcceleration::FromForces;
    return {};
}

Status World::Impl::apply(const RestoreState& input) {
    WorldBody& body = *find(input.body);
    const Status set = std::visit(
        [&](auto& each) -> Status {
            using State = std::decay_t<decltype(each.state())>;
            const auto* state = std::get_if<State>(&input.state);
            if (!state) return InputError{"state", "it is of another kind of body", ""};
            return each.set_state(*state);
        },
        body.body_);
    if (set.ok()) body.begins_ = false;
    return set;
}

Status World::Impl::apply(const PlaceBody& input) {
    if (auto problem = pose_problem(input.pose)) return std::move(*problem);
    WorldBody& body = *find(input.body);
    if (auto* rigid = std::get_if<RigidBody>(&body.body_))
        return rigid->place(input.pose, input.velocity, input.angular_velocity);
    if (!input.velocity.isZero(0) || !input.angular_velocity.isZero(0))
        return InputError{"velocity", "a soft body is fixed to its support: it has no velocity of its own",
                          "\"method\": \"rigid\", or a support that moves"};
    const Pose before = std::exchange(body.pose_, {input.pose.position, input.pose.orientation.normalized()});
    Status put = body.put_frame();
    if (!put.ok()) body.pose_ = before;
    return put;
}

Status World::Impl::apply(const SetForces& input) {
    return find(input.body)->set_forces(input.forces, input.reduced);
}

Status World::Impl::apply(const SetSprings& input) {
    WorldBody& body = *find(input.body);
    if (input.springs.size() > kMostSprings)
        return InputError{"pull",
                          std::to_string(input.springs.size()) + " springs; at most " +
                              std::to_string(kMostSprings) + " pull on a body",
                          ""};
    const auto vertices = static_cast<int>(body.model()->surface.vertices.size());
    for (const Spring& spring : input.springs) {
        if (spring.vertex < 0 || spring.vertex >= vertices)
            return InputError{"pull",
                              "there is no surface vertex " + std::to_string(spring.vertex) +
                                  "; the model has " + std::to_string(vertices) + ", numbered from 0",
                              ""};
        if (!(spring.target.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <= kFarthest) ||
            !(spring.stiffness >= 0 && spring.stiffness <= kMostStiffness))
            return InputError{"pull",
                              "the target is not a place within 1e12 m, or the stiffness " +
                                  number(spring.stiffness) + " N/m is not from 0 to 1e15",
                              ""};
    }
    body.springs_ = input.springs;
    const Status put = body.put_forces();  // also where none is left
    assert(put.ok());
    return {};
}

Status World::Impl::apply(const SetConstraints& input) {
    WorldBody& body = *find(input.body);
    auto* modes = std::get_if<WarpBody>(&body.body_);
    if (!modes) return InputError{"constraints", "only warped bodies have them", "\"method\": \"warp\""};
    if (!(input.smoothing >= 0) || !std::isfinite(input.smoothing))
        return InputError{"constraints", "a smoothing of " + number(input.smoothing) + " s is not from 0",
                          ""};
    if (auto problem = constraints_problem(modes->model(), input.constraints)) return std::move(*problem);
    const bool any = !input.constraints.positions.empty() || !input.constraints.orientations.empty();
    if (input.smoothing == 0 || !any) {
        body.targets_.reset();
        return modes->set_constraints(input.constraints);
    }
    if (!body.targets_) {
        body.targets_ = WorldBody::Targets{};
        body.targets_->motion.size = diagonal(body.model()->surface);
        if (const Constraints* now = modes->constraints())
            body.targets_->motion.first = body.targets_->motion.present = *now;
    }
    set_target(body.targets_->motion, input.constraints,
               [&](int vertex) { return placement_of(*modes, vertex); });
    body.targets_->smoothing = input.smoothing;
    return {};
}

Status World::Impl::apply(const SetSupport& input) {
    if (auto problem = pose_problem(input.pose)) return std::move(*problem);
    WorldBody::Support support;
    support.pose = input.pose;
    support.pose.orientation.normalize();
    support.motion = input.motion;
    return find(input.body)->use_support(support);
}

Status World::Impl::apply(const FollowPath& input) {
    if (auto problem = path_problem(input.path)) return std::move(*problem);
    if (!(input.elapsed >= 0) || !std::isfinite(input.elapsed))
        return InputError{"path", number(input.elapsed) + " s of it cannot have passed", ""};
    WorldBody& body = *find(input.body);
    // A path that the body cannot follow (a model without moments) is refused now, not while it runs.
    const WorldBody::Support before = body.support_;
    WorldBody::Support support = before;
    support.motion = {.acceleration = Vector3d::UnitX(), .angular_velocity = Vector3d::UnitX()};
    if (std::holds_alternative<Shake>(input.path)) support.motion.angular_velocity.setZero();
    if (Status able = body.use_support(support); !able.ok()) return able;
    support = before;
    support.path = input.path;
    support.path_start = before.pose;
    support.path_elapsed = input.elapsed;
    return body.use_support(support);
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
    for (WorldBody& body : in.bodies)
        body.before_step(dt);
    for (Batch& step : in.batches)
        step.batch.evaluate(step.bodies);
    for (std::size_t i = 0; i < in.bodies.size(); ++i) {
        WorldBody& body = in.bodies[i];
        const int together = in.batch_of[i];
        body.report_ = together >= 0 ? in.batches[std::size_t(together)].batch.trial(
                                           in.place_in_batch[i], std::get<StvkBody>(body.body_), dt)
                                     : std::visit([&](auto& each) { return each.trial(dt); }, body.body_);
        in.report.not_converged += body.report_.converged ? 0 : 1;
        in.report.iterations = std::max(in.report.iterations, body.report_.iterations);
    }
    for (WorldBody& body : in.bodies)
        std::visit([](auto& each) { each.commit(); }, body.body_);
    ++in.report.step;
    in.report.time += dt;
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
    to.report = impl_->report;
    to.parts = impl_->parts;
    to.bodies.reserve(impl_->bodies.size());
    for (const WorldBody& body : impl_->bodies) {
        to.bodies.push_back(body.clone());
        to.bodies.back().id_.world = to.world_number;
    }
    return copy;
}

}  // namespace limber
