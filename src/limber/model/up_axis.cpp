// SPDX-License-Identifier: Apache-2.0
#include <limber/model/up_axis.h>

#include <array>
#include <cmath>

namespace limber {

namespace {

// In the order of UpAxis.
constexpr std::array<const char*, 6> kUpTexts = {"x", "y", "z", "-x", "-y", "-z"};

}  // namespace

std::optional<UpAxis> parse_up(std::string_view text) {
    for (std::size_t i = 0; i < kUpTexts.size(); ++i)
        if (text == kUpTexts[i]) return static_cast<UpAxis>(i);
    return std::nullopt;
}

const char* up_text(UpAxis up) {
    return kUpTexts[static_cast<std::size_t>(up)];
}

Eigen::Vector3d up_vector(UpAxis up) {
    const auto i = static_cast<Eigen::Index>(up);
    return (i < 3 ? 1 : -1) * Eigen::Vector3d::Unit(i % 3);
}

Eigen::Quaterniond gltf_from_model(UpAxis up) {
    const double half = std::sqrt(0.5);  // sine and cosine of half a right angle
    switch (up) {
        case UpAxis::X:
            return {half, 0, 0, half};
        case UpAxis::MinusX:
            return {half, 0, 0, -half};
        case UpAxis::Y:
            return {1, 0, 0, 0};
        case UpAxis::MinusY:
            return {0, 1, 0, 0};
        case UpAxis::Z:
            return {half, -half, 0, 0};
        case UpAxis::MinusZ:
            return {half, half, 0, 0};
    }
    return {1, 0, 0, 0};
}

}  // namespace limber
