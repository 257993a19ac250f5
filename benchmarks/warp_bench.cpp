// SPDX-License-Identifier: Apache-2.0
// Modal warping: the table of paper 2 (Table I) on bodies of the same sizes. "ode" is a step with ten loaded
// vertices; the paper's clock shows milliseconds. The times do not depend on the numbers, so the modes are
// any.
#include "benchmarks/report.h"

#include <limber/warp/warp_body.h>

#include <string>

namespace limber::bench {
namespace {

struct Size {
    std::string name;
    int vertices, nodes, modes;
};

WarpBody make(const Size& size, const WarpSettings& settings) {
    WarpModel model;
    model.eigenvalues = Eigen::VectorXd::LinSpaced(size.modes, 10, 1000);
    model.node_modes.setRandom(3 * size.nodes, size.modes);
    model.node_rotations.setRandom(3 * size.nodes, size.modes);
    model.node_mass.setConstant(size.nodes, 1.0 / size.nodes);
    model.node_moment.assign(std::size_t(size.nodes), {1e-3, 2e-3, 3e-3});
    model.surface_modes.setRandom(3 * size.vertices, size.modes);
    model.surface_rotations.setRandom(3 * size.vertices, size.modes);
    model.normals.assign(std::size_t(size.vertices), Eigen::Vector3d::UnitZ());
    WarpBodyResult made = make_warp_body(std::make_shared<WarpModel>(std::move(model)), settings);
    return std::move(*made.body);
}

void load(WarpBody& body, const Size& size, int count) {
    for (int i = 0; i < count; ++i)
        body.add_force({.vertex = i * (size.vertices / count), .force = {0.01, -0.02, 0.03}});
}

void steps(benchmark::State& state, WarpBody& body) {
    for (auto _ : state)
        benchmark::DoNotOptimize(body.step(1.0 / 30));
}

void add_size(const Size& size, double paper_step_ms) {
    add(size.name, "table_1_ode_ten_forces", {.paper = paper_step_ms * 1000},
        [size](benchmark::State& state) {
            WarpBody body = make(size, {.alpha = 1});
            load(body, size, 10);
            steps(state, body);
        })
        ->Unit(benchmark::kMicrosecond);
    add(size.name, "step_gravity_and_frame", {}, [size](benchmark::State& state) {
        WarpBody body = make(size, {.alpha = 1, .gravity = {0, -9.81, 0}});
        body.set_frame({.acceleration = {1, 0, 0}, .angular_velocity = {0, 1, 0}});
        steps(state, body);
    })->Unit(benchmark::kMicrosecond);
    add(size.name, "surface_with_normals", {}, [size](benchmark::State& state) {
        WarpBody body = make(size, {.alpha = 1});
        load(body, size, 10);
        body.step(1.0 / 30);
        Eigen::VectorXf u, normals;
        for (auto _ : state) {
            body.surface_shape(u, normals);
            benchmark::DoNotOptimize(u.data());
        }
    })->Unit(benchmark::kMicrosecond);
}

const bool registered = [] {
    add_size({"warp bar", 354, 99, 8}, 1);
    add_size({"warp potbelly", 1026, 363, 16}, 1);
    add_size({"warp jelly box", 1642, 400, 32}, 1);
    add_size({"warp flubber", 2802, 552, 64}, 1);
    add_size({"warp dinosaur", 28098, 1883, 8}, 2);
    return true;
}();

}  // namespace
}  // namespace limber::bench
