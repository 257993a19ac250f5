// SPDX-License-Identifier: Apache-2.0
// A clamped bar of 4 x 1 x 1 bricks as a model of its first vibration modes and their derivatives: made in
// milliseconds.
#pragma once
#include "build/recipe/recipe.h"
#include "models/models.h"

#include <memory>

namespace limber::test {

inline build::Recipe tiny_recipe() {
    build::Recipe recipe;
    recipe.fix = {"x<0.001"};
    recipe.materials.young = 1e6;
    recipe.materials.poisson = 0.3;
    recipe.materials.density = 1000;
    recipe.modes = 3;
    recipe.rank = build::RankChoice{.rank = 6, .auto_fraction = {}};
    return recipe;
}

inline build::BuildInput tiny_bar() {
    return {models::bar({4, 1, 1}, {1, 0.2, 0.2}, models::BarElements::Bricks), "tiny", {}};
}

inline std::shared_ptr<Model> tiny_model() {
    return build::build_model(tiny_bar(), tiny_recipe()).model;
}

// The same bar with nothing fixed.
inline std::shared_ptr<Model> tiny_free_model() {
    build::Recipe recipe = tiny_recipe();
    recipe.fix.clear();
    return build::build_model(tiny_bar(), recipe).model;
}

}  // namespace limber::test
