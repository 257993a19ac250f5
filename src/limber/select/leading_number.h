// SPDX-License-Identifier: Apache-2.0
// Decimal numbers at the beginning of a text, read alike on every platform: the WebAssembly library has no
// std::from_chars for doubles.
#pragma once
#include <cstddef>
#include <string_view>

namespace limber {

struct LeadingNumber {
    double value = 0;
    std::size_t length = 0;     // characters that belong to it; 0: the text does not begin with a number
    bool out_of_range = false;  // too large or too small for a double
};

// ["-"] digits ["." digits] ["e" ["+" | "-"] digits]; digits may be missing on one side of the point.
LeadingNumber leading_number(std::string_view text);

}  // namespace limber
