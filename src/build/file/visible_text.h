// SPDX-License-Identifier: Apache-2.0
// Text from files and arguments, made safe to show: nothing in it moves the cursor, changes colours or
// reorders what stands around it.
#pragma once
#include <string>
#include <string_view>

namespace limber::build {

// Control characters (C0, delete, C1) become \x1b or \u009b, so do marks that reverse the direction of text;
// bytes that are not UTF-8 become \xff. Everything else stays as it is. Line ends are control characters
// here.
std::string visible_text(std::string_view text);

// The same for texts of several lines: line ends stay.
std::string visible_lines(std::string_view text);

// How many bytes at the start of a text, which is not empty, are one character that can be shown as it is; 0:
// the first byte, or the character that begins there, cannot.
std::size_t visible_bytes(std::string_view text);

}  // namespace limber::build
