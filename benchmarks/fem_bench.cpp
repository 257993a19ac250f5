// SPDX-License-Identifier: Apache-2.0
// Full finite elements: assembly, one Newmark step, modes, memory.
#include "benchmarks/bars.h"
#include "benchmarks/report.h"
#include "build/fem/assemble.h"
#include "build/fem/dynamics.h"
#include "build/fem/modes.h"
#include "build/fem/statics.h"
#include "models/models.h"

#include <tbb/global_control.h>

#include <cmath>
#include <fstream>
#include <string>

namespace limber::bench::fem_bench {
namespace {

using namespace limber::build;

// A smooth bend, about a tenth of the length: every element strained and turned.
Eigen::VectorXd bend(const FemModel& model) {
    Eigen::VectorXd u(3 * model.vertex_count());
    double length = 0;
    for (const Vertex& p : model.mesh().vertices)
        length = std::max(length, p.z());
    for (Eigen::Index v = 0; v < model.vertex_count(); ++v) {
        const double s = model.mesh().vertices[static_cast<std::size_t>(v)].z() / length;
        u.segment<3>(3 * v) = 0.1 * length * Eigen::Vector3d(s * s, 0.3 * s * s * s, -0.1 * s);
    }
    return u;
}

template <int threads>
void force_and_stiffness_of(benchmark::State& state, const FemModel& model) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    const Eigen::VectorXd u = bend(model);
    Eigen::VectorXd force;
    SparseMatrix K = matrix_pattern(model);
    for (auto _ : state)
        force_and_stiffness(model, u, force, K);
}

template <int threads>
void newmark_step_of(benchmark::State& state, const FemModel& model) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    // Released from a bend under a load, as a user would; T1 is about 60 steps.
    ModesOptions one;
    one.count = 1;
    const double period = 1 / solve_modes(model, one).frequencies_hz[0];
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(3 * model.vertex_count());
    const auto hanging = solve_static(model, gravity_force(model, {30, 10, 0}));
    for (auto _ : state) {
        DynamicSolver solver(model, {.dt = period / 60});
        FullState now = solver.start(hanging.u, none, none);
        for (int i = 0; i < 50; ++i)
            if (!solver.step(now, none).converged) state.SkipWithError("a step did not converge");
    }
}

template <int threads>
void modes_of(benchmark::State& state, const FemModel& model) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    for (auto _ : state) {
        const ModesResult modes = solve_modes(model, {.count = 20});
        if (!modes.converged) state.SkipWithError("the modes did not converge");
    }
}

// Resident memory of this process now, GB.
double resident_gb() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind("VmRSS:", 0) == 0) return std::stod(line.substr(6)) / 1e6;
    return 0;
}

void million_tets(benchmark::State& state) {
    for (auto _ : state) {
        const double before = resident_gb();
        const FemModel model = fixed_bar({55, 55, 55}, models::BarElements::Tets);
        Eigen::VectorXd force;
        SparseMatrix K;
        force_and_stiffness(model, bend(model), force, K);
        state.counters["resident_GB"] = resident_gb() - before;
        state.counters["tets"] = static_cast<double>(model.mesh().tets.size());
    }
}

using benchmark::kMillisecond;
using benchmark::kSecond;

const bool registered = [] {
    // Vega: by its class StVKFEM, and by isotropicHyperelastic with St.Venant-Kirchhoff material.
    add("tet_bar_44550", "force_and_stiffness", {.vega = 713, .vega_fastest = 47}, [](benchmark::State& s) {
        force_and_stiffness_of<1>(s, tet_bar());
    })->Unit(kMillisecond);
    add("tet_bar_44550", "force_and_stiffness_2_threads", {}, [](benchmark::State& s) {
        force_and_stiffness_of<2>(s, tet_bar());
    })->Unit(kMillisecond);
    // Vega: with StVKFEM, which takes 0.7 s of each step.
    add("tet_bar_44550", "50_newmark_steps", {.vega = 50},
        [](benchmark::State& s) { newmark_step_of<1>(s, tet_bar()); })
        ->Unit(kSecond)
        ->Iterations(1);
    add("brick_bar_11250", "force_and_stiffness", {}, [](benchmark::State& s) {
        force_and_stiffness_of<1>(s, brick_bar());
    })->Unit(kMillisecond);
    add("brick_bar_11250", "force_and_stiffness_2_threads", {}, [](benchmark::State& s) {
        force_and_stiffness_of<2>(s, brick_bar());
    })->Unit(kMillisecond);
    add("brick_bar_11250", "20_modes", {.paper = 65, .vega = 12.7},
        [](benchmark::State& s) { modes_of<1>(s, brick_bar()); })
        ->Unit(kSecond)
        ->Iterations(1);
    add("brick_bar_11250", "20_modes_2_threads", {}, [](benchmark::State& s) { modes_of<2>(s, brick_bar()); })
        ->Unit(kSecond)
        ->Iterations(1);
    add("tet_cube_998250", "assemble_from_nothing", {}, million_tets)->Unit(kSecond)->Iterations(1);
    return true;
}();

}  // namespace
}  // namespace limber::bench::fem_bench
