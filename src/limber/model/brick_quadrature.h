// SPDX-License-Identifier: Apache-2.0
// How the energy of a brick is integrated: docs/math/stvk.md, section 4.
#pragma once
#include <array>
#include <optional>
#include <string_view>

namespace limber {

enum class BrickQuadrature {
    Standard,   // 2x2x2 Gauss points: the textbook element
    Exact,      // 3x3x3: integrates the quartic energy exactly on boxes
    Selective,  // 2x2x2 for shear, one for λ: bends right where a body is one or two bricks thick
};

// In the order of BrickQuadrature.
inline constexpr std::array<const char*, 3> kQuadratureTexts = {"standard", "exact", "selective"};

inline const char* quadrature_text(BrickQuadrature quadrature) {
    return kQuadratureTexts[static_cast<std::size_t>(quadrature)];
}

inline std::optional<BrickQuadrature> parse_quadrature(std::string_view text) {
    for (std::size_t i = 0; i < kQuadratureTexts.size(); ++i)
        if (text == kQuadratureTexts[i]) return static_cast<BrickQuadrature>(i);
    return std::nullopt;
}

}  // namespace limber
