// SPDX-License-Identifier: Apache-2.0
// The paper's bar: 1 x 0.2 x 0.2 m, 11 x 3 x 3 vertices, clamped at x = 0, E = 1 MPa, nu = 0.3, 1000 kg/m^3.
#pragma once
#include "build/basis/make_warp_model.h"
#include "limber/warp/oscillators.h"
#include "tests/build/fem/bars.h"

#include <array>

namespace limber::test {

inline constexpr std::array kSteps = {OscillatorStep::SemiImplicit, OscillatorStep::ClosedForm};
using build::testing::kRubber;

inline build::VolumeMesh bar() {
    return build::testing::brick_bar(10, 2, 2, {1, 0.2, 0.2});
}
// A third as thick: its own weight bends it straight down.
inline build::VolumeMesh slender_bar() {
    return build::testing::brick_bar(10, 2, 2, {1, 0.06, 0.06});
}
inline int vertex(int i, int j, int k) {
    return i + 11 * (j + 3 * k);
}

inline build::FemModel clamped(const build::VolumeMesh& mesh, double at_x = 0) {
    return build::FemModel(
        mesh, build::testing::one_material(mesh, kRubber),
        build::testing::vertices_where(mesh, [&](const build::Vertex& x) { return x.x() < at_x + 1e-9; }));
}

// All vertices of the volume are shown.
inline WarpModel warp_of(const build::FemModel& model, int modes) {
    build::SurfaceMesh all;
    all.vertices = model.mesh().vertices;
    return build::make_warp_model(model, build::solve_modes(model, {.count = modes}),
                                  build::MassKind::Consistent, all);
}

}  // namespace limber::test
