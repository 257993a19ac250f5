// SPDX-License-Identifier: Apache-2.0
// Reading JSON that people write, without exceptions: every problem names its place, every key that is not
// known the nearest one that is.
#pragma once
#include <limber/input_error.h>
#include <limber/result.h>
#include <limber/settings/field_range.h>
#include <limber/words.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

// A value and where it stands: "scene.json: bodies[0].dt". What is of the wrong type or out of range reads as
// zero, identity or empty, and is the problem. All cursors that come from one share one problem: the first.
// The value and the problem must outlive the cursor.
class JsonCursor {
 public:
    JsonCursor(const nlohmann::json& value, std::string where, std::optional<InputError>& problem)
        : value_(&value), where_(std::move(where)), problem_(&problem) {}

    const std::string& where() const { return where_; }
    const nlohmann::json& value() const { return *value_; }
    bool ok() const { return !problem_->has_value(); }
    const std::optional<InputError>& problem() const { return *problem_; }
    void fail(std::string problem, std::string try_this = "") const;
    // What is wrong with what was read here, if anything; its `where` becomes this place.
    void fail_if(const std::optional<InputError>& problem) const;
    // A problem that names its own place.
    void fail_with(InputError problem) const;
    // Another value that stands in the place of this one.
    JsonCursor with(const nlohmann::json& value) const { return {value, where_, *problem_}; }

    // Must be an object with no keys but these.
    bool expect_keys(const std::vector<std::string>& known) const;
    bool is_null() const;
    bool is_object() const;
    bool is_text() const;
    bool has(std::string_view key) const;
    // Of an object, in alphabetical order. Must be one.
    std::vector<std::string> keys() const;
    // The member must be there.
    JsonCursor at(const std::string& key) const;
    // Must be a list; its length, and entry i of it.
    std::size_t size() const;
    JsonCursor entry(std::size_t i) const;

    // Calls read(cursor) for the member, if it is there and nothing was wrong before.
    template <class Read>
    void when(const std::string& key, const Read& read) const {
        if (ok() && has(key)) read(at(key));
    }
    // Calls read(cursor) for every entry of this list, until something is wrong.
    template <class Read>
    void each(const Read& read) const {
        for (std::size_t i = 0, n = size(); i < n && ok(); ++i)
            read(entry(i));
    }
    // The same for the list that is a member, if it is there.
    template <class Read>
    void each(const std::string& key, const Read& read) const {
        when(key, [&](const JsonCursor& list) { list.each(read); });
    }

    // `what_helps`: what to try instead of a number that is out of range.
    double number(const FieldRange& range = {}, const std::string& unit = "",
                  const std::string& what_helps = "") const;
    int whole_number(int least, int most, const std::string& what_helps = "") const;
    bool flag() const;
    std::string text() const;
    Eigen::Vector3d vector3(const std::string& unit = "") const;  // [x, y, z], finite
    Eigen::Quaterniond quaternion() const;                        // [x, y, z, w], of unit length to 1e-6
    // The same to 1e-3, and normalised: what people type.
    Eigen::Quaterniond rotation() const;
    Eigen::VectorXd numbers(Eigen::Index count) const;  // finite
    std::vector<int> whole_numbers(int least, int most) const;
    // One of the enum's words.
    template <class Enum>
    Enum word() const {
        std::vector<std::string> known;
        for (const auto& [text, value] : EnumWords<Enum>::kAll)
            known.emplace_back(text);
        const std::size_t which = word_among(known);
        return which < known.size() ? EnumWords<Enum>::kAll[which].second : Enum{};
    }
    // The number of the word in the list; its length if it is none of them.
    std::size_t word_among(const std::vector<std::string>& known) const;

 private:
    Eigen::Vector4d unit_length(double tolerance) const;

    const nlohmann::json* value_;
    std::string where_;
    std::optional<InputError>* problem_;
};

// "a: b", "a: b.c": the place of a member.
std::string place_of(const std::string& where, const std::string& key);

// JSON from any text: no deep nesting, no key twice, no number beyond the doubles.
Result<nlohmann::json> parse_json_text(std::string_view text, const std::string& where);

// Text that is not UTF-8 gets replacement marks.
std::string json_text_of(const nlohmann::json& json);
nlohmann::json json_of(const InputError& error);  // where, problem, try_this
nlohmann::json json_of(const Eigen::VectorXd& x);
nlohmann::json json_of(const Eigen::Quaterniond& q);  // [x, y, z, w]

}  // namespace limber
