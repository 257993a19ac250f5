// SPDX-License-Identifier: Apache-2.0
#include "build/recipe/output_name.h"

#include <fmt/format.h>
#include <limber/model/model_extension.h>

#include <cstring>
#include <fstream>
#include <string>

namespace limber::build {

namespace fs = std::filesystem;

bool is_model_file(const fs::path& file) {
    constexpr std::uint32_t kMostJson = 64u << 20;  // bytes; limber's own are a thousandth of it
    std::error_code none;
    if (!fs::is_regular_file(file, none)) return false;
    std::ifstream in(file, std::ios::binary);
    char head[20];  // "glTF", version, length; length and type of the JSON chunk
    if (!in.read(head, sizeof head) || std::memcmp(head, "glTF", 4) != 0) return false;
    std::uint32_t length = 0;
    for (int i = 3; i >= 0; --i)
        length = length << 8 | static_cast<unsigned char>(head[12 + i]);
    std::string json(std::min<std::uintmax_t>({length, kMostJson, fs::file_size(file, none)}), '\0');
    in.read(json.data(), static_cast<std::streamsize>(json.size()));
    return json.find(fmt::format("\"{}\":{{", kExtension)) != std::string::npos;
}

fs::path model_file_beside(const fs::path& mesh) {
    const std::string stem = mesh.stem().string();
    for (int n = 0;; ++n) {
        const fs::path name = n == 0   ? fmt::format("{}.glb", stem)
                              : n == 1 ? fmt::format("{}-soft.glb", stem)
                                       : fmt::format("{}-soft-{}.glb", stem, n);
        const fs::path out = mesh.parent_path() / name;
        std::error_code none;
        if (!fs::exists(out, none) && out != mesh) return out;
        if (!fs::equivalent(out, mesh, none) && is_model_file(out)) return out;
    }
}

}  // namespace limber::build
