// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/embed.h"

#include "build/mesh/voxelize.h"
#include "shapes.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <limits>
#include <numeric>

namespace limber::build {
namespace {

// Every interior vertex shaken, so that no brick is a box and no face is plane.
VolumeMesh shaken(VolumeMesh mesh, double amount) {
    shapes::Random random(7);
    for (Vertex& v : mesh.vertices)
        v += amount * random.vertex();
    return mesh;
}

std::vector<Vertex> points_about(const Vertex& middle, double reach, int count) {
    shapes::Random random(3);
    std::vector<Vertex> points;
    for (int i = 0; i < count; ++i)
        points.push_back(middle + reach * random.vertex());
    return points;
}

std::vector<VolumeMesh> samples() {
    VolumeMesh mixed = shapes::tets(3, 2, 2);
    const VolumeMesh more = shapes::bricks(2, 2, 2);
    const int offset = static_cast<int>(mixed.vertices.size());
    for (const Vertex& v : more.vertices)
        mixed.vertices.push_back(v + Vertex(0, 0, 3));
    for (Brick b : more.bricks) {
        for (int& v : b)
            v += offset;
        mixed.bricks.push_back(b);
    }
    return {shapes::bricks(3, 2, 2), shapes::tets(3, 2, 2), shaken(shapes::bricks(3, 2, 2), 0.15),
            shaken(shapes::tets(3, 2, 2), 0.15), mixed};
}

TEST(Embed, WeightsSumToOneInsideAndOutside) {
    for (const VolumeMesh& mesh : samples())
        for (const auto& anchor : embed(mesh, points_about({1.5, 1, 1}, 4, 500)).anchors) {
            const double sum = std::accumulate(anchor.weights.begin(), anchor.weights.end(), 0.0);
            EXPECT_NEAR(sum, 1, 1e-12);  // eight weights of up to about ten
        }
}

TEST(Embed, ReproducesAnyAffineMotionInsideAndOutside) {
    const std::vector<Vertex> points = points_about({1.5, 1, 1}, 4, 500);
    Eigen::Matrix3d A;
    A << 0.2, -1.3, 0.4, 2.0, 0.1, -0.7, 0.3, 0.9, -0.5;
    const Eigen::Vector3d b(3, -2, 1);
    for (const VolumeMesh& mesh : samples()) {
        Eigen::VectorXd u(3 * mesh.vertices.size());
        for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
            u.segment<3>(static_cast<Eigen::Index>(3 * v)) = A * mesh.vertices[v] + b;
        const Eigen::VectorXd at_points = interpolate(embed(mesh, points), u);
        for (std::size_t i = 0; i < points.size(); ++i)
            // Rounding, and Newton's 1e-14, times weights of up to about ten and motions of up to ten.
            EXPECT_LE((at_points.segment<3>(static_cast<Eigen::Index>(3 * i)) - (A * points[i] + b)).norm(),
                      1e-11);
    }
}

TEST(Embed, ForcesComeInByTheExactTranspose) {
    shapes::Random random(11);
    for (const VolumeMesh& mesh : samples()) {
        const Embedding embedding = embed(mesh, points_about({1.5, 1, 1}, 3, 200));
        Eigen::VectorXd u(3 * mesh.vertices.size()), f(3 * 200);
        for (double& x : u)
            x = random();
        for (double& x : f)
            x = random();
        const double work_of_points = f.dot(interpolate(embedding, u));
        const double work_of_nodes = spread_forces(embedding, f).dot(u);
        EXPECT_NEAR(work_of_points, work_of_nodes, 1e-11);  // sums of 600 products of size one
    }
}

TEST(Embed, IsTrilinearInACube) {
    const VolumeMesh mesh = shapes::bricks(1, 1, 1);
    const Embedding embedding = embed(mesh, {{0.25, 0.5, 0.125}});
    // Node order 000 100 110 010 001 101 111 011; products of exact binary fractions, so no rounding.
    const double x = 0.25, y = 0.5, z = 0.125;
    const std::array<double, 8> expected{
        (1 - x) * (1 - y) * (1 - z), x * (1 - y) * (1 - z), x * y * (1 - z), (1 - x) * y * (1 - z),
        (1 - x) * (1 - y) * z,       x * (1 - y) * z,       x * y * z,       (1 - x) * y * z};
    EXPECT_EQ(embedding.anchors[0].weights, expected);
    EXPECT_EQ(embedding.anchors[0].nodes, mesh.bricks[0]);
    EXPECT_EQ(embedding.anchors[0].count, 8);
    EXPECT_EQ(embedding.anchors[0].distance, 0);
}

TEST(Embed, InvertsTheMapOfADistortedBrick) {
    const VolumeMesh mesh = shaken(shapes::bricks(1, 1, 1), 0.2);
    shapes::Random random(5);
    for (int trial = 0; trial < 200; ++trial) {
        const Eigen::Vector3d xi = 0.5 * (Eigen::Vector3d::Ones() + random.vertex());
        Vertex p = Vertex::Zero();
        std::array<double, 8> expected{};
        for (int n = 0; n < 8; ++n) {
            const int bits[8] = {0, 1, 3, 2, 4, 5, 7, 6};
            double w = 1;
            for (int axis = 0; axis < 3; ++axis)
                w *= bits[n] >> axis & 1 ? xi[axis] : 1 - xi[axis];
            expected[static_cast<std::size_t>(n)] = w;
            p += w * mesh.vertices[static_cast<std::size_t>(mesh.bricks[0][static_cast<std::size_t>(n)])];
        }
        const auto anchor = embed(mesh, {p}).anchors[0];
        EXPECT_EQ(anchor.distance, 0);
        for (std::size_t n = 0; n < 8; ++n)
            EXPECT_NEAR(anchor.weights[n], expected[n], 1e-12);  // Newton to rounding
    }
}

TEST(Embed, PointsOutsideTakeTheNearestElementAndSayHowFar) {
    const VolumeMesh mesh = shapes::bricks(3, 1, 1);
    const Embedding embedding = embed(mesh, {{4, 0.5, 0.5}, {-2, -1, 0.5}, {1.5, 0.5, 3}, {0.2, 0.2, 0.2}});
    EXPECT_EQ(embedding.anchors[0].element, 2);
    EXPECT_DOUBLE_EQ(embedding.anchors[0].distance, 1);
    EXPECT_EQ(embedding.anchors[1].element, 0);
    EXPECT_DOUBLE_EQ(embedding.anchors[1].distance, std::sqrt(5.0));
    EXPECT_EQ(embedding.anchors[2].element, 1);
    EXPECT_DOUBLE_EQ(embedding.anchors[2].distance, 2);
    EXPECT_EQ(embedding.anchors[3].distance, 0);
}

TEST(Embed, NearestElementAgreesWithASearchThroughAllOfThem) {
    const VolumeMesh mesh = shapes::tets(3, 2, 2);
    const std::vector<Vertex> points = points_about({1.5, 1, 1}, 3, 300);
    const Embedding embedding = embed(mesh, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
            VolumeMesh one = mesh;
            one.tets = {mesh.tets[e]};
            least = std::min(least, embed(one, {points[i]}).anchors[0].distance);
        }
        EXPECT_NEAR(embedding.anchors[i].distance, least, 1e-15);
        // The body is the box [0,3] x [0,2] x [0,2], so the distance is known as well.
        const Vertex nearest = points[i].cwiseMax(Vertex::Zero()).cwiseMin(Vertex(3, 2, 2));
        EXPECT_NEAR(embedding.anchors[i].distance, (points[i] - nearest).norm(), 1e-12);
    }
}

TEST(Embed, TiesGoToTheLowestElement) {
    // Vertex (1,1,1) belongs to all eight cubes, and (1, 0.5, -1) lies under the seam of two.
    const Embedding embedding = embed(shapes::bricks(2, 2, 2), {{1, 1, 1}, {1, 0.5, -1}});
    EXPECT_EQ(embedding.anchors[0].element, 0);
    EXPECT_EQ(embedding.anchors[1].element, 0);
}

TEST(Embed, FarWeightsGrowOnlyLinearly) {
    const Embedding embedding = embed(shapes::bricks(1, 1, 1), {{100, 100, 100}, {200, 200, 200}});
    const auto largest = [&](std::size_t i) {
        double w = 0;
        for (const double x : embedding.anchors[i].weights)
            w = std::max(w, std::abs(x));
        return w;
    };
    // The weights of a point at distance d are at most 1 + 3 d / h.
    EXPECT_LE(largest(0), 300);
    EXPECT_LE(largest(1), 600);
}

TEST(Embed, ASurfaceLiesInItsOwnVoxels) {
    const SurfaceMesh surface = shapes::sphere({0.3, -0.2, 0.7}, 1.3, 4);
    const Embedding embedding = embed(voxelize(surface, {.resolution = 20}).mesh, surface.vertices);
    for (const auto& anchor : embedding.anchors)
        EXPECT_EQ(anchor.distance, 0);
}

TEST(Embed, FlatElementsCarryNothing) {
    VolumeMesh mesh = shapes::tets(1, 1, 1);
    mesh.tets.insert(mesh.tets.begin(), Tet{0, 1, 2, 3});  // four corners of one face
    EXPECT_NE(embed(mesh, {{0.5, 0.5, 0}}).anchors[0].element, 0);
    mesh.tets.resize(1);
    EXPECT_THROW(embed(mesh, {{0.5, 0.5, 0}}), InputError);
}

TEST(Embed, RefusesBadInput) {
    EXPECT_THROW(embed({}, {{0, 0, 0}}), InputError);
    EXPECT_NO_THROW(embed({}, {}));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(embed(shapes::bricks(1, 1, 1), {{0, nan, 0}}), InputError);
    EXPECT_THROW(embed(shapes::bricks(1, 1, 1), {{0, 1e300, 0}}), InputError);
    VolumeMesh broken = shapes::bricks(1, 1, 1);
    broken.vertices[3][1] = nan;
    EXPECT_THROW(embed(broken, {{0, 0, 0}}), InputError);
}

}  // namespace
}  // namespace limber::build
