// SPDX-License-Identifier: Apache-2.0
#include "build/validate/report_text.h"

#include <gtest/gtest.h>

namespace limber::build {
namespace {

TEST(ReportText, APercentageNeverSaysPlusOrMinusZero) {
    EXPECT_EQ(percent_text({}), "not enough motion to tell");
    EXPECT_EQ(percent_text(0.0), "0%");
    EXPECT_EQ(percent_text(-0.0), "0%");
    EXPECT_EQ(percent_text(1e-9), "below 0.01%");
    EXPECT_EQ(percent_text(-4.9e-5), "below 0.01%");
    EXPECT_EQ(percent_text(5.1e-5), "+0.01%");
    EXPECT_EQ(percent_text(-0.0125), "-1.25%");
    EXPECT_EQ(percent_text(12.0), "+1200.00%");
}

TEST(ReportText, AModelThatIsSlowerIsNotZeroTimesFaster) {
    EXPECT_EQ(speed_text(120, 1), "120 times faster");
    EXPECT_EQ(speed_text(2.5, 1), "2.5 times faster");
    EXPECT_EQ(speed_text(9.94, 1), "9.9 times faster");
    EXPECT_EQ(speed_text(9.96, 1), "10 times faster");  // not 10.0
    EXPECT_EQ(speed_text(1, 1), "1.0 times faster");
    EXPECT_EQ(speed_text(1, 3), "3.0 times slower");
    EXPECT_EQ(speed_text(1, 0), "too short to measure");
    EXPECT_EQ(speed_text(0, 0), "too short to measure");
}

}  // namespace
}  // namespace limber::build
