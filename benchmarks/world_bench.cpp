// SPDX-License-Identifier: Apache-2.0
// A step of a world, through C++ and through C, and what a body of it takes of the memory: bodies of one
// model with r = 8, implicit Newmark with one correction.
#include "benchmarks/report.h"
#include "bindings/c/limber.h"

#include <limber/model/model_file.h>
#include <limber/reduced/strain_form.h>
#include <limber/world/session.h>

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace limber::bench::world_bench {
namespace {

constexpr int kRank = 8, kSurface = 100;
constexpr double kStep = 1e-3;  // s

// Any positive semidefinite W with a stiff diagonal: times do not depend on the numbers.
std::shared_ptr<const Model> some_model() {
    static const std::shared_ptr<const Model> shared = [] {
        auto model = std::make_shared<Model>();
        model->rank = kRank;
        model->name = "some";
        model->basis_kind = "file";
        ModelGroup& group = model->groups.emplace_back();
        group.name = "all";
        group.volume = 1;
        const Eigen::Index m = strain_terms(kRank);
        const Eigen::MatrixXd A = 0.1 * Eigen::MatrixXd::Random(6, m);
        Eigen::MatrixXd W = A.transpose() * A;
        W.diagonal().array() += 1;
        StvkGroup reduced;
        reduced.bulk.resize(m * (m + 1) / 2);
        for (Eigen::Index b = 0; b < m; ++b)
            reduced.bulk.segment(packed_index(0, b), b + 1) = W.col(b).head(b + 1);
        reduced.bulk /= group.material.bulk();
        reduced.shear = Eigen::VectorXd::Zero(reduced.bulk.size());
        reduced.mass = Eigen::MatrixXd::Identity(kRank, kRank) / group.material.density;
        reduced.weight = Eigen::MatrixXd::Random(kRank, 3) / group.material.density;
        reduced.moment = Eigen::MatrixXd::Zero(kRank, 9);
        model->stvk = std::make_shared<const StvkModel>(StvkModel{{reduced}});
        model->surface.basis = Eigen::MatrixXd::Random(3 * kSurface, kRank);
        for (int i = 0; i < kSurface; ++i) {
            model->surface.vertices.push_back(Eigen::Vector3d::Random());
            model->surface.input_vertex.push_back(i);
            model->surface.triangles.push_back({i, (i + 1) % kSurface, (i + 2) % kSurface});
        }
        model->target_scale = Eigen::VectorXd::Ones(kRank);
        return model;
    }();
    return shared;
}

nlohmann::json body_input() {
    return {{"add", {{"model", "m"}, {"method", "stvk"}}}};
}

// The best of many short runs of `calls` calls for each of the two, alternating, so that both see the same
// machine.
template <class A, class B>
std::pair<double, double> best_of_both(benchmark::State& state, int calls, const A& a, const B& b) {
    using Clock = std::chrono::steady_clock;
    const auto time_of = [calls](const auto& f) {
        const auto start = Clock::now();
        for (int i = 0; i < calls; ++i)
            f();
        return std::chrono::duration<double, std::micro>(Clock::now() - start).count() / calls;
    };
    std::pair<double, double> best(std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::infinity());
    while (state.KeepRunningBatch(2 * calls)) {
        best.first = std::min(best.first, time_of(a));
        best.second = std::min(best.second, time_of(b));
    }
    return best;
}

void fill(Session& session, int bodies) {
    session.add_model("m", some_model());
    for (int i = 0; i < bodies; ++i)
        if (!session.apply(body_input()).ok()) std::abort();
    if (!session.set_dt(kStep).ok()) std::abort();
}

limber_world* world_in_c(int bodies) {
    limber_model* model = nullptr;
    limber_world* world = nullptr;
    const double gravity[3] = {0, 0, -1};
    const std::string bytes = write_model(*some_model()).value().bytes, input = body_input().dump();
    if (limber_model_load(bytes.data(), bytes.size(), &model) || limber_world_create(gravity, &world) ||
        limber_world_add_model(world, "m", 1, model) || limber_world_set_dt(world, kStep))
        std::abort();
    for (int i = 0; i < bodies; ++i)
        if (limber_world_apply(world, input.data(), input.size())) std::abort();
    (void)limber_model_free(model);
    return world;
}

template <int bodies>
void step_of(benchmark::State& state) {
    Session session({.gravity = {0, 0, -1}});
    fill(session, bodies);
    limber_world* world = world_in_c(bodies);
    const auto [cpp, c] = best_of_both(
        state, std::max(1, 1000 / bodies), [&] { session.step(1); },
        [&] { (void)limber_world_step(world, 1, nullptr); });
    (void)limber_world_free(world);
    state.counters["cpp_us"] = cpp;
    state.counters["c_us"] = c;
    state.counters["c_over_cpp_percent"] = 100 * (c / cpp - 1);
    state.counters["cpp_us_per_body"] = cpp / bodies;
}

// By what malloc has given out: bodies 2 to 1001 of a world whose first body has made a step.
void memory_of(benchmark::State& state) {
    constexpr int kBodies = 1000;
    double bytes = 0;
    for (auto _ : state) {
        Session session;
        fill(session, 1);
        session.step(1);
        const auto in_use = [] {
            const struct mallinfo2 info = mallinfo2();
            return double(info.uordblks) + double(info.hblkhd);
        };
        const double before = in_use();
        for (int i = 0; i < kBodies; ++i)
            if (!session.apply(body_input()).ok()) std::abort();
        session.step(2);
        bytes = (in_use() - before) / kBodies;
    }
    state.counters["bytes_per_body"] = bytes;
}

const bool registered = [] {
    add("world_1_body_r8", "step", {}, step_of<1>)->Unit(benchmark::kMicrosecond);
    add("world_1000_bodies_r8", "step", {}, step_of<1000>)->Unit(benchmark::kMicrosecond);
    add("world_1000_bodies_r8", "memory", {}, memory_of)->Unit(benchmark::kMillisecond);
    return true;
}();

}  // namespace
}  // namespace limber::bench::world_bench
