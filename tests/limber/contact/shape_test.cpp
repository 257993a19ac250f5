// SPDX-License-Identifier: Apache-2.0
#include "tests/limber/contact/surfaces.h"

#include <limber/contact/shape.h>
#include <limber/contact/shape_gap.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace limber::test {
namespace {

using Eigen::Vector3d;

// Points all over the surfaces, and whether a point is inside: written out from what the shapes are.
struct Described {
    Shape shape;
    std::vector<Vector3d> points;
    bool (*inside)(const Vector3d&);
    double spacing;
};
std::vector<Described> described() {
    std::vector<Described> out;
    constexpr double pi = std::numbers::pi;
    constexpr int n = 200;
    Described sphere{SphereShape{0.3}, {}, [](const Vector3d& x) { return x.norm() < 0.3; }, 0.01};
    Described capsule{
        CapsuleShape{0.2, 0.5},
        {},
        [](const Vector3d& x) { return (x - Vector3d(0, 0, std::clamp(x.z(), -0.25, 0.25))).norm() < 0.2; },
        0.01};
    Described box{BoxShape{{0.4, 0.6, 0.2}},
                  {},
                  [](const Vector3d& x) {
                      return std::abs(x[0]) < 0.2 && std::abs(x[1]) < 0.3 && std::abs(x[2]) < 0.1;
                  },
                  0.01};
    Described cylinder{
        CylinderShape{0.25, 0.4},
        {},
        [](const Vector3d& x) { return std::hypot(x[0], x[1]) < 0.25 && std::abs(x[2]) < 0.2; },
        0.01};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= n; ++j) {
            const double a = 2 * pi * i / n, b = pi * (double(j) / n - 0.5);
            const Vector3d s(std::cos(b) * std::cos(a), std::cos(b) * std::sin(a), std::sin(b));
            sphere.points.push_back(0.3 * s);
            capsule.points.push_back(0.2 * s + Vector3d(0, 0, s.z() < 0 ? -0.25 : 0.25));
            capsule.points.push_back({0.2 * std::cos(a), 0.2 * std::sin(a), 0.5 * j / n - 0.25});
            cylinder.points.push_back({0.25 * std::cos(a), 0.25 * std::sin(a), 0.4 * j / n - 0.2});
            for (const double z : {-0.2, 0.2})
                cylinder.points.push_back({0.25 * j / n * std::cos(a), 0.25 * j / n * std::sin(a), z});
            const double u = double(i) / (n - 1) - 0.5, v = double(j) / n - 0.5;
            for (const double side : {-0.5, 0.5}) {
                box.points.push_back({0.4 * u, 0.6 * v, 0.2 * side});
                box.points.push_back({0.4 * u, 0.6 * side, 0.2 * v});
                box.points.push_back({0.4 * side, 0.6 * u, 0.2 * v});
            }
        }
    for (Described& d : {std::ref(sphere), std::ref(capsule), std::ref(box), std::ref(cylinder)})
        out.push_back(d);
    return out;
}

TEST(Shape, DistancesEqualThoseToPointsAllOverTheSurface) {
    std::mt19937 engine(1);
    std::uniform_real_distribution<double> uniform(-0.6, 0.6);
    for (const Described& d : described())
        for (int i = 0; i < 150; ++i) {
            const Vector3d x(uniform(engine), uniform(engine), uniform(engine));
            double nearest = 1e9;
            for (const Vector3d& p : d.points)
                nearest = std::min(nearest, (p - x).norm());
            const double found = signed_distance(d.shape, x).distance;
            // Points lie at most `spacing` from each other: the nearest one is that much too far at most.
            EXPECT_LE(std::abs(found), nearest + 1e-12);
            EXPECT_GE(std::abs(found), nearest - d.spacing);
            if (std::abs(found) > 0.02) {
                EXPECT_NEAR(std::abs(found), nearest, 0.003);
            }
            EXPECT_EQ(found < 0, d.inside(x));
        }
    EXPECT_EQ(signed_distance(PlaneShape{}, {3, 4, -0.25}).distance, -0.25);
}

TEST(Shape, GradientsAreFiniteDifferencesOfTheDistance) {
    std::mt19937 engine(2);
    std::uniform_real_distribution<double> uniform(-0.6, 0.6);
    constexpr double h = 1e-6;
    for (const Described& d : described()) {
        int checked = 0;
        for (int i = 0; i < 500; ++i) {
            const Vector3d x(uniform(engine), uniform(engine), uniform(engine));
            const SignedDistance at = signed_distance(d.shape, x);
            EXPECT_NEAR(at.gradient.norm(), 1, 1e-14);
            Vector3d differences, backwards;
            for (int c = 0; c < 3; ++c) {
                differences[c] =
                    (signed_distance(d.shape, x + h * Vector3d::Unit(c)).distance - at.distance) / h;
                backwards[c] =
                    (at.distance - signed_distance(d.shape, x - h * Vector3d::Unit(c)).distance) / h;
            }
            if ((differences - backwards).norm() > 1e-3) continue;  // two points are equally near
            ++checked;
            EXPECT_LT((at.gradient - (differences + backwards) / 2).norm(), 1e-6);
        }
        EXPECT_GT(checked, 450);
    }
}

TEST(Shape, BoundsHoldAllPoints) {
    for (const Described& d : described())
        for (const Vector3d& p : d.points) {
            EXPECT_LE(bounds(d.shape).squaredExteriorDistance(p), 1e-24);
            EXPECT_NEAR(signed_distance(d.shape, p).distance, 0, 1e-12);
        }
}

TEST(Shape, BadSizesAreRefused) {
    const double inf = std::numeric_limits<double>::infinity(),
                 nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(shape_problem(PlaneShape{}));
    for (const double bad : {0.0, -1.0, inf, nan, 1e-12, 1e30}) {
        EXPECT_TRUE(shape_problem(SphereShape{bad}));
        EXPECT_TRUE(shape_problem(CapsuleShape{bad, 1}));
        EXPECT_TRUE(shape_problem(CapsuleShape{1, bad}));
        EXPECT_TRUE(shape_problem(CylinderShape{bad, 1}));
        EXPECT_TRUE(shape_problem(CylinderShape{1, bad}));
        for (int c = 0; c < 3; ++c) {
            Vector3d size = Vector3d::Ones();
            size[c] = bad;
            EXPECT_TRUE(shape_problem(BoxShape{size}));
        }
    }
    EXPECT_TRUE(shape_problem(MeshShape{}));
    EXPECT_EQ(shape_problem(SphereShape{0}, "obstacle floor")->where, "obstacle floor");
}

TEST(DistanceField, IsWithinItsErrorAndMuchNearerOnAverage) {
    const ModelSurface mesh = box_surface({0.4, 0.6, 0.2}, 3);
    const auto field = make_distance_field(mesh.vertices, mesh.triangles).value();
    const Shape box = BoxShape{{0.4, 0.6, 0.2}}, shape = MeshShape{field};
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> uniform(-0.45, 0.45);
    double worst = 0, sum = 0;
    int count = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vector3d x(uniform(engine), uniform(engine), uniform(engine));
        const double exact = signed_distance(box, x).distance, found = signed_distance(shape, x).distance;
        if (exact > field->cell()) {
            EXPECT_LE(found, exact + field->error());  // beyond the grid a lower bound
            EXPECT_GE(found, 0);
            continue;
        }
        worst = std::max(worst, std::abs(found - exact));
        sum += std::abs(found - exact);
        ++count;
    }
    EXPECT_LE(worst, field->error());
    EXPECT_LE(sum / count, 0.05 * field->cell());
    EXPECT_LE(field->cell(), 0.6 / 64 * (1 + 1e-12));
}

TEST(DistanceField, OfABallIsThatOfTheBall) {
    const ModelSurface mesh = ball_surface(0.5, 20);
    const auto field = make_distance_field(mesh.vertices, mesh.triangles, {.cells = 32}).value();
    std::mt19937 engine(4);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 2000; ++i) {
        const Vector3d x = Vector3d(normal(engine), normal(engine), normal(engine)).normalized() * 0.5;
        Vector3d gradient;
        // The sagitta over half a diagonal of 4.5°, R θ²/2 = 7.7e-4 m, and h²/8 (2/R) = 4.9e-4 m within a
        // cell.
        EXPECT_NEAR(field->distance(x, gradient), 0, 1.3e-3);
        EXPECT_GT(gradient.dot(x.normalized()), 0.99);
    }
    // Far outside a lower bound, short by no more than the grid goes beyond the mesh.                (17)
    EXPECT_LE(field->distance({0, 0, 3}), 2.5);
    EXPECT_GE(field->distance({0, 0, 3}), 2.5 - 2 * field->cell());
}

TEST(DistanceField, RefusesWhatHasNoInside) {
    const ModelSurface box = box_surface({1, 1, 1}, 2);
    auto triangles = box.triangles;
    triangles.pop_back();
    const auto open = make_distance_field(box.vertices, triangles, {}, "cup.obj");
    ASSERT_FALSE(open.ok());
    EXPECT_EQ(open.error().where, "cup.obj");
    EXPECT_NE(open.error().problem.find("3 edges"), std::string::npos) << open.error().problem;
    triangles = box.triangles;
    std::swap(triangles[0][0], triangles[0][1]);
    EXPECT_FALSE(make_distance_field(box.vertices, triangles).ok());
    triangles = box.triangles;
    for (auto& t : triangles)
        std::swap(t[0], t[1]);
    EXPECT_NE(make_distance_field(box.vertices, triangles).error().problem.find("-1 m^3"), std::string::npos);
    triangles = box.triangles;
    triangles[3][1] = 1000;
    EXPECT_FALSE(make_distance_field(box.vertices, triangles).ok());
    EXPECT_FALSE(make_distance_field({}, {}).ok());
    auto vertices = box.vertices;
    vertices[0].x() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(make_distance_field(vertices, box.triangles).ok());
    const ModelSurface thin = box_surface({1, 1, 1e-4}, 2);
    EXPECT_NE(make_distance_field(thin.vertices, thin.triangles).error().problem.find("thin"),
              std::string::npos);
    EXPECT_FALSE(make_distance_field(box.vertices, box.triangles, {.cells = 0}).ok());
}

// Seams split vertices: a soup of triangles is closed too.
TEST(DistanceField, TakesVerticesInOnePlaceAsOne) {
    const ModelSurface box = box_surface({1, 1, 1}, 2);
    std::vector<Vector3d> vertices;
    std::vector<std::array<std::int32_t, 3>> triangles;
    for (const auto& t : box.triangles) {
        const auto first = static_cast<std::int32_t>(vertices.size());
        for (const std::int32_t v : t)
            vertices.push_back(box.vertices[std::size_t(v)]);
        triangles.push_back({first, first + 1, first + 2});
    }
    EXPECT_TRUE(make_distance_field(vertices, triangles, {.cells = 8}).ok());
}

TEST(DeepestPoint, IsNoShallowerThanAnyOtherPointOfTheTriangle) {
    std::mt19937 engine(5);
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    for (const Described& d : described())
        for (int i = 0; i < 60; ++i) {
            std::array<Vector3d, 3> corners;
            for (Vector3d& x : corners)
                x = {uniform(engine), uniform(engine), uniform(engine)};
            const DeepestPoint deepest = deepest_point(d.shape, corners);
            EXPECT_NEAR(deepest.weights.sum(), 1, 1e-12);
            EXPECT_GE(deepest.weights.minCoeff(), -1e-12);
            double least = 1e9;
            for (int a = 0; a <= 60; ++a)
                for (int b = 0; a + b <= 60; ++b)
                    least = std::min(
                        least,
                        signed_distance(d.shape,
                                        (a * corners[0] + b * corners[1] + (60 - a - b) * corners[2]) / 60.0)
                            .distance);
            EXPECT_LE(deepest.distance, least + 1e-6);
            EXPECT_GE(deepest.distance, least - 0.02);  // the lattice is that coarse
        }
}

}  // namespace
}  // namespace limber::test
