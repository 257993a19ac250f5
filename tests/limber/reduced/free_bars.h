// SPDX-License-Identifier: Apache-2.0
// Free bars as full and as reduced models, every vertex of the volume shown.
#pragma once
#include "build/basis/basis.h"
#include "build/fem/modes.h"
#include "build/reduce/reduce.h"
#include "tests/build/fem/bars.h"

#include <limber/reduced/free_stvk_body.h>

#include <gtest/gtest.h>

#include <memory>

namespace limber::test {

struct FreeBar {
    build::FemModel full;
    std::shared_ptr<const Model> model;
};

// Of modal derivatives. Two groups where densities are given: the left and the right half.
inline FreeBar free_bar_of(build::VolumeMesh mesh, const Material& material, int modes, int rank,
                           double right_density = 0, build::MassKind mass = build::MassKind::Consistent) {
    build::MaterialMap materials = build::testing::one_material(mesh, material);
    if (right_density > 0) {
        Material right = material;
        right.density = right_density;
        materials.groups.push_back({"right", right});
        for (std::size_t e = 0; e < mesh.bricks.size(); ++e)
            materials.group_of_element[e] = mesh.vertices[std::size_t(mesh.bricks[e][0])].x() > 0.45;
    }
    build::FemModel full(std::move(mesh), std::move(materials), {});
    const auto shapes = build::solve_modes(full, {.count = modes, .mass = mass});
    const build::Basis basis = build::without_rigid_motions(
        full, build::modal_derivative_basis(full, shapes, {.rank = rank}, mass), mass);
    Model model;
    model.rank = rank;
    model.free_body = true;
    model.command = "limber build bar.msh -o bar.glb";
    model.groups = build::model_groups(full);
    model.stvk = std::make_shared<const StvkModel>(build::reduce(full, basis.U, mass));
    model.surface.basis = basis.U;
    model.surface.vertices = full.mesh().vertices;
    for (int v = 0; v < int(full.vertex_count()); ++v)
        model.surface.input_vertex.push_back(v);
    return {std::move(full), std::make_shared<const Model>(std::move(model))};
}

// 1 x 0.15 x 0.2 m of rubber, away from the origin, of 6 modes.
inline FreeBar small_free_bar(int rank = 12, double right_density = 0) {
    return free_bar_of(
        build::testing::moved(build::testing::brick_bar(10, 2, 2, {1, 0.15, 0.2}), {0, 0.4, -0.3}),
        build::testing::kRubber, 6, rank, right_density);
}

inline FreeStvkBody free_body_of(const std::shared_ptr<const Model>& model, StvkSettings settings = {}) {
    Result<FreeStvkBody> made = make_free_stvk_body(model, std::move(settings));
    if (!made.ok()) ADD_FAILURE() << made.error().where << ": " << made.error().problem;
    return std::move(made).value();
}

}  // namespace limber::test
