// SPDX-License-Identifier: Apache-2.0
// From modes to a reduced model: cubic coefficients and modal derivatives. The paper gives 79 minutes for its
// tower (11,304 elements, r = 30) and 30 minutes for its
// derivatives.
#include "benchmarks/bars.h"
#include "benchmarks/report.h"
#include "build/basis/basis.h"
#include "build/reduce/reduce.h"
#include "models/models.h"

#include <tbb/global_control.h>

#include <cmath>

namespace limber::bench::build_bench {
namespace {

using namespace limber::build;

constexpr int kRank = 30;

// Smooth columns; the time does not depend on what they are.
Eigen::MatrixXd waves(const FemModel& model) {
    Eigen::MatrixXd U(3 * model.vertex_count(), kRank);
    for (Eigen::Index v = 0; v < model.vertex_count(); ++v)
        for (Eigen::Index i = 0; i < kRank; ++i) {
            const Vertex& x = model.mesh().vertices[static_cast<std::size_t>(v)];
            const double phase = static_cast<double>(i + 1) * x.z();
            U.block<3, 1>(3 * v, i) = Eigen::Vector3d(std::sin(phase), std::cos(phase), x.x() * phase);
        }
    return U;
}

template <int threads>
void coefficients_of(benchmark::State& state, const FemModel& model) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    const Eigen::MatrixXd U = waves(model);
    for (auto _ : state)
        benchmark::DoNotOptimize(reduce(model, U, MassKind::Consistent));
}

// From the modes on: right sides, factorisation, solves.
template <int threads>
void derivatives_of(benchmark::State& state, const FemModel& model) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    const ModesResult modes = solve_modes(model, {.count = 20});
    for (auto _ : state)
        benchmark::DoNotOptimize(modal_derivatives(model, modes, MassKind::Consistent));
}

template <int threads>
void basis_of(benchmark::State& state, const FemModel& model) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    const ModesResult modes = solve_modes(model, {.count = 20});
    for (auto _ : state)
        benchmark::DoNotOptimize(modal_derivative_basis(model, modes, {.rank = kRank}, MassKind::Consistent));
}

using benchmark::kSecond;

const bool registered = [] {
    // Vega integrates over bricks exactly: that is to be compared with the second.
    add("brick_bar_11250", "cubic_coefficients_r30", {.paper = 79 * 60},
        [](benchmark::State& s) { coefficients_of<1>(s, brick_bar()); })
        ->Unit(kSecond)
        ->Iterations(1);
    add("brick_bar_11250", "cubic_coefficients_r30_exact", {.vega = 215},
        [](benchmark::State& s) { coefficients_of<1>(s, exact_brick_bar()); })
        ->Unit(kSecond)
        ->Iterations(1);
    add("brick_bar_11250", "cubic_coefficients_r30_2_threads", {},
        [](benchmark::State& s) { coefficients_of<2>(s, brick_bar()); })
        ->Unit(kSecond)
        ->Iterations(1);
    add("tet_bar_44550", "cubic_coefficients_r30", {.vega = 228},
        [](benchmark::State& s) { coefficients_of<1>(s, tet_bar()); })
        ->Unit(kSecond)
        ->Iterations(1);
    add("brick_bar_11250", "210_modal_derivatives", {.paper = 30 * 60, .vega = 48},
        [](benchmark::State& s) { derivatives_of<1>(s, brick_bar()); })
        ->Unit(kSecond)
        ->Iterations(1);
    add("brick_bar_11250", "derivatives_and_mass_pca", {},
        [](benchmark::State& s) { basis_of<1>(s, brick_bar()); })
        ->Unit(kSecond)
        ->Iterations(1);
    return true;
}();

}  // namespace
}  // namespace limber::bench::build_bench
