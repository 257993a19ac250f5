// SPDX-License-Identifier: Apache-2.0
#include "build/validate/svg_plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

namespace limber::test {
namespace {

using namespace build;

std::size_t count(const std::string& text, const std::string& piece) {
    std::size_t found = 0;
    for (auto at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1))
        ++found;
    return found;
}

TEST(SvgPlot, HasALineForEachAndItsLabels) {
    const std::string svg = svg_plot({{"a<b", "#123456", {0, 1, 2}, {0, 1, 4}}, {"c", "red", {0, 1}, {1, 2}}},
                                     {.x_label = "time (s)", .y_label = "u (m)"});
    EXPECT_EQ(count(svg, "<polyline"), 2u);
    EXPECT_NE(svg.find("a&lt;b"), std::string::npos);
    EXPECT_NE(svg.find("time (s)"), std::string::npos);
    EXPECT_TRUE(svg.starts_with("<svg"));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST(SvgPlot, LeavesOutWhatCannotBeDrawn) {
    const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
    for (const bool log_y : {false, true}) {
        const std::string svg =
            svg_plot({{"x", "red", {0, 1, nan, 3}, {nan, inf, 1, -1}}, {"none", "red", {}, {}}},
                     {.x_label = "", .y_label = "", .log_y = log_y});
        EXPECT_EQ(svg.find("nan"), std::string::npos);
        EXPECT_EQ(svg.find("inf"), std::string::npos);
    }
}

TEST(SvgPlot, AConstantLineStaysInsideTheFrame) {
    const std::string svg = svg_plot({{"x", "red", {0, 1}, {5, 5}}}, {.x_label = "", .y_label = ""});
    double x = 0, y = 0, width = 0, height = 0;
    ASSERT_EQ(std::sscanf(svg.c_str() + svg.find("<rect"),
                          "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &x, &y, &width, &height),
              4);
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    ASSERT_EQ(std::sscanf(svg.c_str() + svg.find("points="), "points=\"%lf,%lf %lf,%lf", &x0, &y0, &x1, &y1),
              4);
    // From edge to edge at mid height, to the tenth of a pixel that is written.
    EXPECT_NEAR(x0, x, 0.1);
    EXPECT_NEAR(x1, x + width, 0.1);
    EXPECT_NEAR(y0, y + height / 2, 0.1);
    EXPECT_EQ(y0, y1);
}

// An energy that hardly changes: 1.00001, 1.00002 ... are not all 1.
TEST(SvgPlot, NoTwoTicksHaveTheSameLabel) {
    const std::pair<double, double> ranges[] = {
        {1, 1.0001}, {1000, 1000.3}, {0, 1}, {-3e-7, 2e-7}, {123456, 123460}, {-1e6, 1e6}, {5.5, 5.50001}};
    for (const auto& [least, most] : ranges) {
        const std::string svg =
            svg_plot({{"", "red", {least, most}, {least, most}}}, {.x_label = "", .y_label = ""});
        for (const std::string anchor : {"middle\">", "end\">"}) {
            std::set<std::string> labels;
            int ticks = 0;
            for (auto at = svg.find(anchor); at != std::string::npos; at = svg.find(anchor, at + 1)) {
                const auto begin = at + anchor.size(), end = svg.find('<', begin);
                if (end == begin) continue;  // the empty label of the axis
                ++ticks;
                labels.insert(svg.substr(begin, end - begin));
            }
            EXPECT_GE(ticks, 3) << least;
            EXPECT_EQ(static_cast<int>(labels.size()), ticks) << least << " to " << most;
        }
    }
}

}  // namespace
}  // namespace limber::test
