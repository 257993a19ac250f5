// SPDX-License-Identifier: Apache-2.0
#include "limber/rigid/mass_properties.h"

#include "tests/limber/rigid/box_surface.h"

#include <gtest/gtest.h>

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// I_xx = V (b² + c²)/12 of a box, wherever it stands.
TEST(MassProperties, OfABoxAreThoseOfTheTextbook) {
    const Vector3d size(0.3, 0.2, 0.1);
    for (const double far : {0.0, 1000.0}) {
        const Vector3d centre(far + 0.4, -0.2, 3 * far);
        const auto found = mass_properties(test::box_surface(size, centre));
        ASSERT_TRUE(found.ok());
        const double V = size.prod();
        const Vector3d squares = size.cwiseAbs2();
        const Matrix3d inertia = Vector3d(V / 12 * (squares.sum() - squares.array())).asDiagonal();
        // Corners 3000 m away have 5e-13 m of rounding, against 0.1 m.
        const double rounding = far > 0 ? 1e-10 : 1e-14;
        EXPECT_NEAR(found.value().volume, V, rounding * V);
        EXPECT_LE((found.value().centre - centre).norm(), far > 0 ? 1e-11 : 1e-15);
        EXPECT_LE((found.value().inertia - inertia).norm(), rounding * inertia.norm());
    }
}

// A corner tetrahedron: ∫x² = V/10, ∫xy = V/20 for unit legs, about the origin; V = 1/6.
TEST(MassProperties, OfATetrahedronAreItsMoments) {
    ModelSurface surface;
    surface.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    surface.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    const auto found = mass_properties(surface);
    ASSERT_TRUE(found.ok());
    const double V = 1.0 / 6;
    const Vector3d centre = Vector3d::Constant(0.25);
    Matrix3d second = Matrix3d::Constant(V / 20) + Matrix3d(Vector3d::Constant(V / 20).asDiagonal());
    second -= V * centre * centre.transpose();
    EXPECT_NEAR(found.value().volume, V, 1e-15);
    EXPECT_LE((found.value().centre - centre).norm(), 1e-15);
    EXPECT_LE((found.value().inertia - (second.trace() * Matrix3d::Identity() - second)).norm(), 1e-15);
}

// A seam of textures splits vertices; the surface is closed all the same.
TEST(MassProperties, SeamsAreNotHoles) {
    const ModelSurface whole = test::box_surface({1, 2, 3});
    ModelSurface split;
    for (const auto& t : whole.triangles) {
        const auto first = static_cast<std::int32_t>(split.vertices.size());
        for (const std::int32_t v : t)
            split.vertices.push_back(whole.vertices[std::size_t(v)]);
        split.triangles.push_back({first, first + 1, first + 2});
    }
    const auto found = mass_properties(split);
    ASSERT_TRUE(found.ok()) << found.error().problem;
    EXPECT_NEAR(found.value().volume, 6, 1e-14);
}

TEST(MassProperties, WhatEnclosesNothingIsRefused) {
    ModelSurface open = test::box_surface({1, 1, 1});
    open.triangles.pop_back();
    EXPECT_FALSE(mass_properties(open).ok());

    ModelSurface inside_out = test::box_surface({1, 1, 1});
    for (auto& t : inside_out.triangles)
        std::swap(t[0], t[1]);
    const auto found = mass_properties(inside_out);
    ASSERT_FALSE(found.ok());
    EXPECT_NE(found.error().problem.find("inside out"), std::string::npos);

    ModelSurface mixed = test::box_surface({1, 1, 1});
    std::swap(mixed.triangles[3][0], mixed.triangles[3][1]);
    EXPECT_FALSE(mass_properties(mixed).ok());
    EXPECT_FALSE(mass_properties(test::box_surface({1, 1, 0})).ok());
    EXPECT_FALSE(mass_properties(ModelSurface{}).ok());
}

}  // namespace
}  // namespace limber
