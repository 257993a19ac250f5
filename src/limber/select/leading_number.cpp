// SPDX-License-Identifier: Apache-2.0
#include "limber/select/leading_number.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace limber {
namespace {

std::size_t digits_from(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9')
        ++end;
    return end - at;
}

}  // namespace

LeadingNumber leading_number(std::string_view text) {
    LeadingNumber out;
    std::size_t at = text.starts_with('-') ? 1 : 0;
    const std::size_t mantissa = at, whole = digits_from(text, at);
    std::size_t decimals = 0;
    at += whole;
    if (at < text.size() && text[at] == '.') {
        decimals = digits_from(text, at + 1);
        if (whole + decimals > 0) at += 1 + decimals;
    }
    if (whole + decimals == 0) return out;
    const bool is_zero =
        text.substr(mantissa, at - mantissa).find_first_not_of("0.") == std::string_view::npos;
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        const bool has_sign = at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-');
        const std::size_t first = at + (has_sign ? 2 : 1), exponent = digits_from(text, first);
        if (exponent > 0) at = first + exponent;
    }
    out.length = at;
#if defined(__cpp_lib_to_chars)
    out.out_of_range = std::from_chars(text.data(), text.data() + at, out.value).ec != std::errc{};
#else
    out.value =
        std::strtod(std::string(text.substr(0, at)).c_str(), nullptr);  // knows only the C locale here
#endif
    out.out_of_range = out.out_of_range || !std::isfinite(out.value) || (out.value == 0 && !is_zero);
    return out;
}

}  // namespace limber
