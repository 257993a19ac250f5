// SPDX-License-Identifier: Apache-2.0
// docs/math/reduced_stvk.md, section 8, and docs/math/newmark.md.
#include "limber/reduced/stvk_body.h"

#include "limber/reduced/stable_step.h"
#include "limber/reduced/stvk_body_impl.h"

#include <cassert>
#include <cmath>
#include <string>
#include <utility>

namespace limber {

using Eigen::VectorXd;

namespace {

constexpr int kMaxNewton = 20;
// No body moves ten times its length in a step, or a thousand times its length at all: that is a blow-up.
constexpr double kStepLengths = 10, kStateLengths = 1000;

// The steps need no memory then.
void set_size(std::initializer_list<VectorXd*> vectors, Eigen::Index size) {
    for (VectorXd* x : vectors)
        x->setZero(size);
}
void set_size(Motion& motion, Eigen::Index size) {
    set_size({&motion.u, &motion.v, &motion.a}, size);
}
void set_size(NewtonWork& work, Eigen::Index size) {
    set_size({&work.delta, &work.residual, &work.correction}, size);
}
void set_size(ImplicitWork& work, Eigen::Index size) {
    set_size(work.at_zero, size);
    set_size(work.next, size);
    set_size(work.newton, size);
    set_size({&work.force, &work.product, &work.rate}, size);
}
void set_size(CentralWork& work, Eigen::Index size) {
    set_size(work.next, size);
    set_size({&work.force, &work.product}, size);
}
void set_size(AverageWork& work, Eigen::Index size) {
    set_size(work.next, size);
    set_size(work.newton, size);
    set_size({&work.middle, &work.mean_velocity, &work.force_at_start, &work.force_in_middle,
              &work.force_at_end, &work.product, &work.rate},
             size);
}

template <class Scalar>
ReducedSystem<Scalar> make_reduced_system(const Model& model, const StvkSettings& settings) {
    return {make_coefficients<Scalar>(model, settings), settings.strain_rate};
}

// Plain loops: Eigen would copy the list.
void gather(const VectorXd& from, const std::vector<int>& coordinates, VectorXd& out) {
    for (std::size_t i = 0; i < coordinates.size(); ++i)
        out[static_cast<Eigen::Index>(i)] = from[coordinates[i]];
}
void scatter(const VectorXd& from, const std::vector<int>& coordinates, VectorXd& out) {
    for (std::size_t i = 0; i < coordinates.size(); ++i)
        out[coordinates[i]] = from[static_cast<Eigen::Index>(i)];
}

bool same_materials(const std::vector<Material>& a, const std::vector<Material>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Material& x, const Material& y) {
        return x.young == y.young && x.poisson == y.poisson && x.density == y.density;
    });
}

}  // namespace

StvkBody::Impl::System StvkBody::Impl::make_system(const Model& model, const StvkSettings& settings) {
    if (settings.precision == StvkPrecision::Float) return make_reduced_system<float>(model, settings);
    return make_reduced_system<double>(model, settings);
}

StvkBody::Impl::System StvkBody::Impl::remake_system(const StvkSettings& with) const {
    if (with.precision == settings.precision && with.coordinates == settings.coordinates &&
        same_materials(with.materials, settings.materials))
        if (with.strain_rate == 0 || settings.strain_rate != 0)
            return std::visit(
                [&](const auto& old) -> System {
                    return std::decay_t<decltype(old)>(old.coefficients(), with.strain_rate);
                },
                system);
    return make_system(*model, with);
}

StvkBody::Impl::Impl(std::shared_ptr<const Model> of_model, StvkSettings with)
    : model(std::move(of_model)),
      surface(std::make_shared<const SurfaceShape>(model->surface)),
      settings(std::move(with)),
      system(make_system(*model, settings)),
      lengths(coordinate_lengths(model->surface, model->rank)),
      world_forces(decltype(world_forces)::Zero(model->rank, 9)) {
    set_size({&state.q, &state.v, &state.a, &forces, &reduced_forces}, model->rank);
    use(settings);
}

// Everything but the system.
void StvkBody::Impl::use(StvkSettings with) {
    settings = std::move(with);
    step_limit = kStepLengths * lengths(settings.coordinates).maxCoeff();
    set_size(motion, size());
    set_size({&load, &inertia}, size());
    q_float.setZero(size());
    set_size(implicit_work, size());
    set_size(central_work, size());
    set_size(average_work, size());
    clear_unused();
    set_inertia(*model, settings, inertial_field(frame, settings.gravity), inertia);
}

void StvkBody::Impl::use_frame(const FrameMotion& with) {
    frame = with;
    frame.orientation.normalize();
    set_inertia(*model, settings, inertial_field(frame, settings.gravity), inertia);
    const Eigen::Matrix3d world_from_frame = frame.orientation.toRotationMatrix();
    forces = reduced_forces;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            forces += world_from_frame(b, a) * world_forces.col(a + 3 * b);
}

void StvkBody::Impl::clear_unused() {
    load_motion();
    set_size({&state.q, &state.v, &state.a}, model->rank);
    store_motion();
}

void StvkBody::Impl::load_motion() {
    gather(state.q, settings.coordinates, motion.u);
    gather(state.v, settings.coordinates, motion.v);
    gather(state.a, settings.coordinates, motion.a);
}

void StvkBody::Impl::store_motion() {
    scatter(motion.u, settings.coordinates, state.q);
    scatter(motion.v, settings.coordinates, state.v);
    scatter(motion.a, settings.coordinates, state.a);
}

void StvkBody::Impl::set_load() {
    gather(forces, settings.coordinates, load);
    load += inertia;
}

StepReport StvkBody::Impl::advance(double dt) {
    set_load();
    const StvkSettings& s = settings;
    return std::visit(
        [&](auto& dense) {
            switch (s.integrator) {
                case StvkIntegrator::CentralDifferences:
                    return central_step(dense, motion, load, dt, s.alpha, s.beta, step_limit, central_work);
                case StvkIntegrator::EnergyPreserving:
                    return average_step(dense, motion, load, dt,
                                        {.alpha = s.alpha,
                                         .beta = s.beta,
                                         .tolerance = s.tolerance,
                                         .max_newton = kMaxNewton,
                                         .limit = step_limit},
                                        average_work);
                default:
                    return implicit_step(
                        dense, motion, load, dt,
                        {.scheme = s.integrator == StvkIntegrator::Newmark ? ImplicitScheme::Newmark
                                                                           : ImplicitScheme::BackwardEuler,
                         .alpha = s.alpha,
                         .beta = s.beta,
                         .tolerance = s.tolerance,
                         .max_newton = s.newton > 0 ? s.newton : kMaxNewton,
                         .fixed_newton = s.newton > 0,
                         .limit = step_limit},
                        implicit_work);
            }
        },
        system);
}

StepReport StvkBody::Impl::step(double dt) {
    if (!(dt > 0) || !std::isfinite(dt)) {
        StepReport refused;
        refused.converged = false;
        refused.problem = StepProblem::TimeStep;
        return refused;
    }
    StepReport report = advance(dt);
    if (report.converged)
        for (Eigen::Index i = 0; i < size(); ++i)
            if (!(std::abs(motion.u[i]) <= kStateLengths * lengths[settings.coordinates[std::size_t(i)]])) {
                report.converged = false;
                report.problem = StepProblem::BlowUp;
            }
    if (report.converged) {
        store_motion();
        state.time += dt;
        return report;
    }
    if (report.problem == StepProblem::BlowUp) {
        state.v.setZero();
        state.a.setZero();
    }
    load_motion();
    return report;
}

StvkBody::StvkBody(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
StvkBody::~StvkBody() = default;
StvkBody::StvkBody(StvkBody&&) noexcept = default;
StvkBody& StvkBody::operator=(StvkBody&&) noexcept = default;

StvkBody StvkBody::clone() const {
    return StvkBody(std::make_unique<Impl>(*impl_));
}

Result<StvkBody> make_stvk_body(std::shared_ptr<const Model> model, StvkSettings settings) {
    if (!model) return InputError{"model", "there is none", ""};
    if (auto problem = model_problem(*model)) return std::move(*problem);
    if (auto problem = method_problem(*model, "stvk")) return std::move(*problem);
    fill_in(*model, settings);
    if (auto problem = settings_problem(*model, settings)) return std::move(*problem);
    return StvkBody(std::make_unique<StvkBody::Impl>(std::move(model), std::move(settings)));
}

const Model& StvkBody::model() const {
    return *impl_->model;
}
const StvkSettings& StvkBody::settings() const {
    return impl_->settings;
}
const StvkState& StvkBody::state() const {
    return impl_->state;
}

Status StvkBody::set(StvkSettings settings) {
    fill_in(*impl_->model, settings);
    if (auto problem = settings_problem(*impl_->model, settings)) return problem;
    impl_->system = impl_->remake_system(settings);
    impl_->use(std::move(settings));
    return {};
}

Status StvkBody::set_state(const StvkState& state) {
    if (auto problem = state_problem(state, kStateLengths * impl_->lengths)) return problem;
    impl_->state = state;
    impl_->clear_unused();
    return {};
}

void StvkBody::set_acceleration_from_forces() {
    Impl& in = *impl_;
    in.set_load();
    std::visit(
        [&](auto& dense) {
            acceleration(dense, in.motion.u, in.motion.v, in.load, in.settings.alpha, in.settings.beta,
                         in.central_work.force, in.central_work.product, in.central_work.next.a);
        },
        in.system);
    if (in.central_work.next.a.allFinite()) in.motion.a = in.central_work.next.a;
    in.store_motion();
}

const FrameMotion& StvkBody::frame() const {
    return impl_->frame;
}

Status StvkBody::set_frame(const FrameMotion& frame) {
    if (auto problem = frame_problem(*impl_->model, frame)) return problem;
    impl_->use_frame(frame);
    return {};
}

void StvkBody::clear_forces() {
    impl_->forces.setZero();
    impl_->reduced_forces.setZero();
    impl_->world_forces.setZero();
}

Status StvkBody::add_force(const VertexForce& force) {
    const ModelSurface& surface = impl_->model->surface;
    if (force.vertex < 0 || static_cast<std::size_t>(force.vertex) >= surface.vertices.size())
        return InputError{"force",
                          "there is no surface vertex " + std::to_string(force.vertex) + "; the model has " +
                              std::to_string(surface.vertices.size()) + ", numbered from 0",
                          ""};
    if (!force.force.allFinite())
        return InputError{"force", "the force on vertex " + std::to_string(force.vertex) + " is not finite",
                          ""};
    const auto rows = surface.basis.middleRows<3>(3 * Eigen::Index(force.vertex));
    const Eigen::Vector3d in_frame = impl_->frame.orientation.conjugate() * force.force;
    impl_->forces.noalias() += rows.transpose() * in_frame;
    for (int b = 0; b < 3; ++b)
        impl_->world_forces.middleCols<3>(3 * b) += force.force[b] * rows.transpose();
    return {};
}

Status StvkBody::add_reduced_force(const VectorXd& force) {
    if (force.size() != impl_->forces.size())
        return InputError{"force",
                          std::to_string(force.size()) + " entries were given; the model has " +
                              std::to_string(impl_->forces.size()) + " coordinates",
                          ""};
    if (!force.allFinite()) return InputError{"force", "the reduced force is not finite", ""};
    impl_->forces += force;
    impl_->reduced_forces += force;
    return {};
}

StepReport StvkBody::step(double dt) {
    return impl_->step(dt);
}

double StvkBody::kinetic_energy() const {
    Impl& in = *impl_;
    std::visit([&](auto& dense) { dense.mass_times(in.motion.v, in.load); }, in.system);
    return 0.5 * in.motion.v.dot(in.load);
}

double StvkBody::elastic_energy() const {
    return std::visit([&](auto& dense) { return dense.energy(impl_->motion.u); }, impl_->system);
}

double StvkBody::stable_dt() const {
    const StvkSettings& s = impl_->settings;
    return std::visit([&](auto& dense) { return limber::stable_dt(dense, impl_->motion.u, s.alpha, s.beta); },
                      impl_->system);
}

void StvkBody::surface_displacement(Eigen::VectorXf& out) const {
    impl_->q_float = impl_->motion.u.cast<float>();
    impl_->surface->displacement(impl_->settings.coordinates, impl_->q_float, out);
}

void StvkBody::surface_normals(const Eigen::VectorXf& displacement, Eigen::VectorXf& out) const {
    impl_->surface->normals(displacement, out);
}

}  // namespace limber
