// SPDX-License-Identifier: Apache-2.0
#include <limber/model/json_text.h>

#include <limber/shown_name.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace limber {

namespace {

using Json = nlohmann::json;

// ": syntax error while ..." of "[json.exception.parse_error.101] parse error at line 3, column 5: syntax
// error while ...". What it quotes may be any bytes.
std::string reason_in(const std::string& message) {
    const auto colon = message.find(": ");
    if (colon == std::string::npos) return "";
    std::string reason = message.substr(colon, 200);
    for (char& c : reason)
        if (c < 0x20 || c > 0x7e) c = '?';
    return reason;
}

// Walks through the text once before memory is taken for its tree. Returning false ends the walk.
class Inspector : public nlohmann::json_sax<Json> {
 public:
    std::string problem;
    std::optional<std::size_t> byte;  // where the text stops being JSON

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override {
        keys_.emplace_back();
        return enter();
    }
    bool key(string_t& name) override {
        if (keys_.back().insert(name).second) return true;
        problem = "the key '" + shown_name(name) + "' stands twice in one object of the JSON";
        return false;
    }
    bool end_object() override {
        keys_.pop_back();
        --depth_;
        return true;
    }
    bool start_array(std::size_t) override { return enter(); }
    bool end_array() override {
        --depth_;
        return true;
    }
    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) override {
        problem = "this is not JSON" + reason_in(error.what());
        byte = position;
        return false;
    }

 private:
    bool enter() {
        if (++depth_ <= kDeepestJson) return true;
        problem = "the JSON is nested more than " + std::to_string(kDeepestJson) + " levels deep";
        return false;
    }

    std::vector<std::set<std::string>> keys_;  // of the objects that are open
    int depth_ = 0;
};

}  // namespace

Result<Json> parse_json_value(std::string_view text, const std::string& name) {
    Inspector inspector;
    if (Json::sax_parse(text, &inspector)) return Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!inspector.byte) return InputError{name, inspector.problem, ""};
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(*inspector.byte, text.size()));
    const auto line = 1 + std::count(text.begin(), end, '\n');
    return InputError{name + ":" + std::to_string(line), inspector.problem, ""};
}

Result<Json> parse_json_object(std::string_view text, const std::string& name) {
    Inspector inspector;
    if (!Json::sax_parse(text, &inspector)) {
        // The JSON of a GLB has no lines.
        const std::string where =
            inspector.byte ? name + ": byte " + std::to_string(*inspector.byte) + " of the JSON" : name;
        return InputError{where, inspector.problem,
                          "the file is truncated or damaged; copy or make it again"};
    }
    Json out = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!out.is_object()) return InputError{name, "the JSON is no object, so this is no glTF file", ""};
    return out;
}

const Json* find_member(const Json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

const Json* find_object(const Json& object, const char* key) {
    const Json* value = find_member(object, key);
    return value && value->is_object() ? value : nullptr;
}

const Json* find_array(const Json& object, const char* key) {
    const Json* value = find_member(object, key);
    return value && value->is_array() ? value : nullptr;
}

std::optional<std::string> find_text(const Json& object, const char* key) {
    const Json* value = find_member(object, key);
    if (!value || !value->is_string()) return std::nullopt;
    return value->get<std::string>();
}

std::optional<bool> find_boolean(const Json& object, const char* key) {
    const Json* value = find_member(object, key);
    if (!value || !value->is_boolean()) return std::nullopt;
    return value->get<bool>();
}

std::optional<double> find_number(const Json& object, const char* key) {
    const Json* value = find_member(object, key);
    if (!value || !value->is_number()) return std::nullopt;
    return value->get<double>();
}

std::optional<std::int64_t> to_count(const Json& value) {
    constexpr double kEnd = 9007199254740992.0;  // 2^53: from here on doubles skip numbers
    if (!value.is_number()) return std::nullopt;
    const double x = value.get<double>();
    if (!(x >= 0 && x < kEnd && x == std::floor(x))) return std::nullopt;
    return static_cast<std::int64_t>(x);
}

std::optional<std::int64_t> find_count(const Json& object, const char* key) {
    const Json* value = find_member(object, key);
    return value ? to_count(*value) : std::nullopt;
}

}  // namespace limber
