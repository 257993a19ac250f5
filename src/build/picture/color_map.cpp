// SPDX-License-Identifier: Apache-2.0
#include "build/picture/color_map.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber::build {

Eigen::Vector3d map_color(double t) {
    // sRGB at t = 0, 0.1 ... 1.
    static const std::array<Eigen::Vector3d, 11> kViridis = {{{0.267, 0.005, 0.329},
                                                              {0.283, 0.141, 0.458},
                                                              {0.254, 0.265, 0.530},
                                                              {0.207, 0.372, 0.553},
                                                              {0.164, 0.471, 0.558},
                                                              {0.128, 0.567, 0.551},
                                                              {0.135, 0.659, 0.518},
                                                              {0.267, 0.749, 0.441},
                                                              {0.478, 0.821, 0.318},
                                                              {0.741, 0.873, 0.150},
                                                              {0.993, 0.906, 0.144}}};
    const double place = std::clamp(t, 0.0, 1.0) * (kViridis.size() - 1);
    const auto left = std::min(static_cast<std::size_t>(place), kViridis.size() - 2);
    const double part = place - static_cast<double>(left);
    const Eigen::Vector3d srgb = (1 - part) * kViridis[left] + part * kViridis[left + 1];
    return srgb.unaryExpr([](double c) { return linear_from_srgb(c); });
}

// IEC 61966-2-1.
double linear_from_srgb(double srgb) {
    return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4);
}

double srgb_from_linear(double linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

}  // namespace limber::build
