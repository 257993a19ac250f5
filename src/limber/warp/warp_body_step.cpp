// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md.
#include "limber/warp/rotation.h"
#include "limber/warp/warp_body_impl.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace limber {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Of sums over all nodes: a body that does not turn has no surplus at all.
constexpr double kRounding = 1e-12;

// Steps that miss in a row before the body goes on from where it is, and looks around once in as many steps.
constexpr int kPatience = 8;
// Of the way to the targets, where the whole way fails at once.
constexpr double kShortestStride = 1.0 / 16;
// What a shape may miss, times what the best so far misses: one that goes on from where the body is, lest it
// jump to and fro; any other.
constexpr double kLoyal = 2, kBetter = 0.5;
constexpr int kMostRepeats = 4;
// Of the way that a turn of 1 rad takes: more is missing only where targets contradict each other.
constexpr double kHopeless = 0.2;
// Shapes next to the best one, and crumpled ones, that a search begins at: in the first step that misses and
// in those after it; how far the latter are crumpled at most, rad.
constexpr int kManyStarts = 8, kFewStarts = 2;
constexpr double kCrumpled = 10;

// The most that a unit of each mode moves or turns any vertex or node: per √kg.
VectorXd reach_of(const WarpModel& model) {
    VectorXd reach = VectorXd::Zero(model.modes());
    for (const WarpRows* rows :
         {&model.node_modes, &model.node_rotations, &model.surface_modes, &model.surface_rotations})
        if (rows->size() > 0) reach = reach.cwiseMax(rows->cwiseAbs().colwise().maxCoeff().transpose());
    return 1.7320508075688772 * reach;  // three components
}

}  // namespace

WarpBody::Impl::Impl(std::shared_ptr<const WarpModel> of_model, const WarpSettings& with)
    : model(std::move(of_model)),
      surface(std::make_shared<const WarpSurface>(*model)),
      nodes(std::make_shared<const WarpNodes>(*model)),
      companions(std::make_shared<const Companions>(*model)),
      shown_companions(companions, model->modes()),
      settings(with),
      softest(softest_turn(*model)),
      reach(reach_of(*model)) {
    const Eigen::Index m = model->modes();
    for (VectorXd* x : {&state.q, &state.v, &start_q, &zero, &modal_force, &load, &next_q, &next_v,
                        &coriolis_load, &first_q, &wanted_q, &wanted_v, &found_q, &bent_q})
        x->setZero(m);
    work.setZero(nodes->work_size());
    coordinates = {Eigen::VectorXf::Zero(m), Eigen::VectorXf::Zero(m),
                   Eigen::VectorXf::Zero(companions->count())};
    forces.reserve(64);
    set_coefficients(model->eigenvalues, 0, 0, 1, settings.step, coefficients);
    use_settings();
}

void WarpBody::Impl::use_settings() {
    eigenvalues = settings.young_scale / settings.density_scale * model->eigenvalues;
    coefficients_dt = 0;
    if (constraint_solver) constraint_solver->set(settings.warping);
    use_frame();
}

void WarpBody::Impl::use_frame() {
    field = inertial_field(frame, settings.gravity);
    inertia_acts = !nodes->empty() && !(field.uniform.isZero(0) && field.linear.isZero(0));
}

// z of the shape that is shown, none where the companions are left out.                               (27)
const VectorXd& WarpBody::Impl::shown_amplitudes() {
    if (settings.warping == Warping::Warped)
        shown_companions.move_to(shown_turns());
    else
        shown_companions.move_to_rest();
    return shown_companions.z();
}

// Φᵀ R(Ψq)ᵀ F at the start of the step, by the scale of the density: mass is that of the modes. (8), (19)
void WarpBody::Impl::set_load(double dt) {
    load = modal_force;
    for (const VertexForce& f : forces) {
        const Vector3d local = rotate_back(times(model->surface_rotations, f.vertex, turns()),
                                           frame.orientation.conjugate() * f.force);
        const double* row = model->surface_modes.data() + 3 * Eigen::Index(f.vertex) * load.size();
        for (int c = 0; c < 3; ++c, row += load.size())
            for (Eigen::Index i = 0; i < load.size(); ++i)
                load[i] += row[i] * local[c];
    }
    load /= settings.density_scale;
    if (inertia_acts) nodes->add_inertia(field, turns(), work, load);
    if (settings.coriolis == LocalCoriolis::Off || !warped()) return;
    // It turns the velocity; held for a step, it cannot turn it by more than about 1 rad.              (13)
    coriolis_load.setZero();
    nodes->subtract_coriolis(state.q, state.v, work, coriolis_load);
    const double most = state.v.norm() / dt, size = coriolis_load.norm();
    if (std::isfinite(size)) load += (size > most ? most / size : 1) * coriolis_load;
}

bool WarpBody::Impl::within_bounds(const VectorXd& q, const VectorXd& v) const {
    return reach.dot(q.cwiseAbs()) <= kFarthest && reach.dot(v.cwiseAbs()) <= kFarthest && q.allFinite() &&
           v.allFinite();
}

// Loads are held for a step, turned as at its start, and the local frames' Coriolis force is too: they bring
// in f·Δq where loads do F·Δu on the shape R̃Φq and the Coriolis force does nothing. What is too much is taken
// from the speed, now or when there is some. Semi-implicit steps under loads alone lose more than that.  (28)
void WarpBody::Impl::take_surplus_back() {
    const bool coriolis = settings.coriolis == LocalCoriolis::On;
    if (!warped() || !(coriolis || settings.step == OscillatorStep::ClosedForm)) return;
    if (!within_bounds(next_q, next_v)) return;
    const auto moved = [&](int vertex, const VectorXd& q) -> Vector3d {
        return mean_rotation(times(model->surface_rotations, vertex, q)) *
               times(model->surface_modes, vertex, q);
    };
    double done = modal_force.dot(next_q - state.q);
    for (const VertexForce& f : forces)
        done +=
            (frame.orientation.conjugate() * f.force).dot(moved(f.vertex, next_q) - moved(f.vertex, state.q));
    done /= settings.density_scale;
    if (inertia_acts) done += nodes->work_of_inertia(field, state.q, next_q);
    const double brought = load.dot(next_q - state.q), size = std::abs(brought) + std::abs(done);
    if (std::isfinite(size) && std::abs(brought - done) > kRounding * size) next_surplus += brought - done;
    const double kinetic = 0.5 * next_v.squaredNorm();
    if (!(next_surplus > 0 && kinetic > 0)) return;
    const double taken = std::min(next_surplus, kinetic);
    next_v *= std::sqrt(1 - taken / kinetic);
    next_surplus -= taken;
}

// Sets the velocity that belongs to the shape wanted_q, and tells how much of it is allowed: nothing
// where the shape alone is too much.
std::optional<double> WarpBody::Impl::speed_of_wanted(double dt, double allowed) {
    wanted_v = next_v + (coefficients.vd * (wanted_q - next_q).array()).matrix();
    if (settings.step == OscillatorStep::ClosedForm)
        constraint_solver->brake(state.q, wanted_q, dt, wanted_v);
    return affordable_speed(eigenvalues, wanted_q, wanted_v, allowed);
}

// No shape near the free motion or rest meets the targets: any shape that does, wherever the search
// begins, or the one that misses them least. The first step that misses is worth a long search; targets that
// go on missing are likely out of reach.
int WarpBody::Impl::search() {
    if (!constraint_solver->can_reach()) return 0;
    int iterations = 0;
    // A shape that misses too is taken where it leaves less than `part` of what the best so far leaves.
    const auto finds = [&](const VectorXd& start, double stride, double part) {
        iterations += constraint_solver->reach(start, stride, found_q);
        if (constraint_solver->is_met(found_q)) {
            wanted_q.setZero();
            iterations += constraint_solver->apply_from(found_q, wanted_q);
            if (!constraint_solver->is_met(wanted_q)) wanted_q.swap(found_q);
            return true;
        }
        if (constraint_solver->miss(found_q) < part * constraint_solver->miss(wanted_q))
            wanted_q.swap(found_q);
        return false;
    };
    const bool patient = missed >= kPatience && missed % kPatience != 0;
    if (patient) {
        finds(state.q, 1, kLoyal);
        return iterations;
    }
    if (finds(zero, kShortestStride, kBetter) || finds(state.q, kShortestStride, kLoyal) ||
        finds(first_q, kShortestStride, kBetter))
        return iterations;
    for (int i = 0; i < kMostRepeats; ++i) {  // where little is missing, more of the same may do
        bent_q = wanted_q;
        if (finds(bent_q, 1, 1)) return iterations;
    }
    if (!std::isfinite(softest.amplitude) || constraint_solver->asks_too_much() ||
        constraint_solver->miss(wanted_q) > kHopeless * softest.way)
        return iterations;
    // Least squares also end at saddles, where the targets are met to first order: a way of the length √miss
    // along some direction that no constraint sees leads on.
    const int starts = missed == 0 ? kManyStarts : kFewStarts;
    for (int i = 0; i < starts; ++i) {
        crumple(std::sqrt(constraint_solver->miss(wanted_q) / softest.way));
        bent_q += wanted_q;
        if (finds(bent_q, 1, 1)) return iterations;
    }
    for (Eigen::Index i = 0; missed == 0 && i < state.q.size(); ++i)
        for (const double amplitude : {softest.amplitude, -softest.amplitude}) {
            bent_q.setZero();
            bent_q[i] = amplitude;
            if (finds(bent_q, kShortestStride, kBetter)) return iterations;
        }
    for (int i = 0; i < starts; ++i) {
        crumple(kCrumpled);
        if (finds(bent_q, kShortestStride, kBetter)) return iterations;
    }
    return iterations;
}

// A shape away from rest, another one each time: all modes at once, each with at most the energy that the
// softest has when it turns a vertex by so much, rad.
void WarpBody::Impl::crumple(double turn) {
    ++crumples;
    for (Eigen::Index i = 0; i < bent_q.size(); ++i) {
        const auto bits = static_cast<std::uint32_t>(crumples * 7919 + i) * 2654435761U;  // Knuth's hash
        const double between = 2.0 * (bits >> 8) / (1U << 24) - 1;
        bent_q[i] = turn * between * softest.amplitude *
                    std::sqrt(model->eigenvalues[softest.mode] / model->eigenvalues[i]);
    }
}

// The shape nearest to the free motion cannot be had. One nearer to rest is looked for on the way from
// where the body is, in the end on the way from rest: a body that was rolled up snaps open. That one
// depends on the targets alone, so it may cost what it costs. Where it misses them too, the first one has
// precedence.
int WarpBody::Impl::choose_calmer(double dt, double allowed, std::optional<double>& speed) {
    int iterations = 0;
    first_q = wanted_q;
    for (const double calm : {0.5, 0.25, 0.125}) {
        wanted_q = calm * next_q;
        iterations += constraint_solver->apply_from(state.q, wanted_q);
        if (!constraint_solver->is_met(wanted_q)) continue;
        speed = speed_of_wanted(dt, allowed);
        if (speed) return iterations;
    }
    const double first_miss = constraint_solver->miss(first_q);
    wanted_q.setZero();
    iterations += constraint_solver->apply(zero, wanted_q);  // without the whole turns that the body has made
    if (!constraint_solver->is_met(wanted_q)) iterations += search();
    if (!constraint_solver->is_met(wanted_q) && first_miss <= constraint_solver->miss(wanted_q)) {
        first_q.swap(wanted_q);
        speed = speed_of_wanted(dt, allowed);
        if (speed) {
            constraint_solver->aim(state.q);
            return iterations;
        }
        first_q.swap(wanted_q);
    }
    speed = speed_of_wanted(dt, allowed).value_or(0);
    return iterations;
}

// As much of the way to the shape wanted_q as is allowed; the velocity takes it along.
double WarpBody::Impl::take_share(double dt, double limit) {
    wanted_q -= next_q;
    wanted_v = wanted_q / dt;
    const double share = affordable_share({eigenvalues, next_q, next_v, wanted_q, wanted_v}, limit);
    next_q += share * wanted_q;
    next_v += share * wanted_v;
    return share;
}

// Constraint forces bring next_q to its targets, or as near as the energy allows.
void WarpBody::Impl::constrain(double dt) {
    if (!within_bounds(next_q, next_v)) return;
    const double limit = effort->limit(constraint_solver->constraints(), eigenvalues, load, dt);
    const double allowed = std::max(limit, oscillator_energy(eigenvalues, next_q, next_v));
    wanted_q = next_q;
    int iterations = constraint_solver->apply(state.q, wanted_q);
    auto speed = speed_of_wanted(dt, allowed);
    if (constraint_solver->can_choose() && !(speed && constraint_solver->is_met(wanted_q)))
        iterations += choose_calmer(dt, allowed, speed);
    double share = 1;
    if (speed) {
        next_q = wanted_q;
        next_v = *speed * wanted_v;
    } else {
        if (constraint_solver->has_two_tasks()) {  // the task that comes first has its part first
            first_q = next_q;
            iterations += constraint_solver->apply_first(first_q);
            std::swap(first_q, wanted_q);
            share = take_share(dt, limit);
            std::swap(first_q, wanted_q);
        }
        if (share == 1) share = take_share(dt, limit);
    }
    missed = constraint_solver->is_met(next_q) ? 0 : missed + 1;
    constraint_report = constraint_solver->report(next_q);
    constraint_report.iterations = iterations;
    constraint_report.share = share;
}

StepReport WarpBody::Impl::step(double dt) {
    StepReport report;
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
    set_load(dt);
    const auto q = state.q.array(), v = state.v.array(), f = load.array();
    next_q = (coefficients.qq * q + coefficients.qv * v + coefficients.qf * f).matrix();
    next_v = (coefficients.vq * q + coefficients.vv * v + coefficients.vf * f).matrix();
    next_surplus = state.surplus;
    take_surplus_back();
    if (constraint_solver) constrain(dt);
    if (!within_bounds(next_q, next_v)) {
        report.converged = false;
        report.problem = StepProblem::BlowUp;
        state.v.setZero();
        constraint_report = constraint_solver ? constraint_solver->report(state.q) : ConstraintReport{};
        return report;
    }
    start_q.swap(state.q);
    state.q.swap(next_q);
    state.v.swap(next_v);
    state.surplus = next_surplus;
    state.time += dt;
    return report;
}

}  // namespace limber
