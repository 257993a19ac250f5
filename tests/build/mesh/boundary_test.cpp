// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/boundary.h"

#include "build/mesh/check.h"
#include "shapes.h"

#include <gtest/gtest.h>

#include <numeric>

namespace limber::build {
namespace {

TEST(Boundary, OfABarIsClosedAndEnclosesItsVolume) {
    for (const VolumeMesh& mesh : {shapes::bricks(4, 3, 2), shapes::tets(4, 3, 2)}) {
        const Boundary boundary = boundary_of(mesh);
        const MeshReport report = check(boundary.surface);
        EXPECT_TRUE(report.watertight);
        EXPECT_NEAR(report.volume, 24, 1e-12);  // exact but for rounding
        EXPECT_EQ(boundary.surface.triangles.size(), 2u * 2 * (4 * 3 + 3 * 2 + 2 * 4));
        // All grid vertices but those of the inner 3 x 2 x 1 block.
        EXPECT_EQ(boundary.surface.vertices.size(), 5u * 4 * 3 - 3 * 2 * 1);
    }
}

TEST(Boundary, VerticesNameTheirVolumeVertex) {
    const VolumeMesh mesh = shapes::tets(3, 3, 3);
    const Boundary boundary = boundary_of(mesh);
    ASSERT_EQ(boundary.volume_vertex.size(), boundary.surface.vertices.size());
    for (std::size_t v = 0; v < boundary.volume_vertex.size(); ++v)
        EXPECT_EQ(boundary.surface.vertices[v],
                  mesh.vertices[static_cast<std::size_t>(boundary.volume_vertex[v])]);
    EXPECT_TRUE(std::is_sorted(boundary.volume_vertex.begin(), boundary.volume_vertex.end()));
}

TEST(Boundary, FacesOfASingleElementPointOutward) {
    for (VolumeMesh mesh : {shapes::bricks(1, 1, 1), shapes::tets(1, 1, 1)}) {
        if (!mesh.tets.empty()) mesh.tets.resize(1);
        const SurfaceMesh surface = boundary_of(mesh).surface;
        Vertex middle = Vertex::Zero();
        for (const Vertex& v : surface.vertices)
            middle += v / static_cast<double>(surface.vertices.size());
        for (const Triangle& t : surface.triangles) {
            const Vertex &a = surface.vertices[static_cast<std::size_t>(t[0])],
                         &b = surface.vertices[static_cast<std::size_t>(t[1])],
                         &c = surface.vertices[static_cast<std::size_t>(t[2])];
            EXPECT_GT((b - a).cross(c - a).dot(a - middle), 0);
        }
    }
}

TEST(Boundary, HasTheWallOfACavityToo) {
    VolumeMesh mesh = shapes::bricks(3, 3, 3);
    mesh.bricks.erase(mesh.bricks.begin() + 13);  // the middle one
    const MeshReport report = check(boundary_of(mesh).surface);
    EXPECT_TRUE(report.watertight);
    EXPECT_EQ(report.components, 2);
    EXPECT_NEAR(report.volume, 26, 1e-12);  // the inner wall faces the cavity and takes its volume off
}

TEST(Boundary, OfTetsAndBricksTogetherLeavesOutTheirCommonFaces) {
    // Two cubes of tets that share faces; a brick apart from them.
    VolumeMesh mesh = shapes::tets(2, 1, 1);
    const VolumeMesh brick = shapes::bricks(1, 1, 1);
    const int offset = static_cast<int>(mesh.vertices.size());
    for (const Vertex& v : brick.vertices)
        mesh.vertices.push_back(v + Vertex(5, 0, 0));
    mesh.bricks.push_back(brick.bricks[0]);
    for (int& v : mesh.bricks[0])
        v += offset;
    const MeshReport report = check(boundary_of(mesh).surface);
    EXPECT_TRUE(report.watertight);
    EXPECT_NEAR(report.volume, 3, 1e-12);
    EXPECT_EQ(report.triangles, 20u + 12u);
}

TEST(Boundary, OfNothingIsEmpty) {
    EXPECT_TRUE(boundary_of({}).surface.triangles.empty());
    VolumeMesh only_vertices;
    only_vertices.vertices.resize(3, Vertex::Zero());
    EXPECT_TRUE(boundary_of(only_vertices).surface.vertices.empty());
}

}  // namespace
}  // namespace limber::build
