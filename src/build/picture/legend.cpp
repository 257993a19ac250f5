// SPDX-License-Identifier: Apache-2.0
#include "build/picture/legend.h"

#include "build/picture/color_map.h"
#include "build/picture/lettering.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace limber::build {
namespace {

constexpr int kNumbers = 5;  // beside the bar, evenly spaced, both ends among them
const Eigen::Vector3d kInk{0.20, 0.21, 0.23};

// Sizes in pixels.
struct Layout {
    double letter;  // height of capitals
    double bar_left, bar_right, bar_top, bar_bottom;
    double numbers_left, title_left, title_baseline;
    int width;  // of everything, from the right border of the image
};

// As many digits as tell the numbers apart.
std::array<std::string, kNumbers> numbers_from(double least, double largest) {
    const double range = largest - least, magnitude = std::max(std::abs(least), std::abs(largest));
    const double lost = range > 0 ? std::log10(magnitude / range) : 0;  // digits that all numbers share
    const int digits = std::clamp(3 + static_cast<int>(std::ceil(lost)), 3, 12);
    std::array<std::string, kNumbers> numbers;
    for (int k = 0; k < kNumbers; ++k) {
        double value = least + range * k / (kNumbers - 1);
        if (std::abs(value) < 1e-9 * range) value = 0;
        numbers[static_cast<std::size_t>(k)] = fmt::format("{:.{}g}", value, digits);
    }
    return numbers;
}

Layout layout_of(int width, int height, const std::string& title, double least, double largest) {
    Layout layout{};
    layout.letter = std::clamp(std::min(width, height) / 55.0, 7.0, 60.0);
    const double unit = layout.letter;
    double number_width = 0;
    for (const std::string& number : numbers_from(least, largest))
        number_width = std::max(number_width, text_width(number, unit));
    const double bar = 1.6 * unit, space = 0.9 * unit;
    const double needed = std::max(bar + space + number_width, text_width(title, unit));
    const double border = 2.2 * unit;
    layout.width = static_cast<int>(std::ceil(std::min(needed + 2 * border, width / 2.0)));
    layout.title_left = width - layout.width + border;
    layout.bar_left = layout.title_left;
    layout.bar_right = layout.bar_left + bar;
    layout.numbers_left = layout.bar_right + space;
    layout.bar_top = std::round(height * 0.26);
    layout.bar_bottom = std::round(height * 0.78);
    layout.title_baseline = layout.bar_top - 1.8 * unit;
    return layout;
}

bool fits(int width, int height) {
    return width >= 240 && height >= 160;
}

}  // namespace

int legend_width(int width, int height, const std::string& title, double least, double largest) {
    return fits(width, height) ? layout_of(width, height, title, least, largest).width : 0;
}

void draw_legend(Image& image, const std::string& title, double least, double largest) {
    if (!fits(image.width, image.height)) return;
    const Layout layout = layout_of(image.width, image.height, title, least, largest);
    const auto put = [&](int x, int y, const Eigen::Vector3d& srgb) {
        for (int k = 0; k < 3; ++k)
            image.rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                           static_cast<std::size_t>(x)) +
                      static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(std::lround(255 * srgb[k]));
    };
    const int left = static_cast<int>(layout.bar_left), right = static_cast<int>(layout.bar_right);
    const int top = static_cast<int>(layout.bar_top), bottom = static_cast<int>(layout.bar_bottom);
    for (int y = top; y < bottom; ++y) {
        // All values the same: the one colour that the surface has.
        const double t = largest > least ? (bottom - 0.5 - y) / (bottom - top) : 0.5;
        const Eigen::Vector3d color = map_color(t).unaryExpr([](double c) { return srgb_from_linear(c); });
        for (int x = left; x < right; ++x)
            put(x, y, color);
    }
    draw_text(image, layout.title_left, layout.title_baseline, layout.letter, title, kInk);
    const auto numbers = numbers_from(least, largest);
    const int thickness = std::max(1, static_cast<int>(std::lround(layout.letter / 9)));
    for (int k = 0; k < kNumbers; ++k) {
        if (largest <= least && k != kNumbers / 2) continue;
        const double y = layout.bar_bottom - (layout.bar_bottom - layout.bar_top) * k / (kNumbers - 1);
        draw_text(image, layout.numbers_left, y + layout.letter / 2, layout.letter,
                  numbers[static_cast<std::size_t>(k)], kInk);
        for (int row = 0; row < thickness; ++row)
            for (int x = right; x < right + static_cast<int>(0.5 * layout.letter); ++x)
                put(x, std::clamp(static_cast<int>(y) - thickness / 2 + row, 0, image.height - 1), kInk);
    }
}

}  // namespace limber::build
