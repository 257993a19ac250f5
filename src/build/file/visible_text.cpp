// SPDX-License-Identifier: Apache-2.0
#include "build/file/visible_text.h"

#include <fmt/format.h>

#include <cstdint>

namespace limber::build {
namespace {

struct Character {
    std::size_t bytes = 0;  // 0: not UTF-8
    std::uint32_t code = 0;
};

// The first character (RFC 3629): shortest form only, no surrogates, at most U+10FFFF.
Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
    };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return {1, lead};
    const std::size_t bytes = lead >= 0xf0 && lead <= 0xf4  ? 4
                              : lead >= 0xe0 && lead < 0xf0 ? 3
                              : lead >= 0xc2 && lead < 0xe0 ? 2
                                                            : 0;
    if (bytes == 0 || text.size() < bytes) return {};
    std::uint32_t code = lead & (0x7fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3f);
    }
    const bool too_long = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (too_long || surrogate || code > 0x10ffff) return {};
    return {bytes, code};
}

bool is_control(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

// Marks of direction, and the two that end a line.
bool reorders(std::uint32_t code) {
    return code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

std::string shown(std::string_view text, bool keep_line_ends) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Character c = first_character(text);
        const std::size_t bytes = c.bytes == 0 ? 1 : c.bytes;
        if (c.bytes == 0)
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
        else if (c.code == '\n' && keep_line_ends)
            out += '\n';
        else if (is_control(c.code) || reorders(c.code))
            out += c.code < 0x80 ? fmt::format("\\x{:02x}", c.code) : fmt::format("\\u{:04x}", c.code);
        else
            out += text.substr(0, bytes);
        text.remove_prefix(bytes);
    }
    return out;
}

}  // namespace

std::string visible_text(std::string_view text) {
    return shown(text, false);
}

std::string visible_lines(std::string_view text) {
    return shown(text, true);
}

std::size_t visible_bytes(std::string_view text) {
    const Character c = first_character(text);
    return is_control(c.code) || reorders(c.code) ? 0 : c.bytes;
}

}  // namespace limber::build
