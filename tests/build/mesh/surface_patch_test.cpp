// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/surface_patch.h"

#include <gtest/gtest.h>

#include <cmath>

namespace limber::build {
namespace {

// n x n squares of side 1 in the plane z, facing up or down; vertex i + (n + 1) j at (i, j, z).
void add_sheet(int n, double z, bool up, SurfaceMesh& out) {
    const int base = static_cast<int>(out.vertices.size());
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i)
            out.vertices.emplace_back(i, j, z);
    const auto id = [&](int i, int j) { return base + i + (n + 1) * j; };
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const int a = id(i, j), b = id(i + 1, j), c = id(i + 1, j + 1), d = id(i, j + 1);
            out.triangles.push_back(up ? Triangle{a, b, c} : Triangle{a, c, b});
            out.triangles.push_back(up ? Triangle{a, c, d} : Triangle{a, d, c});
        }
}

TEST(SurfacePatch, HoldsWhatIsWithinTheRadiusAndSharesByArea) {
    SurfaceMesh mesh;
    add_sheet(6, 0, true, mesh);
    const PatchSurface surface(mesh.vertices, mesh.triangles);
    // At the radius itself counts: the four neighbours of (3, 3).
    const SurfacePatch middle = surface.around(3 + 7 * 3, 1);
    EXPECT_EQ(middle.vertices, (std::vector<int>{17, 23, 24, 25, 31}));
    for (const double share : middle.shares)
        EXPECT_NEAR(share, 0.2, 1e-15);  // all of them have a square of area
    EXPECT_LE((middle.middle - Vertex(3, 3, 0)).norm(), 1e-14);
    EXPECT_LE((middle.normal - Eigen::Vector3d::UnitZ()).norm(), 1e-14);
    // The corner (0, 0) has two triangles, its neighbours three: 1/3 and 1/2 of a square.
    const SurfacePatch corner = surface.around(0, 1);
    EXPECT_EQ(corner.vertices, (std::vector<int>{0, 1, 7}));
    EXPECT_NEAR(corner.shares[0], (1.0 / 3) / (4.0 / 3), 1e-15);
    EXPECT_NEAR(corner.shares[1], 0.5 / (4.0 / 3), 1e-15);
}

TEST(SurfacePatch, TheOtherSideOfAThinWallIsNotAPartOfIt) {
    SurfaceMesh mesh;
    add_sheet(4, 0.01, true, mesh);
    add_sheet(4, 0, false, mesh);
    const PatchSurface surface(mesh.vertices, mesh.triangles);
    for (const int v : surface.around(12, 1.5).vertices)
        EXPECT_LT(v, 25);
    EXPECT_LE((surface.around(25 + 12, 1.5).normal + Eigen::Vector3d::UnitZ()).norm(), 1e-14);
}

TEST(SurfacePatch, DoesNotDependOnSeams) {
    SurfaceMesh whole, split;
    add_sheet(4, 0, true, whole);
    // A vertex of its own for every corner of every triangle.
    for (const Triangle& t : whole.triangles) {
        const int base = static_cast<int>(split.vertices.size());
        for (const int v : t)
            split.vertices.push_back(whole.vertices[static_cast<std::size_t>(v)]);
        split.triangles.push_back({base, base + 1, base + 2});
    }
    const PatchSurface one(whole.vertices, whole.triangles), other(split.vertices, split.triangles);
    int at_middle = -1;
    for (std::size_t v = 0; v < split.vertices.size(); ++v)
        if (split.vertices[v] == Vertex(2, 2, 0)) at_middle = static_cast<int>(v);
    const SurfacePatch expected = one.around(12, 1.2), patch = other.around(at_middle, 1.2);
    EXPECT_LE((patch.middle - expected.middle).norm(), 1e-14);
    EXPECT_LE((patch.normal - expected.normal).norm(), 1e-14);
    // Shares at each place.
    for (std::size_t i = 0; i < expected.vertices.size(); ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < patch.vertices.size(); ++k)
            if (split.vertices[static_cast<std::size_t>(patch.vertices[k])] ==
                whole.vertices[static_cast<std::size_t>(expected.vertices[i])])
                sum += patch.shares[static_cast<Eigen::Index>(k)];
        EXPECT_NEAR(sum, expected.shares[static_cast<Eigen::Index>(i)], 1e-14);
    }
}

TEST(SurfacePatch, ASinglePointStandsForThePatchAroundIt) {
    SurfaceMesh mesh;
    add_sheet(6, 0, true, mesh);
    const PatchSurface surface(mesh.vertices, mesh.triangles);
    EXPECT_EQ(surface.of({24}, 1).vertices, surface.around(24, 1).vertices);
    EXPECT_EQ(surface.of({3, 24}, 1).vertices, (std::vector<int>{3, 24}));
}

TEST(SurfacePatch, TheRadiusIsAFractionOfTheBodyButNotLessThanAnElement) {
    // One cube of side 0.1 in a surface of diagonal 1 or 10 m.
    VolumeMesh cube;
    for (int i = 0; i < 8; ++i)
        cube.vertices.emplace_back(i & 1 ? 0.1 : 0, i & 2 ? 0.1 : 0, i & 4 ? 0.1 : 0);
    cube.bricks.push_back({0, 1, 3, 2, 4, 5, 7, 6});
    EXPECT_NEAR(patch_radius(cube, {{0, 0, 0}, {0.6, 0.8, 0}}), 0.1, 1e-15);
    EXPECT_NEAR(patch_radius(cube, {{0, 0, 0}, {6, 8, 0}}), 0.3, 1e-15);
}

}  // namespace
}  // namespace limber::build
