// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>

namespace limber::test {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace limber::test
