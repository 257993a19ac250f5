// SPDX-License-Identifier: Apache-2.0
#include "build/picture/color_map.h"

#include <gtest/gtest.h>
#include <limits>

namespace limber::build {
namespace {

// Relative luminance of linear sRGB (Rec. 709).
double luminance(const Eigen::Vector3d& rgb) {
    return rgb.dot(Eigen::Vector3d(0.2126, 0.7152, 0.0722));
}

TEST(ColorMap, GetsLighterAllTheWay) {
    for (int i = 0; i < 200; ++i)
        EXPECT_LT(luminance(map_color(i / 200.0)), luminance(map_color((i + 1) / 200.0))) << i;
}

TEST(ColorMap, GetsLighterAllTheWayToEyesWithoutRedOrGreenCones) {
    // What dichromats see, in linear RGB (Viénot, Brettel, Mollon 1999): protanopia, deuteranopia.
    Eigen::Matrix3d protan, deutan;
    protan << 0.11238, 0.88762, 0, 0.11238, 0.88762, 0, 0.00401, -0.00401, 1;
    deutan << 0.29275, 0.70725, 0, 0.29275, 0.70725, 0, -0.02234, 0.02234, 1;
    for (const auto& eye : {protan, deutan})
        for (int i = 0; i < 100; ++i)
            EXPECT_LT(luminance(eye * map_color(i / 100.0)), luminance(eye * map_color((i + 1) / 100.0)))
                << i;
}

TEST(ColorMap, StaysInRangeAndTakesAnyNumber) {
    for (const double t : {-1e300, -1.0, 0.0, 0.37, 1.0, 2.0, 1e300}) {
        EXPECT_GE(map_color(t).minCoeff(), 0);
        EXPECT_LE(map_color(t).maxCoeff(), 1);
    }
    EXPECT_EQ(map_color(-3), map_color(0));
    EXPECT_EQ(map_color(3), map_color(1));
}

TEST(ColorMap, SrgbAndLinearAreInverse) {
    for (int i = 0; i <= 255; ++i)
        EXPECT_NEAR(srgb_from_linear(linear_from_srgb(i / 255.0)), i / 255.0,
                    1e-7);                              // the standard's own constants
    EXPECT_NEAR(linear_from_srgb(0.5), 0.21404, 1e-5);  // IEC 61966-2-1, five digits
}

}  // namespace
}  // namespace limber::build
