// SPDX-License-Identifier: Apache-2.0
// The token that guards the API. All users of a machine can reach its loopback addresses; only the one who
// started the studio can read what it printed.
#pragma once
#include <string>
#include <string_view>

namespace limber::studio {

// 128 random bits of the kernel as 32 hexadecimal digits.
std::string make_token();

// Takes as long for a wrong text as for the right one, so that the time does not tell how far it was right.
bool same_secret(std::string_view given, std::string_view secret);

}  // namespace limber::studio
