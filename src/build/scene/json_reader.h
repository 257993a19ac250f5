// SPDX-License-Identifier: Apache-2.0
// Reading JSON that people write: every complaint names the place, every key that is not known the nearest
// one that is.
#pragma once
#include <limber/settings/json_cursor.h>

#include <Eigen/Core>
#include <functional>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace limber::build {

// Throws InputError with the line if the text is no JSON; also if it has a key twice, is nested deeper than
// 64, or has a number beyond the doubles.
nlohmann::json parse_json(std::string_view text, const std::string& name);

struct NumberRange {
    double least = -std::numeric_limits<double>::max(), most = std::numeric_limits<double>::max();
    std::string what = "a finite number";
};
NumberRange positive(const std::string& unit);
NumberRange not_negative(const std::string& unit);

// A value and where it stands: "scene.json: bodies[0].dt".
class JsonPlace {
 public:
    JsonPlace(const nlohmann::json& value, std::string where) : value_(value), where_(std::move(where)) {}

    const std::string& where() const { return where_; }
    const nlohmann::json& value() const { return value_; }
    [[noreturn]] void fail(const std::string& problem, const std::string& try_this = "") const;

    // Must be an object with none but these keys.
    void expect_keys(const std::vector<std::string>& known) const;
    bool has(const std::string& key) const { return value_.contains(key); }
    // Must be there.
    JsonPlace at(const std::string& key) const;
    // Calls `read` for the value under the key, if it is there.
    void when(const std::string& key, const std::function<void(const JsonPlace&)>& read) const;
    // Calls `read` for every entry of the list under the key, if it is there.
    void each(const std::string& key, const std::function<void(const JsonPlace&)>& read) const;
    void each(const std::function<void(const JsonPlace&)>& read) const;  // this list
    void members(
        const std::function<void(const std::string& key, const JsonPlace&)>& read) const;  // this object

    // Reads this value by the run-time library's readers; throws what they find wrong.
    void read(const std::function<void(const JsonCursor&)>& read) const;

    double number(const NumberRange& range = {}) const;
    int whole_number(int least, int most) const;
    std::string text() const;
    std::string word(const std::vector<std::string>& choices) const;
    Eigen::VectorXd numbers() const;
    Eigen::VectorXd numbers(Eigen::Index count) const;

 private:
    const nlohmann::json& value_;
    std::string where_;
};

}  // namespace limber::build
