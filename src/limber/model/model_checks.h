// SPDX-License-Identifier: Apache-2.0
// Checks that hold for every part of a model: sizes, ids in range, numbers finite and not too large.
#pragma once
#include <limber/input_error.h>
#include <limber/model/model_parts.h>

#include <cmath>
#include <optional>
#include <string>

namespace limber {

// Collects the first problem of a model; later checks are passed over.
class ModelChecks {
 public:
    explicit ModelChecks(std::string where) : where_(std::move(where)) {}

    void require(bool holds, const std::string& part, const std::string& problem) {
        if (!holds && !error_) error_ = InputError{where_ + ": " + part, problem, ""};
    }
    void take(std::optional<InputError> error) {
        if (!error_) error_ = std::move(error);
    }
    void count(std::size_t found, std::size_t expected, const std::string& part) {
        require(found == expected, part,
                "there are " + std::to_string(found) + " entries; there must be " + std::to_string(expected));
    }

    // All arrays of a part. Lengths that are not known yet are learned.
    template <class List, class Part>
    void arrays(const List& list, const Part& part, KnownLengths& lengths) {
        for_each_array(list, part, [&](const ModelArray& info, const auto& value) {
            if (may_be_missing(list, part, info, value)) return;
            array(info.name, letters_of(info.shape), info, value, lengths);
        });
    }
    // An entry of each array for each group: groups[1].bulk.
    template <class List, class Group>
    void arrays(const List& list, const std::vector<Group>& groups, KnownLengths& lengths) {
        for (std::size_t g = 0; g < groups.size(); ++g)
            for_each_array(list, groups[g], [&](const ModelArray& info, const auto& value) {
                if (may_be_missing(list, groups[g], info, value) && !has_set(list, groups[0], info.set))
                    return;
                std::vector<std::string_view> letters = letters_of(info.shape);
                letters.erase(letters.begin());  // g
                const std::string name = std::string(info.name).substr(std::string_view("groups.").size());
                array("groups[" + std::to_string(g) + "]." + name, letters, info, value, lengths);
            });
    }

    bool failed() const { return error_.has_value(); }
    const std::string& where() const { return where_; }
    std::optional<InputError> result() && { return std::move(error_); }

 private:
    template <class List, class Part, class T>
    static bool may_be_missing(const List& list, const Part& part, const ModelArray& info, const T& value) {
        if (info.presence == Presence::InFile) return LayoutOf<T>::size(value) == 0;
        return info.presence == Presence::Optional && !has_set(list, part, info.set);
    }

    template <class T>
    void array(const std::string& name, const std::vector<std::string_view>& letters, const ModelArray& info,
               const T& value, KnownLengths& lengths) {
        if (failed()) return;
        const Lengths found = LayoutOf<T>::lengths(value, letters.size());
        const Lengths expected = lengths.expected(letters, found);
        const auto numbers = static_cast<std::int64_t>(LayoutOf<T>::size(value));
        const bool fits = numbers == product(expected) && (numbers == 0 || found == expected);
        if (!fits) require(false, name, size_problem(value, expected));
        if (failed()) return;
        lengths.learn(letters, found);
        if (*info.below)
            ids(name, value, lengths.find(info.below));
        else
            finite(name, value, info.largest);
    }

    template <class T>
    static std::string size_problem(const T& value, const Lengths& expected) {
        if constexpr (requires { LayoutOf<T>::rows_and_columns(expected); }) {
            const auto [rows, columns] = LayoutOf<T>::rows_and_columns(expected);
            return "it is " + std::to_string(value.rows()) + " x " + std::to_string(value.cols()) +
                   "; it must be " + std::to_string(rows) + " x " + std::to_string(columns);
        } else if constexpr (requires { value.size(); }) {
            return "there are " + std::to_string(value.size()) + " entries; there must be " +
                   std::to_string(expected.empty() ? 1 : expected[0]);
        } else {
            return "its size is wrong";
        }
    }

    template <class T>
    void finite(const std::string& name, const T& value, double largest) {
        const auto* first = first_number(value);
        if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(*first)>>)
            for (std::size_t i = 0; i < LayoutOf<T>::size(value); ++i)
                if (!(std::abs(first[i]) <= largest))  // not a number, too
                    return require(false, name,
                                   std::string("a number is not finite or larger than ") +
                                       (largest == kLargestShown ? "1e30" : "1e100"));
    }

    template <class T>
    void ids(const std::string& name, const T& value, std::int64_t below) {
        const auto* first = first_number(value);
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(*first)>, std::int32_t>)
            for (std::size_t i = 0; i < LayoutOf<T>::size(value); ++i)
                if (first[i] < 0 || first[i] >= below)
                    return require(false, name,
                                   "entry " + std::to_string(i) + " is " + std::to_string(first[i]) +
                                       "; it must lie between 0 and " + std::to_string(below) +
                                       ", the end excluded");
    }

    std::string where_;
    std::optional<InputError> error_;
};

}  // namespace limber
