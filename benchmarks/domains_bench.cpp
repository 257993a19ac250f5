// SPDX-License-Identifier: Apache-2.0
// Trees of domains: Table 1 of paper 4 with models like its own (step, share of the polynomials, surface,
// precomputation), one solve of the oak with L1 and exactly, and the cost against the number of domains, of
// one solve and of steps in wind.
#include "benchmarks/report.h"
#include "build/recipe/recipe.h"
#include "models/models.h"

#include <limber/domains/domains_body.h>
#include <limber/domains/make_tree.h>
#include <limber/domains/tree_dynamics.h>

#include <fmt/format.h>

#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace limber::bench::domains_bench {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

struct Sample {
    const char* name;
    // Of paper 4, Table 1: ms, a core of 3.33 GHz.
    double step, surface, precomputation;  // the last in s
};
constexpr Sample kSamples[] = {{"flower", 6.5, 0.43, 36},
                               {"word", 1.7, 2.5, 258},
                               {"dragon", 1.6, 7.0, 306},
                               {"station", 4.5, 25.5, 48},
                               {"oak", 29, 12.2, 60}};
constexpr double kStep = 1.0 / 60;  // s

std::shared_ptr<const Model> built(const std::string& name) {
    build::Recipe recipe;
    const build::BuildInput input = build::open_input(name, recipe);
    return build::build_model(input, recipe).model;
}

std::shared_ptr<const Model> kept(const std::string& name) {
    static std::map<std::string, std::shared_ptr<const Model>> models;
    auto& model = models[name];
    if (!model) model = built(name);
    return model;
}

// A body in motion: weight across its axis, a second in.
DomainsBody moving(const std::string& name, Coupling coupling) {
    const auto model = kept(name);
    DomainsSettings settings;
    settings.coupling = coupling;
    settings.alpha = 0.2;
    settings.beta = 0.01;
    settings.mount = model->free_body ? RootMount::Free : RootMount::Carried;
    settings.gravity = Vector3d(0.5, 0.2, -1);
    DomainsBody body = make_domains_body(model, settings).value();
    for (int k = 0; k < 30; ++k)
        body.step(kStep);
    return body;
}

void step(benchmark::State& state, const std::string& name, Coupling coupling) {
    DomainsBody body = moving(name, coupling);
    double iterations = 0, halvings = 0, steps = 0;
    for (auto _ : state) {
        body.step(kStep);
        iterations += body.step_details().iterations;
        halvings += body.step_details().halvings;
        ++steps;
    }
    state.counters["iterations"] = iterations / steps;
    state.counters["halvings"] = halvings / steps;
    state.counters["domains"] = double(body.tree().size());
    state.counters["coordinates"] = double(body.tree().coordinates);
}

// One Newton iteration: evaluation, residual, factorisation and solve at one moment.
struct Moment {
    DomainsBody body;
    std::vector<DomainState> domains;
    TreeWork work;
    RootMotion root;
    VectorXd q, v, a;
    Vector6d gravity = Vector6d::Zero();
    TreeDamping damping{0.2, 0.01};
    TreeWeights weights{0.5 * kStep, 0.25 * kStep* kStep};

    Moment(const std::string& name, Coupling coupling)
        : body(moving(name, Coupling::Exact)), domains(body.tree().size()), work(body.tree()) {
        q = body.state().q;
        v = body.state().v;
        a = VectorXd::Zero(q.size());
        gravity.head<3>() = Vector3d(-0.5, -0.2, 1);
        all(coupling);
    }
    void all(Coupling coupling) {
        evaluate_tree(body.tree(), domains, root, q, v, {}, work);
        tree_residual(body.tree(), domains, coupling, damping, v, a, gravity, work);
        factorize_tree(body.tree(), domains, coupling, damping, weights, work);
        solve_tree(body.tree(), domains, coupling, RootMount::Carried, work);
    }
};

void one_solve(benchmark::State& state, const std::string& name, Coupling coupling) {
    Moment at(name, coupling);
    for (auto _ : state)
        at.all(coupling);
    state.counters["domains"] = double(at.body.tree().size());
}

void polynomials(benchmark::State& state, const std::string& name) {
    Moment at(name, Coupling::Exact);
    for (auto _ : state)
        evaluate_elastic(at.body.tree(), at.domains, at.q, at.work);
}

void motion(benchmark::State& state, const std::string& name) {
    Moment at(name, Coupling::Exact);
    for (auto _ : state)
        evaluate_motion(at.body.tree(), at.domains, at.root, at.q, at.v, at.work);
}

void factors(benchmark::State& state, const std::string& name) {
    Moment at(name, Coupling::Exact);
    for (auto _ : state)
        factorize_tree(at.body.tree(), at.domains, Coupling::Exact, at.damping, at.weights, at.work);
}

void surface(benchmark::State& state, const std::string& name) {
    const DomainsBody body = moving(name, Coupling::Exact);
    Eigen::VectorXf u, n;
    for (auto _ : state)
        body.surface_shape(u, n);
    state.counters["vertices"] = double(u.size() / 3);
}

void precomputation(benchmark::State& state, const std::string& name) {
    for (auto _ : state)
        benchmark::DoNotOptimize(built(name));
}

// The first `count` domains of the great oak: still a tree, since parents stand before their children.
void domains_up_to(benchmark::State& state, std::size_t count) {
    DomainsModel model = *kept("great-oak")->domains;
    model.domains.resize(count);
    const DomainTree tree = make_tree(model);
    const std::vector<DomainState> domains(tree.size());
    TreeWork work(tree);
    const VectorXd zero = VectorXd::Zero(tree.coordinates);
    const TreeWeights weights{0.5 * kStep, 0.25 * kStep * kStep};
    Vector6d up = Vector6d::Zero();
    up[2] = 9.81;
    for (auto _ : state) {
        evaluate_tree(tree, domains, {}, zero, zero, {}, work);
        tree_residual(tree, domains, Coupling::Exact, {}, zero, zero, up, work);
        factorize_tree(tree, domains, Coupling::Exact, {}, weights, work);
        solve_tree(tree, domains, Coupling::Exact, RootMount::Carried, work);
    }
    state.counters["coordinates"] = double(tree.coordinates);
    state.counters["us_per_domain"] = benchmark::Counter(
        double(count) * 1e-6, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// The same as a body in gusts: whole steps.
void wind_on(benchmark::State& state, std::size_t count) {
    const auto whole = kept("great-oak");
    auto part = std::make_shared<DomainsModel>(*whole->domains);
    part->domains.resize(count);
    const auto model = std::make_shared<const Model>(tree_model(std::move(part)).value());
    DomainsSettings settings;
    settings.beta =
        0.04 / (std::numbers::pi * whole->frequencies_hz[0]);  // 4% of critical, as the page has it
    DomainsBody body = make_domains_body(model, settings).value();
    const auto wind =
        std::make_shared<const Wind>(WindSettings{.velocity = Vector3d(8, 0, 0), .gusts = 0.4, .seed = 1});
    double iterations = 0, halvings = 0, steps = 0;
    const auto step = [&] {
        body.set_wind(wind, kStep * steps++, Vector3d::Zero());
        body.step(kStep);
    };
    for (int k = 0; k < 10; ++k)
        step();
    const double before = steps;
    for (auto _ : state) {
        step();
        iterations += body.step_details().iterations;
        halvings += body.step_details().halvings;
    }
    state.counters["iterations"] = iterations / (steps - before);
    state.counters["halvings"] = halvings / (steps - before);
    state.counters["us_per_domain"] = benchmark::Counter(
        double(count) * 1e-6, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

[[maybe_unused]] const bool registered = [] {
    const auto milli = [](const std::string& metric, const Reference& reference, auto function) {
        add("domains", metric, reference, function)->Unit(benchmark::kMillisecond);
    };
    for (const Sample& sample : kSamples) {
        const std::string name = sample.name;
        milli(name + "_step_L1", {.paper = sample.step},
              [name](benchmark::State& state) { step(state, name, Coupling::Interface); });
        milli(name + "_step_exact", {.paper = sample.step},
              [name](benchmark::State& state) { step(state, name, Coupling::Exact); });
        milli(name + "_polynomials", {}, [name](benchmark::State& state) { polynomials(state, name); });
        milli(name + "_surface", {.paper = sample.surface},
              [name](benchmark::State& state) { surface(state, name); });
        add("domains", name + "_precomputation", {.paper = sample.precomputation},
            [name](benchmark::State& state) { precomputation(state, name); })
            ->Unit(benchmark::kSecond)
            ->Iterations(1);
    }
    milli("oak_solve_L1", {.paper = 29},
          [](benchmark::State& state) { one_solve(state, "oak", Coupling::Interface); });
    milli("oak_solve_exact", {.paper = 29},
          [](benchmark::State& state) { one_solve(state, "oak", Coupling::Exact); });
    milli("oak_motion", {}, [](benchmark::State& state) { motion(state, "oak"); });
    milli("oak_factors", {}, [](benchmark::State& state) { factors(state, "oak"); });
    for (const std::size_t count : {1000U, 2000U, 5000U, 10000U, 20000U})
        milli(fmt::format("solve_of_{}", count), {},
              [count](benchmark::State& state) { domains_up_to(state, count); });
    for (const std::size_t count : {2000U, 20000U})
        milli(fmt::format("wind_on_{}", count), {},
              [count](benchmark::State& state) { wind_on(state, count); });
    return true;
}();

}  // namespace
}  // namespace limber::bench::domains_bench
