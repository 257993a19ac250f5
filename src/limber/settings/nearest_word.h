// SPDX-License-Identifier: Apache-2.0
// What a mistyped word was meant to be.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace limber {

// The word of `known` with the fewest letters to change, if that is at most a third of them; else empty.
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

}  // namespace limber
