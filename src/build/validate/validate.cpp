// SPDX-License-Identifier: Apache-2.0
#include "build/validate/validate.h"

#include "build/fem/dynamics.h"
#include "build/mesh/embed.h"
#include "build/mesh/surface_patch.h"
#include "build/mesh/vertex_range.h"
#include "build/or_throw.h"
#include "build/recipe/full_model.h"
#include "build/scene/scene.h"
#include "build/validate/shape_error.h"
#include "build/validate/signal.h"
#include "limber/reduced/modes.h"

#include <limber/world/world.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace limber::build {
namespace {

constexpr double kStepsPerPeriod = 100;
constexpr double kPushPeriods = 0.1;
constexpr double kDampingRatio = 0.01;  // of the first mode: little, but waves on the mesh die out
constexpr double kMostSteps = 1e6;
constexpr double kShapesPerPeriod = 100;  // that are compared at matched phase; of more, every k-th

int farthest_vertex(const Model& model) {
    int farthest = 0;
    double distance = -1;
    for (std::size_t i = 0; i < model.surface.vertices.size(); ++i) {
        double nearest = std::numeric_limits<double>::infinity();
        for (const std::int32_t v : model.volume.fixed_vertices)
            nearest = std::min(
                nearest, (model.volume.vertices[static_cast<std::size_t>(v)] - model.surface.vertices[i])
                             .squaredNorm());
        if (nearest > distance) {
            distance = nearest;
            farthest = static_cast<int>(i);
        }
    }
    return farthest;
}

// Where the default test pushes: the vertex farthest from the fixed ones. A cube that is filled in part holds
// a single vertex by little: there the push is on the patch around it.
std::vector<int> default_push(const Model& model) {
    const int farthest = farthest_vertex(model);
    if (model.volume.fraction.empty()) return {farthest};
    const PatchSurface surface(model.surface.vertices,
                               {model.surface.triangles.begin(), model.surface.triangles.end()});
    return surface.around(farthest, patch_radius(full_model(model).mesh(), model.surface.vertices)).vertices;
}

// U of the mean displacement of some vertices, 3 x r.
Eigen::MatrixXd mean_rows(const Eigen::MatrixXd& basis, const std::vector<int>& vertices) {
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(3, basis.cols());
    for (const int v : vertices)
        rows += basis.middleRows<3>(3 * v);
    return rows / static_cast<double>(vertices.size());
}

// Areas that belong to the vertices of the surface, m^2: a third of each triangle's.
Eigen::VectorXd vertex_areas(const ModelSurface& surface) {
    Eigen::VectorXd areas = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(surface.vertices.size()));
    for (const auto& t : surface.triangles) {
        const auto corner = [&](std::size_t i) { return surface.vertices[static_cast<std::size_t>(t[i])]; };
        const double area = 0.5 * (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm();
        for (const std::int32_t v : t)
            areas[v] += area / 3;
    }
    return areas;
}

double weighted_square(const Eigen::VectorXd& u, const Eigen::VectorXd& areas) {
    return u.reshaped(3, u.size() / 3).colwise().squaredNorm() * areas;
}

StvkSettings body_settings(const Validation& test, const Model& model) {
    StvkSettings settings;
    settings.newton = 0;  // to the tolerance, as the full model: the spaces are compared
    settings.alpha = test.alpha;
    settings.beta = test.beta;
    if (test.rank < model.rank) settings.coordinates = first_coordinates(test.rank);
    return settings;
}

// A world with the reduced body, at rest and under the push.
struct PushedBody {
    World world;
    BodyId id;
    const WorldBody& body() const { return *world.body(id); }
    const Eigen::VectorXd& q() const { return body().q(); }
    void let_go() {
        if (!body().forces().empty()) or_throw(world.apply(SetForces{id, {}, {}}));
    }
};

PushedBody pushed_body(const std::shared_ptr<const Model>& model, const Validation& test) {
    PushedBody pushed;
    pushed.id = or_throw(
        pushed.world.add({.model = model, .method = Method::Stvk, .settings = body_settings(test, *model)}));
    SetForces push{pushed.id, {}, {}};
    add_forces({test.pushed, test.force}, push.forces);
    or_throw(pushed.world.apply(push));
    return pushed;
}

// Pushed in the step that ends at time t?
bool is_pushed(const Validation& test, double t) {
    return t <= test.push_duration * (1 + 1e-9);
}

// How far the probe moves in the first period, m.
double reach(const std::shared_ptr<const Model>& model, const Validation& test) {
    PushedBody pushed = pushed_body(model, test);
    const Eigen::MatrixXd rows = mean_rows(model->surface.basis, test.probed);
    double farthest = 0;
    for (double t = test.dt; t <= 1 / test.first_frequency_hz; t += test.dt) {
        if (!is_pushed(test, t)) pushed.let_go();
        pushed.world.step(test.dt);
        if (!pushed.body().report().converged) break;
        farthest = std::max(farthest, (rows * pushed.q()).norm());
    }
    return farthest;
}

// Sizes the force so that the reduced model's probe goes as far as it shall: the reach grows with the force,
// a little slower than in proportion.
void size_push(const std::shared_ptr<const Model>& model, double target, Validation& test) {
    for (int attempt = 0; attempt < 20; ++attempt) {
        const double now = reach(model, test);
        if (!(now > 0)) break;
        if (std::abs(now / target - 1) < 0.01) return;
        test.force *= std::clamp(target / now, 0.1, 10.0);
    }
}

void choose_test(const std::shared_ptr<const Model>& model, const ValidateOptions& options,
                 Validation& test) {
    const ReducedModes modes = reduced_modes(*model);
    test.first_frequency_hz = modes.frequencies_hz[0];
    if (!(test.first_frequency_hz > 0))
        throw InputError{model->name, "the model has no vibration to compare: its first frequency is zero",
                         "hold it better with limber build --fix"};
    const double period = 1 / test.first_frequency_hz;
    test.rank = options.rank.value_or(model->rank);
    if (test.rank > model->rank)
        throw InputError{
            "--rank",
            fmt::format("rank {} was asked for; the model has {} basis vectors", test.rank, model->rank),
            fmt::format("--rank {}", model->rank)};
    test.dt = options.dt.value_or(period / kStepsPerPeriod);
    test.duration = options.duration.value_or(options.periods * period);
    test.steps = std::max(1LL, std::llround(test.duration / test.dt));
    if (!(test.duration / test.dt <= kMostSteps))
        throw InputError{"--dt",
                         fmt::format("{:g} steps of the full model; the limit is {:g}",
                                     test.duration / test.dt, kMostSteps),
                         "a longer --dt or fewer --periods"};
    test.push_duration = options.push_duration.value_or(kPushPeriods * period);
    test.alpha = options.alpha.value_or(0);
    test.beta = options.beta.value_or(options.alpha ? 0 : 2 * kDampingRatio / (2 * EIGEN_PI / period));

    if (options.push.empty())
        test.pushed = default_push(*model);
    else
        test.pushed = select_on_model("--push", options.push, *model);
    test.probed = options.probe.empty() ? test.pushed : select_on_model("--probe", options.probe, *model);
    if (options.force) {
        test.force = *options.force;
        return;
    }
    // The direction in which the first mode moves what is pushed; a first guess of its size moves only the
    // first mode: F T = m v, v = ω a.
    const Eigen::Vector3d motion = mean_rows(model->surface.basis, test.pushed) * modes.shapes.col(0);
    const Eigen::AlignedBox3d box = bounds_of(model->surface.vertices);
    const double target = options.bend * box.sizes().maxCoeff();
    const double omega = 2 * EIGEN_PI / period;
    const double share = motion.norm();
    if (!(share > 0))
        throw InputError{"--push", "the first mode does not move what is pushed",
                         "--push at a part that moves, or --force \"fx fy fz\""};
    test.force = motion / share * (target * omega / (share * share * test.push_duration));
    size_push(model, target, test);
}

// The full model in time: stepped, or read frame by frame.
class FullMotion {
 public:
    FullMotion(const FemModel& model, const DynamicOptions& options, const Eigen::VectorXd& first_force,
               std::shared_ptr<const NpyArray> recorded)
        : solver_(model, options), dt_(options.dt), recorded_(std::move(recorded)) {
        const Eigen::VectorXd rest = Eigen::VectorXd::Zero(first_force.size());
        state_ = solver_.start(rest, rest, first_force);
    }

    StepReport advance(const Eigen::VectorXd& force) {
        if (!recorded_) return solver_.step(state_, force);
        ++frame_;
        const Eigen::VectorXd u = Eigen::Map<const Eigen::VectorXd>(
            recorded_->values.data() + frame_ * state_.u.size(), state_.u.size());
        // Newmark's velocity follows from the displacements. docs/math/newmark.md (3)
        state_.v = (2 / dt_) * (u - state_.u) - state_.v;
        state_.u = u;
        return {};
    }
    const Eigen::VectorXd& u() const { return state_.u; }
    double kinetic_energy() const { return solver_.kinetic_energy(state_); }

 private:
    DynamicSolver solver_;
    double dt_;
    std::shared_ptr<const NpyArray> recorded_;
    Eigen::Index frame_ = 0;
    FullState state_;
};

void check_motion(const NpyArray& motion, const Validation& test, const Model& model) {
    const auto vertices = static_cast<std::size_t>(model.volume_vertices);
    if (motion.shape.size() != 3 || motion.shape[0] < static_cast<std::size_t>(test.steps) + 1 ||
        motion.shape[1] != vertices || motion.shape[2] != 3)
        throw InputError{"--full",
                         fmt::format("the array has the shape ({}); this test needs ({}, {}, 3)",
                                     fmt::join(motion.shape, ", "), test.steps + 1, vertices),
                         "the file of --out of a test of the same mesh, step and duration"};
    if (!std::all_of(motion.values.begin(), motion.values.end(), [](double x) { return std::isfinite(x); }))
        throw InputError{"--full", "some displacements are not finite numbers", ""};
}

struct Clock {
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    }
};

// Frequency and amplitude of both, over the same passages through zero.
void compare(Validation& test) {
    const auto full = zero_crossings(test.full.signal, test.dt);
    const auto reduced = zero_crossings(test.reduced.signal, test.dt);
    const std::size_t shared = std::min(full.size(), reduced.size());
    if (shared >= 2) {
        test.full.frequency_hz = crossing_frequency(full, shared);
        test.reduced.frequency_hz = crossing_frequency(reduced, shared);
        test.frequency_error = test.reduced.frequency_hz / test.full.frequency_hz - 1;
    }
    test.full.amplitude = first_peak(test.full.signal, test.dt);
    test.reduced.amplitude = first_peak(test.reduced.signal, test.dt);
    if (test.full.amplitude > 0) test.amplitude_error = test.reduced.amplitude / test.full.amplitude - 1;
}

// What is kept of both motions while they run.
class Comparison {
 public:
    Comparison(const Model& model, const FemModel& fem, const Embedding& embedding, Validation& test)
        : model_(model),
          fem_(fem),
          embedding_(embedding),
          test_(test),
          rows_(mean_rows(model.surface.basis, test.probed)),
          areas_(vertex_areas(model.surface)),
          shapes_(model.surface.basis, areas_) {
        for (Trajectory* t : {&test.full, &test.reduced}) {
            t->probe = Eigen::MatrixXd::Zero(3, test.steps + 1);
            t->kinetic = t->elastic = Eigen::VectorXd::Zero(test.steps + 1);
        }
        const double period = 1 / test.first_frequency_hz;
        stride_ = std::max<Eigen::Index>(
            1, static_cast<Eigen::Index>(period / (kShapesPerPeriod * test.dt) + 1e-9));
        window_ = std::max<Eigen::Index>(
            1, static_cast<Eigen::Index>(
                   std::ceil(0.5 * period / (static_cast<double>(stride_) * test.dt) - 1e-9)));
        shapes_.add_full(Eigen::VectorXd::Zero(model.surface.basis.rows()));
        shapes_.add_reduced(Eigen::VectorXd::Zero(model.rank));
    }

    // After step i.
    void record(Eigen::Index i, const FullMotion& full, const WorldBody& body) {
        const Eigen::VectorXd& q = body.q();
        const Eigen::VectorXd u = interpolate(embedding_, full.u());
        const Eigen::VectorXd reduced_u = model_.surface.basis * q;
        if (i % stride_ == 0) shapes_.add_full(u);
        error_square_ += weighted_square(reduced_u - u, areas_);
        full_square_ += weighted_square(u, areas_);
        for (const int v : test_.probed)
            test_.full.probe.col(i) += u.segment<3>(3 * v) / static_cast<double>(test_.probed.size());
        test_.reduced.probe.col(i) = rows_ * q;
        test_.full.kinetic[i] = full.kinetic_energy();
        test_.full.elastic[i] = elastic_energy(fem_, full.u());
        test_.reduced.kinetic[i] = body.kinetic_energy();
        test_.reduced.elastic[i] = body.elastic_energy();
        // Pictures at the quarters of the first period.
        const double t = static_cast<double>(i) * test_.dt;
        const auto next = static_cast<double>(test_.instants.size() + 1);
        if (next <= 4 && t >= next * 0.25 / test_.first_frequency_hz)
            test_.instants.push_back({t, u, reduced_u});
    }

    // After step i of the reduced body, which goes on for half a period after the full one: a motion that is
    // late is shifted by that much.
    void record_reduced(Eigen::Index i, const WorldBody& body) {
        if (i % stride_ == 0) shapes_.add_reduced(body.q());
    }
    Eigen::Index half_period() const { return stride_ * window_; }  // steps

    // `steps` were taken by both.
    void finish(Eigen::Index steps) {
        test_.steps = steps;
        test_.shape_error = shapes_.relative(window_);
        for (Trajectory* t : {&test_.full, &test_.reduced}) {
            t->probe.conservativeResize(3, steps + 1);
            t->kinetic.conservativeResize(steps + 1);
            t->elastic.conservativeResize(steps + 1);
            t->signal = t->probe.transpose() * test_.force.normalized();
        }
        compare(test_);
        if (full_square_ > 0) test_.displacement_error = std::sqrt(error_square_ / full_square_);
    }

 private:
    const Model& model_;
    const FemModel& fem_;
    const Embedding& embedding_;
    Validation& test_;
    Eigen::MatrixXd rows_;   // of the mean of the probe
    Eigen::VectorXd areas_;  // m^2
    ShapeError shapes_;
    Eigen::Index stride_ = 1, window_ = 1;  // steps between compared shapes; of them in half a period
    double error_square_ = 0, full_square_ = 0;
};

// Forces of the push on the nodes of the full model, 3n.
Eigen::VectorXd push_on_nodes(const Model& model, const Embedding& embedding, const Validation& test) {
    Eigen::VectorXd on_surface =
        Eigen::VectorXd::Zero(3 * static_cast<Eigen::Index>(model.surface.vertices.size()));
    for (const int v : test.pushed)
        on_surface.segment<3>(3 * v) += test.force / static_cast<double>(test.pushed.size());
    return spread_forces(embedding, on_surface);
}

void require_fitting(const Model& model) {
    if (!model.stvk)
        throw InputError{
            model.name, "the model was built without the reduced energy: it has no reduced forces to compare",
            "limber build with --method both"};
    if (model.free_body)
        throw InputError{model.name,
                         "nothing of the body is fixed: a push would send the full model flying, and the "
                         "reduced one has no motion as a whole",
                         "limber build with --fix SELECT"};
}

}  // namespace

Validation validate(const std::shared_ptr<const Model>& model, const ValidateOptions& options,
                    const Progress& progress, const FullFrame& frame) {
    require_fitting(*model);
    const FemModel fem = full_model(*model);
    Validation test;
    tell(progress, "sizing the push", 0);
    choose_test(model, options, test);
    if (options.full_motion) check_motion(*options.full_motion, test, *model);

    tell(progress, "preparing the full model", 0);
    const Embedding embedding = embed(fem.mesh(), model->surface.vertices);
    const Eigen::VectorXd pushed = push_on_nodes(*model, embedding, test);
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(pushed.size());
    FullMotion full(fem,
                    {.dt = test.dt,
                     .alpha = test.alpha,
                     .beta = test.beta,
                     .mass = model->lumped_mass ? MassKind::Lumped : MassKind::Consistent},
                    pushed, options.full_motion);
    PushedBody reduced = pushed_body(model, test);
    Comparison comparison(*model, fem, embedding, test);
    if (frame) frame(full.u());
    Eigen::Index i = 1;
    for (const Eigen::Index steps = test.steps; i <= steps; ++i) {
        tell(progress, "full and reduced motion", static_cast<double>(i) / static_cast<double>(steps));
        const double t = static_cast<double>(i) * test.dt;
        const bool under_push = is_pushed(test, t);
        const Clock full_clock;
        const StepReport full_step = full.advance(under_push ? pushed : none);
        if (!options.full_motion) test.full.seconds += full_clock.seconds();
        if (!under_push) reduced.let_go();
        const Clock reduced_clock;
        reduced.world.step(test.dt);
        test.reduced.seconds += reduced_clock.seconds();
        if (!full_step.converged || !reduced.body().report().converged) {
            test.converged = false;
            test.problem = fmt::format("the {} model did not converge at t = {:g} s; try a smaller --dt",
                                       full_step.converged ? "reduced" : "full", t);
            break;
        }
        comparison.record(i, full, reduced.body());
        comparison.record_reduced(i, reduced.body());
        if (frame) frame(full.u());
    }
    const Eigen::Index taken = i - 1;
    for (; test.converged && i <= taken + comparison.half_period(); ++i) {
        if (!is_pushed(test, static_cast<double>(i) * test.dt)) reduced.let_go();
        reduced.world.step(test.dt);
        if (!reduced.body().report().converged) break;
        comparison.record_reduced(i, reduced.body());
    }
    comparison.finish(taken);
    test.local_compliance =
        local_compliance(*model, {.points = options.points, .at = options.at, .rank = test.rank}, progress);
    return test;
}

}  // namespace limber::build
