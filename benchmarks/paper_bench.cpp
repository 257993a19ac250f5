// SPDX-License-Identifier: Apache-2.0
// Paper 1's tables of precomputation on our own spoon, bridge, tower and heart, one thread: cubic
// coefficients (Figure 5), modes and modal derivatives (Figure 8), static solves of sketched forces (Figure
// 10).
#include "benchmarks/report.h"
#include "build/basis/basis.h"
#include "build/basis/mode_pairs.h"
#include "build/fem/statics.h"
#include "build/recipe/body_mesh.h"
#include "build/reduce/reduce.h"

#include <tbb/global_control.h>
#include <Eigen/Geometry>

#include <map>
#include <memory>

namespace limber::bench::paper_bench {
namespace {

using namespace limber::build;

// Each kept for all tables.
struct Sample {
    explicit Sample(const std::string& name) {
        Recipe recipe;
        const BuildInput input = open_input(name, recipe);
        body = prepare_body(input, recipe, {});
        model = std::make_unique<FemModel>(body.volume, body.materials, body.fixed);
    }
    const ModesResult& first_modes(int count) {
        if (modes.shapes.cols() != count) modes = solve_modes(*model, {.count = count});
        return modes;
    }
    BodyMesh body;
    std::unique_ptr<FemModel> model;
    ModesResult modes;
};

Sample& sample(const std::string& name) {
    static std::map<std::string, std::unique_ptr<Sample>> samples;
    auto& kept = samples[name];
    if (!kept) kept = std::make_unique<Sample>(name);
    return *kept;
}

// What is timed, once, on one thread.
using Work = std::function<void(Sample&)>;
void add_once(const std::string& name, const std::string& metric, double paper_seconds, Work prepare,
              Work work) {
    add(name, metric, {.paper = paper_seconds},
        [=](benchmark::State& state) {
            const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
            Sample& s = sample(name);
            prepare(s);
            for (auto _ : state)
                work(s);
        })
        ->Unit(benchmark::kSecond)
        ->Iterations(1);
}

void add_coefficients(const std::string& name, int modes, int rank, double paper_seconds) {
    const auto U = std::make_shared<Eigen::MatrixXd>();
    add_once(
        name, "figure_5_coefficients_r" + std::to_string(rank), paper_seconds,
        [=](Sample& s) {
            *U = modal_derivative_basis(*s.model, s.first_modes(modes), {.rank = rank}, MassKind::Consistent)
                     .U;
        },
        [=](Sample& s) { benchmark::DoNotOptimize(reduce(*s.model, *U, MassKind::Consistent)); });
}

// The paper's seconds: modes, right sides of eq. 14, its solution.
void add_derivatives(const std::string& name, int modes, double paper_modes, double paper_right_sides,
                     double paper_solution) {
    const auto with_modes = [=](Sample& s) { s.first_modes(modes); };
    add_once(
        name, "figure_8_modes", paper_modes, [](Sample&) {},
        [=](Sample& s) { benchmark::DoNotOptimize(solve_modes(*s.model, {.count = modes})); });
    add_once(name, "figure_8_right_sides", paper_right_sides, with_modes, [](Sample& s) {
        benchmark::DoNotOptimize(
            quadratic_forces(*s.model, s.modes.shapes, mode_pairs(s.modes.shapes.cols())));
    });
    add_once(name, "figure_8_derivatives", paper_right_sides + paper_solution, with_modes, [](Sample& s) {
        benchmark::DoNotOptimize(modal_derivatives(*s.model, s.modes, MassKind::Consistent));
    });
}

// One static solve under a force that the first mode would answer with a displacement of this part of the
// body's length; the paper's time is its total divided by the number of forces.
void add_static_solve(const std::string& name, double bend, double paper_seconds) {
    const auto load = std::make_shared<Eigen::VectorXd>();
    add_once(
        name, "figure_10_static_solve", paper_seconds,
        [=](Sample& s) {
            const ModesResult& modes = s.first_modes(6);
            Eigen::AlignedBox3d box;
            for (const Vertex& x : s.body.volume.vertices)
                box.extend(x);
            const Eigen::VectorXd shape = modes.shapes.col(0);
            const double amount = bend * box.sizes().maxCoeff() / shape.lpNorm<Eigen::Infinity>();
            const SparseMatrix M = mass_matrix(*s.model, MassKind::Consistent);
            const Eigen::VectorXd inertia =
                M.selfadjointView<Eigen::Lower>() * s.model->restrict_to_free(shape);
            *load = s.model->expand_from_free(modes.eigenvalues[0] * amount * inertia);
        },
        [=](Sample& s) { benchmark::DoNotOptimize(solve_static(*s.model, *load)); });
}

const bool registered = [] {
    add_coefficients("spoon", 6, 12, 60);
    add_coefficients("bridge", 20, 15, 186);
    add_coefficients("tower", 20, 30, 79.2 * 60);
    add_coefficients("heart", 20, 30, 97.4 * 60);
    add_derivatives("spoon", 6, 24, 6.5, 33);
    add_derivatives("tower", 20, 65, 226, 26 * 60);
    add_derivatives("heart", 20, 111, 291, 28 * 60);
    add_static_solve("spoon", 0.2, 45 * 60 / 353.0);
    add_static_solve("bridge", 0.05, 2.4 * 3600 / 326);
    return true;
}();

}  // namespace
}  // namespace limber::bench::paper_bench
