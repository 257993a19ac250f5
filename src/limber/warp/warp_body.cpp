// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md.
#include "limber/warp/warp_body.h"

#include "limber/warp/companions.h"
#include "limber/warp/effort.h"
#include "limber/warp/rotation.h"
#include "limber/warp/warp_nodes.h"
#include "limber/warp/warp_surface.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace limber {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Farther from rest than any use; squares and products of such numbers still fit a float.
constexpr double kFarthest = 1e12;  // m, rad

// Shapes that a search begins at, beside the modes: in the first step that misses, and in those after it.
constexpr int kManyStarts = 12, kFewStarts = 2;
// After so many misses in a row it is made once in as many steps.
constexpr int kPatience = 8;
constexpr double kBend = 2;

// The most that a unit of each mode moves or turns any vertex or node: per √kg.
VectorXd reach_of(const WarpModel& model) {
    VectorXd reach = VectorXd::Zero(model.modes());
    for (const WarpRows* rows :
         {&model.node_modes, &model.node_rotations, &model.surface_modes, &model.surface_rotations})
        if (rows->size() > 0) reach = reach.cwiseMax(rows->cwiseAbs().colwise().maxCoeff().transpose());
    return 1.7320508075688772 * reach;  // three components
}

std::optional<InputError> settings_problem(const WarpModel& model, const WarpSettings& s) {
    const auto fine = [](double value) { return std::isfinite(value) && value >= 0; };
    if (!fine(s.alpha) || !fine(s.beta))
        return InputError{"damping",
                          "alpha = " + std::to_string(s.alpha) + " 1/s, beta = " + std::to_string(s.beta) +
                              " s; none may be negative",
                          "0 for no damping"};
    if (!s.gravity.allFinite()) return InputError{"gravity", "it is not finite", ""};
    for (const double scale : {s.young_scale, s.density_scale})
        if (!(scale >= 1e-9 && scale <= 1e9))
            return InputError{"material",
                              "young_scale = " + std::to_string(s.young_scale) + ", density_scale = " +
                                  std::to_string(s.density_scale) + "; both must be from 1e-9 to 1e9",
                              "1 for the material that the model was built with"};
    if (model.nodes() == 0 && (!s.gravity.isZero(0) || s.coriolis == LocalCoriolis::On))
        return InputError{"gravity", "the model has no nodes that carry mass", "a model with its volume"};
    return std::nullopt;
}

std::optional<InputError> constraint_number_problem(const char* kind, int number, std::size_t count) {
    if (number >= 0 && std::size_t(number) < count) return std::nullopt;
    return InputError{"constraint",
                      "there is no " + std::string(kind) + " constraint " + std::to_string(number) +
                          "; there are " + std::to_string(count) + ", numbered from 0",
                      ""};
}

std::string vertex_count_text(const WarpModel& model) {
    return "the model has " + std::to_string(model.vertices()) + ", numbered from 0";
}

}  // namespace

struct WarpBody::Impl {
    Impl(std::shared_ptr<const WarpModel> of_model, const WarpSettings& with)
        : model(std::move(of_model)),
          surface(std::make_shared<const WarpSurface>(*model)),
          nodes(std::make_shared<const WarpNodes>(*model)),
          companions(std::make_shared<const Companions>(*model)),
          settings(with),
          softest(softest_turn(*model)),
          reach(reach_of(*model)) {
        const Eigen::Index m = model->modes();
        for (VectorXd* x : {&state.q, &state.v, &start_q, &zero, &modal_force, &load, &next_q, &next_v,
                            &first_q, &wanted_q, &wanted_v, &found_q, &bent_q})
            x->setZero(m);
        work.setZero(nodes->work_size());
        amplitudes.setZero(companions->count());
        amplitudes_at.setZero(m);
        amplitude_slopes.setZero(companions->count(), m);
        coordinates = {Eigen::VectorXf::Zero(m), Eigen::VectorXf::Zero(m),
                       Eigen::VectorXf::Zero(companions->count())};
        forces.reserve(64);
        set_coefficients(model->eigenvalues, 0, 0, 1, settings.step, coefficients);
        use_settings();
    }

    void use_settings() {
        eigenvalues = settings.young_scale / settings.density_scale * model->eigenvalues;
        coefficients_dt = 0;
        if (manipulator) manipulator->set(settings.warping);
        use_frame();
    }

    void use_frame() {
        field = inertial_field(frame, settings.gravity);
        inertia_acts = !nodes->empty() && !(field.uniform.isZero(0) && field.linear.isZero(0));
    }

    bool warped() const { return settings.warping != Warping::Linear; }
    // What turns the vertices in the next step, and those that are shown.
    const VectorXd& turns() const { return warped() ? state.q : zero; }
    const VectorXd& shown_turns() const {
        return manipulator && manipulator->manipulation().method == PositionMethod::Previous ? start_q
                                                                                             : state.q;
    }

    // z of the shape that is shown, none where the companions are left out. Kept for the next vertex.    (27)
    const VectorXd& shown_amplitudes() {
        const VectorXd& at = settings.warping == Warping::Warped ? shown_turns() : zero;
        if (at != amplitudes_at) {
            companions->evaluate(at, amplitudes, amplitude_slopes);
            amplitudes_at = at;
        }
        return amplitudes;
    }

    static Vector3d times(const WarpRows& rows, Eigen::Index vertex, const VectorXd& q) {
        Vector3d sum = Vector3d::Zero();
        const double* row = rows.data() + 3 * vertex * rows.cols();
        for (int c = 0; c < 3; ++c, row += rows.cols())
            for (Eigen::Index i = 0; i < rows.cols(); ++i)
                sum[c] += row[i] * q[i];
        return sum;
    }

    // Φᵀ R(Ψq)ᵀ F at the start of the step, by the scale of the density: mass is that of the modes. (8), (19)
    void set_load() {
        load = modal_force;
        for (const WarpForce& f : forces) {
            const Vector3d local = rotate_back(times(model->surface_rotations, f.vertex, turns()),
                                               frame.orientation.conjugate() * f.force);
            const double* row = model->surface_modes.data() + 3 * Eigen::Index(f.vertex) * load.size();
            for (int c = 0; c < 3; ++c, row += load.size())
                for (Eigen::Index i = 0; i < load.size(); ++i)
                    load[i] += row[i] * local[c];
        }
        load /= settings.density_scale;
        if (inertia_acts) nodes->add_inertia(field, turns(), work, load);
        if (settings.coriolis == LocalCoriolis::On && warped())
            nodes->subtract_coriolis(state.q, state.v, work, load);
    }

    bool within_bounds(const VectorXd& q, const VectorXd& v) const {
        return reach.dot(q.cwiseAbs()) <= kFarthest && reach.dot(v.cwiseAbs()) <= kFarthest &&
               q.allFinite() && v.allFinite();
    }

    // Sets the velocity that belongs to the shape wanted_q, and tells how much of it is allowed: nothing
    // where the shape alone is too much.
    std::optional<double> speed_of_wanted(double dt, double allowed) {
        wanted_v = next_v + (coefficients.vd * (wanted_q - next_q).array()).matrix();
        if (settings.step == OscillatorStep::ClosedForm) manipulator->brake(state.q, wanted_q, dt, wanted_v);
        return affordable_speed(eigenvalues, wanted_q, wanted_v, allowed);
    }

    // No shape near the free motion or rest meets the targets: any shape that does, wherever the search
    // begins. The first step that misses is worth a long search; targets that go on missing are likely out
    // of reach.
    int search() {
        if (!manipulator->can_reach() || (missed >= kPatience && missed % kPatience != 0)) return 0;
        int iterations = 0;
        const auto finds = [&](const VectorXd& start) {
            iterations += manipulator->reach(start, found_q);
            if (!manipulator->is_met(found_q)) return false;
            wanted_q.setZero();
            iterations += manipulator->apply_from(found_q, wanted_q);
            if (!manipulator->is_met(wanted_q)) wanted_q.swap(found_q);
            return true;
        };
        if (finds(zero) || finds(state.q) || finds(first_q)) return iterations;
        if (!std::isfinite(softest.amplitude)) return iterations;
        for (Eigen::Index i = 0; missed == 0 && i < state.q.size(); ++i)
            for (const double amplitude : {softest.amplitude, -softest.amplitude}) {
                bent_q.setZero();
                bent_q[i] = amplitude;
                if (finds(bent_q)) return iterations;
            }
        for (int i = 0; i < (missed == 0 ? kManyStarts : kFewStarts); ++i) {
            bend_somehow();
            if (finds(bent_q)) return iterations;
        }
        return iterations;
    }

    // Some shape far from rest, another one each time: all modes at once, with about the energy that the
    // softest has when it turns a vertex by 1 rad.
    void bend_somehow() {
        ++bends;
        for (Eigen::Index i = 0; i < bent_q.size(); ++i) {
            const auto bits = static_cast<std::uint32_t>(bends * 7919 + i) * 2654435761U;  // Knuth's hash
            const double between = 2.0 * (bits >> 8) / (1U << 24) - 1;
            bent_q[i] = kBend * between * softest.amplitude *
                        std::sqrt(model->eigenvalues[softest.mode] / model->eigenvalues[i]);
        }
    }

    // The shape nearest to the free motion cannot be had. One nearer to rest is looked for on the way from
    // where the body is, in the end on the way from rest: a body that was rolled up snaps open. That one
    // depends on the targets alone, so it may cost what it costs. Where it misses them too, the first one has
    // precedence.
    int choose_calmer(double dt, double allowed, std::optional<double>& speed) {
        int iterations = 0;
        first_q = wanted_q;
        for (const double calm : {0.5, 0.25, 0.125}) {
            wanted_q = calm * next_q;
            iterations += manipulator->apply_from(state.q, wanted_q);
            if (!manipulator->is_met(wanted_q)) continue;
            speed = speed_of_wanted(dt, allowed);
            if (speed) return iterations;
        }
        const double first_miss = manipulator->miss(first_q);
        wanted_q.setZero();
        iterations += manipulator->apply(zero, wanted_q);  // without the whole turns that the body has made
        if (!manipulator->is_met(wanted_q)) iterations += search();
        if (!manipulator->is_met(wanted_q) && first_miss <= 2 * manipulator->miss(wanted_q)) {
            first_q.swap(wanted_q);
            speed = speed_of_wanted(dt, allowed);
            if (speed) {
                manipulator->aim(state.q);
                return iterations;
            }
            first_q.swap(wanted_q);
        }
        speed = speed_of_wanted(dt, allowed).value_or(0);
        return iterations;
    }

    // As much of the way to the shape wanted_q as is allowed; the velocity takes it along.
    double take_share(double dt, double limit) {
        wanted_q -= next_q;
        wanted_v = wanted_q / dt;
        const double share = affordable_share({eigenvalues, next_q, next_v, wanted_q, wanted_v}, limit);
        next_q += share * wanted_q;
        next_v += share * wanted_v;
        return share;
    }

    // Constraint forces bring next_q to its targets, or as near as the energy allows.
    void constrain(double dt) {
        if (!within_bounds(next_q, next_v)) return;
        const double limit = effort->limit(manipulator->manipulation(), eigenvalues, load, dt);
        const double allowed = std::max(limit, oscillator_energy(eigenvalues, next_q, next_v));
        wanted_q = next_q;
        int iterations = manipulator->apply(state.q, wanted_q);
        auto speed = speed_of_wanted(dt, allowed);
        if (manipulator->can_choose() && !(speed && manipulator->is_met(wanted_q)))
            iterations += choose_calmer(dt, allowed, speed);
        double share = 1;
        if (speed) {
            next_q = wanted_q;
            next_v = *speed * wanted_v;
        } else {
            if (manipulator->has_two_tasks()) {  // the task that comes first has its part first
                first_q = next_q;
                iterations += manipulator->apply_first(first_q);
                std::swap(first_q, wanted_q);
                share = take_share(dt, limit);
                std::swap(first_q, wanted_q);
            }
            if (share == 1) share = take_share(dt, limit);
        }
        missed = manipulator->is_met(next_q) ? 0 : missed + 1;
        manipulation_report = manipulator->report(next_q);
        manipulation_report.iterations = iterations;
        manipulation_report.share = share;
    }

    StepReport step(double dt) {
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
            if (manipulator) manipulator->prepare(coefficients.qf);
        }
        set_load();
        const auto q = state.q.array(), v = state.v.array(), f = load.array();
        next_q = (coefficients.qq * q + coefficients.qv * v + coefficients.qf * f).matrix();
        next_v = (coefficients.vq * q + coefficients.vv * v + coefficients.vf * f).matrix();
        if (manipulator) constrain(dt);
        if (!within_bounds(next_q, next_v)) {
            report.converged = false;
            report.problem = StepProblem::BlowUp;
            state.v.setZero();
            return report;
        }
        start_q.swap(state.q);
        state.q.swap(next_q);
        state.v.swap(next_v);
        state.time += dt;
        return report;
    }

    std::shared_ptr<const WarpModel> model;
    std::shared_ptr<const WarpSurface> surface;
    std::shared_ptr<const WarpNodes> nodes;
    std::shared_ptr<const Companions> companions;
    WarpSettings settings;
    VectorXd eigenvalues;  // with the scales of the settings
    WarpState state;
    VectorXd start_q;  // q before the last step
    VectorXd zero;     // m zeros
    FrameMotion frame;
    InertialField field;  // of the frame and gravity
    bool inertia_acts = false;
    std::vector<WarpForce> forces;
    VectorXd modal_force;
    std::optional<Manipulator> manipulator;
    SoftestTurn softest;
    std::optional<Effort> effort;  // with the manipulator
    ManipulationReport manipulation_report;

    VectorXd reach;
    OscillatorCoefficients coefficients;
    double coefficients_dt = 0;  // 0: not computed
    VectorXd load, next_q, next_v, work;
    VectorXd first_q, wanted_q, wanted_v, found_q, bent_q;  // of constrain()
    int missed = 0;                                         // steps in a row that left the first task unmet
    int bends = 0;                                          // of bend_somehow(), since the targets were named
    VectorXd amplitudes, amplitudes_at;                     // of the companions, and at which q
    Eigen::MatrixXd amplitude_slopes;
    WarpSurface::Coordinates coordinates;
};

WarpBody::WarpBody(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
WarpBody::~WarpBody() = default;
WarpBody::WarpBody(WarpBody&&) noexcept = default;
WarpBody& WarpBody::operator=(WarpBody&&) noexcept = default;

WarpBody WarpBody::clone() const {
    auto copy = std::make_unique<Impl>(*impl_);
    copy->forces.reserve(impl_->forces.capacity());
    return WarpBody(std::move(copy));
}

WarpBodyResult make_warp_body(std::shared_ptr<const WarpModel> model, const WarpSettings& settings) {
    if (!model) return {std::nullopt, {"model", "there is none", ""}};
    if (auto problem = warp_model_problem(*model)) return {std::nullopt, std::move(*problem)};
    if (auto problem = settings_problem(*model, settings)) return {std::nullopt, std::move(*problem)};
    return {WarpBody(std::make_unique<WarpBody::Impl>(std::move(model), settings)), {}};
}

const WarpModel& WarpBody::model() const {
    return *impl_->model;
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

std::optional<InputError> WarpBody::set(const WarpSettings& settings) {
    if (auto problem = settings_problem(*impl_->model, settings)) return problem;
    impl_->settings = settings;
    impl_->use_settings();
    return std::nullopt;
}

std::optional<InputError> WarpBody::set_state(const WarpState& state) {
    const Eigen::Index m = impl_->model->modes();
    if (state.q.size() != m || state.v.size() != m)
        return InputError{"state",
                          std::to_string(state.q.size()) + " coordinates and " +
                              std::to_string(state.v.size()) + " velocities were given; the model has " +
                              std::to_string(m) + " modes",
                          ""};
    if (!std::isfinite(state.time) || !impl_->within_bounds(state.q, state.v))
        return InputError{"state", "it is not finite, or farther from rest than 1e12 m or rad", ""};
    impl_->state = state;
    impl_->start_q = state.q;
    impl_->missed = 0;
    impl_->bends = 0;
    return std::nullopt;
}

std::optional<InputError> WarpBody::set_frame(const FrameMotion& frame) {
    if (auto problem = frame_problem(frame)) return problem;
    const InertialField field = inertial_field(frame, Vector3d::Zero());
    if (impl_->nodes->empty() && !(field.uniform.isZero(0) && field.linear.isZero(0)))
        return InputError{"frame", "the model has no nodes that carry mass", "a model with its volume"};
    impl_->frame = frame;
    impl_->frame.orientation.normalize();
    impl_->use_frame();
    return std::nullopt;
}

void WarpBody::clear_forces() {
    impl_->forces.clear();
    impl_->modal_force.setZero();
}

std::optional<InputError> WarpBody::add_force(const WarpForce& force) {
    if (force.vertex < 0 || force.vertex >= impl_->model->vertices())
        return InputError{"force",
                          "there is no surface vertex " + std::to_string(force.vertex) + "; " +
                              vertex_count_text(*impl_->model),
                          ""};
    if (!force.force.allFinite())
        return InputError{"force", "the force on vertex " + std::to_string(force.vertex) + " is not finite",
                          ""};
    impl_->forces.push_back(force);
    return std::nullopt;
}

std::optional<InputError> WarpBody::add_modal_force(const VectorXd& force) {
    if (force.size() != impl_->modal_force.size())
        return InputError{"force",
                          std::to_string(force.size()) + " entries were given; the model has " +
                              std::to_string(impl_->modal_force.size()) + " modes",
                          ""};
    if (!force.allFinite()) return InputError{"force", "the modal force is not finite", ""};
    impl_->modal_force += force;
    return std::nullopt;
}

std::optional<InputError> WarpBody::set_manipulation(const Manipulation& manipulation) {
    if (auto problem = manipulation_problem(*impl_->model, manipulation)) return problem;
    impl_->manipulation_report = {};
    impl_->missed = 0;
    impl_->bends = 0;
    impl_->coefficients_dt = 0;  // its factors belong to a step size
    impl_->manipulator.reset();
    impl_->effort.reset();
    if (!manipulation.positions.empty() || !manipulation.orientations.empty()) {
        impl_->manipulator.emplace(impl_->model, impl_->companions, manipulation, impl_->settings.warping);
        impl_->effort.emplace(*impl_->model, impl_->softest, manipulation, impl_->state.q);
    }
    impl_->start_q = impl_->state.q;
    return std::nullopt;
}

std::optional<InputError> WarpBody::move_position(int position, const Vector3d& displacement) {
    const std::size_t count = impl_->manipulator ? impl_->manipulator->manipulation().positions.size() : 0;
    if (auto problem = constraint_number_problem("position", position, count)) return problem;
    if (!displacement.allFinite())
        return InputError{"constraint",
                          "the target of position constraint " + std::to_string(position) + " is not finite",
                          ""};
    impl_->manipulator->move(std::size_t(position), displacement);
    return std::nullopt;
}

std::optional<InputError> WarpBody::turn_orientation(int orientation, const Eigen::Quaterniond& target) {
    const std::size_t count = impl_->manipulator ? impl_->manipulator->manipulation().orientations.size() : 0;
    if (auto problem = constraint_number_problem("orientation", orientation, count)) return problem;
    if (auto problem = orientation_problem(target)) return problem;
    impl_->manipulator->turn(std::size_t(orientation), target);
    return std::nullopt;
}

const ManipulationReport& WarpBody::manipulation_report() const {
    return impl_->manipulation_report;
}

StepReport WarpBody::step(double dt) {
    return impl_->step(dt);
}

double WarpBody::kinetic_energy() const {
    return 0.5 * impl_->settings.density_scale * impl_->state.v.squaredNorm();
}

double WarpBody::elastic_energy() const {
    const VectorXd& q = impl_->state.q;
    return 0.5 * impl_->settings.young_scale * q.dot(impl_->model->eigenvalues.cwiseProduct(q));
}

Vector3d WarpBody::rotation(int vertex) const {
    assert(vertex >= 0 && vertex < impl_->model->vertices());
    return Impl::times(impl_->model->surface_rotations, vertex, impl_->state.q);
}

Vector3d WarpBody::displacement(int vertex) const {
    assert(vertex >= 0 && vertex < impl_->model->vertices());
    const Impl& in = *impl_;
    const Vector3d linear = Impl::times(in.model->surface_modes, vertex, in.state.q);
    if (!in.warped()) return linear;
    const Vector3d turned = Impl::times(in.model->surface_rotations, vertex, in.shown_turns());
    const Vector3d beside = Impl::times(in.model->surface_companions, vertex, impl_->shown_amplitudes());
    return mean_rotation(turned) * (linear + beside);  // (25)
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
    at.p = (impl_->warped() ? impl_->shown_turns() : impl_->state.q).cast<float>();
    at.z = impl_->shown_amplitudes().cast<float>();
    impl_->surface->shape(at, impl_->settings.warping, displacement, normals);
}

}  // namespace limber
