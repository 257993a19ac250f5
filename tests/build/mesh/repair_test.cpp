// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/repair.h"

#include "build/mesh/check.h"
#include "shapes.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

namespace limber::build {
namespace {

// Every triangle with corners of its own.
SurfaceMesh soup_of(const SurfaceMesh& mesh) {
    SurfaceMesh soup;
    for (const Triangle& t : mesh.triangles) {
        const int first = static_cast<int>(soup.vertices.size());
        for (const int v : t)
            soup.vertices.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
        soup.triangles.push_back({first, first + 1, first + 2});
    }
    return soup;
}

template <class Mesh>
void expect_nothing_to_do(const Mesh& mesh) {
    const RepairReport again = repair(mesh).report;
    EXPECT_EQ(
        again.welded_vertices + again.removed_vertices + again.degenerate + again.duplicate + again.flipped,
        0u);
}

TEST(RepairSurface, LeavesASoundSurfaceAlone) {
    SurfaceMesh mesh = shapes::torus(1, 0.3, 12, 8);
    mesh.triangle_groups = {{"some", {1, 5, 7}}};
    const auto [repaired, report, origin] = repair(mesh);
    EXPECT_EQ(repaired.vertices, mesh.vertices);
    EXPECT_EQ(repaired.triangles, mesh.triangles);
    EXPECT_EQ(repaired.triangle_groups[0].ids, mesh.triangle_groups[0].ids);
    expect_nothing_to_do(mesh);
}

TEST(RepairSurface, WeldsASoup) {
    const SurfaceMesh sphere = shapes::sphere({3, 1, 2}, 1, 3);
    SurfaceMesh soup = soup_of(sphere);
    shapes::Random random(4);
    for (Vertex& v : soup.vertices)
        v += 1e-11 * random.vertex();  // within 1e-9 of the diagonal
    const auto [repaired, report, origin] = repair(soup);
    EXPECT_EQ(repaired.vertices.size(), sphere.vertices.size());
    EXPECT_EQ(report.welded_vertices, soup.vertices.size() - sphere.vertices.size());
    EXPECT_TRUE(check(repaired).watertight);
    EXPECT_NEAR(check(repaired).volume, check(sphere).volume, 1e-9);  // vertices moved by 1e-11
    expect_nothing_to_do(repaired);
}

TEST(RepairSurface, KeepsVerticesThatAreFurtherApart) {
    SurfaceMesh soup = soup_of(shapes::box({0, 0, 0}, {1, 1, 1}));
    for (std::size_t v = 0; v < soup.vertices.size(); ++v)
        soup.vertices[v][0] += 1e-6 * static_cast<double>(v);
    EXPECT_EQ(repair(soup).report.welded_vertices, 0u);
    EXPECT_EQ(repair(soup, {.weld_distance = 1e-4}).mesh.vertices.size(), 8u);
    // At distance zero only equal positions are one.
    EXPECT_EQ(repair(soup_of(shapes::box({0, 0, 0}, {1, 1, 1})), {.weld_distance = 0}).mesh.vertices.size(),
              8u);
}

TEST(RepairSurface, WeldingAgreesWithASearchThroughAllPairs) {
    shapes::Random random(6);
    SurfaceMesh mesh;
    for (int i = 0; i < 600; ++i)
        mesh.vertices.push_back(random.vertex());
    for (int i = 0; i < 200; ++i)
        mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    const double reach = 0.03 * Eigen::AlignedBox3d(check(mesh).bounds).diagonal().norm();
    // Vertices stay, in order, unless an earlier one that stayed is in reach.
    std::vector<Vertex> stay;
    for (const Vertex& v : mesh.vertices)
        if (std::none_of(stay.begin(), stay.end(), [&](const Vertex& s) { return (s - v).norm() <= reach; }))
            stay.push_back(v);
    const RepairReport report = repair(mesh, {.weld_distance = 0.03}).report;
    EXPECT_GT(report.welded_vertices, 10u);
    EXPECT_EQ(report.welded_vertices, mesh.vertices.size() - stay.size());
}

TEST(RepairSurface, TurnsTrianglesToAgreeAndFaceOutward) {
    const SurfaceMesh sphere = shapes::sphere({0, 0, 0}, 1, 3);
    SurfaceMesh mixed = sphere;
    for (std::size_t t = 0; t < mixed.triangles.size(); t += 5)
        std::swap(mixed.triangles[t][0], mixed.triangles[t][1]);
    const auto [repaired, report, origin] = repair(mixed);
    EXPECT_EQ(report.flipped, (sphere.triangles.size() + 4) / 5);
    EXPECT_NEAR(check(repaired).volume, check(sphere).volume, 1e-13);

    const auto turned = repair(shapes::reversed(sphere));
    EXPECT_EQ(turned.report.flipped, sphere.triangles.size());
    EXPECT_NEAR(check(turned.mesh).volume, check(sphere).volume, 1e-13);
    expect_nothing_to_do(turned.mesh);
}

TEST(RepairSurface, KeepsTheWallsOfCavitiesInward) {
    const SurfaceMesh outer = shapes::sphere({0, 0, 0}, 1, 3), inner = shapes::sphere({0.2, 0, 0}, 0.5, 3);
    const SurfaceMesh core = shapes::sphere({0.2, 0, 0}, 0.2, 3);
    const double hollow = check(outer).volume - check(inner).volume;
    EXPECT_EQ(repair(shapes::joined(outer, shapes::reversed(inner))).report.flipped, 0u);
    // All turned inside out: the whole turns back.
    const auto back = repair(shapes::joined(shapes::reversed(outer), inner));
    EXPECT_NEAR(check(back.mesh).volume, hollow, 1e-13);
    // A body in the cavity faces outward again.
    const auto nested =
        repair(shapes::joined(shapes::joined(outer, shapes::reversed(inner)), shapes::reversed(core)));
    EXPECT_EQ(nested.report.flipped, core.triangles.size());
    EXPECT_NEAR(check(nested.mesh).volume, hollow + check(core).volume, 1e-13);
    // Bodies side by side have nothing to do with each other.
    const auto apart = repair(shapes::joined(outer, shapes::reversed(shapes::sphere({5, 0, 0}, 1, 2))));
    EXPECT_GT(check(apart.mesh).volume, 7);
}

TEST(RepairSurface, LeavesAOneSidedSurfaceAsItIs) {
    const SurfaceMesh strip = shapes::moebius(15);
    EXPECT_EQ(repair(strip).mesh.triangles, strip.triangles);
}

TEST(RepairSurface, ClosesTrianglesWithoutArea) {
    // The edge 0-1 of a box has a vertex in its middle on one side only; a flat triangle fills the slit.
    SurfaceMesh mesh = shapes::box({0, 0, 0}, {1, 1, 1});
    mesh.vertices.emplace_back(0.5, 0, 0);
    mesh.triangles[0] = {0, 2, 8};  // was 0 2 1
    mesh.triangles.push_back({8, 2, 1});
    mesh.triangles.push_back({0, 8, 1});
    mesh.triangle_groups = {{"bottom", {0, 1, 12}}, {"front", {4, 5}}};
    ASSERT_TRUE(check(mesh).watertight);
    const auto [repaired, report, origin] = repair(mesh);
    EXPECT_EQ(report.degenerate, 1u);
    const MeshReport after = check(repaired);
    EXPECT_TRUE(after.watertight);
    EXPECT_TRUE(after.problems.empty());
    EXPECT_NEAR(after.volume, 1, 1e-14);
    EXPECT_EQ(repaired.triangle_groups[1].ids.size(), 3u);  // the front's triangle was cut in two
    expect_nothing_to_do(repaired);
}

TEST(RepairSurface, DropsDegenerateDuplicateAndBroken) {
    const SurfaceMesh box = shapes::box({0, 0, 0}, {1, 1, 1});
    SurfaceMesh mesh = box;
    mesh.vertices.emplace_back(shapes::kNaN, 0, 0);
    mesh.vertices.emplace_back(7, 7, 7);
    mesh.vertices.emplace_back(1e300, 0, 0);
    mesh.triangles.insert(mesh.triangles.begin(), {{0, 0, 1}, {0, 1, 8}, {0, 1, 99}, {2, 3, 10}});
    mesh.triangles.push_back({box.triangles[3][2], box.triangles[3][1], box.triangles[3][0]});
    mesh.triangle_groups = {{"top", {2, 6, 7}}};
    const auto [repaired, report, origin] = repair(mesh);
    EXPECT_EQ(report.degenerate, 4u);
    EXPECT_EQ(report.duplicate, 1u);
    EXPECT_EQ(report.removed_vertices, 3u);
    EXPECT_EQ(repaired.triangles, box.triangles);
    EXPECT_EQ(repaired.vertices, box.vertices);
    EXPECT_EQ(repaired.triangle_groups[0].ids, (std::vector<int>{2, 3}));
}

TEST(RepairSurface, TakesAnythingWithoutHarm) {
    EXPECT_TRUE(repair(SurfaceMesh{}).mesh.triangles.empty());
    SurfaceMesh mesh;
    mesh.vertices = {{shapes::kNaN, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 3, 0}};
    mesh.triangles = {{1, 2, 3}, {0, 1, 2}};
    EXPECT_TRUE(repair(mesh).mesh.triangles.empty());
    EXPECT_TRUE(repair(mesh).mesh.vertices.empty());
    for (const double distance : {-1.0, 1.0, shapes::kNaN})
        EXPECT_THROW(repair(mesh, {.weld_distance = distance}), InputError);
}

TEST(RepairVolume, LeavesASoundMeshAlone) {
    for (const VolumeMesh& mesh : {shapes::bricks(2, 2, 2), shapes::tets(2, 2, 2)}) {
        const auto [repaired, report] = repair(mesh);
        EXPECT_EQ(repaired.vertices, mesh.vertices);
        EXPECT_EQ(repaired.tets, mesh.tets);
        EXPECT_EQ(repaired.bricks, mesh.bricks);
        expect_nothing_to_do(mesh);
    }
}

TEST(RepairVolume, FlipsInvertedTetsAndMirroredBricks) {
    VolumeMesh tets = shapes::tets(2, 1, 1);
    for (const std::size_t e : {1u, 4u, 9u})
        std::swap(tets.tets[e][0], tets.tets[e][3]);
    const auto repaired = repair(tets);
    EXPECT_EQ(repaired.report.flipped, 3u);
    EXPECT_EQ(check(repaired.mesh).inverted, 0u);
    EXPECT_NEAR(check(repaired.mesh).volume, 2, 1e-14);

    VolumeMesh bricks = shapes::bricks(2, 2, 2);
    for (Vertex& v : bricks.vertices)
        v[0] = -v[0];  // seen in a mirror, every brick is inverted
    EXPECT_EQ(check(bricks).inverted, 8u);
    const auto turned = repair(bricks);
    EXPECT_EQ(turned.report.flipped, 8u);
    EXPECT_EQ(turned.report.inverted_left, 0u);
    EXPECT_EQ(check(turned.mesh).inverted, 0u);
    EXPECT_NEAR(check(turned.mesh).volume, 8, 1e-14);
}

TEST(RepairVolume, SaysWhichBricksItCannotSave) {
    VolumeMesh mesh = shapes::bricks(2, 1, 1);
    std::swap(mesh.bricks[1][0], mesh.bricks[1][1]);  // a twisted face
    const auto [repaired, report] = repair(mesh);
    EXPECT_EQ(report.inverted_left, 1u);
    EXPECT_EQ(report.flipped, 0u);
    EXPECT_EQ(repaired.bricks, mesh.bricks);
}

TEST(RepairVolume, WeldsDropsAndKeepsGroups) {
    // Two bars side by side with doubled vertices between them.
    VolumeMesh mesh = shapes::bricks(1, 1, 1);
    const VolumeMesh other = shapes::bricks(1, 1, 1);
    for (const Vertex& v : other.vertices)
        mesh.vertices.push_back(v + Vertex(1, 0, 0));
    Brick second = other.bricks[0];
    for (int& v : second)
        v += 8;
    mesh.bricks = {
        mesh.bricks[0], mesh.bricks[0], {0, 0, 1, 1, 2, 2, 3, 3}, second};  // a copy and a collapsed one
    mesh.vertices.emplace_back(0, shapes::kNaN, 0);
    mesh.tets = {{0, 1, 3, 2}, {0, 1, 16, 5}, {0, 1, 2, 4}};  // flat, not finite, sound
    mesh.vertex_groups = {{"seam", {1, 3, 5, 7, 8, 10, 12, 14, 16}}};
    mesh.element_groups = {{"both", {0, 3, 6}}, {"rest", {1, 2, 4, 5}}};
    mesh.materials = {{"both", Material{2e6, 0.3, 900}}};
    const auto [repaired, report] = repair(mesh);
    EXPECT_EQ(report.welded_vertices, 4u);
    EXPECT_EQ(report.removed_vertices, 1u);
    EXPECT_EQ(report.duplicate, 1u);
    EXPECT_EQ(report.degenerate, 3u);
    EXPECT_EQ(repaired.vertices.size(), 12u);
    ASSERT_EQ(repaired.tets.size(), 1u);
    ASSERT_EQ(repaired.bricks.size(), 2u);
    EXPECT_EQ(repaired.vertex_groups[0].ids, (std::vector<int>{1, 3, 5, 7}));
    EXPECT_EQ(repaired.element_groups[0].ids, (std::vector<int>{1, 2}));  // tet 0 went, both bricks stayed
    EXPECT_EQ(repaired.element_groups[1].ids, (std::vector<int>{0}));
    EXPECT_EQ(repaired.materials.size(), 1u);
    EXPECT_EQ(check(repaired).components, 1);
    expect_nothing_to_do(repaired);
}

TEST(RepairVolume, TakesAnythingWithoutHarm) {
    EXPECT_EQ(repair(VolumeMesh{}).mesh.element_count(), 0u);
    VolumeMesh mesh = shapes::tets(1, 1, 1);
    mesh.tets.push_back({0, 1, 2, 99});
    mesh.tets.push_back({-1, 1, 2, 3});
    EXPECT_EQ(repair(mesh).report.degenerate, 2u);
    for (Vertex& v : mesh.vertices)
        v = {1e300, 0, shapes::kNaN};
    EXPECT_TRUE(repair(mesh).mesh.vertices.empty());
}

}  // namespace
}  // namespace limber::build
