// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md.
#include "limber/warp/warp_body.h"

#include "limber/warp/rotation.h"
#include "limber/warp/warp_body_impl.h"

#include <cassert>
#include <cmath>
#include <string>
#include <utility>

namespace limber {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

std::optional<InputError> settings_problem(const WarpModel& model, const WarpSettings& s) {
    const auto fine = [](double value) { return std::isfinite(value) && value >= 0; };
    if (!fine(s.alpha) || !fine(s.beta))
        return InputError{
            "damping",
            "alpha = " + number(s.alpha) + " 1/s, beta = " + number(s.beta) + " s; none may be negative",
            "0 for no damping"};
    if (!s.gravity.allFinite()) return InputError{"gravity", "it is not finite", ""};
    for (const double scale : {s.young_scale, s.density_scale})
        if (!(scale >= 1e-9 && scale <= 1e9))
            return InputError{"material",
                              "young_scale = " + number(s.young_scale) + ", density_scale = " +
                                  number(s.density_scale) + "; both must be from 1e-9 to 1e9",
                              "1 for the material that the model was built with"};
    if (model.nodes() == 0 && (!s.gravity.isZero(0) || s.coriolis == LocalCoriolis::On))
        return InputError{"gravity", "the model has no nodes that carry mass", "a model with its volume"};
    return {};
}

std::optional<InputError> constraint_number_problem(const char* kind, int number, std::size_t count) {
    if (number >= 0 && std::size_t(number) < count) return {};
    return InputError{"constraint",
                      "there is no " + std::string(kind) + " constraint " + std::to_string(number) +
                          "; there are " + std::to_string(count) + ", numbered from 0",
                      ""};
}

std::string vertex_count_text(const WarpModel& model) {
    return "the model has " + std::to_string(model.vertices()) + ", numbered from 0";
}

}  // namespace

WarpBody::WarpBody(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
WarpBody::~WarpBody() = default;
WarpBody::WarpBody(WarpBody&&) noexcept = default;
WarpBody& WarpBody::operator=(WarpBody&&) noexcept = default;

WarpBody WarpBody::clone() const {
    auto copy = std::make_unique<Impl>(*impl_);
    copy->forces.reserve(impl_->forces.capacity());
    return WarpBody(std::move(copy));
}

Result<std::shared_ptr<const SharedWarp>> share_warp(std::shared_ptr<const WarpModel> model) {
    if (!model) return InputError{"model", "there is none", ""};
    if (auto problem = warp_model_problem(*model)) return std::move(*problem);
    return std::shared_ptr<const SharedWarp>(std::make_shared<SharedWarp>(std::move(model)));
}

Result<WarpBody> make_warp_body(std::shared_ptr<const SharedWarp> shared, const WarpSettings& settings) {
    if (!shared) return InputError{"model", "there is none", ""};
    if (auto problem = settings_problem(*shared->model, settings)) return std::move(*problem);
    return WarpBody(std::make_unique<WarpBody::Impl>(std::move(shared), settings));
}

Result<WarpBody> make_warp_body(std::shared_ptr<const WarpModel> model, const WarpSettings& settings) {
    auto shared = share_warp(std::move(model));
    if (!shared.ok()) return shared.error();
    return make_warp_body(std::move(shared).value(), settings);
}

const WarpModel& WarpBody::model() const {
    return impl_->model();
}
const WarpSettings& WarpBody::settings() const {
    return impl_->settings;
}
const WarpState& WarpBody::state() const {
    return impl_->state;
}
const FrameMotion& WarpBody::frame() const {
    return impl_->frame;
}

Status WarpBody::set(const WarpSettings& settings) {
    if (auto problem = settings_problem(impl_->model(), settings)) return problem;
    impl_->settings = settings;
    impl_->use_settings();
    impl_->outcome = Impl::Trial::None;
    return {};
}

Status WarpBody::set_state(const WarpState& state) {
    const Eigen::Index m = impl_->model().modes();
    if (state.q.size() != m || state.v.size() != m ||
        (state.previous_q.size() != 0 && state.previous_q.size() != m))
        return InputError{"state",
                          std::to_string(state.q.size()) + " coordinates, " + std::to_string(state.v.size()) +
                              " velocities and " + std::to_string(state.previous_q.size()) +
                              " previous coordinates were given; the model has " + std::to_string(m) +
                              " modes",
                          ""};
    const std::size_t count =
        impl_->constraint_solver ? impl_->constraint_solver->constraints().orientations.size() : 0;
    if (!state.rotations.empty() && state.rotations.size() != count)
        return InputError{"state",
                          std::to_string(state.rotations.size()) +
                              " rotation vectors of targets were given; there are " + std::to_string(count) +
                              " orientation constraints",
                          "set the constraints first, or leave the rotation vectors out"};
    bool sound = std::isfinite(state.time) && std::isfinite(state.surplus) &&
                 impl_->within_bounds(state.q, state.v) &&
                 (state.previous_q.size() == 0 || impl_->within_bounds(state.previous_q, state.v));
    for (const Vector3d& w : state.rotations)
        sound = sound && w.norm() <= kFarthest;
    if (!sound) return InputError{"state", "it is not finite, or farther from rest than 1e12 m or rad", ""};
    impl_->set_state(state);
    return {};
}

Status WarpBody::set_frame(const FrameMotion& frame) {
    if (auto problem = frame_problem(frame)) return problem;
    const InertialField field = inertial_field(frame, Vector3d::Zero());
    if (impl_->shared->nodes.empty() && !(field.uniform.isZero(0) && field.linear.isZero(0)))
        return InputError{"frame", "the model has no nodes that carry mass", "a model with its volume"};
    impl_->frame = frame;
    impl_->frame.orientation.normalize();
    impl_->use_frame();
    return {};
}

void WarpBody::clear_forces() {
    impl_->forces.clear();
    impl_->modal_force.setZero();
}

Status WarpBody::add_force(const VertexForce& force) {
    if (force.vertex < 0 || force.vertex >= impl_->model().vertices())
        return InputError{"force",
                          "there is no surface vertex " + std::to_string(force.vertex) + "; " +
                              vertex_count_text(impl_->model()),
                          ""};
    if (!force.force.allFinite())
        return InputError{"force", "the force on vertex " + std::to_string(force.vertex) + " is not finite",
                          ""};
    impl_->forces.push_back(force);
    return {};
}

Status WarpBody::add_modal_force(const VectorXd& force) {
    if (force.size() != impl_->modal_force.size())
        return InputError{"force",
                          std::to_string(force.size()) + " entries were given; the model has " +
                              std::to_string(impl_->modal_force.size()) + " modes",
                          ""};
    if (!force.allFinite()) return InputError{"force", "the modal force is not finite", ""};
    impl_->modal_force += force;
    return {};
}

Status WarpBody::add_spring(int vertex, const Vector3d& target, double stiffness, double dt) {
    if (vertex < 0 || vertex >= impl_->model().vertices())
        return InputError{
            "spring",
            "there is no surface vertex " + std::to_string(vertex) + "; " + vertex_count_text(impl_->model()),
            ""};
    if (!(target.allFinite() && stiffness >= 0 && std::isfinite(stiffness)))
        return InputError{"spring", "the spring on vertex " + std::to_string(vertex) + " is not finite", ""};
    impl_->pull(vertex, target, stiffness, dt);
    return {};
}

Status WarpBody::set_constraints(const Constraints& constraints) {
    if (auto problem = constraints_problem(impl_->model(), constraints)) return problem;
    if (impl_->constraint_solver && same_constraints(impl_->constraint_solver->constraints(), constraints)) {
        for (std::size_t i = 0; i < constraints.positions.size(); ++i)
            impl_->constraint_solver->set_position(i, constraints.positions[i].displacement);
        for (std::size_t i = 0; i < constraints.orientations.size(); ++i)
            impl_->constraint_solver->set_orientation(i, constraints.orientations[i].orientation);
        return {};
    }
    impl_->constraint_report = {};
    impl_->coefficients_dt = 0;  // the solver's factors belong to a step size
    impl_->constraint_solver.reset();
    impl_->energy_budget.reset();
    if (!constraints.positions.empty() || !constraints.orientations.empty()) {
        const auto& shared = impl_->shared;
        impl_->constraint_solver.emplace(shared->model,
                                         std::shared_ptr<const Companions>(shared, &shared->companions),
                                         constraints, impl_->settings.warping);
        impl_->energy_budget.emplace(*shared->model, shared->softest, constraints);
    }
    impl_->begin_constraints();
    return {};
}

Status WarpBody::set_position_target(int position, const Vector3d& displacement) {
    const std::size_t count =
        impl_->constraint_solver ? impl_->constraint_solver->constraints().positions.size() : 0;
    if (auto problem = constraint_number_problem("position", position, count)) return problem;
    if (auto problem = position_problem(displacement, "position constraint", position)) return problem;
    impl_->constraint_solver->set_position(std::size_t(position), displacement);
    return {};
}

Status WarpBody::set_orientation_target(int orientation, const Eigen::Quaterniond& target) {
    const std::size_t count =
        impl_->constraint_solver ? impl_->constraint_solver->constraints().orientations.size() : 0;
    if (auto problem = constraint_number_problem("orientation", orientation, count)) return problem;
    if (auto problem = orientation_problem(target)) return problem;
    impl_->constraint_solver->set_orientation(std::size_t(orientation), target);
    return {};
}

const ConstraintReport& WarpBody::constraint_report() const {
    return impl_->constraint_report;
}

StepReport WarpBody::trial(double dt, const VectorXd* impulse) {
    return impl_->trial(dt, impulse);
}

void WarpBody::commit() {
    impl_->commit();
}

StepReport WarpBody::step(double dt) {
    const StepReport report = trial(dt);
    commit();
    return report;
}

double WarpBody::kinetic_energy() const {
    return 0.5 * impl_->settings.density_scale * impl_->state.v.squaredNorm();
}

double WarpBody::elastic_energy() const {
    const VectorXd& q = impl_->state.q;
    return 0.5 * impl_->settings.young_scale * q.dot(impl_->model().eigenvalues.cwiseProduct(q));
}

Vector3d WarpBody::rotation(int vertex) const {
    assert(vertex >= 0 && vertex < impl_->model().vertices());
    return Impl::times(impl_->model().surface_rotations, vertex, impl_->state.q);
}

Vector3d WarpBody::displacement(int vertex) const {
    assert(vertex >= 0 && vertex < impl_->model().vertices());
    const Impl& in = *impl_;
    const Vector3d linear = Impl::times(in.model().surface_modes, vertex, in.state.q);
    if (!in.warped()) return linear;
    const Vector3d w = Impl::times(in.model().surface_rotations, vertex, in.shown_q());
    const Vector3d beside = Impl::times(in.model().surface_companions, vertex, impl_->shown_amplitudes());
    return mean_rotation(w) * (linear + beside);  // (25)
}

// d/dt R̃(Ψq)(Φq + Γz)                                                                             (17)
Vector3d WarpBody::velocity(int vertex) const {
    assert(vertex >= 0 && vertex < impl_->model().vertices());
    Impl& in = *impl_;
    const VectorXd &q = in.state.q, &v = in.state.v;
    const Vector3d linear_rate = Impl::times(in.model().surface_modes, vertex, v);
    if (!in.warped()) return linear_rate;
    const Vector3d w = Impl::times(in.model().surface_rotations, vertex, q);
    const Vector3d w_rate = Impl::times(in.model().surface_rotations, vertex, v);
    Vector3d y = Impl::times(in.model().surface_modes, vertex, q), y_rate = linear_rate;
    if (in.settings.warping == Warping::Warped && in.shown_companions.count() > 0) {
        in.shown_companions.move_to(q);
        in.companion_rate.noalias() = in.shown_companions.slopes() * v;
        y += Impl::times(in.model().surface_companions, vertex, in.shown_companions.z());
        y_rate += Impl::times(in.model().surface_companions, vertex, in.companion_rate);
    }
    return mean_rotation_jacobian(w, y) * w_rate + mean_rotation(w) * y_rate;
}

const Constraints* WarpBody::constraints() const {
    return impl_->constraint_solver ? &impl_->constraint_solver->constraints() : nullptr;
}

const VectorXd& WarpBody::shape_rotations() const {
    return impl_->warped() ? impl_->shown_q() : impl_->zero;
}

void WarpBody::shape_coordinates(VectorXd& out) const {
    const VectorXd &q = impl_->state.q, &z = impl_->shown_amplitudes();
    out.resize(q.size() + z.size());
    out.head(q.size()) = q;
    out.tail(z.size()) = z;
}

void WarpBody::surface_shape(Eigen::VectorXf& displacement, Eigen::VectorXf& normals) const {
    WarpSurface::Coordinates& at = impl_->coordinates;
    at.q = impl_->state.q.cast<float>();
    at.p = (impl_->warped() ? impl_->shown_q() : impl_->state.q).cast<float>();
    at.z = impl_->shown_amplitudes().cast<float>();
    impl_->shared->surface.shape(at, impl_->settings.warping, displacement, normals);
}

}  // namespace limber
