// SPDX-License-Identifier: Apache-2.0
#include "studio/log_line.h"

#include <fmt/format.h>

namespace limber::studio {

std::string log_text(std::string_view text, std::size_t longest) {
    std::string out;
    for (const char c : text) {
        if (out.size() >= longest) return out + "...";
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f)
            out += c;
        else
            out += fmt::format("\\x{:02x}", byte);
    }
    return out;
}

}  // namespace limber::studio
