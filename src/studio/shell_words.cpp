// SPDX-License-Identifier: Apache-2.0
#include "studio/shell_words.h"

namespace limber::studio {

std::string shell_word(std::string_view word) {
    constexpr std::string_view harmless =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+%@";
    if (!word.empty() && word.find_first_not_of(harmless) == std::string_view::npos) return std::string(word);
    std::string out = "'";
    for (const char c : word)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + '\'';
}

std::string shell_words(std::span<const std::string> words) {
    std::string out;
    for (const std::string& word : words)
        out += (out.empty() ? "" : " ") + shell_word(word);
    return out;
}

}  // namespace limber::studio
