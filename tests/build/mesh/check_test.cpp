// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/check.h"

#include "shapes.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <algorithm>
#include <limits>
#include <map>

namespace limber::build {
namespace {

const Problem* find(const MeshReport& report, const std::string& kind) {
    const auto place = std::find_if(report.problems.begin(), report.problems.end(),
                                    [&](const Problem& p) { return p.kind == kind; });
    return place == report.problems.end() ? nullptr : &*place;
}

TEST(CheckSurface, FindsNothingWrongWithABox) {
    const MeshReport report = check(shapes::box({1, 2, 3}, {2, 4, 6}));
    EXPECT_TRUE(report.watertight);
    EXPECT_TRUE(report.orientable);
    EXPECT_EQ(report.components, 1);
    EXPECT_NEAR(report.volume, 6, 1e-13);
    EXPECT_EQ(report.bounds.min(), Vertex(1, 2, 3));
    EXPECT_EQ(report.bounds.max(), Vertex(2, 4, 6));
    EXPECT_TRUE(report.problems.empty());
}

TEST(CheckSurface, VolumeKeepsItsDigitsFarFromTheOrigin) {
    // The coordinates themselves are exact; a sum about the origin would lose 1e18 * 1e-16.
    EXPECT_NEAR(check(shapes::box({1e6, 1e6, 1e6}, {1e6 + 1, 1e6 + 1, 1e6 + 1})).volume, 1, 1e-12);
}

TEST(CheckSurface, VolumeOfASphereConvergesAtSecondOrder) {
    double previous = 0;
    for (int level = 2; level <= 5; ++level) {
        const double error =
            4 * std::numbers::pi / 3 - check(shapes::sphere(Vertex::Zero(), 1, level)).volume;
        // The inscribed polyhedron misses O(h^2), and h halves from level to level.
        if (previous > 0) {
            EXPECT_NEAR(previous / error, 4, 0.3);
        }
        previous = error;
    }
}

TEST(CheckSurface, FindsOpenEdges) {
    SurfaceMesh mesh = shapes::box(Vertex::Zero(), Vertex::Ones());
    mesh.triangles.pop_back();
    const MeshReport report = check(mesh);
    EXPECT_FALSE(report.watertight);
    ASSERT_TRUE(find(report, "open_edges"));
    EXPECT_EQ(find(report, "open_edges")->count, 3u);
    EXPECT_EQ(report.volume, 0);
}

// 24 vertices: each side of the box has four of its own, as texture coordinates want them.
SurfaceMesh box_with_seams() {
    const SurfaceMesh box = shapes::box(Vertex::Zero(), Vertex::Ones());
    SurfaceMesh split;
    for (std::size_t side = 0; side < 6; ++side) {
        std::map<int, int> own;
        for (const std::size_t t : {2 * side, 2 * side + 1}) {
            Triangle corners = box.triangles[t];
            for (int& v : corners) {
                const auto [place, is_new] = own.try_emplace(v, static_cast<int>(split.vertices.size()));
                if (is_new) split.vertices.push_back(box.vertices[static_cast<std::size_t>(v)]);
                v = place->second;
            }
            split.triangles.push_back(corners);
        }
    }
    return split;
}

TEST(CheckSurface, SeamsAreNotHoles) {
    const SurfaceMesh seams = box_with_seams();
    ASSERT_EQ(seams.vertices.size(), 24u);
    const MeshReport report = check(seams);
    EXPECT_TRUE(report.watertight);
    EXPECT_EQ(report.components, 1);
    EXPECT_EQ(report.vertices, 24u);
    EXPECT_EQ(report.seam_vertices, 16u);
    EXPECT_NEAR(report.volume, 1, 1e-13);
    EXPECT_NEAR(report.area, 6, 1e-13);
    EXPECT_TRUE(report.problems.empty());
    // Vertices further apart than the stated distance are not one.
    SurfaceMesh gap = seams;
    gap.vertices[0] += Vertex::Constant(1e-6);
    EXPECT_FALSE(check(gap).watertight);
}

TEST(CheckSurface, FindsTrianglesThatCrossWhereAskedTo) {
    const SurfaceMesh crossing =
        shapes::joined(shapes::sphere(Vertex::Zero(), 1, 2), shapes::sphere({0.7, 0.1, 0.2}, 1, 2));
    EXPECT_FALSE(find(check(crossing), "self_intersections"));
    const MeshReport report = check(crossing, {.self_intersections = true});
    ASSERT_TRUE(find(report, "self_intersections"));
    EXPECT_GT(find(report, "self_intersections")->count, 10u);
    EXPECT_TRUE(report.watertight);
    EXPECT_TRUE(check(box_with_seams(), {.self_intersections = true}).problems.empty());
    // A triangle that is there twice is told as a duplicate, not as a crossing.
    SurfaceMesh twice = shapes::box(Vertex::Zero(), Vertex::Ones());
    twice.triangles.push_back(twice.triangles[0]);
    EXPECT_FALSE(find(check(twice, {.self_intersections = true}), "self_intersections"));
}

TEST(CheckSurface, FindsNonManifoldEdges) {
    SurfaceMesh mesh = shapes::box(Vertex::Zero(), Vertex::Ones());
    mesh.vertices.emplace_back(2, 2, 2);
    mesh.triangles.push_back({0, 1, 8});  // a fin on an edge
    const MeshReport report = check(mesh);
    EXPECT_FALSE(report.watertight);
    ASSERT_TRUE(find(report, "non_manifold_edges"));
    EXPECT_EQ(find(report, "non_manifold_edges")->count, 1u);
    EXPECT_EQ(find(report, "open_edges")->count, 2u);
}

TEST(CheckSurface, MoebiusStripIsNotOrientable) {
    const MeshReport strip = check(shapes::moebius(20));
    EXPECT_FALSE(strip.orientable);
    EXPECT_TRUE(find(strip, "not_orientable"));
    EXPECT_FALSE(strip.watertight);
    EXPECT_TRUE(check(shapes::torus(1, 0.3, 20, 10)).orientable);
}

TEST(CheckSurface, ATurnedTriangleIsOrientableButNotWatertight) {
    SurfaceMesh mesh = shapes::box(Vertex::Zero(), Vertex::Ones());
    std::swap(mesh.triangles[4][0], mesh.triangles[4][1]);
    const MeshReport report = check(mesh);
    EXPECT_TRUE(report.orientable);
    EXPECT_FALSE(report.watertight);
    ASSERT_TRUE(find(report, "orientation"));
    EXPECT_EQ(find(report, "orientation")->count, 3u);
}

TEST(CheckSurface, SaysWhenABodyIsInsideOut) {
    const MeshReport report = check(shapes::reversed(shapes::box(Vertex::Zero(), Vertex::Ones())));
    EXPECT_NEAR(report.volume, -1, 1e-14);
    EXPECT_TRUE(find(report, "inside_out"));
}

TEST(CheckSurface, CountsComponents) {
    const SurfaceMesh two = shapes::joined(shapes::sphere({0, 0, 0}, 1, 1), shapes::sphere({5, 0, 0}, 1, 1));
    EXPECT_EQ(check(two).components, 2);
}

TEST(CheckSurface, FindsDegenerateDuplicateAndUnreferenced) {
    SurfaceMesh mesh = shapes::box(Vertex::Zero(), Vertex::Ones());
    mesh.vertices.emplace_back(0.5, 0.5, 0.5);
    mesh.vertices.emplace_back(0.5, 0, 0);
    mesh.triangles.push_back({0, 0, 1});  // 12: a corner twice
    mesh.triangles.push_back({0, 9, 1});  // 13: on a line
    mesh.triangles.push_back(
        {mesh.triangles[2][1], mesh.triangles[2][0], mesh.triangles[2][2]});  // 14: a copy, turned
    const MeshReport report = check(mesh);
    EXPECT_EQ(find(report, "degenerate")->first_ids, (std::vector<int>{12, 13}));
    EXPECT_EQ(find(report, "duplicate")->first_ids, (std::vector<int>{14}));
    EXPECT_EQ(find(report, "unreferenced")->first_ids, (std::vector<int>{8}));
}

TEST(CheckSurface, ThinTrianglesWithAnAreaAreNotDegenerate) {
    SurfaceMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0.5, 1e-6, 0}};
    mesh.triangles = {{0, 1, 2}};
    EXPECT_FALSE(find(check(mesh), "degenerate"));
}

TEST(CheckSurface, HintsAtUnitsWhenTheScaleIsAbsurd) {
    EXPECT_TRUE(find(check(shapes::sphere({0, 0, 0}, 4e-7, 1)), "scale"));   // 0.8 um across
    EXPECT_FALSE(find(check(shapes::sphere({0, 0, 0}, 6e-7, 1)), "scale"));  // 1.2 um
    EXPECT_FALSE(find(check(shapes::sphere({0, 0, 0}, 4e4, 1)), "scale"));   // 80 km
    EXPECT_TRUE(find(check(shapes::sphere({0, 0, 0}, 6e4, 1)), "scale"));    // 120 km
}

TEST(CheckSurface, TakesAnythingWithoutHarm) {
    EXPECT_TRUE(find(check(SurfaceMesh{}), "empty"));
    SurfaceMesh mesh = shapes::box(Vertex::Zero(), Vertex::Ones());
    mesh.vertices[2][1] = shapes::kNaN;
    mesh.vertices[5][0] = 1e300;
    mesh.vertices[6][0] = -std::numeric_limits<double>::infinity();
    mesh.triangles.push_back({0, 1, 99});
    mesh.triangles.push_back({-1, 1, 2});
    const MeshReport report = check(mesh);
    EXPECT_EQ(report.problems.front().kind, "not_finite");
    EXPECT_EQ(report.problems.front().first_ids, (std::vector<int>{2, 5, 6}));
    EXPECT_EQ(find(report, "out_of_range")->first_ids, (std::vector<int>{12, 13}));
    EXPECT_TRUE(std::isfinite(report.volume));
    EXPECT_EQ(report.bounds.max(), Vertex::Ones());
    SurfaceMesh one;
    one.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    one.triangles = {{0, 1, 2}};
    EXPECT_EQ(find(check(one), "open_edges")->count, 3u);
}

TEST(CheckVolume, FindsNothingWrongWithABar) {
    for (const VolumeMesh& mesh : {shapes::bricks(3, 2, 2), shapes::tets(3, 2, 2)}) {
        const MeshReport report = check(mesh);
        EXPECT_NEAR(report.volume, 12, 1e-12);
        EXPECT_TRUE(report.watertight);
        EXPECT_EQ(report.components, 1);
        EXPECT_EQ(report.inverted, 0u);
        EXPECT_TRUE(report.problems.empty());
    }
}

TEST(CheckVolume, VolumesAreExact) {
    VolumeMesh tet;
    tet.vertices = {{0, 0, 0}, {2, 0, 0}, {0, 3, 0}, {0, 0, 4}};
    tet.tets = {{0, 1, 2, 3}};
    EXPECT_DOUBLE_EQ(tet_volume(tet, tet.tets[0]), 4);  // 2 * 3 * 4 / 6

    // A frustum: bottom 2 x 2, top 1 x 1, height 3: h/3 (A + B + sqrt(A B)) = 7.
    VolumeMesh brick = shapes::bricks(1, 1, 1);
    brick.vertices = {{-1, -1, 0},   {1, -1, 0},   {-1, 1, 0},   {1, 1, 0},
                      {-.5, -.5, 3}, {.5, -.5, 3}, {-.5, .5, 3}, {.5, .5, 3}};
    EXPECT_NEAR(brick_volume(brick, brick.bricks[0]), 7, 1e-14);
    // Any affine image of a cube has the volume of the determinant.
    Eigen::Affine3d motion = Eigen::Affine3d::Identity();
    motion.linear() << 2, 0.5, 0.1, 0.3, 1, -0.2, 0.7, 0.4, 3;
    const VolumeMesh image = shapes::moved(shapes::bricks(1, 1, 1), motion);
    EXPECT_NEAR(brick_volume(image, image.bricks[0]), motion.linear().determinant(), 1e-13);
}

TEST(CheckVolume, VolumeOfAWarpedBrickEqualsItsFinelyCutSum) {
    shapes::Random random(2);
    VolumeMesh warped = shapes::bricks(1, 1, 1);
    for (Vertex& v : warped.vertices)
        v += 0.2 * random.vertex();
    // Integrate det J of the trilinear map by the midpoint rule with 40^3 points: error O(1/40^2).
    const auto at = [&](double x, double y, double z) {
        Vertex p = Vertex::Zero();
        for (int b = 0; b < 8; ++b)
            p += (b & 1 ? x : 1 - x) * (b & 2 ? y : 1 - y) * (b & 4 ? z : 1 - z) *
                 warped.vertices[static_cast<std::size_t>(b)];
        return p;
    };
    constexpr int n = 40;
    double sum = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k) {
                const double x = (i + .5) / n, y = (j + .5) / n, z = (k + .5) / n, h = .5 / n;
                const Vertex dx = at(x + h, y, z) - at(x - h, y, z), dy = at(x, y + h, z) - at(x, y - h, z),
                             dz = at(x, y, z + h) - at(x, y, z - h);
                sum += dx.dot(dy.cross(dz));
            }
    EXPECT_NEAR(brick_volume(warped, warped.bricks[0]), sum, 1e-3);
}

TEST(CheckVolume, FindsInvertedFlatAndSliverTets) {
    VolumeMesh mesh = shapes::tets(2, 1, 1);
    std::swap(mesh.tets[3][0], mesh.tets[3][1]);
    std::swap(mesh.tets[7][2], mesh.tets[7][3]);
    mesh.vertices.insert(mesh.vertices.end(), {{9, 0, 0}, {10, 0, 0}, {9, 1, 0}, {10, 1, 0}, {9.9, 1, 1e-3}});
    const int v = static_cast<int>(mesh.vertices.size()) - 5;
    mesh.tets.push_back({v, v + 1, v + 2, v + 3});  // 12: flat
    mesh.tets.push_back({v, v + 1, v + 2, v + 4});  // 13: nearly
    const MeshReport report = check(mesh);
    EXPECT_EQ(find(report, "inverted")->first_ids, (std::vector<int>{3, 7}));
    EXPECT_EQ(find(report, "degenerate")->first_ids, (std::vector<int>{12}));
    EXPECT_EQ(find(report, "sliver")->first_ids, (std::vector<int>{13}));
    EXPECT_EQ(report.inverted, 3u);  // a flat tet has no positive volume either
    EXPECT_EQ(report.problems.front().kind, "inverted");
    EXPECT_FALSE(report.watertight);  // the faces of inverted tets look inward
}

TEST(CheckVolume, ABrickThatTurnsOverAtOneCornerIsInverted) {
    VolumeMesh mesh = shapes::bricks(1, 1, 1);
    mesh.vertices[7] = {0.2, 0.2, 0.2};  // corner 111 pushed through the opposite diagonal plane
    EXPECT_GT(brick_volume(mesh, mesh.bricks[0]), 0);
    EXPECT_EQ(check(mesh).inverted, 1u);
}

TEST(CheckVolume, FindsDuplicatesUnreferencedAndComponents) {
    VolumeMesh mesh = shapes::bricks(2, 1, 1);
    mesh.vertices.emplace_back(9, 9, 9);
    Brick copy = mesh.bricks[0];
    std::rotate(copy.begin(), copy.begin() + 4, copy.end());
    mesh.bricks.push_back(copy);
    const MeshReport report = check(mesh);
    EXPECT_EQ(find(report, "duplicate")->first_ids, (std::vector<int>{2}));
    EXPECT_EQ(find(report, "unreferenced")->first_ids, (std::vector<int>{12}));
    EXPECT_TRUE(find(report, "non_manifold_faces"));
    EXPECT_EQ(report.components, 1);
}

TEST(CheckVolume, FindsHingesAtEdgesAndCorners) {
    VolumeMesh edge = shapes::bricks(2, 2, 1);
    edge.bricks = {edge.bricks[0], edge.bricks[3]};
    EXPECT_EQ(find(check(edge), "hinge")->count, 2u);  // both ends of the common edge
    EXPECT_TRUE(check(edge).watertight);               // four faces at the common edge, two each way
    VolumeMesh corner = shapes::bricks(2, 2, 2);
    corner.bricks = {corner.bricks[0], corner.bricks[7]};
    EXPECT_EQ(find(check(corner), "hinge")->first_ids, (std::vector<int>{13}));
    EXPECT_FALSE(find(check(shapes::tets(2, 2, 2)), "hinge"));
}

TEST(CheckVolume, TakesAnythingWithoutHarm) {
    EXPECT_TRUE(find(check(VolumeMesh{}), "empty"));
    VolumeMesh mesh = shapes::tets(1, 1, 1);
    mesh.vertices[0][0] = shapes::kNaN;
    mesh.tets.push_back({0, 1, 2, 999});
    mesh.tets.push_back({4, 4, 4, 4});
    mesh.bricks.push_back({-5, 1, 2, 3, 4, 5, 6, 7});
    const MeshReport report = check(mesh);
    EXPECT_TRUE(find(report, "not_finite"));
    EXPECT_EQ(find(report, "out_of_range")->first_ids, (std::vector<int>{6, 8}));
    EXPECT_TRUE(find(report, "degenerate"));
    EXPECT_TRUE(std::isfinite(report.volume));
}

InputError refusal_of(const VolumeMesh& mesh) {
    try {
        require_sound(mesh, "part.msh");
    } catch (const InputError& error) {
        return error;
    }
    ADD_FAILURE() << "no error";
    return {};
}

TEST(RequireSound, TakesSoundMeshes) {
    EXPECT_NO_THROW(require_sound(shapes::tets(2, 2, 2), "bar"));
    EXPECT_NO_THROW(require_sound(shapes::bricks(2, 2, 2), "bar"));
}

TEST(RequireSound, NamesTheFirstInvertedTetWithItsVolumeAndCountsThem) {
    VolumeMesh mesh = shapes::tets(2, 1, 1);
    std::swap(mesh.tets[3][0], mesh.tets[3][1]);
    std::swap(mesh.tets[7][2], mesh.tets[7][3]);
    const InputError error = refusal_of(mesh);
    EXPECT_EQ(error.where, "part.msh");
    EXPECT_EQ(error.problem,
              "tetrahedron 3 is inverted (signed volume -0.17 m^3)\n"
              "  2 of 12 tetrahedra are inverted or flat; the first is shown");
    EXPECT_EQ(error.try_this, "limber mesh repair part.msh -o fixed.msh");
}

TEST(RequireSound, RefusesWhatNoSolverCanTake) {
    EXPECT_NE(refusal_of({}).problem.find("no elements"), std::string::npos);
    VolumeMesh mesh = shapes::bricks(1, 1, 1);
    mesh.vertices[4][2] = shapes::kNaN;
    EXPECT_NE(refusal_of(mesh).problem.find("vertex 4"), std::string::npos);
    mesh = shapes::bricks(1, 1, 1);
    mesh.bricks[0][0] = 8;
    EXPECT_NE(refusal_of(mesh).problem.find("brick 0"), std::string::npos);
    mesh = shapes::bricks(1, 1, 1);
    for (Vertex& v : mesh.vertices)
        v[2] = 0;
    EXPECT_NE(refusal_of(mesh).problem.find("brick 0 is flat"), std::string::npos);
    mesh = shapes::tets(1, 1, 1);
    mesh.vertices[6] = {1e300, 0, 0};
    EXPECT_NE(refusal_of(mesh).problem.find("vertex 6"), std::string::npos);
}

}  // namespace
}  // namespace limber::build
