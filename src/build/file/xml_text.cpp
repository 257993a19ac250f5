// SPDX-License-Identifier: Apache-2.0
#include "build/file/xml_text.h"

#include "build/file/visible_text.h"

namespace limber::build {

std::string xml_text(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t bytes = visible_bytes(text);
        if (bytes == 0)
            out += '_';
        else if (text[0] == '&')
            out += "&amp;";
        else if (text[0] == '<')
            out += "&lt;";
        else if (text[0] == '>')
            out += "&gt;";
        else if (text[0] == '"')
            out += "&quot;";
        else
            out += text.substr(0, bytes);
        text.remove_prefix(bytes == 0 ? 1 : bytes);
    }
    return out;
}

}  // namespace limber::build
