// SPDX-License-Identifier: Apache-2.0
#include "build/picture/camera.h"

#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include <random>

namespace limber::build {
namespace {

std::vector<Eigen::Vector3d> random_points(const Eigen::Vector3d& stretch, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<Eigen::Vector3d> points;
    for (int i = 0; i < 200; ++i)
        points.push_back(
            stretch.cwiseProduct(Eigen::Vector3d(uniform(random), uniform(random), uniform(random))));
    return points;
}

TEST(Camera, HoldsAllPointsWithSixPercentFreeAndOneAxisFull) {
    const Viewport viewport{10, 20, 300, 200};
    for (const Eigen::Vector3d& stretch :
         {Eigen::Vector3d(1, 1, 1), Eigen::Vector3d(1, 0.01, 0.1), Eigen::Vector3d(0.02, 0.02, 1)})
        for (const Eigen::Vector3d& from :
             {Eigen::Vector3d(0.5, -1, 0.4), Eigen::Vector3d(-3, 1, 7), Eigen::Vector3d(0, 0, 1)}) {
            const auto points = random_points(stretch, 7);
            const Camera camera = frame_points(points, from, {0, 0, 1}, viewport);
            Eigen::Vector2d least(1e9, 1e9), most(-1e9, -1e9);
            for (const auto& p : points) {
                const Eigen::Vector3d seen = camera.project(p);
                EXPECT_GT(seen.z(), 0);  // in front of the eye
                least = least.cwiseMin(seen.head<2>());
                most = most.cwiseMax(seen.head<2>());
            }
            // A thousandth of a pixel for rounding and for the centring, which iterates.
            EXPECT_GE(least.x(), 10 + 0.06 * 300 - 1e-3);
            EXPECT_GE(least.y(), 20 + 0.06 * 200 - 1e-3);
            EXPECT_LE(most.x(), 310 - 0.06 * 300 + 1e-3);
            EXPECT_LE(most.y(), 220 - 0.06 * 200 + 1e-3);
            const double filled =
                std::max((most.x() - least.x()) / (0.88 * 300), (most.y() - least.y()) / (0.88 * 200));
            EXPECT_NEAR(filled, 1, 0.02) << "the picture is not used";
            EXPECT_NEAR((least + most).x() / 2, 160, 1);
            EXPECT_NEAR((least + most).y() / 2, 120, 1);
        }
}

TEST(Camera, AxesAreOrthonormalAndLookWhereTheyShould) {
    for (const Eigen::Vector3d& from :
         {Eigen::Vector3d(1, 2, 3), Eigen::Vector3d(0, 0, -2), Eigen::Vector3d(1e-9, 0, 1)}) {
        const Camera camera = frame_points({{0, 0, 0}, {1, 1, 1}}, from, {0, 0, 1}, {0, 0, 10, 10});
        Eigen::Matrix3d axes;
        axes << camera.right, camera.up, camera.forward;
        EXPECT_LE((axes.transpose() * axes - Eigen::Matrix3d::Identity()).norm(), 1e-12);  // rounding
        EXPECT_LE((camera.forward + from.normalized()).norm(), 1e-12);
        EXPECT_GE(camera.up.z(), -1e-12);
    }
}

TEST(Camera, RayAndProjectionAreInverse) {
    const Camera camera = frame_points(random_points({1, 1, 1}, 3), {1, -2, 0.5}, {0, 0, 1}, {0, 0, 64, 48});
    const Eigen::Vector3d seen = camera.project(camera.eye + 2.5 * camera.ray(12.25, 40.5));
    EXPECT_LE((seen - Eigen::Vector3d(12.25, 40.5, 2.5)).norm(), 1e-10);  // rounding
}

TEST(Camera, ChoosesToSeeTheLongestHorizontalSideAcross) {
    for (int axis = 0; axis < 2; ++axis) {
        Eigen::Vector3d stretch(0.3, 0.3, 0.3);
        stretch[axis] = 1;
        const Eigen::Vector3d from = choose_view(random_points(stretch, 5), {0, 0, 1});
        EXPECT_LT(std::abs(from[axis]), 0.5);  // looks across the long axis, not along it
        EXPECT_GT(from.z(), 0.1);              // and a little from above
    }
}

TEST(Camera, NoPointsAndOnePointGiveACameraWithoutNaN) {
    for (const auto& points : {std::vector<Eigen::Vector3d>{}, std::vector<Eigen::Vector3d>{{0, 0, 0}}}) {
        const Camera camera = frame_points(points, choose_view(points, {0, 0, 1}), {0, 0, 1}, {0, 0, 5, 5});
        EXPECT_TRUE(camera.eye.allFinite());
        EXPECT_TRUE(camera.project({0, 0, 0}).allFinite());
    }
}

}  // namespace
}  // namespace limber::build
