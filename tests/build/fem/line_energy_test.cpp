// SPDX-License-Identifier: Apache-2.0
#include "build/fem/line_energy.h"

#include <gtest/gtest.h>

namespace limber::build {
namespace {

// slope(s) = (s - 1/4)(s - 2)(s - 3): minima of the energy at 1/4 and 3, a maximum at 2.
double slope(double s) {
    return (s - 0.25) * (s - 2) * (s - 3);
}
LineEnergy two_valleys() {
    return LineEnergy(slope(0), 0.25 * 2 + 0.25 * 3 + 2 * 3, slope(0.5),
                      slope(1));  // slope'(0) = sum of pairs
}

TEST(LineEnergy, FourNumbersGiveTheWholeLine) {
    const LineEnergy line = two_valleys();
    for (const double s : {-1.0, 0.3, 1.7, 4.0})
        EXPECT_NEAR(line.slope(s), slope(s), 1e-13);  // rounding
    // The integral of (s - 1/4)(s - 2)(s - 3) = s^3 - 5.25 s^2 + 7.25 s - 1.5.
    EXPECT_NEAR(line.change(2), 4 - 5.25 * 8 / 3 + 7.25 * 2 - 3, 1e-13);
}

TEST(LineEnergy, TheFirstMinimumIsTheNearestDownhill) {
    EXPECT_NEAR(two_valleys().first_minimum(10), 0.25, 1e-12);  // bisection to rounding
    EXPECT_EQ(two_valleys().first_minimum(0.1), 0.1);           // not beyond the limit
}

TEST(LineEnergy, QuadraticsAndLinesWork) {
    EXPECT_NEAR(LineEnergy(-2, 4, 0, 2).first_minimum(10), 0.5, 1e-12);  // slope -2 + 4 s
    EXPECT_EQ(LineEnergy(-1, 0, -1, -1).first_minimum(10), 10);          // downhill for ever
}

}  // namespace
}  // namespace limber::build
