// SPDX-License-Identifier: Apache-2.0
#include "cli/text.h"

#include "build/file/text_scanner.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace limber::cli {

std::vector<double> parse_numbers(std::string_view text, std::size_t count, const std::string& option) {
    constexpr std::string_view separators = ", \t";
    const InputError wrong{option,
                           fmt::format("'{}' is not {} finite numbers", build::printable(text), count),
                           fmt::format("{} \"{}\"", option, count == 3 ? "0 0 -9.81" : "0.1 0.001")};
    std::vector<double> numbers;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
        if (text.empty()) break;
        if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
        const auto item = text.substr(0, text.find_first_of(separators));
        double value = 0;
        const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), value);
        if (error != std::errc{} || end != item.data() + item.size() || !std::isfinite(value)) throw wrong;
        numbers.push_back(value);
        if (numbers.size() > count) throw wrong;
        text.remove_prefix(item.size());
    }
    if (numbers.size() != count) throw wrong;
    return numbers;
}

Eigen::Vector3d parse_vector(std::string_view text, const std::string& option) {
    const auto numbers = parse_numbers(text, 3, option);
    return {numbers[0], numbers[1], numbers[2]};
}

std::pair<std::string, std::string> split_at_last_colon(const std::string& text, const std::string& option,
                                                        const std::string& example) {
    const auto colon = text.rfind(':');
    if (colon == std::string::npos)
        throw InputError{
            option,
            fmt::format("'{}' has no colon between the selection and what follows", build::printable(text)),
            fmt::format("{} \"{}\"", option, example)};
    return {text.substr(0, colon), text.substr(colon + 1)};
}

nlohmann::json to_json(const Eigen::VectorXd& numbers) {
    return std::vector<double>(numbers.begin(), numbers.end());
}

nlohmann::json to_json(const Eigen::AlignedBox3d& bounds) {
    if (bounds.isEmpty()) return nullptr;
    return {to_json(Eigen::VectorXd(bounds.min())), to_json(Eigen::VectorXd(bounds.max()))};
}

std::string bytes_text(std::size_t bytes) {
    if (bytes < 1000) return fmt::format("{} bytes", bytes);
    double size = static_cast<double>(bytes);
    const char* unit = "";
    for (const char* next : {"kB", "MB", "GB"}) {
        if (size < 999.5) break;  // 999.6 would be rounded to 1000
        size /= 1000;
        unit = next;
    }
    return fmt::format("{:.3g} {}", size, unit);
}

std::string two_columns(const std::vector<std::pair<std::string, std::string>>& rows) {
    std::size_t width = 0;
    for (const auto& row : rows)
        width = std::max(width, row.first.size());
    std::string out;
    for (const auto& [what, how_much] : rows)
        out += fmt::format("  {:<{}}  {}\n", what, width, how_much);
    return out;
}

}  // namespace limber::cli
