// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/limber/world/test_world.h"

namespace limber::test {

// A pyramid that stands on a base of n x n squares, which a floor meets in (n + 1)² points.
inline ModelPtr fine_pyramid(int n) {
    Model model;
    model.name = "pyramid";
    ModelSurface& surface = model.surface;
    const auto vertex = [n](int i, int j) { return i + (n + 1) * j; };
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i)
            surface.vertices.emplace_back(double(i) / n - 0.5, double(j) / n - 0.5, 0);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            surface.triangles.push_back({vertex(i, j), vertex(i + 1, j + 1), vertex(i + 1, j)});
            surface.triangles.push_back({vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1)});
        }
    const int top = static_cast<int>(surface.vertices.size());
    surface.vertices.emplace_back(0, 0, 0.5);
    for (int i = 0; i < n; ++i) {
        surface.triangles.push_back({vertex(i, 0), vertex(i + 1, 0), top});
        surface.triangles.push_back({vertex(n, i), vertex(n, i + 1), top});
        surface.triangles.push_back({vertex(i + 1, n), vertex(i, n), top});
        surface.triangles.push_back({vertex(0, i + 1), vertex(0, i), top});
    }
    for (int v = 0; v <= top; ++v)
        surface.input_vertex.push_back(v);
    return std::make_shared<const Model>(std::move(model));
}

}  // namespace limber::test
