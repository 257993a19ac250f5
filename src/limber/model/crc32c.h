// SPDX-License-Identifier: Apache-2.0
// CRC-32C (Castagnoli; RFC 3720, appendix B.4): the checksum of the arrays in a model file.
#pragma once
#include <cstdint>
#include <string_view>

namespace limber {

// "123456789" gives 0xe3069283.
std::uint32_t crc32c(std::string_view bytes);

}  // namespace limber
