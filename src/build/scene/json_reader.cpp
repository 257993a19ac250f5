// SPDX-License-Identifier: Apache-2.0
#include "build/scene/json_reader.h"

#include "build/file/nearest_word.h"
#include "build/file/text_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace limber::build {
namespace {

std::string type_of(const nlohmann::json& value) {
    if (value.is_string()) return fmt::format("the text '{}'", printable(value.get<std::string>()));
    if (value.is_number()) return fmt::format("the number {}", value.dump());
    if (value.is_array()) return fmt::format("a list of {}", value.size());
    if (value.is_object()) return "an object {...}";
    return value.dump();  // true, false, null
}

}  // namespace

nlohmann::json parse_json(std::string_view text, const std::string& name) {
    constexpr int kDeepest = 64;
    std::string problem;
    std::vector<std::set<std::string>> keys;
    const auto watch = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
        using Event = nlohmann::json::parse_event_t;
        if (depth > kDeepest) {
            problem = fmt::format("it is nested more than {} deep", kDeepest);
            return false;  // and what is deeper is not kept
        }
        if (event == Event::object_start) keys.emplace_back();
        if (event == Event::object_end) keys.pop_back();
        if (event == Event::key && !keys.back().insert(parsed.get<std::string>()).second && problem.empty())
            problem =
                fmt::format("the key '{}' stands twice in one object", printable(parsed.get<std::string>()));
        return true;
    };
    try {
        nlohmann::json value = nlohmann::json::parse(text, watch, /*allow_exceptions=*/true);
        if (!problem.empty()) throw InputError{name, problem, ""};
        return value;
    } catch (const nlohmann::json::parse_error& error) {
        const std::size_t at = std::min<std::size_t>(error.byte, text.size());
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        // "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error while ..."
        std::string what = error.what();
        if (const auto colon = what.find(": "); colon != std::string::npos) what = what.substr(colon + 2);
        for (char& c : what)  // what it quotes may be any bytes
            if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
        throw InputError{fmt::format("{}:{}", name, line), "this is no JSON: " + what.substr(0, 200),
                         "docs/scene_file.md has an example"};
    } catch (const nlohmann::json::out_of_range&) {
        throw InputError{name, "a number is larger than a double can hold", ""};
    }
}

NumberRange positive(const std::string& unit) {
    return {std::numeric_limits<double>::min(), std::numeric_limits<double>::max(),
            "a positive number" + (unit.empty() ? "" : " of " + unit)};
}

NumberRange not_negative(const std::string& unit) {
    return {0, std::numeric_limits<double>::max(),
            "a number of " + (unit.empty() ? "zero or more" : unit + ", zero or more")};
}

void JsonPlace::fail(const std::string& problem, const std::string& try_this) const {
    throw InputError{where_, problem, try_this};
}

void JsonPlace::expect_keys(const std::vector<std::string>& known) const {
    if (!value_.is_object()) fail(fmt::format("{} where an object {{...}} belongs", type_of(value_)));
    for (const auto& [key, unused] : value_.items()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        const std::string nearest = nearest_word(key, known);
        fail(fmt::format("unknown key '{}'", printable(key)),
             nearest.empty() ? fmt::format("the keys here are {}", fmt::join(known, ", "))
                             : fmt::format("'{}'", nearest));
    }
}

JsonPlace JsonPlace::at(const std::string& key) const {
    if (!value_.is_object() || !value_.contains(key)) fail(fmt::format("the key '{}' is missing", key));
    const bool top = where_.find(": ") == std::string::npos;
    return {value_.at(key), where_ + (top ? ": " : ".") + printable(key)};
}

void JsonPlace::when(const std::string& key, const std::function<void(const JsonPlace&)>& read) const {
    if (has(key)) read(at(key));
}

void JsonPlace::each(const std::string& key, const std::function<void(const JsonPlace&)>& read) const {
    if (has(key)) at(key).each(read);
}

void JsonPlace::each(const std::function<void(const JsonPlace&)>& read) const {
    if (!value_.is_array()) fail(fmt::format("{} where a list [...] belongs", type_of(value_)));
    for (std::size_t i = 0; i < value_.size(); ++i)
        read({value_[i], fmt::format("{}[{}]", where_, i)});
}

void JsonPlace::members(const std::function<void(const std::string&, const JsonPlace&)>& read) const {
    if (!value_.is_object()) fail(fmt::format("{} where an object {{...}} belongs", type_of(value_)));
    for (const auto& [key, value] : value_.items())
        read(key, at(key));
}

void JsonPlace::read(const std::function<void(const JsonCursor&)>& read) const {
    std::optional<InputError> problem;
    read(JsonCursor(value_, where_, problem));
    if (problem) throw *problem;
}

double JsonPlace::number(const NumberRange& range) const {
    const double value = value_.is_number() ? value_.get<double>() : std::nan("");
    if (!(value >= range.least && value <= range.most))
        fail(fmt::format("{} is not {}", type_of(value_), range.what));
    return value;
}

int JsonPlace::whole_number(int least, int most) const {
    const bool whole = value_.is_number_integer();
    const double value = whole ? value_.get<double>() : std::nan("");
    if (!(value >= least && value <= most))
        fail(fmt::format("{} is not a whole number from {} to {}", type_of(value_), least, most));
    return static_cast<int>(value);
}

std::string JsonPlace::text() const {
    if (!value_.is_string()) fail(fmt::format("{} where a text \"...\" belongs", type_of(value_)));
    return value_.get<std::string>();
}

std::string JsonPlace::word(const std::vector<std::string>& choices) const {
    const std::string chosen = text();
    if (std::find(choices.begin(), choices.end(), chosen) != choices.end()) return chosen;
    const std::string nearest = nearest_word(chosen, choices);
    fail(fmt::format("'{}' is none of {}", printable(chosen), fmt::join(choices, ", ")),
         nearest.empty() ? "" : fmt::format("'{}'", nearest));
}

Eigen::VectorXd JsonPlace::numbers() const {
    if (!value_.is_array()) fail(fmt::format("{} where a list of numbers belongs", type_of(value_)));
    Eigen::VectorXd out(static_cast<Eigen::Index>(value_.size()));
    for (std::size_t i = 0; i < value_.size(); ++i)
        out[static_cast<Eigen::Index>(i)] = JsonPlace(value_[i], fmt::format("{}[{}]", where_, i)).number();
    return out;
}

Eigen::VectorXd JsonPlace::numbers(Eigen::Index count) const {
    if (!value_.is_array() || static_cast<Eigen::Index>(value_.size()) != count)
        fail(fmt::format("{} where a list of {} numbers belongs", type_of(value_), count));
    return numbers();
}

}  // namespace limber::build
