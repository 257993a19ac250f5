// SPDX-License-Identifier: Apache-2.0
// Reading the JSON of a request: bounded in depth, every key known, every value of its kind.
#pragma once
#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limber::studio {

// Throws InputError for text that is no JSON, is no object, is nested deeper than 16, or holds more than
// 200,000 values: an empty object takes two bytes of text and a hundred of memory.
nlohmann::json parse_object(std::string_view text);

// One object of a request. Reading a key that has another kind of value, and keys that nobody knows, throw
// InputError with the place ("groups[2].young") and, for keys, the nearest one that is known. A value of null
// counts as absent.
class ObjectReader {
 public:
    ObjectReader(const nlohmann::json& object, std::string where, const std::vector<std::string>& known);

    bool has(const std::string& key) const;
    std::string text(const std::string& key, std::size_t longest) const;  // must be there
    std::string text_or(const std::string& key, std::size_t longest, const std::string& absent) const;
    std::string word_or(const std::string& key, const std::vector<std::string>& choices,
                        const std::string& absent) const;
    std::optional<double> number(const std::string& key, double least, double most) const;
    std::optional<int> whole_number(const std::string& key, int least, int most) const;
    const nlohmann::json* object(const std::string& key) const;                   // null: absent
    const nlohmann::json* array(const std::string& key, std::size_t most) const;  // null: absent
    std::string place(const std::string& key) const;

 private:
    const nlohmann::json* find(const std::string& key) const;

    const nlohmann::json& object_;
    std::string where_;
};

}  // namespace limber::studio
