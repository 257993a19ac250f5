// SPDX-License-Identifier: Apache-2.0
// A model file taken apart and put together again, for tests that damage it with care.
#pragma once
#include <limber/model/crc32c.h>
#include <limber/model/glb.h>
#include <limber/model/json_text.h>
#include <limber/model/model_extension.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace limber {

struct OpenGlb {
    nlohmann::json json;
    std::string binary;

    nlohmann::json& extension() { return json["extensions"][kExtension]; }
    nlohmann::json& array(const std::string& name) { return extension()["arrays"][name]; }
    std::string bytes() const { return join_glb(json.dump(), binary); }
};

// Empty JSON if it cannot be opened.
inline OpenGlb open_glb(std::string_view bytes) {
    const Result<GlbChunks> chunks = split_glb(bytes, "");
    if (!chunks.ok()) return {};
    Result<nlohmann::json> json = parse_json_object(chunks.value().json, "");
    if (!json.ok()) return {};
    return {std::move(json).value(), std::string(chunks.value().binary.value_or(""))};
}

// All checksums made right again, whatever the file holds; what is no model file stays as it is.
inline std::string reseal(OpenGlb glb) {
    nlohmann::json& json = glb.json;
    if (!json.is_object() || !json["extensions"].is_object()) return glb.bytes();
    nlohmann::json& extension = glb.extension();
    if (!extension.is_object()) return glb.bytes();
    if (extension["arrays"].is_object() && json["bufferViews"].is_array())
        for (auto& [name, array] : extension["arrays"].items()) {
            if (!array.is_object()) continue;
            std::string_view bytes;
            if (array.contains("bufferView") && array["bufferView"].is_number_unsigned()) {
                const auto index = array["bufferView"].get<std::size_t>();
                if (index >= json["bufferViews"].size()) continue;
                const nlohmann::json& view = json["bufferViews"][index];
                if (!view.is_object() || !view.contains("byteOffset") || !view.contains("byteLength"))
                    continue;
                if (!view["byteOffset"].is_number_unsigned() || !view["byteLength"].is_number_unsigned())
                    continue;
                const auto offset = view["byteOffset"].get<std::size_t>();
                const auto length = view["byteLength"].get<std::size_t>();
                if (offset > glb.binary.size() || length > glb.binary.size() - offset) continue;
                bytes = std::string_view(glb.binary).substr(offset, length);
            }
            array[kChecksum] = crc32c(bytes);
        }
    extension[kChecksum] = extension_checksum(extension);
    return glb.bytes();
}

}  // namespace limber
