// SPDX-License-Identifier: Apache-2.0
// The range of a setting.
#pragma once
#include <limits>
#include <string>

namespace limber {

// What a number may be. Always finite.
struct FieldRange {
    double least = -std::numeric_limits<double>::max(), most = std::numeric_limits<double>::max();
    bool above = false, below = false;  // above `least`, below `most`: the end itself is excluded

    // False for what is not a number.
    bool contains(double x) const {
        return (above ? x > least : x >= least) && (below ? x < most : x <= most);
    }
    bool has_least() const { return least > -std::numeric_limits<double>::max(); }
    bool has_most() const { return most < std::numeric_limits<double>::max(); }
    // "above 0", "0 or more", "from 1e-09 to 1e+09", "between -1 and 0.5, both excluded", "finite".
    std::string text() const;
};

inline constexpr FieldRange kPositive{.least = 0, .above = true};
inline constexpr FieldRange kNotNegative{.least = 0};
// Of material constants: beyond, there is no material, and energies might overflow.
inline constexpr FieldRange kMaterialConstant{.least = 1e-20, .most = 1e20};
// Of factors on material constants.
inline constexpr FieldRange kScale{.least = 1e-9, .most = 1e9};

}  // namespace limber
