// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/polygon.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

namespace limber::build::polygon_test {
namespace {

using Polygon = std::vector<Vertex>;

std::vector<Triangle> cut(const Polygon& polygon) {
    std::vector<int> corners(polygon.size());
    std::iota(corners.begin(), corners.end(), 0);
    std::vector<Triangle> out;
    PolygonCutter().cut(polygon, corners, out);
    return out;
}

double signed_area(const Polygon& p, const Triangle& t) {  // in the xy plane
    return 0.5 * (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).z();
}

double shoelace(const Polygon& p) {
    double twice = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Vertex &a = p[i], &b = p[(i + 1) % p.size()];
        twice += a.x() * b.y() - b.x() * a.y();
    }
    return twice / 2;
}

// n - 2 triangles that all turn left and together have the polygon's area can neither overlap nor stick out.
void expect_tiled(const Polygon& polygon) {
    const auto triangles = cut(polygon);
    ASSERT_EQ(triangles.size(), polygon.size() - 2);
    double sum = 0;
    for (const Triangle& t : triangles) {
        EXPECT_GT(signed_area(polygon, t), 0);
        sum += signed_area(polygon, t);
    }
    EXPECT_NEAR(sum, shoelace(polygon),
                1e-12 * std::abs(shoelace(polygon)));  // rounding of a few hundred terms
}

Polygon comb(int teeth) {
    Polygon p{{0, 0, 0}, {2.0 * teeth, 0, 0}};
    for (int i = teeth; i-- > 0;) {
        p.push_back({2.0 * i + 1.5, 5, 0});
        p.push_back({2.0 * i + 0.5, 1, 0});
    }
    return p;
}

// A corridor that winds round the origin: most convex corners are blocked.
Polygon spiral(int n) {
    Polygon p;
    const auto at = [](double angle, double shift) {
        const double r = 1 + 0.2 * angle + shift;
        return Vertex(r * std::cos(angle), r * std::sin(angle), 0);
    };
    for (int i = 0; i < n; ++i)
        p.push_back(at(0.3 * i, 0.4));
    for (int i = n; i-- > 0;)
        p.push_back(at(0.3 * i, 0));
    return p;
}

TEST(Polygon, ConvexPolygonIsAFanFromItsFirstCorner) {
    const auto triangles = cut({{0, 0, 0}, {2, 0, 0}, {3, 1, 0}, {2, 2, 0}, {0, 2, 0}});
    EXPECT_EQ(triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}));
}

TEST(Polygon, ConcaveQuadIsCutThroughItsReflexCorner) {
    const Polygon dart{{0, 0, 0}, {2, -1, 0}, {0.5, 0, 0}, {2, 1, 0}};  // corner 2 points inwards
    const Polygon turned{dart[1], dart[2], dart[3], dart[0]};
    expect_tiled({dart[0], dart[1], dart[2], dart[3]});
    expect_tiled(turned);
}

TEST(Polygon, CombIsTiled) {
    expect_tiled(comb(40));
}

TEST(Polygon, SpiralIsTiled) {
    expect_tiled(spiral(60));
}

TEST(Polygon, RandomStarsAreTiled) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> radius(0.1, 1.0);
    for (int n = 4; n < 60; ++n) {
        Polygon p;
        for (int i = 0; i < n; ++i) {
            const double angle = 2 * std::numbers::pi * i / n, r = radius(random);
            p.push_back({r * std::cos(angle), r * std::sin(angle), 0});
        }
        expect_tiled(p);
    }
}

TEST(Polygon, StraightCornersGiveNoTriangleWithoutArea) {
    expect_tiled({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}});
    expect_tiled({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {0, 3, 0}});
}

TEST(Polygon, HoleWithABridgeIsLeftOpen) {
    // A square of side 4 with a square hole of side 2, joined by the bridge (0,0)-(1,1).
    expect_tiled({{0, 0, 0},
                  {4, 0, 0},
                  {4, 4, 0},
                  {0, 4, 0},
                  {0, 0, 0},
                  {1, 1, 0},
                  {1, 3, 0},
                  {3, 3, 0},
                  {3, 1, 0},
                  {1, 1, 0}});
}

TEST(Polygon, CutDoesNotDependOnPlaceSizeAndPlane) {
    const Polygon flat = comb(5);
    const auto expected = cut(flat);
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.7, Vertex(1, 2, 3).normalized()).toRotationMatrix();
    for (double scale : {1e-9, 1.0, 1e9}) {
        Polygon moved;
        for (const Vertex& v : flat)
            moved.push_back(scale * (turn * v + Vertex(5, -3, 2)));
        EXPECT_EQ(cut(moved), expected) << scale;
    }
}

TEST(Polygon, SlightlyBentPolygonIsCutInItsBestPlane) {
    Polygon bent = comb(5);
    for (std::size_t i = 0; i < bent.size(); ++i)
        bent[i].z() = 0.01 * (i % 3);
    EXPECT_EQ(cut(bent), cut(comb(5)));
}

TEST(Polygon, DegeneratePolygonsStillGiveEveryTriangle) {
    EXPECT_EQ(cut({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}).size(), 2u);                   // a point
    EXPECT_EQ(cut({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}}).size(), 3u);        // a line
    EXPECT_EQ(cut({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}).size(), 2u);                   // a bow tie
    EXPECT_EQ(cut({{-1e308, 0, 0}, {1e308, 0, 0}, {0, 1e308, 0}, {0, 0, 1e308}}).size(), 2u);  // overflows
}

// A hostile polygon of a million corners: a zigzag that no corner sees whole. O(n²) would take hours.
TEST(Polygon, HugePolygonEndsSoon) {
    Polygon p{{0, 0, 0}, {1e6, -1, 0}};
    for (int i = 1'000'000; i-- > 0;)
        p.push_back({static_cast<double>(i), i % 2 ? 2.0 : 1.0, 0});
    EXPECT_EQ(cut(p).size(), p.size() - 2);
}

}  // namespace
}  // namespace limber::build::polygon_test
