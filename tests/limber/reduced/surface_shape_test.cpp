// SPDX-License-Identifier: Apache-2.0
#include <limber/reduced/surface_shape.h>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>
#include <limits>
#include <random>

namespace limber::test {
namespace {

using Eigen::Vector3d;

// More triangles than are computed side by side, one of them without an area, and a vertex of a seam.
ModelSurface random_surface(int rank) {
    std::mt19937 engine(5);
    std::normal_distribution<double> number;
    ModelSurface out;
    constexpr int kVertices = 41;
    for (int v = 0; v < kVertices; ++v) {
        out.vertices.emplace_back(number(engine), number(engine), number(engine));
        out.input_vertex.push_back(v);
    }
    out.input_vertex[7] = 3;
    out.vertices[7] = out.vertices[3];
    for (int t = 0; t < 53; ++t) {
        const auto a = std::int32_t(engine() % kVertices);
        out.triangles.push_back({a, (a + 1 + std::int32_t(engine() % 19)) % kVertices,
                                 (a + 20 + std::int32_t(engine() % 19)) % kVertices});
    }
    out.triangles.push_back({3, 3, 9});
    out.basis = Eigen::MatrixXd::NullaryExpr(3 * kVertices, rank, [&] { return number(engine); });
    return out;
}

double angle(const Vector3d& a, const Vector3d& b) {
    return std::atan2(a.cross(b).norm(), a.dot(b));
}

TEST(SurfaceShape, NormalsAreThoseOfTheTrianglesWeightedByTheirAngles) {
    const ModelSurface surface = random_surface(0);
    const std::size_t count = surface.vertices.size();
    Eigen::VectorXf u(3 * Eigen::Index(count)), n;
    std::mt19937 engine(6);
    std::normal_distribution<float> number(0, 0.1f);
    for (float& x : u)
        x = number(engine);
    u.segment<3>(21) = u.segment<3>(9);
    SurfaceShape(surface).normals(u, n);
    std::vector<Vector3d> expected(count, Vector3d::Zero());
    const auto at = [&](std::int32_t v) -> Vector3d {
        return surface.vertices[std::size_t(v)] + u.segment<3>(3 * v).cast<double>();
    };
    for (const auto& t : surface.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vector3d a = at(t[k]), ab = at(t[(k + 1) % 3]) - a, ac = at(t[(k + 2) % 3]) - a;
            const Vector3d normal = ab.cross(ac);
            if (normal.norm() > 0) expected[std::size_t(t[k])] += angle(ab, ac) * normal.normalized();
        }
    expected[3] += expected[7];
    expected[7] = expected[3];
    for (std::size_t v = 0; v < count; ++v) {
        const Vector3d own = expected[v].norm() > 0 ? Vector3d(expected[v].normalized()) : Vector3d::UnitZ();
        // Floats; an angle near 0 or π has lost half of its digits.
        const double rounding = 1e-5 / std::max(0.1, expected[v].norm());
        EXPECT_LE((n.segment<3>(3 * Eigen::Index(v)).cast<double>() - own).norm(), rounding) << v;
    }
}

TEST(SurfaceShape, TrianglesWithoutNumbersSpoilOnlyTheirOwnVertices) {
    const ModelSurface surface = random_surface(0);
    Eigen::VectorXf u = Eigen::VectorXf::Zero(3 * Eigen::Index(surface.vertices.size())), n, sound;
    const SurfaceShape shape(surface);
    shape.normals(u, sound);
    u[0] = std::numeric_limits<float>::quiet_NaN();
    u[3] = std::numeric_limits<float>::infinity();
    shape.normals(u, n);
    EXPECT_TRUE(n.allFinite());
    std::vector<char> near(surface.vertices.size(), 0);
    for (const auto& t : surface.triangles)
        for (const std::int32_t v : t)
            if (v < 2)
                for (const std::int32_t other : t)
                    near[std::size_t(other)] = 1;
    near[3] = near[7] = near[3] | near[7];
    for (std::size_t v = 0; v < near.size(); ++v) {
        EXPECT_NEAR(n.segment<3>(3 * Eigen::Index(v)).norm(), 1, 1e-6);
        if (!near[v]) {
            EXPECT_EQ(n.segment<3>(3 * Eigen::Index(v)), sound.segment<3>(3 * Eigen::Index(v))) << v;
        }
    }
}

TEST(SurfaceShape, DisplacementsAreUqOfTheChosenVectors) {
    const ModelSurface surface = random_surface(5);
    const SurfaceShape shape(surface);
    const Eigen::VectorXf q = (Eigen::VectorXf(5) << 0.3f, -1, 0.5f, 2, 0.1f).finished();
    const Eigen::VectorXd expected = surface.basis * q.cast<double>();
    Eigen::VectorXf u(expected.size());
    shape.displacement(q, u);
    EXPECT_LE((u.cast<double>() - expected).norm(), 1e-6 * expected.norm());
    shape.displacement({1, 3}, (Eigen::VectorXf(2) << q[1], q[3]).finished(), u);
    const Eigen::VectorXd two = surface.basis.col(1) * q[1] + surface.basis.col(3) * q[3];
    EXPECT_LE((u.cast<double>() - two).norm(), 1e-6 * two.norm());
}

}  // namespace
}  // namespace limber::test
