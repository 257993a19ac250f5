// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/tetrahedralize.h"

#include "build/mesh/boundary.h"
#include "build/mesh/check.h"
#include "build/mesh/self_intersections.h"
#include "shapes.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <limits>

namespace limber::build {
namespace {

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Every surface here is a polyhedron, so the tets' volume must be its volume to rounding.
void expect_fills(const SurfaceMesh& surface, const VolumeMesh& mesh) {
    const MeshReport report = check(mesh);
    EXPECT_NEAR(report.volume, check(surface).volume, 1e-9 * report.volume);
    EXPECT_EQ(report.inverted, 0u);
    EXPECT_TRUE(report.watertight);
    for (const Problem& problem : report.problems)
        EXPECT_EQ(problem.kind, "sliver") << problem.message;
    ASSERT_GE(mesh.vertices.size(), surface.vertices.size());
    for (std::size_t v = 0; v < surface.vertices.size(); ++v)
        EXPECT_EQ(mesh.vertices[v], surface.vertices[v]);
}

TEST(Tetrahedralize, FillsBoxSphereAndTorus) {
    for (const SurfaceMesh& surface : {shapes::box({1, 2, 3}, {2, 4, 6}), shapes::sphere({5, 5, 5}, 0.1, 3),
                                       shapes::torus(1, 0.3, 30, 16)})
        expect_fills(surface, tetrahedralize(surface, {}, "part.obj"));
}

TEST(Tetrahedralize, LeavesCavitiesEmpty) {
    const SurfaceMesh hollow = shapes::joined(shapes::sphere({0, 0, 0}, 1, 3),
                                              shapes::reversed(shapes::sphere({0.1, 0, 0}, 0.5, 2)));
    const VolumeMesh mesh = tetrahedralize(hollow, {}, "hollow.obj");
    expect_fills(hollow, mesh);
    EXPECT_EQ(check(boundary_of(mesh).surface).components, 2);
}

TEST(Tetrahedralize, FillsABodyInTheCavityOfAnother) {
    SurfaceMesh nested =
        shapes::joined(shapes::sphere({0, 0, 0}, 1, 3), shapes::reversed(shapes::sphere({0, 0, 0}, 0.7, 3)));
    nested = shapes::joined(nested, shapes::box({-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2}));
    const VolumeMesh mesh = tetrahedralize(nested, {}, "nested.obj");
    expect_fills(nested, mesh);
    EXPECT_EQ(check(mesh).components, 2);
}

TEST(Tetrahedralize, FillsSeveralParts) {
    const SurfaceMesh two =
        shapes::joined(shapes::box({0, 0, 0}, {1, 1, 1}), shapes::sphere({3, 0, 0}, 1, 2));
    const VolumeMesh mesh = tetrahedralize(two, {}, "two.obj");
    expect_fills(two, mesh);
    EXPECT_EQ(check(mesh).components, 2);
}

TEST(Tetrahedralize, DoesNotMindTheWayTrianglesFace) {
    SurfaceMesh mixed = shapes::sphere({0, 0, 0}, 1, 2);
    const double volume = check(mixed).volume;
    for (std::size_t t = 0; t < mixed.triangles.size(); t += 3)
        std::swap(mixed.triangles[t][0], mixed.triangles[t][1]);
    EXPECT_NEAR(check(tetrahedralize(mixed, {}, "")).volume, volume, 1e-12);
    const SurfaceMesh inward = shapes::reversed(shapes::sphere({0, 0, 0}, 1, 2));
    EXPECT_NEAR(check(tetrahedralize(inward, {}, "")).volume, volume, 1e-12);
}

TEST(Tetrahedralize, KeepsASkinThatIsAlmostPlane) {
    // A slab whose top is domed by some 0.03 degrees from triangle to triangle.
    VolumeMesh slab = shapes::bricks(6, 6, 1);
    for (Vertex& v : slab.vertices)
        if (v[2] > 0) v[2] += 1e-3 * std::sin(v[0] / 2) * std::sin(v[1] / 2);
    const SurfaceMesh surface = boundary_of(slab).surface;
    expect_fills(surface, tetrahedralize(surface, {}, "slab.obj"));
}

TEST(Tetrahedralize, KeepsTetsUnderTheGivenVolume) {
    for (const double size : {1.0, 1e-3, 700.0}) {
        const SurfaceMesh surface = shapes::box({0, 0, 0}, {size, size, size});
        const double limit = 0.002 * size * size * size;
        const VolumeMesh mesh = tetrahedralize(surface, {.max_volume = limit}, "box");
        expect_fills(surface, mesh);
        for (const Tet& tet : mesh.tets)
            EXPECT_LE(tet_volume(mesh, tet), limit);
        EXPECT_GE(mesh.tets.size(), 500u);  // 1 / 0.002
    }
}

TEST(Tetrahedralize, WorksAtAnyScale) {
    for (const double scale : {1e-9, 1e-3, 1e6}) {
        const SurfaceMesh surface = shapes::sphere({3 * scale, 0, 0}, scale, 2);
        const VolumeMesh mesh = tetrahedralize(surface, {}, "");
        // The scale alone is worth a remark of check's.
        EXPECT_NEAR(check(mesh).volume, check(surface).volume, 1e-9 * check(surface).volume);
    }
}

TEST(Tetrahedralize, WeldsEqualVerticesAndDropsUnusedOnes) {
    const SurfaceMesh box = shapes::box({0, 0, 0}, {1, 1, 1});
    SurfaceMesh soup;
    soup.vertices.emplace_back(9, 9, 9);  // unused
    for (const Triangle& t : box.triangles) {
        const int first = static_cast<int>(soup.vertices.size());
        for (const int v : t)
            soup.vertices.push_back(box.vertices[static_cast<std::size_t>(v)]);
        soup.triangles.push_back({first, first + 1, first + 2});
    }
    const MeshReport report = check(tetrahedralize(soup, {.max_volume = 1e6}, "soup.stl"));
    EXPECT_EQ(report.vertices, 8u);
    EXPECT_NEAR(report.volume, 1, 1e-12);
    EXPECT_TRUE(report.problems.empty());
}

TEST(Tetrahedralize, IsDeterministic) {
    const SurfaceMesh surface = shapes::torus(1, 0.4, 20, 12);
    const VolumeMesh a = tetrahedralize(surface, {}, ""), b = tetrahedralize(surface, {}, "");
    EXPECT_EQ(a.tets, b.tets);
    EXPECT_EQ(a.vertices, b.vertices);
}

InputError error_of(const SurfaceMesh& surface, const TetrahedralizeOptions& options = {}) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    InputError caught;
    try {
        tetrahedralize(surface, options, "part.obj");
        ADD_FAILURE() << "no error";
    } catch (const InputError& error) {
        caught = error;
    }
    // The library never prints, whatever TetGen does.
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    return caught;
}

void expect_offers_voxels_and_repair(const InputError& error) {
    EXPECT_EQ(error.where, "part.obj");
    EXPECT_TRUE(has(error.try_this, "limber mesh voxelize part.obj")) << error.try_this;
    EXPECT_TRUE(has(error.try_this, "limber mesh repair part.obj")) << error.try_this;
}

TEST(Tetrahedralize, NamesTheTrianglesRoundAHole) {
    SurfaceMesh open = shapes::sphere({0, 0, 0}, 1, 2);
    open.triangles.erase(open.triangles.begin() + 70);
    // The three that shared an edge with it, in the numbers of the open surface.
    const SurfaceMesh closed = shapes::sphere({0, 0, 0}, 1, 2);
    std::string expected;
    for (std::size_t t = 0; t < closed.triangles.size(); ++t) {
        int common = 0;
        for (const int v : closed.triangles[t])
            common +=
                static_cast<int>(std::count(closed.triangles[70].begin(), closed.triangles[70].end(), v));
        if (common == 2) expected += (expected.empty() ? "" : ", ") + std::to_string(t > 70 ? t - 1 : t);
    }
    const InputError error = error_of(open);
    EXPECT_TRUE(has(error.problem, "3 edges of triangles " + expected + " belong")) << error.problem;
    expect_offers_voxels_and_repair(error);
}

TEST(Tetrahedralize, NamesTheTrianglesThatCutEachOther) {
    // A tooth of the second box comes through the face z = 1 of the first: triangles 2 and 3 of it.
    const SurfaceMesh cut =
        shapes::joined(shapes::box({0, 0, 0}, {4, 4, 1}), shapes::box({0.5, 2.5, 0.5}, {1, 3, 2}));
    const InputError error = error_of(cut);
    EXPECT_TRUE(has(error.problem, "intersects itself")) << error.problem;
    EXPECT_TRUE(has(error.problem, "triangles 2 and 1") || has(error.problem, "triangles 3 and 1"))
        << error.problem;
    expect_offers_voxels_and_repair(error);
    expect_offers_voxels_and_repair(
        error_of(shapes::joined(shapes::sphere({0, 0, 0}, 1, 3), shapes::sphere({0.5, 0.1, 0.2}, 1, 3))));
}

TEST(Tetrahedralize, SurvivesWhatTetGenDoesNot) {
    const SurfaceMesh box = shapes::box({0, 0, 0}, {1, 1, 1});
    // Bodies that touch in part of a face, that stand a hair apart, or are there twice.
    expect_offers_voxels_and_repair(error_of(shapes::joined(box, shapes::box({1, 0.2, 0.2}, {2, 0.8, 0.8}))));
    expect_offers_voxels_and_repair(error_of(shapes::joined(box, shapes::box({0, 0, 1 + 1e-13}, {1, 1, 2}))));
    EXPECT_TRUE(has(error_of(shapes::joined(box, box)).problem, "triangles 0 and 12 are the same"));
    // A pillow without thickness, and a random soup.
    SurfaceMesh flat;
    flat.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    flat.triangles = {{0, 1, 2}, {1, 3, 2}, {0, 3, 1}, {0, 2, 3}};
    expect_offers_voxels_and_repair(error_of(flat));
    shapes::Random random(3);
    SurfaceMesh soup;
    for (int i = 0; i < 300; ++i)
        soup.vertices.push_back(random.vertex());
    for (int i = 0; i < 100; ++i)
        soup.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    EXPECT_TRUE(has(error_of(soup).problem, "holes"));
}

TEST(Tetrahedralize, RefusesFinsAndOneSidedSurfaces) {
    SurfaceMesh fin = shapes::box({0, 0, 0}, {1, 1, 1});
    fin.vertices.emplace_back(0.5, -1, -1);
    fin.triangles.push_back({0, 1, 8});
    EXPECT_TRUE(has(error_of(fin).problem, "holes"));
    // A wall across the inside, along the diagonals of bottom and top: its four edges have three triangles
    // each.
    SurfaceMesh wall = shapes::box({0, 0, 0}, {1, 1, 1});
    wall.triangles.push_back({1, 2, 6});
    wall.triangles.push_back({1, 6, 5});
    EXPECT_TRUE(has(error_of(wall).problem, "not manifold"));
    // The projective plane of six vertices: closed, but with one side.
    shapes::Random random(5);
    SurfaceMesh plane;
    for (int i = 0; i < 6; ++i)
        plane.vertices.push_back(random.vertex());
    plane.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {0, 5, 1},
                       {1, 2, 4}, {2, 3, 5}, {3, 4, 1}, {4, 5, 2}, {5, 1, 3}};
    EXPECT_TRUE(has(error_of(plane).problem, "only one side"));
}

TEST(Tetrahedralize, RefusesBadInput) {
    const SurfaceMesh box = shapes::box({0, 0, 0}, {1, 1, 1});
    EXPECT_TRUE(has(error_of({}).problem, "no triangles"));
    SurfaceMesh bad = box;
    bad.vertices[3][0] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(has(error_of(bad).problem, "vertex 3"));
    bad = box;
    bad.vertices[3] = {1e300, 1e300, 1e300};
    EXPECT_TRUE(has(error_of(bad).problem, "vertex 3"));
    bad = box;
    bad.triangles[5][1] = 8;
    EXPECT_TRUE(has(error_of(bad).problem, "triangle 5"));
    bad.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    bad.triangles = {{0, 1, 2}};
    EXPECT_TRUE(has(error_of(bad).problem, "triangle 0 has no area"));
    for (const double volume : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), 1e-12})
        EXPECT_EQ(error_of(box, {.max_volume = volume}).where, "max-volume");
    EXPECT_EQ(error_of(box, {.max_radius_edge_ratio = 0.5}).where, "radius-edge ratio");
}

TEST(SelfIntersections, FindsCrossingTouchingAndFoldedTriangles) {
    const auto pairs = [](std::vector<Vertex> vertices, std::vector<Triangle> triangles) {
        SurfaceMesh mesh;
        mesh.vertices = std::move(vertices);
        mesh.triangles = std::move(triangles);
        return self_intersections(mesh, 10).size();
    };
    const std::vector<Vertex> floor{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    const auto with = [&](std::initializer_list<Vertex> more) {
        std::vector<Vertex> all = floor;
        all.insert(all.end(), more);
        return all;
    };
    EXPECT_EQ(pairs(with({{1, 1, -1}, {1, 1, 1}, {1, 2, 1}}), {{0, 1, 2}, {3, 4, 5}}),
              1u);  // through the face
    EXPECT_EQ(pairs(with({{1, 1, 0}, {1, 1, 1}, {1, 2, 1}}), {{0, 1, 2}, {3, 4, 5}}),
              1u);  // a corner on the face
    EXPECT_EQ(pairs(with({{1, 1, 1e-9}, {1, 1, 1}, {1, 2, 1}}), {{0, 1, 2}, {3, 4, 5}}),
              0u);  // a hair above it
    EXPECT_EQ(pairs(with({{1, 1, 0}, {5, 1, 0}, {1, 5, 0}}), {{0, 1, 2}, {3, 4, 5}}),
              1u);  // overlap in the plane
    EXPECT_EQ(pairs(with({{3, 3, 0}, {5, 3, 0}, {3, 5, 0}}), {{0, 1, 2}, {3, 4, 5}}),
              0u);  // apart in the plane
    EXPECT_EQ(pairs(with({{1, 1, 0}, {1.5, 1, 0}, {1, 1.5, 0}}), {{0, 1, 2}, {3, 4, 5}}),
              1u);                                                                 // one inside the other
    EXPECT_EQ(pairs(with({{2, 0, 1}}), {{0, 1, 2}, {1, 0, 3}}), 0u);               // a common edge
    EXPECT_EQ(pairs(with({{3, 3, 0}}), {{0, 1, 2}, {1, 2, 3}}), 0u);               // the same, flat
    EXPECT_EQ(pairs(with({{1, 1, 0}}), {{0, 1, 2}, {1, 2, 3}}), 1u);               // folded back
    EXPECT_EQ(pairs(with({{-1, 0, 1}, {0, -1, 1}}), {{0, 1, 2}, {0, 3, 4}}), 0u);  // a common corner
    EXPECT_EQ(pairs(with({{3, 1, 1}, {1, 3, -1}}), {{0, 1, 2}, {0, 3, 4}}), 1u);   // and through the face
}

TEST(SelfIntersections, AgreesWithASearchThroughAllPairs) {
    shapes::Random random(8);
    SurfaceMesh soup;
    for (int i = 0; i < 180; ++i)
        soup.vertices.push_back(random.vertex());
    for (int i = 0; i < 60; ++i)
        soup.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    const auto found = self_intersections(soup, 100000);
    // In general position: an edge crosses a triangle if its line passes inside and its ends lie on both
    // sides.
    const auto at = [&](std::size_t t, std::size_t i) {
        return soup.vertices[static_cast<std::size_t>(soup.triangles[t][i % 3])];
    };
    const auto volume = [](const Vertex& a, const Vertex& b, const Vertex& c, const Vertex& d) {
        return (b - a).dot((c - a).cross(d - a));
    };
    const auto cuts = [&](std::size_t s, std::size_t t) {
        for (std::size_t i = 0; i < 3; ++i) {
            const Vertex p = at(s, i), q = at(s, i + 1);
            if (volume(at(t, 0), at(t, 1), at(t, 2), p) * volume(at(t, 0), at(t, 1), at(t, 2), q) > 0)
                continue;
            const double u = volume(p, q, at(t, 0), at(t, 1)), v = volume(p, q, at(t, 1), at(t, 2)),
                         w = volume(p, q, at(t, 2), at(t, 0));
            if ((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0)) return true;
        }
        return false;
    };
    std::vector<std::pair<int, int>> expected;
    for (std::size_t s = 0; s < 60; ++s)
        for (std::size_t t = s + 1; t < 60; ++t)
            if (cuts(s, t) || cuts(t, s)) expected.emplace_back(s, t);
    EXPECT_GT(expected.size(), 50u);
    EXPECT_EQ(found, expected);
}

TEST(SelfIntersections, FindsNoneInSoundSurfaces) {
    EXPECT_TRUE(self_intersections(shapes::box({0, 0, 0}, {1, 1, 1}), 10).empty());
    EXPECT_TRUE(self_intersections(shapes::sphere({0.1, 0.2, 0.3}, 1, 4), 10).empty());
    EXPECT_TRUE(self_intersections(shapes::torus(1, 0.3, 30, 20), 10).empty());
    EXPECT_TRUE(self_intersections({}, 10).empty());
}

}  // namespace
}  // namespace limber::build
