// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/group_labels.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <set>

namespace limber::build {
namespace {

// Not std::isalnum, which depends on the locale.
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string plain(std::string_view name, LetterCase letter_case) {
    std::string out;
    for (char c : name)
        out += is_letter(c) || is_digit(c) ? c : '_';
    if (out.empty() || !is_letter(out[0])) out.insert(0, "g");
    if (letter_case == LetterCase::Upper)
        for (char& c : out)
            if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return out;
}

std::optional<std::int64_t> number_behind(std::string_view prefix, std::string_view name) {
    if (!name.starts_with(prefix)) return std::nullopt;
    const auto digits = name.substr(prefix.size());
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    // Formats hold 32 bits.
    if (error != std::errc{} || end != digits.data() + digits.size() || number < 1 || number > INT32_MAX)
        return std::nullopt;
    return number;
}

}  // namespace

std::vector<std::string> plain_names(std::span<const Group> groups, LetterCase letter_case,
                                     std::size_t longest, std::vector<std::string> taken) {
    std::set<std::string> used(taken.begin(), taken.end());
    std::vector<std::string> names;
    for (const Group& group : groups) {
        const std::string word = plain(group.name, letter_case).substr(0, longest);
        std::string name = word;
        for (int suffix = 2; !used.insert(name).second; ++suffix) {
            const std::string tail = fmt::format("_{}", suffix);
            name = word.substr(0, longest - tail.size()) + tail;
        }
        names.push_back(std::move(name));
    }
    return names;
}

std::vector<std::int64_t> group_numbers(std::span<const Group> groups, std::string_view prefix) {
    std::vector<std::int64_t> numbers(groups.size(), 0);
    std::set<std::int64_t> used;
    for (std::size_t g = 0; g < groups.size(); ++g)
        if (const auto number = number_behind(prefix, groups[g].name); number && used.insert(*number).second)
            numbers[g] = *number;
    std::int64_t next = 1;
    for (auto& number : numbers) {
        if (number != 0) continue;
        while (!used.insert(next).second)
            ++next;
        number = next;
    }
    return numbers;
}

std::vector<std::int64_t> number_per_member(std::span<const Group> groups,
                                            std::span<const std::int64_t> numbers, std::size_t member_count) {
    std::vector<std::int64_t> out(member_count, 0);
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (int id : groups[g].ids)
            if (auto& number = out.at(static_cast<std::size_t>(id)); number == 0) number = numbers[g];
    return out;
}

}  // namespace limber::build
