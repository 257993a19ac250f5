// SPDX-License-Identifier: Apache-2.0
// A step of a free body: a soft bar that tumbles and bends by a twentieth of its length, iterated to the
// tolerance. docs/math/free_bodies.md.
#include "benchmarks/report.h"

#include "build/basis/basis.h"
#include "build/fem/modes.h"
#include "build/reduce/reduce.h"
#include "models/models.h"

#include <limber/reduced/free_stvk_body.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>

namespace limber::bench::free_bench {
namespace {

std::shared_ptr<const Model> free_bar(int rank) {
    const build::FemModel full(models::bar({20, 3, 4}, {1, 0.15, 0.2}, models::BarElements::Bricks), {}, {});
    const auto modes = build::solve_modes(full, {.count = 12});
    const build::Basis basis = build::without_rigid_motions(
        full, build::modal_derivative_basis(full, modes, {.rank = rank}, build::MassKind::Consistent),
        build::MassKind::Consistent);
    auto model = std::make_shared<Model>();
    model->rank = rank;
    model->free_body = true;
    model->groups = build::model_groups(full);
    model->stvk =
        std::make_shared<const StvkModel>(build::reduce(full, basis.U, build::MassKind::Consistent));
    model->surface.basis = basis.U;
    model->surface.vertices = full.mesh().vertices;
    for (int v = 0; v < int(full.vertex_count()); ++v)
        model->surface.input_vertex.push_back(v);
    return model;
}

// The mean, and the best of many short runs; Newton iterations per step as a counter.
template <int rank>
void free_step_of(benchmark::State& state) {
    using Clock = std::chrono::steady_clock;
    constexpr int kSteps = 10;
    FreeStvkBody body = make_free_stvk_body(free_bar(rank)).value();
    Eigen::VectorXd q = Eigen::VectorXd::Zero(rank);
    q[0] = 0.05 / body.model().surface.basis.col(0).cwiseAbs().maxCoeff();
    bool fine = body.set_shape(q, 0 * q).ok() && body.place({}, {1, 0, 3}, {2, 3, 12}).ok();
    double best = std::numeric_limits<double>::infinity();
    long long iterations = 0, steps = 0;
    while (state.KeepRunningBatch(kSteps)) {
        const auto start = Clock::now();
        for (int i = 0; i < kSteps; ++i) {
            const StepReport report = body.step(1e-3);
            fine &= report.converged;
            iterations += report.iterations;
            ++steps;
        }
        best =
            std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - start).count() / kSteps);
    }
    state.counters["best_us"] = best;
    state.counters["newton"] = double(iterations) / double(steps);
    if (!fine) state.SkipWithError("a step was refused");
}

const bool registered = [] {
    add("r12", "free_step", {}, free_step_of<12>)->Unit(benchmark::kMicrosecond);
    add("r20", "free_step", {}, free_step_of<20>)->Unit(benchmark::kMicrosecond);
    add("r40", "free_step", {}, free_step_of<40>)->Unit(benchmark::kMicrosecond);
    return true;
}();

}  // namespace
}  // namespace limber::bench::free_bench
