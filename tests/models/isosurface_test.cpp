// SPDX-License-Identifier: Apache-2.0
#include "models/isosurface.h"

#include <gtest/gtest.h>
#include <cmath>
#include <map>
#include <numbers>

namespace limber::models {
namespace {

const Eigen::AlignedBox3d kBox(Eigen::Vector3d(-1.5, -1.5, -1.5), Eigen::Vector3d(1.5, 1.5, 1.5));

double enclosed_volume(const build::SurfaceMesh& mesh) {
    double volume = 0;
    for (const auto& t : mesh.triangles) {
        const auto at = [&](std::size_t k) { return mesh.vertices[static_cast<std::size_t>(t[k])]; };
        volume += at(0).dot(at(1).cross(at(2))) / 6;
    }
    return volume;
}

// How many directed edges lack their opposite or occur more than once.
int open_edges(const build::SurfaceMesh& mesh) {
    std::map<std::pair<int, int>, int> count;
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k)
            ++count[{t[k], t[(k + 1) % 3]}];
    int open = 0;
    for (const auto& [edge, uses] : count) {
        const auto opposite = count.find({edge.second, edge.first});
        open += uses != 1 || opposite == count.end();
    }
    return open;
}

TEST(Isosurface, OfADistanceToABallIsTheSphere) {
    const Field ball = [](const Eigen::Vector3d& p) { return p.norm() - 1; };
    const build::SurfaceMesh mesh = isosurface(ball, kBox, 0.13);
    for (const auto& v : mesh.vertices)
        EXPECT_NEAR(v.norm(), 1, 1e-4);  // Newton ends there
    EXPECT_EQ(open_edges(mesh), 0);
    EXPECT_EQ(static_cast<int>(mesh.vertices.size()) - static_cast<int>(mesh.triangles.size()) / 2,
              2);  // Euler
    // Chords cut off a volume of the order h^2: (0.13)^2 / 2 of it at most.
    const double sphere = 4 * std::numbers::pi / 3;
    EXPECT_LT(enclosed_volume(mesh), sphere);
    EXPECT_GT(enclosed_volume(mesh), sphere * (1 - 0.13 * 0.13));
}

TEST(Isosurface, HasNoEdgeWithFourTrianglesWhereSheetsNearlyTouch) {
    // Two balls, a gap of a fraction of a cell between them, along a diagonal of the grid: ambiguous cells.
    for (const double gap : {-0.06, -0.02, 0.0, 0.02, 0.06, 0.1}) {
        const Eigen::Vector3d half = Eigen::Vector3d(1, 1, 0.3).normalized() * (0.5 + gap / 2);
        const Field balls = [&](const Eigen::Vector3d& p) {
            return std::min((p - half).norm(), (p + half).norm()) - 0.5;
        };
        EXPECT_EQ(open_edges(isosurface(balls, kBox, 0.11)), 0) << gap;
    }
}

TEST(Isosurface, TheGradientOfALinearFieldIsExact) {
    const Field plane = [](const Eigen::Vector3d& p) { return 2 * p.x() - 3 * p.y() + 0.5 * p.z() + 1; };
    EXPECT_LE((slope(plane, {0.3, 0.2, 0.1}, 0.01).gradient - Eigen::Vector3d(2, -3, 0.5)).norm(),
              1e-12);  // rounding
}

}  // namespace
}  // namespace limber::models
