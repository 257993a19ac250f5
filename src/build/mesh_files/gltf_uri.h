// SPDX-License-Identifier: Apache-2.0
// What the uri of a glTF buffer stands for.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace limber::build {

inline bool is_data_uri(std::string_view uri) {
    return uri.starts_with("data:");
}
// The first bytes of a data URI in base64, RFC 2397. Throws InputError{where, ...} if it has not so many.
std::string bytes_of_data_uri(std::string_view uri, std::size_t count, const std::string& where);

// The file that a relative URI names. It must lie inside `folder` when all symbolic links are followed; an
// empty folder allows no file at all. Throws InputError{where, ...} for anything else: a path that is
// absolute or climbs out, an address on a network, a device.
std::filesystem::path file_of_uri(std::string_view uri, const std::filesystem::path& folder,
                                  const std::string& where);

}  // namespace limber::build
