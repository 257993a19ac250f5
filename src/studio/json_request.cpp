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
constexpr std::size_t kMostValues = 200'000;  // keys count too

// Reads the text and keeps nothing of it, up to the first limit that it exceeds. (A filter while the values
// are made would take a time that grows with the square of their number.)
class Measure : public nlohmann::json_sax<nlohmann::json> {
 public:
    bool is_too_deep() const { return depth_ > kDeepest; }
    bool is_too_much() const { return values_ > kMostValues; }

    bool null() override { return count(); }
    bool boolean(bool) override { return count(); }
    bool number_integer(number_integer_t) override { return count(); }
    bool number_unsigned(number_unsigned_t) override { return count(); }
    bool number_float(number_float_t, const string_t&) override { return count(); }
    bool string(string_t&) override { return count(); }
    bool binary(binary_t&) override { return count(); }
    bool key(string_t&) override { return count(); }
    bool start_object(std::size_t) override { return count() && ++depth_ <= kDeepest; }
    bool start_array(std::size_t) override { return count() && ++depth_ <= kDeepest; }
    bool end_object() override { return --depth_ >= 0; }
    bool end_array() override { return --depth_ >= 0; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
        return false;
    }

 private:
    bool count() { return ++values_ <= kMostValues; }

    int depth_ = 0;
    std::size_t values_ = 0;
};

}  // namespace

nlohmann::json parse_object(std::string_view text) {
    Measure measure;
    const bool whole = nlohmann::json::sax_parse(text, &measure);
    if (measure.is_too_deep())
        throw InputError{"request", fmt::format("it is nested deeper than {}", kDeepest), ""};
    if (measure.is_too_much())
        throw InputError{"request", fmt::format("it holds more than {} values", kMostValues),
                         "ids of vertices as ranges in one text: \"#12-400\""};
    nlohmann::json out = whole ? nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false)
                               : nlohmann::json(nlohmann::json::value_t::discarded);
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
