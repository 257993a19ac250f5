// SPDX-License-Identifier: Apache-2.0
#include "build/file/xml_text.h"

namespace limber::build {

std::string xml_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += static_cast<unsigned char>(c) < 32 ? '_' : c;
    }
    return out;
}

}  // namespace limber::build
