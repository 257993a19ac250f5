// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/gltf_uri.h"

#include "build/file/text_scanner.h"
#include "build/mesh_files/packed_bytes.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <algorithm>
#include <system_error>

namespace limber::build {
namespace {

namespace fs = std::filesystem;

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// "my%20mesh.bin" is "my mesh.bin".
std::string decode_percent(std::string_view uri) {
    std::string out;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        const bool escape =
            uri[i] == '%' && i + 2 < uri.size() && hex_digit(uri[i + 1]) >= 0 && hex_digit(uri[i + 2]) >= 0;
        if (escape) {
            out += static_cast<char>(hex_digit(uri[i + 1]) * 16 + hex_digit(uri[i + 2]));
            i += 2;
        } else {
            out += uri[i];
        }
    }
    return out;
}

bool contains(const fs::path& folder, const fs::path& file) {
    const auto [in_folder, in_file] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    return in_folder == folder.end() && in_file != file.end();
}

}  // namespace

std::string bytes_of_data_uri(std::string_view uri, std::size_t count, const std::string& where) {
    const std::size_t comma = uri.find(',');
    if (comma == std::string_view::npos || !uri.substr(0, comma).ends_with(";base64"))
        throw InputError{where, "the data URI is not base64", "export the mesh again as .glb"};
    return PackedBytes(uri.substr(comma + 1), PackedBytes::Encoding::Base64, where).take(count);
}

fs::path file_of_uri(std::string_view uri, const fs::path& folder, const std::string& where) {
    const std::string decoded = decode_percent(uri);
    const InputError outside{
        where, fmt::format("'{}' is not inside the folder of the glTF file", printable(decoded)),
        "put the .bin file beside the .gltf file, or export one .glb file"};
    const fs::path relative(decoded);
    const bool plain =
        !decoded.empty() && decoded.find_first_of(std::string_view("\\:\0", 3)) == std::string::npos;
    if (folder.empty() || !plain || relative.is_absolute()) throw outside;
    if (std::find(relative.begin(), relative.end(), "..") != relative.end()) throw outside;

    std::error_code error;
    const fs::path real_folder = fs::canonical(folder, error);
    if (error) throw InputError{where, fmt::format("cannot open the folder '{}'", folder.string()), ""};
    const fs::path real_file = fs::canonical(real_folder / relative, error);
    if (error)
        throw InputError{where, fmt::format("cannot find the file '{}'", printable(decoded)),
                         "copy the .bin file along with the .gltf file"};
    if (!contains(real_folder, real_file) || !fs::is_regular_file(real_file, error)) throw outside;
    return real_file;
}

}  // namespace limber::build
