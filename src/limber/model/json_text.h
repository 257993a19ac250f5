// SPDX-License-Identifier: Apache-2.0
// JSON from hostile text, without exceptions: no deep nesting, no key twice, no number out of range.
#pragma once
#include <limber/result.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace limber {

// The depth that is refused; glTF nests about ten levels deep.
inline constexpr int kDeepestJson = 64;

// Any value, or the problem: "scene.json:3" is where the text stops being JSON.
Result<nlohmann::json> parse_json_value(std::string_view text, const std::string& name);
// The same for a file with an object at the top.
Result<nlohmann::json> parse_json_object(std::string_view text, const std::string& name);

// A member of an object; null if it is absent or `object` is none. Then the same with its type demanded.
const nlohmann::json* find_member(const nlohmann::json& object, const char* key);
const nlohmann::json* find_object(const nlohmann::json& object, const char* key);
const nlohmann::json* find_array(const nlohmann::json& object, const char* key);
std::optional<std::string> find_text(const nlohmann::json& object, const char* key);
std::optional<bool> find_boolean(const nlohmann::json& object, const char* key);
std::optional<double> find_number(const nlohmann::json& object, const char* key);
// Not negative and below 2^53; 3.0 counts as 3.
std::optional<std::int64_t> find_count(const nlohmann::json& object, const char* key);
std::optional<std::int64_t> to_count(const nlohmann::json& value);

}  // namespace limber
