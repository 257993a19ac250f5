// SPDX-License-Identifier: Apache-2.0
#include "models/models.h"

#include <limber/input_error.h>

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace limber::models {
namespace {

const std::array<int, 3> kCells{5, 3, 2};
const Eigen::Vector3d kSize{2.0, 0.6, 0.5};

double six_volumes(const build::VolumeMesh& mesh, int a, int b, int c, int d) {
    const auto at = [&](int v) { return mesh.vertices[static_cast<std::size_t>(v)]; };
    return (at(b) - at(a)).dot((at(c) - at(a)).cross(at(d) - at(a)));
}

TEST(Bar, HasTheCountsAndTheBoxThatWereAskedFor) {
    for (const BarElements elements : {BarElements::Bricks, BarElements::Tets}) {
        const build::VolumeMesh mesh = bar(kCells, kSize, elements);
        EXPECT_EQ(mesh.vertices.size(), 6U * 4 * 3);
        EXPECT_EQ(mesh.bricks.size(), elements == BarElements::Bricks ? 30U : 0U);
        EXPECT_EQ(mesh.tets.size(), elements == BarElements::Tets ? 180U : 0U);
        Eigen::AlignedBox3d box;
        for (const auto& v : mesh.vertices)
            box.extend(v);
        EXPECT_EQ(box.min(), Eigen::Vector3d::Zero());
        EXPECT_EQ(box.max(), kSize);  // i/n·size is exact at i = n
    }
}

TEST(Bar, TetrahedraArePositiveEqualAndFillTheBox) {
    const build::VolumeMesh mesh = bar(kCells, kSize, BarElements::Tets);
    const double share = kSize.prod() / 180;
    double sum = 0;
    for (const auto& t : mesh.tets) {
        const double volume = six_volumes(mesh, t[0], t[1], t[2], t[3]) / 6;
        EXPECT_NEAR(volume, share, 1e-12 * share);  // rounding
        sum += volume;
    }
    EXPECT_NEAR(sum, kSize.prod(), 1e-12);
}

TEST(Bar, BricksAreBoxesInVtkOrderWithPositiveJacobians) {
    const build::VolumeMesh mesh = bar(kCells, kSize, BarElements::Bricks);
    const Eigen::Vector3d cell = kSize.cwiseQuotient(Eigen::Vector3d(kCells[0], kCells[1], kCells[2]));
    // xyz of the corners on the unit cube, as volume_mesh.h has them.
    constexpr int kCorner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                   {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    double sum = 0;
    for (const auto& b : mesh.bricks) {
        const Eigen::Vector3d& origin = mesh.vertices[static_cast<std::size_t>(b[0])];
        for (std::size_t k = 0; k < 8; ++k) {
            const Eigen::Vector3d expected =
                origin + cell.cwiseProduct(Eigen::Vector3d(kCorner[k][0], kCorner[k][1], kCorner[k][2]));
            EXPECT_LE((mesh.vertices[static_cast<std::size_t>(b[k])] - expected).norm(), 1e-14);  // rounding
        }
        const double jacobian = six_volumes(mesh, b[0], b[1], b[3], b[4]);  // of the parallelepiped
        EXPECT_GT(jacobian, 0);
        sum += jacobian;
    }
    EXPECT_NEAR(sum, kSize.prod(), 1e-12);
}

TEST(Bar, NeighbouringTetrahedraShareWholeFaces) {
    const build::VolumeMesh mesh = bar(kCells, kSize, BarElements::Tets);
    std::map<std::array<int, 3>, int> uses;
    for (const auto& t : mesh.tets)
        for (std::size_t left_out = 0; left_out < 4; ++left_out) {
            std::array<int, 3> face{};
            for (std::size_t k = 0, n = 0; k < 4; ++k)
                if (k != left_out) face[n++] = t[k];
            std::sort(face.begin(), face.end());
            ++uses[face];
        }
    std::size_t skin = 0;
    for (const auto& [face, count] : uses) {
        ASSERT_LE(count, 2);
        if (count == 2) continue;
        ++skin;
        // A face of one tetrahedron lies in one of the six sides of the box.
        bool on_side = false;
        for (Eigen::Index axis = 0; axis < 3; ++axis)
            for (const double level : {0.0, kSize[axis]})
                on_side |= std::all_of(face.begin(), face.end(), [&](int v) {
                    return mesh.vertices[static_cast<std::size_t>(v)][axis] == level;
                });
        EXPECT_TRUE(on_side);
    }
    EXPECT_EQ(skin, 2U * 2 * (5 * 3 + 3 * 2 + 2 * 5));  // two triangles to each square of the skin
}

TEST(Bar, OneCellIsEnough) {
    EXPECT_EQ(bar({1, 1, 1}, {1, 1, 1}, BarElements::Tets).tets.size(), 6U);
    EXPECT_EQ(bar({1, 1, 1}, {1, 1, 1}, BarElements::Bricks).bricks.size(), 1U);
}

TEST(Bar, CellsAndSizesThatMakeNoBarAreRefused) {
    const int most = std::numeric_limits<int>::max();
    for (const std::array<int, 3>& cells :
         {std::array{0, 1, 1}, std::array{1, -3, 1}, std::array{1, 1, std::numeric_limits<int>::min()},
          std::array{most, most, most}, std::array{1, 1, most}, std::array{300, 300, 300}})
        EXPECT_THROW(bar(cells, kSize, BarElements::Bricks), InputError)
            << cells[0] << " " << cells[1] << " " << cells[2];
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();
    for (const double length : {0.0, -1.0, nan, infinity})
        for (Eigen::Index axis = 0; axis < 3; ++axis) {
            Eigen::Vector3d size = kSize;
            size[axis] = length;
            EXPECT_THROW(bar(kCells, size, BarElements::Tets), InputError) << length;
        }
}

TEST(Bar, ARefusalNamesTheNumberAndTheOption) {
    try {
        bar({4, 0, 2}, kSize, BarElements::Bricks);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(error.where.find("--cells"), std::string::npos);
        EXPECT_NE(error.problem.find("4 x 0 x 2"), std::string::npos);
        EXPECT_FALSE(error.try_this.empty());
    }
}

}  // namespace
}  // namespace limber::models
