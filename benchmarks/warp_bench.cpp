// SPDX-License-Identifier: Apache-2.0
// Modal warping: Table I of Choi & Ko 2005 on bodies of the same sizes, one thread. The paper's clock shows
// milliseconds, its frames are drawn, and 60 a second is what its screen shows at most.
#include "benchmarks/report.h"
#include "benchmarks/warp_bodies.h"
#include "build/basis/make_warp_model.h"
#include "tests/limber/warp/feasible_drag.h"

#include <limber/warp/warp_body.h>

#include <tbb/global_control.h>

#include <time.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <vector>

namespace limber::bench::warp_bench {
namespace {

using namespace limber::build;

constexpr double kFrame = 1.0 / 30;  // s, the paper's step

// A row of the table: what the paper used and measured, in s and frames a second.
struct Row {
    std::string name;
    WarpBodyMesh (*make)();
    int modes, positions, orientations;
    double fem, modal_analysis, ode, constraints, frames_per_second;
};

ModesResult modes_of(const FemModel& model, int count) {
    return solve_modes(model, {.count = count});
}

FemModel fem_of(const WarpBodyMesh& body) {
    return FemModel(body.volume, {}, body.fixed);
}

// Made once for all measurements of a body.
struct Prepared {
    explicit Prepared(const Row& row)
        : mesh(row.make()),
          fem(fem_of(mesh)),
          model(std::make_shared<WarpModel>(
              make_warp_model(fem, modes_of(fem, row.modes), MassKind::Consistent, mesh.surface))),
          shared(share_warp(model).value()) {
        Eigen::AlignedBox3d box;
        for (const Eigen::Vector3d& v : mesh.surface.vertices)
            box.extend(v);
        size = box.diagonal().norm();
    }
    WarpBodyMesh mesh;
    FemModel fem;
    std::shared_ptr<const WarpModel> model;
    std::shared_ptr<const SharedWarp> shared;
    double size = 0;  // m
};

const Prepared& prepared(const Row& row) {
    static std::map<std::string, std::unique_ptr<Prepared>> all;
    auto& kept = all[row.name];
    if (!kept) kept = std::make_unique<Prepared>(row);
    return *kept;
}

WarpBody body_of(const Row& row, const WarpSettings& settings) {
    return make_warp_body(prepared(row).shared, settings).value();
}

void accept(const Status& status) {
    if (!status.ok()) std::abort();
}

// Vertices spread over the surface, none of which is held: those follow no mode.
std::vector<int> spread_vertices(const WarpModel& model, int count) {
    std::vector<int> out;
    const double most = model.surface_modes.cwiseAbs().maxCoeff();
    for (int i = 0; i < count; ++i) {
        int v = int(model.vertices() * (2 * i + 1) / (2 * count));
        while (model.surface_modes.middleRows<3>(3 * v).cwiseAbs().maxCoeff() < 0.01 * most)
            v = (v + 1) % int(model.vertices());
        out.push_back(v);
    }
    return out;
}

// As many positions and orientations as in the paper; forces act on them and nine more.
enum class Forces { Exercised, Own };
Constraints constraints(const Row& row, const WarpModel& model, PositionMethod method, Forces forces) {
    Constraints out{.positions_by = method};
    if (forces == Forces::Exercised) out.exercised = spread_vertices(model, row.positions + 9);
    for (const int v : spread_vertices(model, row.positions))
        out.positions.push_back({v, Eigen::Vector3d::Zero()});
    for (const int v : spread_vertices(model, row.orientations))
        out.orientations.push_back({v, Eigen::Quaterniond::Identity()});
    return out;
}

void count(benchmark::State& state, const WarpBodyMesh& mesh, int modes) {
    state.counters["vertices"] = double(mesh.surface.vertices.size());
    state.counters["faces"] = double(mesh.faces);
    state.counters["nodes"] = double(mesh.volume.vertices.size());
    state.counters["elements"] = double(mesh.volume.element_count());
    state.counters["modes"] = double(modes);
}

// The finite elements of the mesh; modes, their rotations and the surface; both.
void add_precomputation(const Row& row) {
    const auto add_stage = [&](const std::string& metric, double paper, auto work) {
        add(row.name, metric, {.paper = paper}, [row, work](benchmark::State& state) {
            const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
            const Prepared& body = prepared(row);
            for (auto _ : state)
                work(body);
        })->Unit(benchmark::kSecond);
    };
    add_stage("table_1_fem", row.fem,
              [](const Prepared& body) { benchmark::DoNotOptimize(fem_of(body.mesh)); });
    const auto analyse = [modes = row.modes](const FemModel& fem, const Prepared& body) {
        benchmark::DoNotOptimize(
            make_warp_model(fem, modes_of(fem, modes), MassKind::Consistent, body.mesh.surface));
    };
    add_stage("table_1_modal_analysis", row.modal_analysis,
              [analyse](const Prepared& body) { analyse(body.fem, body); });
    add_stage("precomputation", row.fem + row.modal_analysis,
              [analyse](const Prepared& body) { analyse(fem_of(body.mesh), body); });
}

template <class Prepare>
void add_step(const Row& row, const std::string& metric, Reference reference, const WarpSettings& settings,
              Prepare prepare) {
    add(row.name, metric, reference, [row, settings, prepare](benchmark::State& state) {
        WarpBody body = body_of(row, settings);
        prepare(body);
        for (auto _ : state)
            benchmark::DoNotOptimize(body.step(kFrame));
    })->Unit(benchmark::kMicrosecond);
}

// All positions go round a circle as wide as a tenth of the body, once in six seconds, while all orientations
// rotate back and forth by 0.3 rad.
void go_round(double t, double size, Constraints& out) {
    for (PositionConstraint& c : out.positions)
        c.displacement = 0.05 * size * Eigen::Vector3d(0, std::sin(t), 1 - std::cos(t));
    for (OrientationConstraint& c : out.orientations)
        c.orientation = Eigen::AngleAxisd(0.3 * std::sin(t), Eigen::Vector3d::UnitX());
}

void add_drag(const Row& row, const std::string& metric, Reference reference, PositionMethod method,
              Forces forces) {
    add(row.name, metric, reference, [row, method, forces](benchmark::State& state) {
        WarpBody body = body_of(row, {.alpha = 1});
        Constraints targets = constraints(row, body.model(), method, forces);
        accept(body.set_constraints(targets));
        double t = 0;
        for (auto _ : state) {
            t += kFrame;
            go_round(t, prepared(row).size, targets);
            for (int i = 0; i < row.positions; ++i)
                accept(body.set_position_target(i, targets.positions[std::size_t(i)].displacement));
            for (int i = 0; i < row.orientations; ++i)
                accept(body.set_orientation_target(i, targets.orientations[std::size_t(i)].orientation));
            benchmark::DoNotOptimize(body.step(kFrame));
        }
    })->Unit(benchmark::kMicrosecond);
}

double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

struct Worst {
    double seconds = 0;
    int iterations = 0, met = 0, frames = 0;
    double error = 0;  // m
};

// The slowest of 600 constrained steps, in processor time. Runs are alike bit by bit: of five, the fastest
// time of a frame is that without interruptions. begin(targets) names the constraints and returns what moves
// their targets.
template <class Begin>
Worst worst_step(const Row& row, const WarpSettings& settings, const Begin& begin) {
    constexpr int kFrames = 600, kRuns = 5;
    std::vector<double> fastest(kFrames, std::numeric_limits<double>::infinity());
    Worst worst;
    for (int run = 0; run < kRuns; ++run) {
        WarpBody body = body_of(row, settings);
        Constraints targets;
        auto move = begin(targets);
        worst = {.frames = kFrames};
        for (int i = 0; i < kFrames; ++i) {
            move(i, targets);
            accept(body.set_constraints(targets));
            const double before = thread_seconds();
            body.step(kFrame);
            fastest[std::size_t(i)] = std::min(fastest[std::size_t(i)], thread_seconds() - before);
            const ConstraintReport& report = body.constraint_report();
            worst.iterations = std::max(worst.iterations, report.iterations);
            worst.error = std::max(worst.error, report.position_error);
            worst.met += report.position_error <= 1e-6 * prepared(row).size ? 1 : 0;
        }
    }
    worst.seconds = *std::max_element(fastest.begin(), fastest.end());
    return worst;
}

template <class Begin>
void add_worst(const Row& row, const std::string& metric, const WarpSettings& settings, const Begin& begin) {
    add(row.name, metric, {},
        [row, settings, begin](benchmark::State& state) {
            for (auto _ : state) {
                const Worst worst = worst_step(row, settings, begin);
                state.counters["worst_us"] = 1e6 * worst.seconds;
                state.counters["most_iterations"] = worst.iterations;
                state.counters["met"] = double(worst.met) / worst.frames;
                state.counters["largest_error_by_size"] = worst.error / prepared(row).size;
            }
        })
        ->Iterations(1)
        ->Unit(benchmark::kSecond);
}

// Newton's method with own forces: targets that are shapes of the body, and the circles with one vertex that
// is asked to be in two places. In closed form brake() comes on top.
void add_worst_steps(const Row& row) {
    const WarpSettings settings{.step = OscillatorStep::ClosedForm, .alpha = 1};
    add_worst(row, "constrained_feasible", settings, [row](Constraints& targets) {
        test::FeasibleDrag drag(prepared(row).shared, prepared(row).size, 1, 1);
        targets = drag.constraints(row.positions, row.orientations);
        return [drag = std::move(drag)](int, Constraints& out) mutable { drag.move(out); };
    });
    add_worst(row, "constrained_contradictory", settings, [row](Constraints& targets) {
        targets = constraints(row, *prepared(row).model, PositionMethod::Newton, Forces::Own);
        targets.positions.push_back(targets.positions[0]);
        return [size = prepared(row).size](int i, Constraints& out) {
            go_round(i * kFrame, size, out);
            out.positions.back().displacement *= -1;
        };
    });
}

void add_steps(const Row& row) {
    const auto ten_forces = [](WarpBody& body) {
        for (const int v : spread_vertices(body.model(), 10))
            accept(body.add_force({.vertex = v, .force = {1e-3, -2e-3, 3e-3}}));
    };
    add_step(row, "table_1_ode_ten_forces", {.paper = 1e6 * row.ode}, {.alpha = 1}, ten_forces);
    const auto moving_frame = [](WarpBody& body) {
        accept(body.set_frame({.acceleration = {1, 0, 0}, .angular_velocity = {0, 1, 0}}));
    };
    const Eigen::Vector3d gravity(0, 0, -9.81);
    add_step(row, "step_gravity_and_frame", {}, {.alpha = 1, .gravity = gravity}, moving_frame);
    add_step(row, "closed_form_gravity_and_frame", {},
             {.step = OscillatorStep::ClosedForm, .alpha = 1, .gravity = gravity}, moving_frame);
    const Reference paper{.paper = 1e6 * (row.ode + row.constraints)};
    add_drag(row, "table_1_step_with_constraints", paper, PositionMethod::Predicted, Forces::Exercised);
    add_drag(row, "step_constraints_newton", {}, PositionMethod::Newton, Forces::Exercised);
    add_drag(row, "step_constraints_own_forces", {}, PositionMethod::Newton, Forces::Own);
    add(row.name, "surface_with_normals", {.paper = 1e6 / row.frames_per_second},
        [row, ten_forces](benchmark::State& state) {
            WarpBody body = body_of(row, {.alpha = 1});
            ten_forces(body);
            body.step(kFrame);
            Eigen::VectorXf u, normals;
            for (auto _ : state) {
                body.surface_shape(u, normals);
                benchmark::DoNotOptimize(u.data());
            }
            count(state, prepared(row).mesh, row.modes);
        })
        ->Unit(benchmark::kMicrosecond);
}

const bool registered = [] {
    for (const Row& row : {Row{"warp bar", bar_body, 8, 1, 1, 0.046, 0.063, 0.001, 0.001, 60},
                           Row{"warp potbelly", potbelly_body, 16, 3, 1, 0.062, 0.484, 0.001, 0.001, 60},
                           Row{"warp jelly box", jelly_box_body, 32, 2, 2, 0.062, 1.156, 0.001, 0.001, 60},
                           Row{"warp flubber", flubber_body, 64, 6, 1, 0.078, 2.062, 0.001, 0.001, 60},
                           Row{"warp dinosaur", dinosaur_body, 8, 1, 1, 0.312, 1.422, 0.002, 0.001, 11.9}}) {
        add_precomputation(row);
        add_steps(row);
        add_worst_steps(row);
    }
    return true;
}();

}  // namespace
}  // namespace limber::bench::warp_bench
