// SPDX-License-Identifier: Apache-2.0
#include "studio/json_request.h"

#include "build/file/nearest_word.h"
#include "build/file/text_scanner.h"

#include <limber/input_error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace limber::studio {
namespace {

constexpr int kDeepest = 16;

}  // namespace

nlohmann::json parse_object(std::string_view text) {
    bool too_deep = false;
    const auto watch_depth = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
        too_deep |= depth > kDeepest;
        return !too_deep;  // what is deeper is dropped while it is read
    };
    nlohmann::json out = nlohmann::json::parse(text, watch_depth, /*allow_exceptions=*/false);
    if (too_deep) throw InputError{"request", fmt::format("it is nested deeper than {}", kDeepest), ""};
    if (out.is_discarded()) throw InputError{"request", "it is not JSON", ""};
    if (!out.is_object())
        throw InputError{"request", "it is not a JSON object", "{\"kind\": \"build\", ...}"};
    return out;
}

ObjectReader::ObjectReader(const nlohmann::json& object, std::string where,
                           const std::vector<std::string>& known)
    : object_(object), where_(std::move(where)) {
    if (!object.is_object()) throw InputError{where_, "this is not an object", ""};
    for (const auto& [key, value] : object.items()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        const std::string nearest = build::nearest_word(key, known);
        throw InputError{where_.empty() ? "request" : where_,
                         fmt::format("unknown key '{}'", build::printable(key)),
                         nearest.empty() ? fmt::format("one of {}", fmt::join(known, ", ")) : nearest};
    }
}

std::string ObjectReader::place(const std::string& key) const {
    return where_.empty() ? key : where_ + '.' + key;
}

const nlohmann::json* ObjectReader::find(const std::string& key) const {
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
}

bool ObjectReader::has(const std::string& key) const {
    return find(key) != nullptr;
}

std::string ObjectReader::text(const std::string& key, std::size_t longest) const {
    const nlohmann::json* value = find(key);
    if (!value) throw InputError{place(key), "this is missing", ""};
    if (!value->is_string()) throw InputError{place(key), "this is not text", ""};
    const auto& text = value->get_ref<const std::string&>();
    if (text.size() > longest)
        throw InputError{place(key), fmt::format("{} bytes of text; the limit is {}", text.size(), longest),
                         ""};
    // Arguments of programs end at a zero byte.
    if (text.find('\0') != std::string::npos) throw InputError{place(key), "the text holds a zero byte", ""};
    return text;
}

std::string ObjectReader::text_or(const std::string& key, std::size_t longest,
                                  const std::string& absent) const {
    return has(key) ? text(key, longest) : absent;
}

std::string ObjectReader::word_or(const std::string& key, const std::vector<std::string>& choices,
                                  const std::string& absent) const {
    if (!has(key)) return absent;
    const std::string word = text(key, 100);
    if (std::find(choices.begin(), choices.end(), word) == choices.end())
        throw InputError{place(key),
                         fmt::format("'{}' is none of {}", build::printable(word), fmt::join(choices, ", ")),
                         build::nearest_word(word, choices)};
    return word;
}

std::optional<double> ObjectReader::number(const std::string& key, double least, double most) const {
    const nlohmann::json* value = find(key);
    if (!value) return std::nullopt;
    const double number = value->is_number() ? value->get<double>() : std::nan("");
    if (!(number >= least && number <= most))
        throw InputError{place(key), fmt::format("this is not a number from {:g} to {:g}", least, most), ""};
    return number;
}

std::optional<int> ObjectReader::whole_number(const std::string& key, int least, int most) const {
    const auto value = number(key, least, most);
    if (!value) return std::nullopt;
    if (*value != std::floor(*value))
        throw InputError{place(key), fmt::format("{} is not a whole number", *value), ""};
    return static_cast<int>(*value);
}

const nlohmann::json* ObjectReader::object(const std::string& key) const {
    const nlohmann::json* value = find(key);
    if (value && !value->is_object()) throw InputError{place(key), "this is not an object", ""};
    return value;
}

const nlohmann::json* ObjectReader::array(const std::string& key, std::size_t most) const {
    const nlohmann::json* value = find(key);
    if (!value) return nullptr;
    if (!value->is_array()) throw InputError{place(key), "this is not a list", ""};
    if (value->size() > most)
        throw InputError{place(key), fmt::format("{} entries; the limit is {}", value->size(), most), ""};
    return value;
}

}  // namespace limber::studio
