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

template <class System>
std::shared_ptr<StvkScratch> make_scratch(System system, std::size_t coordinates) {
    const auto size = static_cast<Eigen::Index>(coordinates);
    auto out = std::make_shared<StvkScratch>(StvkScratch{std::move(system), {}, {}, {}, {}, {}, {}});
    set_size(out->implicit_work, size);
    set_size(out->central_work, size);
    set_size(out->average_work, size);
    set_size(out->present, size);
    set_size({&out->load}, size);
    out->q_float.setZero(size);
    return out;
}

bool same_materials(const std::vector<Material>& a, const std::vector<Material>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Material& x, const Material& y) {
        return x.young == y.young && x.poisson == y.poisson && x.density == y.density;
    });
}

// What does not belong to the polynomials.
bool same_beside(const StvkSettings& a, const StvkSettings& b) {
    return a.integrator == b.integrator && a.newton == b.newton && a.tolerance == b.tolerance &&
           a.alpha == b.alpha && a.beta == b.beta && a.gravity == b.gravity;
}

}  // namespace

Result<std::shared_ptr<const SharedStvk>> share_stvk(std::shared_ptr<const Model> model) {
    if (!model) return InputError{"model", "there is none", ""};
    if (auto problem = model_problem(*model)) return std::move(*problem);
    if (auto problem = method_problem(*model, "stvk")) return std::move(*problem);
    StvkSettings as_built;
    fill_in(*model, as_built);
    auto built = make_coefficients<double>(*model, as_built);
    Eigen::VectorXd lengths = coordinate_lengths(model->surface, model->rank);
    SurfaceShape surface(model->surface);
    return std::make_shared<const SharedStvk>(
        SharedStvk{std::move(model), std::move(surface), std::move(lengths), std::move(built)});
}

// New polynomials only where nobody has them: a body with the same settings, or the shared.
std::shared_ptr<StvkScratch> StvkBody::Impl::scratch_for(const StvkSettings& with) const {
    if (scratch && with.precision == settings->precision && with.coordinates == settings->coordinates &&
        same_materials(with.materials, settings->materials)) {
        if (with.strain_rate == settings->strain_rate) return scratch;
        if (with.strain_rate == 0 || settings->strain_rate != 0)
            return std::visit(
                [&](const auto& old) {
                    using System = std::decay_t<decltype(old)>;
                    return make_scratch(System(old.coefficients(), with.strain_rate),
                                        with.coordinates.size());
                },
                scratch->system);
    }
    StvkSettings as_built;
    fill_in(model(), as_built);
    if (with.precision == StvkPrecision::Double && with.strain_rate == 0 &&
        with.coordinates == as_built.coordinates && same_materials(with.materials, as_built.materials))
        return make_scratch(ReducedSystem<double>(shared->built, 0), with.coordinates.size());
    if (with.precision == StvkPrecision::Float)
        return make_scratch(ReducedSystem<float>(make_coefficients<float>(model(), with), with.strain_rate),
                            with.coordinates.size());
    return make_scratch(ReducedSystem<double>(make_coefficients<double>(model(), with), with.strain_rate),
                        with.coordinates.size());
}

StvkBody::Impl::Impl(std::shared_ptr<const SharedStvk> of_shared, StvkSettings with)
    : shared(std::move(of_shared)), world_forces(decltype(world_forces)::Zero(shared->model->rank, 9)) {
    set_size({&state.q, &state.v, &state.a, &forces, &reduced_forces}, model().rank);
    auto made = scratch_for(with);
    use(std::move(with), std::move(made));
}

void StvkBody::Impl::use(StvkSettings with, std::shared_ptr<StvkScratch> with_scratch) {
    settings = std::make_shared<const StvkSettings>(std::move(with));
    scratch = std::move(with_scratch);
    step_limit = kStepLengths * shared->lengths(settings->coordinates).maxCoeff();
    leading = settings->coordinates == first_coordinates(static_cast<int>(size()));
    all = leading && size() == model().rank;
    set_size(next, size());
    set_size({&inertia}, size());
    clear_unused();
    set_inertia(model(), *settings, inertial_field(frame, settings->gravity), inertia);
}

void StvkBody::Impl::use_frame(const FrameMotion& with) {
    frame = with;
    frame.orientation.normalize();
    set_inertia(model(), *settings, inertial_field(frame, settings->gravity), inertia);
    const Eigen::Matrix3d world_from_frame = frame.orientation.toRotationMatrix();
    forces = reduced_forces;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            forces += world_from_frame(b, a) * world_forces.col(a + 3 * b);
}

void StvkBody::Impl::clear_unused() {
    load(scratch->present);
    set_size({&state.q, &state.v, &state.a}, model().rank);
    store(scratch->present);
}

// As a rule these are copies of whole vectors. Else plain loops: Eigen would copy the list.
void StvkBody::Impl::gather(const VectorXd& from, VectorXd& out) const {
    if (leading) {
        out = from.head(size());
        return;
    }
    for (Eigen::Index i = 0; i < size(); ++i)
        out[i] = from[settings->coordinates[std::size_t(i)]];
}

void StvkBody::Impl::scatter(const VectorXd& from, VectorXd& out) const {
    if (leading) {
        out.head(size()) = from;
        return;
    }
    for (Eigen::Index i = 0; i < size(); ++i)
        out[settings->coordinates[std::size_t(i)]] = from[i];
}

void StvkBody::Impl::load(Motion& out) const {
    gather(state.q, out.u);
    gather(state.v, out.v);
    gather(state.a, out.a);
}

void StvkBody::Impl::store(const Motion& motion) {
    scatter(motion.u, state.q);
    scatter(motion.v, state.v);
    scatter(motion.a, state.a);
}

MotionView StvkBody::Impl::present() const {
    if (all) return {state.q, state.v, state.a};
    load(scratch->present);
    return scratch->present;
}

void StvkBody::Impl::set_load(const Eigen::VectorXd* impulse, double dt) {
    VectorXd& load = scratch->load;
    gather(forces, load);
    load += inertia;
    if (!impulse || settings->integrator == StvkIntegrator::CentralDifferences) return;
    // Newmark's velocity takes half of the force at the end.                   docs/math/contact.md (49)
    const double factor = (settings->integrator == StvkIntegrator::Newmark ? 2 : 1) / dt;
    for (std::size_t i = 0; i < settings->coordinates.size(); ++i)
        load[Eigen::Index(i)] += factor * (*impulse)[settings->coordinates[i]];
}

void StvkBody::Impl::take_impulse(const Eigen::VectorXd& impulse, double dt) {
    if (settings->integrator == StvkIntegrator::BackwardEuler) return;  // its next step does not ask for a
    VectorXd &load = scratch->load, &change = scratch->central_work.product;
    gather(impulse, load);
    std::visit([&](auto& dense) { dense.mass_solve(load, change); }, scratch->system);
    if (settings->integrator == StvkIntegrator::CentralDifferences)
        next.v += change;
    else
        next.a -= (settings->integrator == StvkIntegrator::Newmark ? 2 : 1) / dt * change;
}

StepReport StvkBody::Impl::advance(double dt) {
    const StvkSettings& s = *settings;
    StvkScratch& work = *scratch;
    const MotionView start = present();
    return std::visit(
        [&](auto& dense) {
            switch (s.integrator) {
                case StvkIntegrator::CentralDifferences:
                    return central_trial(dense, start, work.load, dt, s.alpha, s.beta, step_limit,
                                         work.central_work, next);
                case StvkIntegrator::EnergyPreserving:
                    return average_trial(dense, start, work.load, dt,
                                         {.alpha = s.alpha,
                                          .beta = s.beta,
                                          .tolerance = s.tolerance,
                                          .max_newton = kMaxNewton,
                                          .limit = step_limit},
                                         work.average_work, next);
                default:
                    return implicit_trial(
                        dense, start, work.load, dt,
                        {.scheme = s.integrator == StvkIntegrator::Newmark ? ImplicitScheme::Newmark
                                                                           : ImplicitScheme::BackwardEuler,
                         .alpha = s.alpha,
                         .beta = s.beta,
                         .tolerance = s.tolerance,
                         .max_newton = s.newton > 0 ? s.newton : kMaxNewton,
                         .fixed_newton = s.newton > 0,
                         .limit = step_limit},
                        work.implicit_work, next);
            }
        },
        work.system);
}

StepReport StvkBody::Impl::trial(double dt, const Eigen::VectorXd* impulse) {
    StepReport report;
    if (dt > 0 && std::isfinite(dt)) {
        set_load(impulse, dt);
        report = advance(dt);
        if (impulse && report.converged) take_impulse(*impulse, dt);
        for (Eigen::Index i = 0; report.converged && i < size(); ++i)
            if (!(std::abs(next.u[i]) <=
                  kStateLengths * shared->lengths[settings->coordinates[std::size_t(i)]])) {
                report.converged = false;
                report.problem = StepProblem::BlowUp;
            }
    } else {
        report.converged = false;
        report.problem = StepProblem::TimeStep;
    }
    trial_dt = dt;
    converged = report.converged;
    blew_up = report.problem == StepProblem::BlowUp;
    return report;
}

void StvkBody::Impl::commit() {
    if (converged) {
        if (all) {
            state.q.swap(next.u);
            state.v.swap(next.v);
            state.a.swap(next.a);
        } else {
            store(next);
        }
        state.time += trial_dt;
    } else if (blew_up) {
        state.v.setZero();
        state.a.setZero();
    }
    converged = blew_up = false;
}

StvkBody::StvkBody(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
StvkBody::~StvkBody() = default;
StvkBody::StvkBody(StvkBody&&) noexcept = default;
StvkBody& StvkBody::operator=(StvkBody&&) noexcept = default;

StvkBody StvkBody::clone() const {
    return StvkBody(std::make_unique<Impl>(*impl_));
}

bool StvkBody::share_with(const StvkBody& other) {
    const StvkSettings &a = *impl_->settings, &b = *other.impl_->settings;
    const bool same = impl_->shared == other.impl_->shared && a.precision == b.precision &&
                      a.coordinates == b.coordinates && a.strain_rate == b.strain_rate &&
                      same_materials(a.materials, b.materials);
    if (!same) return false;
    impl_->scratch = other.impl_->scratch;
    if (same_beside(a, b)) impl_->settings = other.impl_->settings;
    return true;
}

void StvkBody::unshare() {
    impl_->scratch = std::make_shared<StvkScratch>(*impl_->scratch);
}

Result<StvkBody> make_stvk_body(std::shared_ptr<const SharedStvk> shared, StvkSettings settings) {
    if (!shared) return InputError{"model", "there is none", ""};
    fill_in(*shared->model, settings);
    if (auto problem = settings_problem(*shared->model, settings)) return std::move(*problem);
    return StvkBody(std::make_unique<StvkBody::Impl>(std::move(shared), std::move(settings)));
}

Result<StvkBody> make_stvk_body(std::shared_ptr<const Model> model, StvkSettings settings) {
    auto shared = share_stvk(std::move(model));
    if (!shared.ok()) return shared.error();
    return make_stvk_body(std::move(shared).value(), std::move(settings));
}

const Model& StvkBody::model() const {
    return impl_->model();
}
const StvkSettings& StvkBody::settings() const {
    return *impl_->settings;
}
const StvkState& StvkBody::state() const {
    return impl_->state;
}

Status StvkBody::set(StvkSettings settings) {
    fill_in(impl_->model(), settings);
    if (auto problem = settings_problem(impl_->model(), settings)) return problem;
    auto scratch = impl_->scratch_for(settings);
    impl_->use(std::move(settings), std::move(scratch));
    return {};
}

Status StvkBody::set_state(const StvkState& state) {
    if (auto problem = state_problem(state, kStateLengths * impl_->shared->lengths)) return problem;
    impl_->state = state;
    impl_->clear_unused();
    return {};
}

void StvkBody::set_acceleration_from_forces() {
    Impl& in = *impl_;
    CentralWork& work = in.scratch->central_work;
    Motion& present = in.scratch->present;
    in.load(present);
    in.set_load(nullptr, 0);
    std::visit(
        [&](auto& dense) {
            acceleration(dense, present.u, present.v, in.scratch->load, in.settings->alpha, in.settings->beta,
                         work.force, work.product, work.next.a);
        },
        in.scratch->system);
    if (work.next.a.allFinite()) present.a = work.next.a;
    in.store(present);
}

const FrameMotion& StvkBody::frame() const {
    return impl_->frame;
}

Status StvkBody::set_frame(const FrameMotion& frame) {
    if (auto problem = frame_problem(impl_->model(), frame)) return problem;
    impl_->use_frame(frame);
    return {};
}

void StvkBody::clear_forces() {
    impl_->forces.setZero();
    impl_->reduced_forces.setZero();
    impl_->world_forces.setZero();
}

Status StvkBody::add_force(const VertexForce& force) {
    const ModelSurface& surface = impl_->model().surface;
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
    const StepReport report = impl_->trial(dt, nullptr);
    impl_->commit();
    return report;
}

StepReport StvkBody::trial(double dt, const VectorXd* impulse) {
    return impl_->trial(dt, impulse);
}

void StvkBody::commit() {
    impl_->commit();
}

double StvkBody::kinetic_energy() const {
    Impl& in = *impl_;
    const VectorXd& v = in.present().v;
    std::visit([&](auto& dense) { dense.mass_times(v, in.scratch->load); }, in.scratch->system);
    return 0.5 * v.dot(in.scratch->load);
}

double StvkBody::elastic_energy() const {
    return std::visit([&](auto& dense) { return dense.energy(impl_->present().u); }, impl_->scratch->system);
}

double StvkBody::stable_dt() const {
    const StvkSettings& s = *impl_->settings;
    return std::visit(
        [&](auto& dense) { return limber::stable_dt(dense, impl_->present().u, s.alpha, s.beta); },
        impl_->scratch->system);
}

// Σ U_pi x_i
Eigen::Vector3d StvkBody::Impl::at_vertex(int vertex, const VectorXd& x) const {
    return model().surface.basis.middleRows<3>(3 * Eigen::Index(vertex)) * x;
}

Eigen::Vector3d StvkBody::displacement(int vertex) const {
    return impl_->at_vertex(vertex, impl_->state.q);
}

Eigen::Vector3d StvkBody::velocity(int vertex) const {
    return impl_->at_vertex(vertex, impl_->state.v);
}

Eigen::Vector3d StvkBody::spring_displacement(int vertex, double dt) const {
    double along_v = 0, along_a = 0;
    switch (impl_->settings->integrator) {
        case StvkIntegrator::Newmark:
            along_v = dt, along_a = 0.25 * dt * dt;
            break;
        case StvkIntegrator::CentralDifferences:
            along_v = dt, along_a = 0.5 * dt * dt;
            break;
        case StvkIntegrator::BackwardEuler:
            break;
        case StvkIntegrator::EnergyPreserving:
            along_v = 0.5 * dt;
            break;
    }
    return displacement(vertex) + along_v * velocity(vertex) +
           along_a * impl_->at_vertex(vertex, impl_->state.a);
}

void StvkBody::surface_displacement(Eigen::VectorXf& out) const {
    impl_->scratch->q_float = impl_->present().u.cast<float>();
    impl_->shared->surface.displacement(impl_->settings->coordinates, impl_->scratch->q_float, out);
}

void StvkBody::surface_normals(const Eigen::VectorXf& displacement, Eigen::VectorXf& out) const {
    impl_->shared->surface.normals(displacement, out);
}

}  // namespace limber
