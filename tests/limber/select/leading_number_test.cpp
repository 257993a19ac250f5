// SPDX-License-Identifier: Apache-2.0
// Numbers against the C library's strtod.
#include "limber/select/leading_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

namespace limber::test {
namespace {

TEST(LeadingNumber, TheLongestNumberIsTakenAndNothingElse) {
    struct Case {
        const char* text;
        std::size_t length;
        double value;
    };
    for (const Case& c : {Case{"1.2.3", 3, 1.2},
                          {"5.e-2x", 5, 0.05},
                          {".05", 3, 0.05},
                          {"1e", 1, 1},
                          {"1e+", 1, 1},
                          {"2E3,", 3, 2000},
                          {"-7", 2, -7},
                          {"0x10", 1, 0},
                          {"-0", 2, 0},
                          {"0e999", 5, 0}}) {
        const LeadingNumber found = leading_number(c.text);
        EXPECT_EQ(found.length, c.length) << c.text;
        EXPECT_EQ(found.value, c.value) << c.text;
        EXPECT_FALSE(found.out_of_range) << c.text;
    }
    for (const char* text : {"", ".", "-", "-.", "+1", "e5", "nan", "inf", " 1", "x"})
        EXPECT_EQ(leading_number(text).length, 0u) << text;
    for (const char* text : {"1e999", "-1e999", "1e-999"})
        EXPECT_TRUE(leading_number(text).out_of_range) << text;
}

TEST(LeadingNumber, RandomTextsAreReadAsStrtodReadsThem) {
    std::mt19937 random(1);
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (unsigned length = random() % 12; length > 0; --length)
            text += "0123456789.e-"[random() % 13];
        const LeadingNumber found = leading_number(text);
        char* end = nullptr;
        const double expected = std::strtod(text.c_str(), &end);
        ASSERT_EQ(found.length, static_cast<std::size_t>(end - text.c_str())) << text;
        ASSERT_TRUE(found.out_of_range || found.value == expected) << text;
        ASSERT_TRUE(found.out_of_range || std::isfinite(expected)) << text;
    }
}

}  // namespace
}  // namespace limber::test
