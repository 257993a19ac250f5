// SPDX-License-Identifier: Apache-2.0
// GLB, the container of binary glTF: 12 bytes of header, then a JSON chunk and a BIN chunk (glTF 2.0,
// section 4.4).
#pragma once
#include <limber/result.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace limber {

inline constexpr std::uint64_t kLargestGlb = 0xffffffff;  // it counts its bytes in 32 bits

struct GlbChunks {
    std::string_view json;
    std::optional<std::string_view> binary;
};

// Finds the chunks, which stay in `bytes`. `name` is for messages.
Result<GlbChunks> split_glb(std::string_view bytes, const std::string& name);

// How many bytes join_glb() makes.
std::uint64_t glb_size(std::size_t json_bytes, std::size_t binary_bytes);
// The file; its binary chunk starts at a multiple of 8 bytes. At most kLargestGlb bytes.
std::string join_glb(std::string_view json, std::string_view binary);

}  // namespace limber
