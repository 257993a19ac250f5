// SPDX-License-Identifier: Apache-2.0
// The reduced body: energy, force and stiffness, force alone, many bodies at once, viscous damping, and a
// material edit. The times do not depend on the numbers, so W is any positive semidefinite matrix.
#include "benchmarks/report.h"

#include <limber/reduced/batch.h>
#include <limber/reduced/quartic_form.h>
#include <limber/reduced/strain_form.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>

namespace limber::bench {
namespace {

template <class Scalar>
using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

Eigen::VectorXd some_W(int rank) {
    const Eigen::Index m = strain_terms(rank);
    const Eigen::MatrixXd A = Eigen::MatrixXd::Random(6, m);
    const Eigen::MatrixXd W = A.transpose() * A;
    Eigen::VectorXd packed(m * (m + 1) / 2);
    for (Eigen::Index b = 0; b < m; ++b)
        packed.segment(packed_index(0, b), b + 1) = W.col(b).head(b + 1);
    return packed;
}

// Besides the mean, which a busy machine spoils, the best of many short runs of `calls` calls, as the
// yardstick is.
template <class F>
void time_calls(benchmark::State& state, int calls, const F& f) {
    using Clock = std::chrono::steady_clock;
    double best = std::numeric_limits<double>::infinity();
    while (state.KeepRunningBatch(calls)) {
        const auto start = Clock::now();
        for (int i = 0; i < calls; ++i)
            f();
        best =
            std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - start).count() / calls);
    }
    state.counters["best_us"] = best;
}

template <class Scalar, int rank>
void stiffness_of(benchmark::State& state) {
    const auto form = symmetrize<Scalar>(some_W(rank), rank);
    const Vector<Scalar> q = Vector<Scalar>::Random(rank);
    QuarticEval<Scalar> eval(rank);
    time_calls(state, 10, [&] { evaluate(form, q, eval); });
}

template <class Scalar, int rank>
void force_of(benchmark::State& state) {
    const auto form = symmetrize<Scalar>(some_W(rank), rank);
    const Vector<Scalar> q = Vector<Scalar>::Random(rank);
    QuarticEval<Scalar> eval(rank);
    time_calls(state, 10, [&] { evaluate_force(form, q, eval); });
}

// The time of one body of 32.
template <class Scalar, int rank>
void batch_of(benchmark::State& state) {
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
    constexpr int bodies = 32;
    const auto form = symmetrize<Scalar>(some_W(rank), rank);
    const Matrix q = Matrix::Random(rank, bodies);
    QuarticBatch<Scalar> batch(rank, bodies);
    int body = 0;
    time_calls(state, bodies, [&] {
        if (body++ % bodies == 0) evaluate(form, q, batch);
    });
}

template <int rank>
void damping_of(benchmark::State& state) {
    const Eigen::VectorXd W = some_W(rank), q = Eigen::VectorXd::Random(rank);
    StrainRateEval eval(rank);
    time_calls(state, 1, [&] { strain_rate_damping(W, rank, q, eval); });
}

template <int rank>
void symmetrize_of(benchmark::State& state) {
    const Eigen::VectorXd W = some_W(rank);
    time_calls(state, 1, [&] { benchmark::DoNotOptimize(symmetrize<double>(W, rank)); });
}

template <int rank>
void add_rank() {
    const std::string name = "r" + std::to_string(rank);
    using benchmark::kMicrosecond;
    add(name, "energy_force_stiffness", {}, stiffness_of<double, rank>)->Unit(kMicrosecond);
    add(name, "energy_force_stiffness_float", {}, stiffness_of<float, rank>)->Unit(kMicrosecond);
    add(name, "energy_force", {}, force_of<double, rank>)->Unit(kMicrosecond);
    add(name, "energy_force_float", {}, force_of<float, rank>)->Unit(kMicrosecond);
    if (rank == 15 || rank == 30) {
        add(name, "one_body_of_32", {}, batch_of<double, rank>)->Unit(kMicrosecond);
        add(name, "one_body_of_32_float", {}, batch_of<float, rank>)->Unit(kMicrosecond);
        add(name, "strain_rate_damping", {}, damping_of<rank>)->Unit(kMicrosecond);
        add(name, "material_edit", {}, symmetrize_of<rank>)->Unit(kMicrosecond);
    }
}

const bool registered = [] {
    add_rank<12>();
    add_rank<15>();
    add_rank<20>();
    add_rank<30>();
    add_rank<40>();
    add_rank<60>();
    return true;
}();

}  // namespace
}  // namespace limber::bench
