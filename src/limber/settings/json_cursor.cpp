// SPDX-License-Identifier: Apache-2.0
#include "limber/settings/json_cursor.h"

#include "limber/model/json_text.h"
#include "limber/settings/nearest_word.h"
#include "limber/shown_name.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace limber {
namespace {

constexpr std::size_t kMostWords = 60;  // all keys of a body; not the names of a thousand

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i == kMostWords) return out + " and " + std::to_string(words.size() - i) + " others";
        out += (i == 0 ? "" : ", ") + words[i];
    }
    return out;
}

// What stands there, as a message shows it.
std::string shown_value(const nlohmann::json& value) {
    if (value.is_string()) return "the text '" + shown_name(value.get_ref<const std::string&>()) + "'";
    if (value.is_number_unsigned()) return "the number " + std::to_string(value.get<std::uint64_t>());
    if (value.is_number_integer()) return "the number " + std::to_string(value.get<std::int64_t>());
    if (value.is_number()) return "the number " + number(value.get<double>());
    if (value.is_array()) return "a list of " + std::to_string(value.size());
    if (value.is_object()) return "an object {...}";
    if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
    return "null";
}

}  // namespace

std::string FieldRange::text() const {
    if (!has_least() && !has_most()) return "finite";
    if (has_least() && !has_most()) return above ? "above " + number(least) : number(least) + " or more";
    if (!has_least()) return below ? "below " + number(most) : number(most) + " or less";
    if (!above && !below) return "from " + number(least) + " to " + number(most);
    return "between " + number(least) + " and " + number(most) +
           (above && below ? ", both excluded"
            : above        ? ", the first excluded"
                           : ", the last excluded");
}

std::string place_of(const std::string& where, const std::string& key) {
    if (where.empty()) return shown_name(key);
    const bool is_top = where.find(": ") == std::string::npos;
    return where + (is_top ? ": " : ".") + shown_name(key);
}

void JsonCursor::fail(std::string problem, std::string try_this) const {
    if (ok()) *problem_ = InputError{where_, std::move(problem), std::move(try_this)};
}

void JsonCursor::fail_with(InputError problem) const {
    if (ok()) *problem_ = std::move(problem);
}

void JsonCursor::fail_if(const std::optional<InputError>& problem) const {
    if (problem) fail(problem->problem, problem->try_this);
}

bool JsonCursor::expect_keys(const std::vector<std::string>& known) const {
    for (const std::string& key : keys()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        const std::string nearest = nearest_word(key, known);
        fail("unknown key '" + shown_name(key) + "'",
             nearest.empty() ? "the keys here are " + joined(known) : "'" + nearest + "'");
    }
    return ok();
}

bool JsonCursor::is_null() const {
    return value_->is_null();
}

bool JsonCursor::is_object() const {
    return value_->is_object();
}

bool JsonCursor::is_text() const {
    return value_->is_string();
}

bool JsonCursor::has(std::string_view key) const {
    return value_->is_object() && value_->find(key) != value_->end();
}

std::vector<std::string> JsonCursor::keys() const {
    std::vector<std::string> out;
    if (!value_->is_object()) {
        fail(shown_value(*value_) + " where an object {...} belongs");
        return out;
    }
    for (auto member = value_->begin(); member != value_->end(); ++member)
        out.push_back(member.key());
    return out;
}

JsonCursor JsonCursor::at(const std::string& key) const {
    static const nlohmann::json kNothing;
    if (!has(key)) {
        fail(value_->is_object() ? "the key '" + shown_name(key) + "' is missing"
                                 : shown_value(*value_) + " where an object {...} belongs");
        return {kNothing, place_of(where_, key), *problem_};
    }
    return {*value_->find(key), place_of(where_, key), *problem_};
}

std::size_t JsonCursor::size() const {
    if (value_->is_array()) return value_->size();
    fail(shown_value(*value_) + " where a list [...] belongs");
    return 0;
}

JsonCursor JsonCursor::entry(std::size_t i) const {
    return {(*value_)[i], where_ + "[" + std::to_string(i) + "]", *problem_};
}

double JsonCursor::number(const FieldRange& range, const std::string& unit,
                          const std::string& what_helps) const {
    if (!value_->is_number()) {
        fail(shown_value(*value_) + " where a number" + (unit.empty() ? "" : " in " + unit) + " belongs",
             what_helps);
        return 0;
    }
    const double x = value_->get<double>();
    if (range.contains(x)) return x;
    fail("it is " + limber::number(x) + (unit.empty() ? "" : " " + unit) + "; it must be " + range.text(),
         what_helps);
    return 0;
}

int JsonCursor::whole_number(int least, int most, const std::string& what_helps) const {
    // Beyond ±2^53 the double is rounded, far outside of any int.
    const double x = value_->is_number_integer() ? value_->get<double>() : std::nan("");
    if (x >= least && x <= most) return static_cast<int>(x);
    fail(shown_value(*value_) + " is not a whole number from " + std::to_string(least) + " to " +
             std::to_string(most),
         what_helps);
    return 0;
}

bool JsonCursor::flag() const {
    if (value_->is_boolean()) return value_->get<bool>();
    fail(shown_value(*value_) + " where true or false belongs");
    return false;
}

std::string JsonCursor::text() const {
    if (value_->is_string()) return value_->get_ref<const std::string&>();
    fail(shown_value(*value_) + " where a text \"...\" belongs");
    return {};
}

Eigen::VectorXd JsonCursor::numbers(Eigen::Index count) const {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(count);
    if (!value_->is_array() || value_->size() != static_cast<std::size_t>(count)) {
        fail(shown_value(*value_) + " where a list of " + std::to_string(count) + " numbers belongs");
        return out;
    }
    for (Eigen::Index i = 0; i < count; ++i)
        out[i] = entry(static_cast<std::size_t>(i)).number();
    return out;
}

Eigen::Vector3d JsonCursor::vector3(const std::string& unit) const {
    if (!value_->is_array() || value_->size() != 3) {
        fail(shown_value(*value_) + " where three numbers [x, y, z]" + (unit.empty() ? "" : " in " + unit) +
             " belong");
        return Eigen::Vector3d::Zero();
    }
    return numbers(3);
}

Eigen::Vector4d JsonCursor::unit_length(double tolerance) const {
    const Eigen::Vector4d identity(0, 0, 0, 1);
    const Eigen::Vector4d xyzw = numbers(4);
    if (!ok()) return identity;
    if (std::abs(xyzw.norm() - 1) <= tolerance) return xyzw;
    fail(
        "a quaternion [x, y, z, w] of length " + limber::number(xyzw.norm(), 6) + "; a rotation has length 1",
        "[0, 0, 0, 1] is no rotation");
    return identity;
}

Eigen::Quaterniond JsonCursor::quaternion() const {
    return Eigen::Quaterniond(unit_length(1e-6));
}

Eigen::Quaterniond JsonCursor::rotation() const {
    return Eigen::Quaterniond(unit_length(1e-3)).normalized();
}

std::vector<int> JsonCursor::whole_numbers(int least, int most) const {
    std::vector<int> out;
    each([&](const JsonCursor& at) { out.push_back(at.whole_number(least, most)); });
    return out;
}

std::size_t JsonCursor::word_among(const std::vector<std::string>& known) const {
    const std::string chosen = text();
    if (!ok()) return known.size();
    const auto found = std::find(known.begin(), known.end(), chosen);
    if (found == known.end()) {
        const std::string nearest = nearest_word(chosen, known);
        fail("'" + shown_name(chosen) + "' is none of " + joined(known),
             nearest.empty() ? "" : "'" + nearest + "'");
    }
    return static_cast<std::size_t>(found - known.begin());
}

Result<nlohmann::json> parse_json_text(std::string_view text, const std::string& where) {
    return parse_json_value(text, where);
}

std::string json_text_of(const nlohmann::json& json) {
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

nlohmann::json json_of(const InputError& error) {
    return {{"where", error.where}, {"problem", error.problem}, {"try_this", error.try_this}};
}
nlohmann::json json_of(const Eigen::VectorXd& x) {
    return std::vector<double>(x.begin(), x.end());
}
nlohmann::json json_of(const Eigen::Quaterniond& q) {
    return {q.x(), q.y(), q.z(), q.w()};
}

}  // namespace limber
