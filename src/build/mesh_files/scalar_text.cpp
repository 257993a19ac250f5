// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/scalar_text.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <string>

namespace limber::build {

ScalarArray scan_scalars(TextScanner& text, ScalarType type, std::size_t count, std::string_view what) {
    // The shortest number and what separates it from the next take two bytes.
    if (count > text.bytes_left() / 2 + 1)
        text.fail(
            fmt::format("{} numbers are announced, but only {} bytes are left", count, text.bytes_left()),
            "a count is wrong or the file is truncated");
    std::string bytes;
    bytes.reserve(8 * count);
    const auto append = [&bytes](auto number) {
        const auto raw = std::bit_cast<std::array<char, 8>>(number);
        bytes.append(raw.data(), raw.size());
    };
    const bool whole = is_integer(type);
    for (std::size_t i = 0; i < count; ++i) {
        if (whole)
            append(text.integer(what));
        else
            append(text.number(what));
    }
    return {whole ? ScalarType::Int64 : ScalarType::Float64, std::move(bytes), std::endian::native};
}

}  // namespace limber::build
