// SPDX-License-Identifier: Apache-2.0
// The reduced body: energy, force and stiffness, force alone, whole steps, many bodies at once, viscous
// damping, a material edit, and u = Uq: the table of paper 1's Figure 11. The times do not depend on the
// numbers, so W is any positive semidefinite matrix.
#include "benchmarks/report.h"

#include <limber/reduced/batch.h>
#include <limber/reduced/quartic_form.h>
#include <limber/reduced/strain_form.h>
#include <limber/reduced/stvk_batch.h>
#include <limber/reduced/stvk_body.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>

namespace limber::bench::reduced_bench {
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

// A body of any W, stiff enough at rest to stay near it, with a surface of any vertices.
std::shared_ptr<const Model> some_model(int rank, int vertices) {
    auto model = std::make_shared<Model>();
    model->rank = rank;
    model->groups.emplace_back().name = "all";
    const Material& material = model->groups[0].material;
    StvkGroup group;
    group.bulk = some_W(rank);
    for (int i = 0; i < rank; ++i)
        group.bulk[packed_index(i, i)] += 1e4;
    group.bulk /= material.bulk();
    group.shear = 0 * group.bulk;
    group.mass = Eigen::MatrixXd::Identity(rank, rank) / material.density;
    group.weight = Eigen::MatrixXd::Random(rank, 3) / material.density;
    model->stvk = std::make_shared<const StvkModel>(StvkModel{{group}});
    model->surface.basis = Eigen::MatrixXd::Random(3 * vertices, rank);
    for (int i = 0; i < vertices; ++i) {
        model->surface.vertices.push_back(Eigen::Vector3d::Random());
        model->surface.input_vertex.push_back(i);
    }
    for (int i = 0; i < 2 * vertices; ++i)
        model->surface.triangles.push_back({i % vertices, (i + 1) % vertices, (i + 2) % vertices});
    return model;
}

StvkBody some_body(int rank, StvkSettings settings, int vertices = 8) {
    settings.gravity = {0, -9.81, 0};
    return make_stvk_body(some_model(rank, vertices), settings).value();
}

// One implicit Newmark step with one correction, as in appendix C of paper 1.
template <int rank, StvkPrecision precision>
void newmark_step_of(benchmark::State& state) {
    StvkBody body = some_body(rank, {.alpha = 0.1, .precision = precision});
    bool fine = true;
    time_calls(state, 10, [&] { fine &= body.step(1e-3).converged; });
    if (!fine) state.SkipWithError("a step was refused");
}
template <int rank>
void damped_step_of(benchmark::State& state) {
    StvkBody body = some_body(rank, {.alpha = 0.1, .beta = 1e-3});
    time_calls(state, 10, [&] { body.step(1e-3); });
}
template <int rank>
void energy_preserving_step_of(benchmark::State& state) {
    StvkBody body = some_body(rank, {.integrator = StvkIntegrator::EnergyPreserving});
    time_calls(state, 10, [&] { body.step(1e-3); });
}

// The time of one body of 32.
template <int rank, StvkPrecision precision>
void batch_step_of(benchmark::State& state) {
    std::vector<StvkBody> bodies;
    bodies.push_back(some_body(rank, {.alpha = 0.1, .precision = precision}));
    while (bodies.size() < 32)
        bodies.push_back(bodies[0].clone());
    std::vector<StvkBody*> list;
    for (StvkBody& body : bodies)
        list.push_back(&body);
    StvkBatch batch;
    int body = 0;
    time_calls(state, 32, [&] {
        if (body % 32 == 0) batch.evaluate(list);
        batch.trial(body % 32, *list[std::size_t(body % 32)], 1e-3);
        list[std::size_t(body % 32)]->commit();
        ++body;
    });
}

template <int rank, int vertices>
void displacement_of(benchmark::State& state) {
    StvkBody body = some_body(rank, {}, vertices);
    body.step(1e-3);
    Eigen::VectorXf u;
    time_calls(state, 10, [&] { body.surface_displacement(u); });
}
template <int rank, int vertices>
void normals_of(benchmark::State& state) {
    StvkBody body = some_body(rank, {}, vertices);
    body.step(1e-3);
    Eigen::VectorXf u, n;
    body.surface_displacement(u);
    time_calls(state, 1, [&] { body.surface_normals(u, n); });
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

// The published times of a step, µs.
struct StepTimes {
    Reference evaluation{}, force{}, step{};
};

template <int rank>
void add_rank(const StepTimes& published) {
    const std::string name = "r" + std::to_string(rank);
    using benchmark::kMicrosecond;
    add(name, "newmark_step", published.step, newmark_step_of<rank, StvkPrecision::Double>)
        ->Unit(kMicrosecond);
    add(name, "newmark_step_float", published.step, newmark_step_of<rank, StvkPrecision::Float>)
        ->Unit(kMicrosecond);
    add(name, "energy_force_stiffness", published.evaluation, stiffness_of<double, rank>)->Unit(kMicrosecond);
    add(name, "energy_force_stiffness_float", {}, stiffness_of<float, rank>)->Unit(kMicrosecond);
    add(name, "energy_force", published.force, force_of<double, rank>)->Unit(kMicrosecond);
    add(name, "energy_force_float", {}, force_of<float, rank>)->Unit(kMicrosecond);
    if (rank == 15 || rank == 30) {
        add(name, "step_with_stiffness_damping", {}, damped_step_of<rank>)->Unit(kMicrosecond);
        add(name, "energy_preserving_step", {}, energy_preserving_step_of<rank>)->Unit(kMicrosecond);
        add(name, "step_of_one_body_of_32", {}, batch_step_of<rank, StvkPrecision::Double>)
            ->Unit(kMicrosecond);
        add(name, "step_of_one_body_of_32_float", {}, batch_step_of<rank, StvkPrecision::Float>)
            ->Unit(kMicrosecond);
        add(name, "one_body_of_32", {}, batch_of<double, rank>)->Unit(kMicrosecond);
        add(name, "one_body_of_32_float", {}, batch_of<float, rank>)->Unit(kMicrosecond);
        add(name, "strain_rate_damping", {}, damping_of<rank>)->Unit(kMicrosecond);
        add(name, "material_edit", {}, symmetrize_of<rank>)->Unit(kMicrosecond);
    }
}

template <int rank, int vertices>
void add_surface(const std::string& name, const Reference& published) {
    add(name, "u_equals_Uq", published, displacement_of<rank, vertices>)->Unit(benchmark::kMicrosecond);
}

const bool registered = [] {
    // Paper 1, Figure 11: force, force and stiffness, total. Vega: a step.
    add_rank<12>(
        {.evaluation = {.paper = 17.7}, .force = {.paper = 8.2}, .step = {.paper = 30.2, .vega = 3.6}});
    add_rank<15>({.evaluation = {.paper = 47}, .force = {.paper = 22}, .step = {.paper = 65.4, .vega = 6.6}});
    add_rank<20>({.step = {.vega = 15}});
    add_rank<30>(
        {.evaluation = {.paper = 1320}, .force = {.paper = 550}, .step = {.paper = 1395, .vega = 58}});
    add_rank<40>({.step = {.vega = 180}});
    add_rank<60>({.step = {.vega = 1380}});
    // The models of Figure 11; Vega measured 46k vertices with r = 15.
    add_surface<12, 3321>("spoon_3321", {.paper = 565});
    add_surface<15, 41361>("bridge_41361", {.paper = 14500});
    add_surface<30, 45882>("tower_45882", {.paper = 25500});
    add_surface<30, 12186>("heart_12186", {.paper = 6500});
    add_surface<15, 46000>("surface_46000", {.vega = 340});
    add("surface_46000", "normals", {}, normals_of<15, 46000>)->Unit(benchmark::kMicrosecond);
    return true;
}();

}  // namespace
}  // namespace limber::bench::reduced_bench
