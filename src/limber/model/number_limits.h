// SPDX-License-Identifier: Apache-2.0
// How large the numbers of a model may be, in SI units.
#pragma once

namespace limber {

// Of every number: products of a few of them are finite. A body of a nanometre has coefficients of 1e60.
inline constexpr double kLargestNumber = 1e100;
// Of coordinates and of modes, which are shown as 32-bit floats: a thousand times that is a float too.
inline constexpr double kLargestShown = 1e30;

}  // namespace limber
