// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace limber {

// A name out of a file as messages show it: at most 60 bytes of UTF-8, control characters as '?'.
inline std::string shown_name(const std::string& name) {
    std::size_t size = name.size();
    if (size > 60)
        for (size = 60; size > 0 && (static_cast<unsigned char>(name[size]) & 0xc0) == 0x80;)
            --size;
    std::string out = name.substr(0, size);
    for (char& c : out)
        if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
    return size < name.size() ? out + "..." : out;
}

}  // namespace limber
