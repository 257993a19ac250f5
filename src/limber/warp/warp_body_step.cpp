// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md.
#include "limber/warp/rotation.h"
#include "limber/warp/warp_body_impl.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace limber {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Of sums over all nodes: a body that does not rotate has no surplus at all.
constexpr double kRounding = 1e-12;

// Linear solves of a step that are left for the constraints: one is for brake().
constexpr int kMostSolves = kMostConstraintIterations - 1;
// Most bodies have no more at once.
constexpr std::size_t kFewForces = 32;

}  // namespace

WarpBody::Impl::Impl(std::shared_ptr<const SharedWarp> with_shared, const WarpSettings& with)
    : shared(std::move(with_shared)),
      shown_companions({shared, &shared->companions}, model().modes()),
      settings(with) {
    const Eigen::Index m = model().modes();
    for (VectorXd* x : {&state.q, &state.v, &state.previous_q, &next.q, &next.v, &next.previous_q, &zero,
                        &modal_force, &load, &coriolis_load, &constrained_q, &dq})
        x->setZero(m);
    companion_rate.setZero(shown_companions.count());
    spring_rows.setZero(3, m);
    work.setZero(shared->nodes.work_size());
    coordinates = {Eigen::VectorXf::Zero(m), Eigen::VectorXf::Zero(m),
                   Eigen::VectorXf::Zero(shared->companions.count())};
    forces.reserve(kFewForces);
    set_coefficients(model().eigenvalues, 0, 0, 1, settings.step, coefficients);
    use_settings();
}

void WarpBody::Impl::use_settings() {
    eigenvalues = settings.young_scale / settings.density_scale * model().eigenvalues;
    coefficients_dt = 0;
    if (constraint_solver) constraint_solver->set(settings.warping);
    use_frame();
}

void WarpBody::Impl::use_frame() {
    field = inertial_field(frame, settings.gravity);
    inertia_acts = !shared->nodes.empty() && !(field.uniform.isZero(0) && field.linear.isZero(0));
}

void WarpBody::Impl::set_state(const WarpState& with) {
    state = with;
    if (with.previous_q.size() == 0) state.previous_q = state.q;
    if (with.rotations.empty()) follow_rotations();
    outcome = Trial::None;
}

void WarpBody::Impl::begin_constraints() {
    state.previous_q = state.q;
    follow_rotations();
    next.rotations = state.rotations;
    outcome = Trial::None;
}

void WarpBody::Impl::follow_rotations() {
    state.rotations.clear();
    if (!constraint_solver) return;
    for (const OrientationConstraint& c : constraint_solver->constraints().orientations)
        state.rotations.push_back(
            nearest_rotation(c.orientation, times(model().surface_rotations, c.vertex, state.q)));
}

// z of the shape that is shown, none where the companions are left out.                               (27)
const VectorXd& WarpBody::Impl::shown_amplitudes() {
    if (settings.warping == Warping::Warped)
        shown_companions.move_to(shown_q());
    else
        shown_companions.move_to_rest();
    return shown_companions.z();
}

// Φᵀ R(Ψq)ᵀ F at the start of the step, by the scale of the density: mass is that of the modes. (8), (19)
void WarpBody::Impl::set_load(double dt, const VectorXd* impulse) {
    load = modal_force;
    if (impulse) load += *impulse / dt;
    for (const VertexForce& f : forces) {
        const Vector3d local = rotate_back(times(model().surface_rotations, f.vertex, load_q()),
                                           frame.orientation.conjugate() * f.force);
        const double* row = model().surface_modes.data() + 3 * Eigen::Index(f.vertex) * load.size();
        for (int c = 0; c < 3; ++c, row += load.size())
            for (Eigen::Index i = 0; i < load.size(); ++i)
                load[i] += row[i] * local[c];
    }
    load /= settings.density_scale;
    if (inertia_acts) shared->nodes.add_inertia(field, load_q(), work, load);
    coriolis_load.setZero();
    if (settings.coriolis == LocalCoriolis::Off || !warped()) return;
    // It rotates the velocity; held for a step, it cannot rotate it by more than about 1 rad. (13)
    shared->nodes.subtract_coriolis(state.q, state.v, work, coriolis_load);
    const double most = state.v.norm() / dt, size = coriolis_load.norm();
    if (!std::isfinite(size))
        coriolis_load.setZero();
    else if (size > most)
        coriolis_load *= most / size;
    load += coriolis_load;
}

bool WarpBody::Impl::within_bounds(const VectorXd& q, const VectorXd& v) const {
    return shared->reach.dot(q.cwiseAbs()) <= kFarthest && shared->reach.dot(v.cwiseAbs()) <= kFarthest &&
           q.allFinite() && v.allFinite();
}

// Loads are held for a step, rotated as at its start, and the local frames' Coriolis force is too: they bring
// in f·Δq where loads do F·Δu on the shape R̃Φq and the Coriolis force does nothing. What is too much is taken
// from the speed, now or when there is some. Semi-implicit steps under loads alone lose more than that.  (28)
void WarpBody::Impl::take_surplus_back() {
    const bool coriolis = settings.coriolis == LocalCoriolis::On;
    if (!warped() || !(coriolis || settings.step == OscillatorStep::ClosedForm)) return;
    if (!within_bounds(next.q, next.v)) return;
    const auto moved = [&](int vertex, const VectorXd& q) -> Vector3d {
        return mean_rotation(times(model().surface_rotations, vertex, q)) *
               times(model().surface_modes, vertex, q);
    };
    double done = modal_force.dot(next.q - state.q);
    for (const VertexForce& f : forces)
        done +=
            (frame.orientation.conjugate() * f.force).dot(moved(f.vertex, next.q) - moved(f.vertex, state.q));
    done /= settings.density_scale;
    if (inertia_acts) done += shared->nodes.work_of_inertia(field, state.q, next.q);
    const double brought = load.dot(next.q - state.q), size = std::abs(brought) + std::abs(done);
    if (std::isfinite(size) && std::abs(brought - done) > kRounding * size) next.surplus += brought - done;
    const double kinetic = 0.5 * next.v.squaredNorm();
    if (!(next.surplus > 0 && kinetic > 0)) return;
    const double taken = std::min(next.surplus, kinetic);
    next.v *= std::sqrt(1 - taken / kinetic);
    next.surplus -= taken;
}

// Constraint forces bring next.q to its targets, or as near as their iterations and the energy budget allow.
void WarpBody::Impl::constrain(double dt) {
    const Constraints& constraints = constraint_solver->constraints();
    for (std::size_t i = 0; i < next.rotations.size(); ++i)
        next.rotations[i] = nearest_rotation(constraints.orientations[i].orientation, state.rotations[i]);
    dq = load - coriolis_load;  // of forces only: the Coriolis force grows with the motion
    const double limit = energy_budget->limit(constraints, next.rotations, eigenvalues, dq);
    const double allowed = std::max(limit, oscillator_energy(eigenvalues, next.q, next.v));
    constrained_q = next.q;
    int iterations = constraint_solver->solve(state.q, next.rotations, kMostSolves, constrained_q);
    dq = constrained_q - next.q;
    double fraction = affordable_fraction(eigenvalues, next.q, dq, allowed);
    if (fraction < 1 && constraint_solver->has_two_tasks() && iterations < kMostSolves) {
        constrained_q = next.q;  // the task that comes first has precedence
        iterations += constraint_solver->solve_first(kMostSolves - iterations, constrained_q);
        dq = constrained_q - next.q;
        fraction = affordable_fraction(eigenvalues, next.q, dq, allowed);
    }
    next.v.array() += fraction * coefficients.vd * dq.array();  // (20)
    if (fraction < 1)
        next.q += fraction * dq;
    else
        next.q = constrained_q;
    if (settings.step == OscillatorStep::ClosedForm) {
        constraint_solver->brake(state.q, next.q, dt, next.v);
        ++iterations;
    }
    next.v *= affordable_speed(eigenvalues, next.q, next.v, allowed);
    next_report = constraint_solver->report(next.q);
    next_report.iterations = iterations;
    next_report.fraction = fraction;
}

StepReport WarpBody::Impl::trial(double dt, const VectorXd* impulse) {
    StepReport report;
    outcome = Trial::None;
    // h²λ must be finite too.
    if (!(dt > 0) || !(dt * dt * eigenvalues.maxCoeff() < 1e300)) {
        report.converged = false;
        report.problem = StepProblem::TimeStep;
        return report;
    }
    if (dt != coefficients_dt) {
        set_coefficients(eigenvalues, settings.alpha, settings.beta, dt, settings.step, coefficients);
        coefficients_dt = dt;
        if (constraint_solver) constraint_solver->prepare(coefficients.qc);
    }
    trial_dt = dt;
    set_load(dt, impulse);
    const auto q = state.q.array(), v = state.v.array(), f = load.array();
    next.q = (coefficients.qq * q + coefficients.qv * v + coefficients.qf * f).matrix();
    next.v = (coefficients.vq * q + coefficients.vv * v + coefficients.vf * f).matrix();
    next.time = state.time + dt;
    next.surplus = state.surplus;
    next.previous_q = state.q;
    take_surplus_back();
    next_report = {};
    if (constraint_solver && within_bounds(next.q, next.v)) constrain(dt);
    outcome = Trial::Moves;
    if (!within_bounds(next.q, next.v)) {
        report.converged = false;
        report.problem = StepProblem::BlowUp;
        outcome = Trial::Stops;
        if (constraint_solver) next_report = constraint_solver->report(state.q);
    }
    return report;
}

void WarpBody::Impl::commit() {
    if (outcome == Trial::None) return;
    if (outcome == Trial::Moves)
        std::swap(state, next);
    else
        state.v.setZero();
    constraint_report = next_report;
    outcome = Trial::None;
}

}  // namespace limber
