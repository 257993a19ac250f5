// SPDX-License-Identifier: Apache-2.0
// Arguments written as a POSIX shell takes them, for people who copy a command.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace limber::studio {

// As it is if no shell could misread it, else in single quotes.
std::string shell_word(std::string_view word);
std::string shell_words(std::span<const std::string> words);

}  // namespace limber::studio
