// SPDX-License-Identifier: Apache-2.0
// Words of an enum, as files, Python, JavaScript and messages spell them: one table beside each enum.
#pragma once
#include <optional>
#include <string_view>
#include <utility>

namespace limber {

template <class Enum>
using WordValue = std::pair<const char*, Enum>;

// Specialised beside each enum: kAll, an array of WordValue<Enum>.
template <class Enum>
struct EnumWords;

template <class Enum>
constexpr auto word_of(Enum value) -> decltype(EnumWords<Enum>::kAll[0].first) {
    for (const auto& [word, of] : EnumWords<Enum>::kAll)
        if (of == value) return word;
    return "";
}

template <class Enum>
constexpr std::optional<Enum> value_of_word(std::string_view word) {
    for (const auto& [known, value] : EnumWords<Enum>::kAll)
        if (word == known) return value;
    return std::nullopt;
}

}  // namespace limber
