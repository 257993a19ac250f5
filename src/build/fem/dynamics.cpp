// SPDX-License-Identifier: Apache-2.0
#include "build/fem/dynamics.h"

#include "build/fem/body_size.h"
#include "build/fem/highest_frequency.h"
#include "build/fem/shifted_cholesky.h"
#include "build/fem/sparse_system.h"
#include "build/fem/vertex_vector.h"

#include <fmt/format.h>
#include <limber/input_error.h>
#include <limber/integrate/central_differences.h>

#include <limits>

namespace limber::build {

static void check_options(const DynamicOptions& options) {
    const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
    if (!positive(options.dt))
        throw InputError{"dt", fmt::format("the time step is {} s; it must be positive", options.dt), ""};
    if (!(std::isfinite(options.alpha) && options.alpha >= 0 && std::isfinite(options.beta) &&
          options.beta >= 0))
        throw InputError{"damping",
                         fmt::format("alpha = {} 1/s and beta = {} s; neither may be negative", options.alpha,
                                     options.beta),
                         ""};
    if (options.max_newton < 1)
        throw InputError{"max_newton",
                         fmt::format("{} Newton iterations cannot make a step", options.max_newton),
                         "allow at least one"};
    if (!positive(options.tolerance))
        throw InputError{"tolerance", fmt::format("{} is not a positive number", options.tolerance), ""};
}

struct DynamicSolver::Impl {
    const FemModel& model;
    DynamicOptions options;
    SparseSystem system;
    ImplicitWork implicit_work;
    CentralWork central_work;
    double stable_dt = std::numeric_limits<double>::infinity();

    Impl(const FemModel& body, const DynamicOptions& how)
        : model(body),
          options(how),
          system(body, how.integrator == Integrator::CentralDifferences ? MassKind::Lumped : how.mass) {}
};

DynamicSolver::DynamicSolver(const FemModel& model, DynamicOptions options) {
    check_options(options);
    impl_ = std::make_unique<Impl>(model, options);
    if (options.integrator == Integrator::CentralDifferences) {
        const double omega = highest_frequency(impl_->system.stiffness(), diagonal_of(impl_->system.mass()));
        if (omega > 0) impl_->stable_dt = central_stable_dt(omega, options.alpha, options.beta);
    }
}

DynamicSolver::~DynamicSolver() = default;

FullState DynamicSolver::start(const Eigen::VectorXd& u, const Eigen::VectorXd& v, const Eigen::VectorXd& f) {
    const FemModel& model = impl_->model;
    check_vertex_vector(u, model, "displacement", "m");
    check_vertex_vector(v, model, "velocity", "m/s");
    check_vertex_vector(f, model, "load", "N");
    const Motion at_start{model.restrict_to_free(u), model.restrict_to_free(v), {}};
    Eigen::VectorXd force, damping, a;
    impl_->system.linearize(at_start.u, force);
    impl_->system.stiffness_times(at_start.v, damping);
    impl_->system.mass_solve(model.restrict_to_free(f) - force - impl_->options.beta * damping, a);
    a -= impl_->options.alpha * at_start.v;
    return {0, model.expand_from_free(at_start.u), model.expand_from_free(at_start.v),
            model.expand_from_free(a)};
}

StepReport DynamicSolver::step(FullState& state, const Eigen::VectorXd& f) {
    const FemModel& model = impl_->model;
    const DynamicOptions& options = impl_->options;
    check_vertex_vector(f, model, "load", "N");
    Motion motion{model.restrict_to_free(state.u), model.restrict_to_free(state.v),
                  model.restrict_to_free(state.a)};
    const Eigen::VectorXd load = model.restrict_to_free(f);
    StepReport report;
    if (options.integrator == Integrator::CentralDifferences) {
        // Ten times the body's size in a step is far above the speed of sound: the step was too long.
        report = central_step(impl_->system, motion, load, options.dt, options.alpha, options.beta,
                              10 * body_size(model), impl_->central_work);
    } else {
        const ImplicitScheme scheme = options.integrator == Integrator::Newmark
                                          ? ImplicitScheme::Newmark
                                          : ImplicitScheme::BackwardEuler;
        report = implicit_step(impl_->system, motion, load, options.dt,
                               {.scheme = scheme,
                                .alpha = options.alpha,
                                .beta = options.beta,
                                .tolerance = options.tolerance,
                                .max_newton = options.max_newton,
                                .fixed_newton = options.fixed_newton || options.max_newton == 1},
                               impl_->implicit_work);
    }
    if (report.converged)
        state = {state.time + options.dt, model.expand_from_free(motion.u), model.expand_from_free(motion.v),
                 model.expand_from_free(motion.a)};
    return report;
}

double DynamicSolver::kinetic_energy(const FullState& state) const {
    const Eigen::VectorXd v = impl_->model.restrict_to_free(state.v);
    Eigen::VectorXd momentum;
    impl_->system.mass_times(v, momentum);
    return 0.5 * v.dot(momentum);
}

double DynamicSolver::stable_dt() const {
    return impl_->stable_dt;
}

}  // namespace limber::build
