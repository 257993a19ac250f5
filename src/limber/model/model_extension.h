// SPDX-License-Identifier: Apache-2.0
// What writing and reading a model file share: names of the extension, and its checksum. docs/model_file.md.
#pragma once
#include <limber/model/crc32c.h>
#include <limber/model/model_array.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace limber {

inline constexpr const char* kExtension = "LIMBER_model";
inline constexpr const char* kChecksum = "crc32c";

// JSON without white space, keys in the order of their bytes. Text that is no UTF-8 gets replacement marks.
inline std::string compact_json(const nlohmann::json& value) {
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The checksum of the extension's object as compact JSON, without the checksum itself. It holds no fractions,
// so every language writes the same text.
inline std::uint32_t extension_checksum(nlohmann::json extension) {
    extension.erase(kChecksum);
    return crc32c(compact_json(extension));
}

}  // namespace limber
