// SPDX-License-Identifier: Apache-2.0
#include "build/validate/svg_plot.h"

#include "build/file/xml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber::build {
namespace {

constexpr double kLeft = 78, kRight = 16, kTop = 28, kBottom = 44;  // px round the plot
constexpr std::size_t kMostPoints = 4000;

struct Axis {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    void extend(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    void make_drawable() {
        if (!(least <= most)) least = most = 0;
        if (most - least <= 1e-12 * std::max(std::abs(most), std::abs(least)) || most == least) {
            const double half = most == 0 ? 1 : 0.5 * std::abs(most);
            least -= half;
            most += half;
        }
    }
    // 1, 2 or 5 times a power of ten, so that there are four to nine of them.
    double tick() const {
        const double raw = (most - least) / 6, power = std::pow(10, std::floor(std::log10(raw)));
        for (const double step : {1.0, 2.0, 5.0})
            if (raw <= step * power) return step * power;
        return 10 * power;
    }
};

// As many digits as tell it apart from its neighbours.
std::string tick_text(double value, double tick) {
    if (std::abs(value) < 1e-9 * tick) return "0";
    const double digits = 1 + std::floor(std::log10(std::abs(value))) - std::floor(std::log10(tick));
    return fmt::format("{:.{}g}", value, static_cast<int>(std::clamp(digits, 4.0, 12.0)));
}

}  // namespace

std::string svg_plot(const std::vector<PlotLine>& lines, const PlotOptions& options) {
    const auto to_y = [&](double y) { return options.log_y ? std::log10(y) : y; };
    const auto drawable = [&](double x, double y) { return std::isfinite(x) && std::isfinite(to_y(y)); };
    Axis x, y;
    for (const PlotLine& line : lines)
        for (std::size_t i = 0; i < line.x.size(); ++i)
            if (drawable(line.x[i], line.y[i])) {
                x.extend(line.x[i]);
                y.extend(to_y(line.y[i]));
            }
    x.make_drawable();
    y.make_drawable();
    const double width = options.width - kLeft - kRight, height = options.height - kTop - kBottom;
    const auto px = [&](double v) { return kLeft + width * (v - x.least) / (x.most - x.least); };
    const auto py = [&](double v) { return kTop + height * (1 - (v - y.least) / (y.most - y.least)); };

    std::string svg = fmt::format(
        "<svg viewBox=\"0 0 {} {}\" width=\"{}\" xmlns=\"http://www.w3.org/2000/svg\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n",
        options.width, options.height, options.width);
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#888\"/>\n",
                       kLeft, kTop, width, height);
    for (double v = std::ceil(x.least / x.tick()) * x.tick(); v <= x.most + 1e-9 * x.tick(); v += x.tick())
        svg += fmt::format(
            "<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" stroke=\"#ddd\"/>"
            "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\n",
            px(v), kTop, kTop + height, kTop + height + 16, tick_text(v, x.tick()));
    for (double v = std::ceil(y.least / y.tick()) * y.tick(); v <= y.most + 1e-9 * y.tick(); v += y.tick()) {
        svg += fmt::format(
            "<line x1=\"{1}\" y1=\"{0:.1f}\" x2=\"{2}\" y2=\"{0:.1f}\" stroke=\"#ddd\"/>"
            "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
            py(v), kLeft, kLeft + width, kLeft - 6, py(v) + 4,
            options.log_y ? fmt::format("{:.3g}", std::pow(10, v)) : tick_text(v, y.tick()));
    }
    for (const PlotLine& line : lines) {
        const std::size_t stride = line.x.size() / kMostPoints + 1;
        svg += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{} points=\"",
                           line.color, line.dashed ? " stroke-dasharray=\"6 4\"" : "");
        for (std::size_t i = 0; i < line.x.size(); i += stride)
            if (drawable(line.x[i], line.y[i]))
                svg += fmt::format("{:.1f},{:.1f} ", px(line.x[i]), py(to_y(line.y[i])));
        svg += "\"/>\n";
    }
    double legend = kLeft;
    for (const PlotLine& line : lines) {
        if (line.name.empty()) continue;
        svg += fmt::format(
            "<line x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\" stroke=\"{3}\" stroke-width=\"2\"{4}/>"
            "<text x=\"{5}\" y=\"{6}\">{7}</text>\n",
            legend, kTop - 12, legend + 24, line.color, line.dashed ? " stroke-dasharray=\"6 4\"" : "",
            legend + 30, kTop - 8, xml_text(line.name));
        legend += 50 + 7.2 * static_cast<double>(line.name.size());
    }
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", kLeft + width / 2,
                       options.height - 8, xml_text(options.x_label));
    svg += fmt::format(
        "<text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n</svg>\n",
        kTop + height / 2, xml_text(options.y_label));
    return svg;
}

}  // namespace limber::build
