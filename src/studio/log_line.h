// SPDX-License-Identifier: Apache-2.0
// Text from outside made safe for a terminal and a log.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace limber::studio {

// Where the studio tells what happens; the program prints it. Called from several threads.
using Log = std::function<void(const std::string& line)>;

// Control characters and bytes that are no ASCII as \xNN, so that nothing from outside moves a cursor or
// forges a line; at most `longest` characters.
std::string log_text(std::string_view text, std::size_t longest = 200);

}  // namespace limber::studio
