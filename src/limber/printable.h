// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace limber {

// A token made safe to print: at most 40 characters, others than printable ASCII as '?'.
inline std::string printable(std::string_view token) {
    std::string out;
    for (const char c : token.substr(0, 40))
        out += (c >= 32 && c < 127) ? c : '?';
    if (token.size() > 40) out += "...";
    return out;
}

}  // namespace limber
