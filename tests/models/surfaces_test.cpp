// SPDX-License-Identifier: Apache-2.0
// The surfaces against the tables of Barbič & James 2005, Figure 3, and Choi & Ko 2005, Table I, and against
// what their descriptions promise.
#include "build/mesh/voxelize.h"
#include "models/models.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

namespace limber::models {
namespace {

struct Claim {
    std::string name;
    double triangles, elements;  // of the paper
    Eigen::Vector3d size;        // m, of the description; checked to 3%
};

void PrintTo(const Claim& claim, std::ostream* out) {
    *out << claim.name;
}

class Surfaces : public testing::TestWithParam<Claim> {
 protected:
    build::SurfaceMesh mesh = std::get<build::SurfaceMesh>(make(GetParam().name));
};

INSTANTIATE_TEST_SUITE_P(Models, Surfaces,
                         testing::Values(Claim{"spoon", 6638, 2005, {0.2, 0.0425, 0.0335}},
                                         Claim{"bridge", 59630, 5854, {256, 22, 59.2}},
                                         Claim{"tower", 105788, 11304, {127, 127, 300}},
                                         Claim{"heart", 23616, 14444, {0.087, 0.075, 0.173}},
                                         Claim{"dinosaur", 56192, 5484, {0.475, 0.102, 0.245}}),
                         [](const auto& claim) { return claim.param.name; });

TEST_P(Surfaces, HasAboutTheTrianglesOfThePaper) {
    EXPECT_NEAR(static_cast<double>(mesh.triangles.size()), GetParam().triangles,
                0.15 * GetParam().triangles);
}

TEST_P(Surfaces, GivesAboutTheElementsOfThePaperAtItsResolutionInOnePart) {
    const build::Voxelized body = build::voxelize(
        mesh, {.resolution = find(GetParam().name).resolution, .fill = build::VoxelFill::Full});
    EXPECT_NEAR(static_cast<double>(body.mesh.bricks.size()), GetParam().elements,
                0.25 * GetParam().elements);
    EXPECT_EQ(body.report.components, 1);
}

TEST_P(Surfaces, HasTheSizeThatItsDescriptionGives) {
    Eigen::AlignedBox3d box;
    for (const auto& v : mesh.vertices) {
        ASSERT_TRUE(v.allFinite());
        box.extend(v);
    }
    for (Eigen::Index axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(box.sizes()[axis], GetParam().size[axis], 0.03 * GetParam().size[axis]) << axis;
}

TEST_P(Surfaces, EveryEdgeHasTwoTrianglesThatRunAlongItInOppositeDirections) {
    using Edge = std::array<int, 2>;
    std::vector<Edge> edges, reversed;
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            ASSERT_GE(t[k], 0);
            ASSERT_LT(static_cast<std::size_t>(t[k]), mesh.vertices.size());
            edges.push_back({t[k], t[(k + 1) % 3]});
            reversed.push_back({t[(k + 1) % 3], t[k]});
        }
    std::sort(edges.begin(), edges.end());
    std::sort(reversed.begin(), reversed.end());
    EXPECT_TRUE(std::adjacent_find(edges.begin(), edges.end()) == edges.end());  // no direction twice
    EXPECT_TRUE(edges == reversed);                                              // each has its opposite
}

TEST_P(Surfaces, TrianglesFaceOutward) {
    double volume = 0;
    for (const auto& t : mesh.triangles) {
        const auto at = [&](std::size_t k) { return mesh.vertices[static_cast<std::size_t>(t[k])]; };
        volume += at(0).dot(at(1).cross(at(2))) / 6;
    }
    EXPECT_GT(volume, 0);
}

TEST_P(Surfaces, EveryVertexIsUsedAndGroupsHoldEachTriangleAtMostOnce) {
    std::vector<bool> used(mesh.vertices.size(), false);
    for (const auto& t : mesh.triangles)
        for (const int v : t)
            used[static_cast<std::size_t>(v)] = true;
    EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);
    std::vector<int> grouped(mesh.triangles.size(), 0);
    for (const auto& group : mesh.triangle_groups) {
        EXPECT_FALSE(group.ids.empty()) << group.name;
        EXPECT_TRUE(std::is_sorted(group.ids.begin(), group.ids.end())) << group.name;
        for (const int t : group.ids)
            ++grouped.at(static_cast<std::size_t>(t));
    }
    EXPECT_LE(*std::max_element(grouped.begin(), grouped.end()), 1);
}

TEST_P(Surfaces, IsMadeTheSameEveryTime) {
    const auto again = std::get<build::SurfaceMesh>(make(GetParam().name));
    EXPECT_EQ(mesh.vertices, again.vertices);
    EXPECT_EQ(mesh.triangles, again.triangles);
}

TEST(Spoon, IsSymmetricAndLiesAlongX) {
    const build::SurfaceMesh mesh = spoon();
    Eigen::AlignedBox3d box;
    for (const auto& v : mesh.vertices)
        box.extend(v);
    EXPECT_EQ(box.min().x(), 0);
    EXPECT_EQ(box.max().x(), 0.2);
    EXPECT_NEAR(box.min().y(), -box.max().y(), 1e-15);  // rounding
    // The bowl, at the far end, is wider than the handle and dips below it.
    double bowl = 0, handle = 0;
    for (const auto& v : mesh.vertices) {
        if (v.x() > 0.14) bowl = std::max(bowl, v.y());
        if (v.x() < 0.12) handle = std::max(handle, v.y());
    }
    EXPECT_GT(bowl, 2 * handle);
}

TEST(Dinosaur, StandsOnFourFeetOfWhichNoneIsJoinedToAnother) {
    // The parts of the surface below 1 cm, by vertices that triangles connect.
    const build::SurfaceMesh mesh = dinosaur();
    std::vector<int> part(mesh.vertices.size());
    std::iota(part.begin(), part.end(), 0);
    const auto low = [&](int v) { return mesh.vertices[static_cast<std::size_t>(v)].z() < 0.01; };
    const auto root = [&](int v) {
        while (part[static_cast<std::size_t>(v)] != v)
            v = part[static_cast<std::size_t>(v)];
        return v;
    };
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k)
            if (low(t[k]) && low(t[(k + 1) % 3]))
                part[static_cast<std::size_t>(root(t[k]))] = root(t[(k + 1) % 3]);
    std::set<int> feet;
    for (int v = 0; v < static_cast<int>(mesh.vertices.size()); ++v)
        if (low(v)) feet.insert(root(v));
    EXPECT_EQ(feet.size(), 4U);
}

TEST(Heart, IsHollow) {
    const build::SurfaceMesh mesh = heart();
    // A ball of the ventricles' size alone has more cubes at this resolution than the whole hollow heart has
    // inside: the flood comes in through the vessels.
    const build::Voxelized body = build::voxelize(mesh, {.resolution = 80});
    EXPECT_LT(body.report.inside_cubes, body.report.surface_cubes / 20);
}

}  // namespace
}  // namespace limber::models
