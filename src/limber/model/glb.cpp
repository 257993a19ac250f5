// SPDX-License-Identifier: Apache-2.0
#include <limber/model/glb.h>

namespace limber {

namespace {

constexpr std::size_t kHeader = 12, kChunkHeader = 8;
constexpr std::string_view kJsonType("JSON", 4), kBinaryType("BIN\0", 4);

std::uint32_t load_u32(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    return value;
}

void append_u32(std::string& out, std::uint64_t value) {
    for (int i = 0; i < 4; ++i)
        out += static_cast<char>((value >> (8 * i)) & 0xff);
}

// So many that the bytes of the binary chunk start at a multiple of 8.
std::size_t padded_json(std::size_t bytes) {
    const std::size_t before_binary = kHeader + 2 * kChunkHeader;
    return (bytes + before_binary + 7) / 8 * 8 - before_binary;
}

std::size_t padded_binary(std::size_t bytes) {
    return (bytes + 3) / 4 * 4;
}

InputError at_byte(const std::string& name, std::size_t byte, std::string problem, std::string try_this) {
    return {name + ": byte " + std::to_string(byte), std::move(problem), std::move(try_this)};
}

}  // namespace

Result<GlbChunks> split_glb(std::string_view bytes, const std::string& name) {
    if (bytes.size() < kHeader + kChunkHeader || bytes.substr(0, 4) != "glTF")
        return InputError{name, "the file does not start as GLB does", "check that this is a .glb file"};
    if (load_u32(bytes, 4) != 2)
        return at_byte(name, 4,
                       "the GLB version is " + std::to_string(load_u32(bytes, 4)) + "; limber reads 2",
                       "export the mesh as glTF 2.0");
    const std::size_t length = load_u32(bytes, 8);
    if (length > bytes.size())
        return at_byte(name, 8,
                       "the file says that it has " + std::to_string(length) + " bytes, but it has " +
                           std::to_string(bytes.size()),
                       "the file is truncated; copy or export it again");
    bytes = bytes.substr(0, length);

    std::optional<std::string_view> json, binary;
    for (std::size_t at = kHeader; at + kChunkHeader <= bytes.size();) {
        const std::size_t chunk = load_u32(bytes, at);
        const std::string_view type = bytes.substr(at + 4, 4);
        if (chunk > bytes.size() - at - kChunkHeader)
            return at_byte(name, at, "a chunk of " + std::to_string(chunk) + " bytes is longer than the file",
                           "the file is damaged; export it again");
        const std::string_view content = bytes.substr(at + kChunkHeader, chunk);
        if (type == kJsonType && !json) json = content;
        if (type == kBinaryType && !binary) binary = content;
        at += kChunkHeader + chunk;
    }
    if (!json) return InputError{name, "the file has no JSON chunk", "the file is damaged; export it again"};
    return GlbChunks{*json, binary};
}

std::uint64_t glb_size(std::size_t json_bytes, std::size_t binary_bytes) {
    return kHeader + 2 * kChunkHeader + std::uint64_t{padded_json(json_bytes)} + padded_binary(binary_bytes);
}

std::string join_glb(std::string_view json, std::string_view binary) {
    const std::size_t json_size = padded_json(json.size()), binary_size = padded_binary(binary.size());
    std::string out;
    out.reserve(static_cast<std::size_t>(glb_size(json.size(), binary.size())));
    out += "glTF";
    append_u32(out, 2);
    append_u32(out, glb_size(json.size(), binary.size()));
    append_u32(out, json_size);
    out += kJsonType;
    out += json;
    out.append(json_size - json.size(), ' ');
    append_u32(out, binary_size);
    out += kBinaryType;
    out += binary;
    out.append(binary_size - binary.size(), '\0');
    return out;
}

}  // namespace limber
