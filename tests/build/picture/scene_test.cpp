// SPDX-License-Identifier: Apache-2.0
#include "build/picture/scene.h"
#include "shapes.h"

#include <gtest/gtest.h>
#include <cmath>
#include <numbers>

namespace limber::build {
namespace {

TEST(DrawnScene, ACubeKeepsItsEdgesSharp) {
    DrawnSurface surface;
    surface.mesh = cube();
    const DrawnScene scene = prepare_scene({surface});
    ASSERT_EQ(scene.faces.size(), 12U);
    for (const DrawnScene::Face& face : scene.faces)
        for (const auto& n : face.normals)
            EXPECT_LE((n - face.flat_normal).norm(), 1e-6F);  // float rounding
}

// A ring of `sides` rectangles about the z axis.
SurfaceMesh prism(int sides) {
    SurfaceMesh mesh;
    for (int k = 0; k < sides; ++k)
        for (const double z : {0.0, 1.0})
            mesh.vertices.emplace_back(std::cos(2 * std::numbers::pi * k / sides),
                                       std::sin(2 * std::numbers::pi * k / sides), z);
    for (int k = 0; k < sides; ++k) {
        const int a = 2 * k, b = 2 * ((k + 1) % sides);
        mesh.triangles.push_back({a, b, b + 1});
        mesh.triangles.push_back({a, b + 1, a + 1});
    }
    return mesh;
}

TEST(DrawnScene, AnglesBelowFortyDegreesAreSmoothedAndAnglesAboveAreNot) {
    for (const int sides : {8, 10}) {  // 45 and 36 degrees between neighbours
        DrawnSurface surface;
        surface.mesh = prism(sides);
        const DrawnScene scene = prepare_scene({surface});
        for (const DrawnScene::Face& face : scene.faces)
            for (std::size_t k = 0; k < 3; ++k) {
                const Eigen::Vector3d& v = surface.mesh.vertices[static_cast<std::size_t>(face.points[k])];
                const Eigen::Vector3f radial(static_cast<float>(v.x()), static_cast<float>(v.y()), 0);
                // Both neighbours have the same angles at the vertex, so the smooth normal is radial.
                if (sides == 10)
                    EXPECT_LE((face.normals[k] - radial).norm(), 1e-6F);
                else
                    EXPECT_LE((face.normals[k] - face.flat_normal).norm(), 1e-6F);
            }
    }
}

TEST(DrawnScene, NormalsDoNotDependOnHowAFaceIsCutIntoTriangles) {
    // A low pyramid; one of its faces is cut in two at the apex. Weights by angle make that invisible.
    DrawnSurface whole, cut;
    whole.mesh.vertices = {{0, 0, 0.2}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    whole.mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}};
    cut = whole;
    cut.mesh.vertices.push_back(0.7 * cut.mesh.vertices[1] + 0.3 * cut.mesh.vertices[2]);
    cut.mesh.triangles[0] = {0, 1, 5};
    cut.mesh.triangles.push_back({0, 5, 2});
    const Eigen::Vector3f a = prepare_scene({whole}).faces[0].normals[0],
                          b = prepare_scene({cut}).faces[0].normals[0];
    EXPECT_LE((a - b).norm(), 1e-6F);
    EXPECT_LE((a - Eigen::Vector3f(0, 0, 1)).norm(), 1e-6F);  // by symmetry
}

TEST(DrawnScene, PointsAtTheSamePlaceAreSmoothedAsOne) {
    DrawnSurface surface;
    surface.mesh = prism(24);
    SurfaceMesh soup;
    for (const auto& t : surface.mesh.triangles) {
        for (const int v : t)
            soup.vertices.push_back(surface.mesh.vertices[static_cast<std::size_t>(v)]);
        const int n = static_cast<int>(soup.vertices.size());
        soup.triangles.push_back({n - 3, n - 2, n - 1});
    }
    const DrawnScene joined = prepare_scene({surface});
    surface.mesh = soup;
    const DrawnScene torn = prepare_scene({surface});
    ASSERT_EQ(joined.faces.size(), torn.faces.size());
    for (std::size_t f = 0; f < joined.faces.size(); ++f)
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_LE((joined.faces[f].normals[k] - torn.faces[f].normals[k]).norm(), 1e-6F);
}

TEST(DrawnScene, TheBoxBecomesMinusOneToOneAlongItsLongestSide) {
    DrawnSurface surface;
    surface.mesh.vertices = {{10, 5, 1}, {14, 5, 1}, {10, 6, 2}};
    surface.mesh.triangles = {{0, 1, 2}};
    const DrawnScene scene = prepare_scene({surface});
    EXPECT_EQ(scene.half_size, 2);
    EXPECT_EQ(scene.middle, Eigen::Vector3d(12, 5.5, 1.5));
    EXPECT_EQ(scene.points[1], Eigen::Vector3d(1, -0.25, -0.25));
}

}  // namespace
}  // namespace limber::build
