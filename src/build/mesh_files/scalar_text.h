// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "build/file/text_scanner.h"
#include "build/mesh_files/scalar_array.h"

#include <string_view>

namespace limber::build {

// `count` numbers as text, kept as Int64 or Float64; whole numbers if `type` is one of those. The count is
// checked against the length of the text before memory is taken. `what` is for messages.
ScalarArray scan_scalars(TextScanner& text, ScalarType type, std::size_t count, std::string_view what);

}  // namespace limber::build
