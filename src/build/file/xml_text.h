// SPDX-License-Identifier: Apache-2.0
// Text as XML, SVG and HTML take it.
#pragma once
#include <string>
#include <string_view>

namespace limber::build {

// Between tags, or between double quotes. Control characters, which XML has no way to write, and bytes that
// are not UTF-8 become "_".
std::string xml_text(std::string_view text);

}  // namespace limber::build
