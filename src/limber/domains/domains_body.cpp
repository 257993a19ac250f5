// SPDX-License-Identifier: Apache-2.0
#include "limber/domains/domains_body.h"

#include "limber/domains/domains_body_impl.h"
#include "limber/domains/make_tree.h"
#include "limber/domains/replace.h"
#include "limber/domains/shared_vertices.h"
#include "limber/domains/tree_air.h"
#include "limber/integrate/pull_stiffness.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

namespace limber {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

Result<std::shared_ptr<const SharedDomains>> share(std::shared_ptr<const Model> model,
                                                   std::shared_ptr<const Model> base) {
    if (!model) return InputError{"model", "there is none", ""};
    if (!model->domains)
        return InputError{model->name, "the model is not a tree of domains",
                          "build it with --domains, or use another method"};
    if (auto problem = model_problem(*model)) return std::move(*problem);
    const Model& whole = *model;  // kept by what is made
    auto out = std::make_shared<SharedDomains>(SharedDomains{std::move(model),
                                                             std::move(base),
                                                             make_tree(*whole.domains),
                                                             rest_placements(*whole.domains),
                                                             {0},
                                                             {},
                                                             shared_vertices(whole),
                                                             SurfaceShape(whole.surface),
                                                             surface_length(whole.surface),
                                                             {},
                                                             {}});
    for (const DomainPart& part : whole.domains->parts)
        out->parts.emplace_back(part.model->surface);
    for (std::size_t v = 0; v < out->next_shared.size(); ++v) {
        // The first of a ring stands for it.
        int k = out->next_shared[v];
        if (k == int(v)) continue;
        while (k > int(v))
            k = out->next_shared[std::size_t(k)];
        if (k == int(v)) out->shared_vertices.push_back(k);
    }
    for (std::size_t i = 0; i < whole.domains->domains.size(); ++i) {
        const Model& part = *whole.domains->parts[std::size_t(whole.domains->domains[i].part)].model;
        const auto count = part.surface.vertices.size();
        out->first_vertex.push_back(out->first_vertex.back() + int(count));
        out->domain_of_vertex.insert(out->domain_of_vertex.end(), count, int(i));
    }
    return std::shared_ptr<const SharedDomains>(std::move(out));
}

// With the parts that the states name.
Result<std::shared_ptr<const SharedDomains>> with_parts(std::shared_ptr<const SharedDomains> shared,
                                                        const std::vector<DomainState>& domains) {
    auto model = replaced_model(shared->base, domains);
    if (!model.ok()) return model.error();
    const std::vector<Domain>&now = shared->model->domains->domains, &then = model.value()->domains->domains;
    const bool same = std::equal(now.begin(), now.end(), then.begin(), then.end(),
                                 [](const Domain& a, const Domain& b) { return a.part == b.part; });
    if (same) return shared;
    return share(std::move(model).value(), shared->base);
}

std::optional<InputError> domains_settings_problem(const DomainsSettings& settings, std::size_t domains) {
    const auto not_negative = [](double x) { return x >= 0 && std::isfinite(x); };
    if (!not_negative(settings.alpha) || !not_negative(settings.beta))
        return InputError{"damping",
                          "alpha is " + number(settings.alpha) + " 1/s, beta " + number(settings.beta) +
                              " s; both must be at least 0",
                          "0 for no damping"};
    if (!(settings.tolerance > 0 && settings.tolerance <= 0.1))
        return InputError{"tolerance",
                          "it is " + number(settings.tolerance) + "; it must be above 0 and at most 0.1",
                          "0.01"};
    if (!settings.gravity.allFinite()) return InputError{"gravity", "it is not finite", ""};
    if (settings.domains.size() != domains)
        return InputError{"domains",
                          "settings of " + std::to_string(settings.domains.size()) +
                              " domains were given; the tree has " + std::to_string(domains),
                          ""};
    for (const DomainState& d : settings.domains)
        for (const double factor : {d.young, d.density})
            if (!(factor >= kLeastDomainFactor && factor <= kMostDomainFactor))
                return InputError{"domains",
                                  "young_scale is " + number(d.young) + ", density_scale " +
                                      number(d.density) + "; both must be from " +
                                      number(kLeastDomainFactor) + " to " + number(kMostDomainFactor),
                                  "1 for the material that the part was built with"};
    if (settings.domains[0].detached)
        return InputError{"domains", "the root cannot be detached: nothing would be left",
                          "a domain that hangs on another one"};
    return std::nullopt;
}

// With a domain goes all that hangs on it.
void detach_below(const DomainTree& tree, std::vector<DomainState>& domains) {
    for (std::size_t i = 1; i < tree.size(); ++i)
        domains[i].detached |= domains[std::size_t(tree.domains[i].parent)].detached;
}

}  // namespace

Result<std::shared_ptr<const SharedDomains>> share_domains(std::shared_ptr<const Model> model) {
    auto base = model;
    return share(std::move(model), std::move(base));
}

DomainsBody::DomainsBody(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DomainsBody::~DomainsBody() = default;
DomainsBody::DomainsBody(DomainsBody&&) noexcept = default;
DomainsBody& DomainsBody::operator=(DomainsBody&&) noexcept = default;
DomainsBody DomainsBody::clone() const {
    return DomainsBody(std::make_unique<Impl>(*impl_));
}

Result<DomainsBody> make_domains_body(std::shared_ptr<const SharedDomains> shared, DomainsSettings settings) {
    if (!shared) return InputError{"model", "there is none", ""};
    if (settings.domains.empty()) settings.domains.resize(shared->tree.size());
    if (auto problem = domains_settings_problem(settings, shared->tree.size())) return std::move(*problem);
    detach_below(shared->tree, settings.domains);
    auto now = with_parts(std::move(shared), settings.domains);
    if (!now.ok()) return now.error();
    shared = std::move(now).value();
    return DomainsBody(std::make_unique<DomainsBody::Impl>(std::move(shared), std::move(settings)));
}

Result<DomainsBody> make_domains_body(std::shared_ptr<const Model> model, DomainsSettings settings) {
    auto shared = share_domains(std::move(model));
    if (!shared.ok()) return shared.error();
    return make_domains_body(std::move(shared).value(), std::move(settings));
}

const Model& DomainsBody::model() const {
    return *impl_->shared->model;
}
const std::shared_ptr<const Model>& DomainsBody::shared_model() const {
    return impl_->shared->model;
}
const std::shared_ptr<const Model>& DomainsBody::model_as_built() const {
    return impl_->shared->base;
}
const DomainTree& DomainsBody::tree() const {
    return impl_->tree();
}
const DomainsSettings& DomainsBody::settings() const {
    return impl_->settings;
}
const TreeState& DomainsBody::state() const {
    return impl_->state;
}
const FrameMotion& DomainsBody::frame() const {
    return impl_->frame;
}
const TreeStepReport& DomainsBody::step_details() const {
    return impl_->details;
}

Status DomainsBody::set(DomainsSettings settings) {
    if (settings.domains.empty()) settings.domains.resize(tree().size());
    if (auto problem = domains_settings_problem(settings, tree().size())) return problem;
    detach_below(tree(), settings.domains);
    for (std::size_t i = 0; i < tree().size(); ++i)
        if (impl_->settings.domains[i].detached && !settings.domains[i].detached)
            return InputError{
                "domains",
                "domain " + model().domains->domains[i].name + " is detached: it cannot be attached again",
                "a state that was saved before"};
    auto shared = with_parts(impl_->shared, settings.domains);
    if (!shared.ok()) return shared.error();
    if (shared.value() != impl_->shared) {
        auto next = std::make_unique<Impl>(std::move(shared).value(), settings);
        next->frame = impl_->frame;
        next->state = impl_->state;
        next->wind = impl_->wind;
        next->wind_time = impl_->wind_time;
        next->origin = impl_->origin;
        next->details = impl_->details;
        for (std::size_t i = 0; i < tree().size(); ++i) {
            const TreeDomain& d = tree().domains[i];
            if (next->tree().domains[i].part == d.part) continue;
            next->state.q.segment(d.first, d.rank).setZero();
            next->state.v.segment(d.first, d.rank).setZero();
        }
        impl_ = std::move(next);
    }
    impl_->settings = std::move(settings);
    impl_->clear_still();
    impl_->placed = impl_->has_end = false;
    return {};
}

Status DomainsBody::set_state(const TreeState& state) {
    const Eigen::Index n = tree().coordinates;
    if (state.q.size() != n || state.v.size() != n)
        return InputError{
            "state",
            "it has " + std::to_string(state.q.size()) + " coordinates; the tree has " + std::to_string(n),
            ""};
    if (!state.q.allFinite() || !state.v.allFinite() || !std::isfinite(state.time) ||
        !state.velocity.allFinite() || !state.angular_velocity.allFinite())
        return InputError{"state", "it is not finite", ""};
    if (auto problem = pose_problem(state.root)) return problem;
    if (!(state.root.position.norm() <= kFarthestRoot && state.velocity.norm() <= kFarthestRoot &&
          state.angular_velocity.norm() <= 1e9))
        return InputError{"state", "it is farther than 1e12 m, faster than 1e12 m/s or 1e9 rad/s", ""};
    impl_->state = state;
    impl_->clear_still();
    impl_->placed = impl_->has_end = false;
    return {};
}

Status DomainsBody::set_frame(const FrameMotion& frame) {
    if (auto problem = frame_problem(frame)) return problem;
    if (impl_->settings.mount == RootMount::Free)
        return InputError{"support", "the tree flies freely: nothing carries it", ""};
    impl_->frame = frame;
    impl_->frame.orientation.normalize();
    return {};
}

void DomainsBody::clear_forces() {
    impl_->forces.clear();
}

Status DomainsBody::add_force(const VertexForce& force) {
    Impl& in = *impl_;
    const auto count = in.shared->domain_of_vertex.size();
    if (force.vertex < 0 || std::size_t(force.vertex) >= count)
        return InputError{"force",
                          "there is no surface vertex " + std::to_string(force.vertex) + "; the model has " +
                              std::to_string(count) + ", numbered from 0",
                          ""};
    if (!force.force.allFinite())
        return InputError{"force", "the force on vertex " + std::to_string(force.vertex) + " is not finite",
                          ""};
    if (in.is_detached(force.vertex)) return {};  // nothing is there that it could pull at
    int ring = 1, shares = 1;
    for (int k = in.shared->next_shared[std::size_t(force.vertex)]; k != force.vertex;
         k = in.shared->next_shared[std::size_t(k)], ++ring)
        shares += in.is_detached(k) ? 0 : 1;
    for (int k = force.vertex, n = 0; n < ring; k = in.shared->next_shared[std::size_t(k)], ++n) {
        if (in.is_detached(k)) continue;
        const int i = in.shared->domain_of_vertex[std::size_t(k)];
        const ModelSurface& surface = in.part_of(i).surface;
        const int local = k - in.shared->first_vertex[std::size_t(i)];
        DomainForce to{i, surface.vertices[std::size_t(local)], force.force / shares, nullptr, 0};
        if (in.tree().domains[std::size_t(i)].rank > 0) {
            to.rows = surface.basis.data() + 3 * local;
            to.stride = surface.basis.rows();
        }
        in.forces.push_back(to);
    }
    return {};
}

StepReport DomainsBody::step(double dt) {
    const StepReport report = trial(dt);
    commit();
    return report;
}

StepReport DomainsBody::trial(double dt, const VectorXd* impulse) {
    TreeImpulse on;
    on.coordinates = impulse;
    return impl_->trial(dt, impulse ? &on : nullptr);
}

StepReport DomainsBody::Impl::trial(double dt, const TreeImpulse* impulse) {
    Impl& in = *this;
    StepReport report;
    in.has_end = in.blew_up = in.touch.drifted = false;
    in.trial_dt = dt;
    if (!(dt > 0) || !std::isfinite(dt)) {
        report.converged = false;
        report.problem = StepProblem::TimeStep;
        return report;
    }
    in.placed = false;
    if (in.wind)
        evaluate_poses(in.tree(), root_motion(in.options(), in.state), in.state.q, in.state.v,
                       in.stepper.work);
    set_air(in.tree(), in.settings.domains, in.wind.get(), in.wind_time, in.state.q, in.state.v,
            in.stepper.work);
    in.details = in.stepper.step(in.tree(), in.settings.domains, in.forces, in.options(), in.state, dt,
                                 impulse, in.next);
    report.iterations = in.details.iterations;
    report.refactored = true;
    const bool sound = in.details.finite && in.next.root.position.norm() <= kFarthestRoot &&
                       in.next.velocity.norm() <= kFarthestRoot && in.next.angular_velocity.norm() <= 1e9 &&
                       in.next.q.lpNorm<Eigen::Infinity>() <= kFarthestCoordinate;
    if (!sound) {
        report.converged = false;
        report.problem = StepProblem::BlowUp;
        in.blew_up = true;
    }
    in.has_end = sound;
    return report;
}

void DomainsBody::commit() {
    Impl& in = *impl_;
    if (in.has_end) {
        std::swap(in.state, in.next);
        in.state.frame = in.frame;
    } else if (in.blew_up) {
        in.state.v.setZero();
        in.state.velocity.setZero();
        in.state.angular_velocity.setZero();
    }
    in.has_end = in.blew_up = in.placed = false;
}

double DomainsBody::kinetic_energy() const {
    impl_->place();
    return tree_kinetic_energy(tree(), impl_->settings.domains, impl_->state.v, impl_->stepper.work);
}

double DomainsBody::elastic_energy() const {
    evaluate_elastic(tree(), impl_->settings.domains, impl_->state.q, impl_->stepper.work);
    return tree_elastic_energy(tree(), impl_->settings.domains, impl_->stepper.work);
}

Vector3d DomainsBody::displacement(int vertex) const {
    assert(vertex >= 0 && std::size_t(vertex) < impl_->shared->domain_of_vertex.size());
    impl_->place();
    return impl_->averaged(vertex, [&](int k) { return impl_->place_of(k); }) -
           impl_->shared->model->surface.vertices[std::size_t(vertex)];
}

Vector3d DomainsBody::velocity(int vertex) const {
    impl_->place();
    const Vector3d total = impl_->averaged(vertex, [&](int k) { return impl_->rate_of(k); });
    const Vector6d& root = impl_->stepper.work.nodes[0].twist;
    const Vector3d x = impl_->averaged(vertex, [&](int k) { return impl_->place_of(k); });
    return total - root.head<3>() - root.tail<3>().cross(x);
}

Result<double> DomainsBody::suggest_pull_stiffness(int vertex, double dt) const {
    Impl& in = *impl_;
    if (auto problem = pull_problem(vertex, Eigen::Index(in.shared->domain_of_vertex.size()), dt))
        return std::move(*problem);
    in.placed = false;
    TreeWork& work = in.stepper.work;
    work.air.clear();
    const VectorXd zero = VectorXd::Zero(tree().coordinates);
    DomainsBody pulled = clone();
    // Columns Jᵀe: what a force along an axis does to the coordinates, and their accelerations under it.
    Eigen::MatrixXd J(zero.size(), 3), a(zero.size(), 3), K_inverse_J = J;
    for (int axis = 0; axis < 3; ++axis) {
        pulled.clear_forces();
        if (Status added = pulled.add_force({vertex, Vector3d::Unit(axis)}); !added.ok())
            return added.error();
        evaluate_tree(tree(), in.settings.domains, {}, zero, zero, pulled.impl_->forces, work);
        tree_residual(tree(), in.settings.domains, Coupling::Exact, {}, zero, zero, Vector6d::Zero(), work);
        J.col(axis) = -work.residual;
        if (!factorize_tree(tree(), in.settings.domains, Coupling::Exact, {}, {}, work) ||
            !solve_tree(tree(), in.settings.domains, Coupling::Exact, RootMount::Carried, work))
            return 0.0;
        a.col(axis) = work.correction;
    }
    for (const TreeDomain& d : tree().domains) {
        if (d.rank == 0) continue;
        const Eigen::Map<Eigen::MatrixXd> K(work.K.data() + d.first_square, d.rank, d.rank);
        K_inverse_J.middleRows(d.first, d.rank) = K.ldlt().solve(J.middleRows(d.first, d.rank));
    }
    const auto symmetric = [](const Eigen::Matrix3d& A) {
        return Eigen::Matrix3d(0.5 * (A + A.transpose()));
    };
    return pull_stiffness(symmetric(J.transpose() * K_inverse_J), symmetric(J.transpose() * a), dt);
}

Pose DomainsBody::domain_pose(std::size_t domain) const {
    impl_->place();
    const DomainNode& node = impl_->stepper.work.nodes[domain];
    return {node.x, Eigen::Quaterniond(node.R).normalized()};
}

Vector6d DomainsBody::domain_twist(std::size_t domain) const {
    impl_->place();
    return impl_->stepper.work.nodes[domain].twist;
}

void DomainsBody::set_wind(std::shared_ptr<const Wind> wind, double time, const Vector3d& origin) {
    impl_->wind = std::move(wind);
    impl_->wind_time = time;
    impl_->origin = origin;
}

}  // namespace limber
