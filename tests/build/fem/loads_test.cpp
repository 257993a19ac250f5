// SPDX-License-Identifier: Apache-2.0
#include "build/fem/assemble.h"

#include "sample_meshes.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>

#include <limits>

namespace limber::build {
namespace {

class Loads : public testing::Test {
 protected:
    VolumeMesh mesh = box_mesh({1, 1, 1}, {1, 1, 1}, Cells::Bricks);
    FemModel model{mesh, two_materials(mesh), {0}};
};

TEST_F(Loads, ATotalForceIsSharedEqually) {
    const Eigen::VectorXd f = shared_force(model, {1, 4, 6, 7}, {8, -4, 2});
    Eigen::VectorXd expected = Eigen::VectorXd::Zero(24);
    for (const int v : {1, 4, 6, 7})
        expected.segment<3>(3 * v) = Eigen::Vector3d(2, -1, 0.5);
    EXPECT_EQ(f, expected);
}

TEST_F(Loads, FixedVerticesTakeTheirShareIntoTheSupport) {
    const Eigen::VectorXd f = shared_force(model, {0, 1}, {8, 0, 0});
    EXPECT_EQ(f[0], 4);
    EXPECT_EQ(model.restrict_to_free(f).sum(), 4);
}

TEST_F(Loads, RefusesNoVerticesUnknownOnesAndForcesThatAreNotFinite) {
    EXPECT_THROW(shared_force(model, {}, {1, 0, 0}), InputError);
    EXPECT_THROW(shared_force(model, {8}, {1, 0, 0}), InputError);
    EXPECT_THROW(shared_force(model, {-1}, {1, 0, 0}), InputError);
    for (const double x : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        EXPECT_THROW(shared_force(model, {1}, {0, x, 0}), InputError);
}

}  // namespace
}  // namespace limber::build
