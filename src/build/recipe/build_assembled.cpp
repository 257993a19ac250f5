// SPDX-License-Identifier: Apache-2.0
#include "build/domains/assembly.h"
#include "build/recipe/build_tree.h"

#include <fmt/format.h>

#include <chrono>

namespace limber::build {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point began) {
    return std::chrono::duration<double>(Clock::now() - began).count();
}

// What limber build is told to make the part.
Recipe recipe_of(const models::SamplePart& part, const Recipe& whole) {
    Recipe out;
    out.filling = Voxels{part.resolution, VoxelFill::Full};
    if (!part.fix.empty()) out.fix = {part.fix};
    out.materials.base = part.material;
    out.modes = part.modes;
    out.rank = RankChoice{part.rank, {}};
    out.interfaces = part.interfaces;
    out.method = MethodChoice::Stvk;
    out.mass = whole.mass;
    out.quadrature = whole.quadrature;
    out.surface_basis = whole.surface_basis;
    return out;
}

}  // namespace

Built build_assembled(const BuildInput& input, const Recipe& recipe, const Progress& progress) {
    Built built;
    Assembly assembly;
    Clock::time_point began = Clock::now();
    const models::SampleTree& tree = *input.tree;
    for (const models::SamplePart& part : tree.parts) {
        const Built made = build_model({part.mesh, part.name, {}}, recipe_of(part, recipe), progress);
        assembly.parts.push_back({part.name, made.model, false});
        built.seconds.emplace_back("part " + part.name, seconds_since(began));
        built.notes.push_back(fmt::format("part {}: {} elements, rank {}, {:.1f} s", part.name,
                                          made.model->volume_elements, made.model->rank,
                                          seconds_since(began)));
        began = Clock::now();
    }
    assembly.root = tree.root;
    assembly.instances = tree.instances;
    Assembled whole = assemble(assembly, input.name, progress);
    built.seconds.emplace_back("assembly", seconds_since(began));
    built.notes.insert(built.notes.end(), whole.notes.begin(), whole.notes.end());
    built.model = std::move(whole.model);
    built.model->name = input.name;
    built.model->command = recipe.command;
    if (recipe.up) built.model->up = *recipe.up;
    return built;
}

}  // namespace limber::build
