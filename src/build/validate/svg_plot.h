// SPDX-License-Identifier: Apache-2.0
// A line plot as SVG text, to stand in a page.
#pragma once
#include <string>
#include <vector>

namespace limber::build {

struct PlotLine {
    std::string name, color;  // CSS colour
    std::vector<double> x, y;
    bool dashed = false;
};

struct PlotOptions {
    std::string x_label{}, y_label{};  // with units
    bool log_y = false;                // values that are not positive are left out
    int width = 860, height = 300;
};

// Points that are not finite are left out. At most a few thousand points of each line are drawn.
std::string svg_plot(const std::vector<PlotLine>& lines, const PlotOptions& options);

}  // namespace limber::build
