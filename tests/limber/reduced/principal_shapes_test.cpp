// SPDX-License-Identifier: Apache-2.0
// Motions of known rank, and the tolerance that is promised.
#include "limber/reduced/principal_shapes.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>
#include <random>

namespace limber::test {
namespace {

using Eigen::Vector3d;

TEST(PrincipalShapes, AsManyAsTheMotionHas) {
    // Three shapes in any mixture: three are found, and nothing is lost.
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    Eigen::MatrixXd shapes(30, 3), weights(3, 50);
    for (Eigen::Index i = 0; i < shapes.size(); ++i)
        shapes.data()[i] = normal(random);
    for (Eigen::Index i = 0; i < weights.size(); ++i)
        weights.data()[i] = normal(random);
    const auto found = principal_shapes(
        [&](Eigen::Index f) { return Eigen::VectorXd(shapes * weights.col(f)); }, 50, 1e-9, 100);
    EXPECT_EQ(found.shapes.cols(), 3);
    EXPECT_LE(found.error, 1e-12);
    EXPECT_LE((found.shapes.transpose() * found.shapes - Eigen::Matrix3d::Identity()).norm(), 1e-12);
    for (Eigen::Index i = 1; i < 3; ++i)
        EXPECT_LE(found.weights.row(i).norm(), found.weights.row(i - 1).norm());
}

TEST(PrincipalShapes, TheToleranceIsKeptAndTheErrorTold) {
    // Points on circles: infinitely many would be needed for all radii; some suffice to 1%.
    const auto field = [](Eigen::Index f) {
        Eigen::VectorXd u(60);
        for (int v = 0; v < 20; ++v)
            u.segment<3>(3 * v) = Vector3d(std::cos(0.1 * v * f) - 1, std::sin(0.1 * v * f), 0);
        return u;
    };
    const auto fine = principal_shapes(field, 200, 0.01, 1000),
               coarse = principal_shapes(field, 200, 0.01, 5);
    EXPECT_LE(fine.error, 0.01);
    EXPECT_EQ(coarse.shapes.cols(), 5);
    EXPECT_GT(coarse.error, 0.01);
    const auto still = principal_shapes(
        [](Eigen::Index) { return Eigen::VectorXd(Eigen::VectorXd::Zero(30)); }, 4, 1e-3, 10);
    EXPECT_EQ(still.shapes.cols(), 0);
}

// The shapes are the left singular vectors of the matrix of all frames, the weights' norms its singular
// values.
TEST(PrincipalShapes, TheyAreTheSingularVectorsOfTheMotion) {
    const Eigen::MatrixXd motion = [] {
        std::mt19937 random(3);
        std::normal_distribution<double> normal;
        Eigen::MatrixXd out(24, 40);
        for (double& x : out.reshaped())
            x = normal(random);
        for (Eigen::Index i = 0; i < out.rows(); ++i)
            out.row(i) *= std::pow(0.7, double(i));  // singular values well apart
        return out;
    }();
    const auto found =
        principal_shapes([&](Eigen::Index f) { return Eigen::VectorXd(motion.col(f)); }, 40, 1e-12, 24);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(motion, Eigen::ComputeThinU);
    ASSERT_EQ(found.shapes.cols(), 24);
    for (Eigen::Index k = 0; k < 6; ++k) {
        EXPECT_NEAR(found.weights.row(k).norm(), svd.singularValues()[k], 1e-12 * svd.singularValues()[0]);
        // Vectors to the rounding of squared singular values, over their distance.
        EXPECT_NEAR(std::abs(found.shapes.col(k).dot(svd.matrixU().col(k))), 1, 1e-10);
    }
    EXPECT_EQ(principal_shapes([](Eigen::Index) { return Eigen::VectorXd(); }, 0, 1e-3, 10).shapes.size(), 0);
}

}  // namespace
}  // namespace limber::test
