// SPDX-License-Identifier: Apache-2.0
// Voxelizing and embedding the sample models at the resolutions of paper 1's Figure 3.
#include "benchmarks/report.h"
#include "build/mesh/embed.h"
#include "build/mesh/voxelize.h"
#include "models/models.h"

namespace limber::bench::mesh_bench {
namespace {

using namespace limber::build;

void voxelize_tower(benchmark::State& state) {
    const SurfaceMesh tower = models::tower();
    for (auto _ : state) {
        const Voxelized body = voxelize(tower, {.resolution = 128});
        state.counters["triangles"] = static_cast<double>(tower.triangles.size());
        state.counters["cubes"] = static_cast<double>(body.mesh.bricks.size());
    }
}

void embed_tower(benchmark::State& state) {
    const SurfaceMesh tower = models::tower();
    const Voxelized body = voxelize(tower, {.resolution = 128});
    for (auto _ : state)
        benchmark::DoNotOptimize(embed(body.mesh, tower.vertices));
}

const bool registered = [] {
    add("tower", "voxelize_128", {}, voxelize_tower)->Unit(benchmark::kSecond);
    add("tower", "embed", {}, embed_tower)->Unit(benchmark::kSecond);
    return true;
}();

}  // namespace
}  // namespace limber::bench::mesh_bench
