// SPDX-License-Identifier: Apache-2.0
#include "build/file/text_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace limber::build {
namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}
bool is_space(char c) {
    return is_blank(c) || c == '\n';
}

// std::from_chars refuses a leading plus sign; files have it.
std::string_view without_plus(std::string_view token) {
    if (token.size() > 1 && token[0] == '+' && token[1] != '-') token.remove_prefix(1);
    return token;
}

// The value of a well-formed decimal number that no double holds: zero or infinity, with its sign. The C
// library's functions would tell them apart too, but they follow the locale.
double beyond_range(std::string_view number) {
    const bool negative = number.starts_with('-');
    const std::size_t e = number.find_first_of("eE");
    const std::string_view mantissa = number.substr(negative, e == std::string_view::npos ? e : e - negative);

    // A number 0.d·10^k has its first digit other than zero at place k, counted to the left of the point.
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    const std::size_t leading = std::min(mantissa.find_first_not_of("0."), mantissa.size());
    const double place = static_cast<double>(point) - static_cast<double>(leading);

    // The exponent may itself have more digits than any integer holds; its sign then decides.
    double exponent = 0;
    if (e != std::string_view::npos) {
        const bool small = number.substr(e + 1).starts_with('-');
        for (char c : number.substr(e + 1))
            if (c >= '0' && c <= '9') exponent = 10 * exponent + (c - '0');
        if (small) exponent = -exponent;
    }
    const double magnitude = place + exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
    return negative ? -magnitude : magnitude;
}

}  // namespace

std::string TextScanner::where() const {
    return fmt::format("{}:{}", name_, line_);
}

void TextScanner::fail(std::string problem, std::string try_this) const {
    throw InputError{where(), std::move(problem), std::move(try_this)};
}

std::string_view TextScanner::token_on_line() {
    while (position_ < bytes_.size() && is_blank(bytes_[position_]))
        ++position_;
    const std::size_t begin = position_;
    while (position_ < bytes_.size() && !is_space(bytes_[position_]))
        ++position_;
    return bytes_.substr(begin, position_ - begin);
}

std::string_view TextScanner::token() {
    while (position_ < bytes_.size() && is_space(bytes_[position_])) {
        if (bytes_[position_] == '\n') ++line_;
        ++position_;
    }
    return token_on_line();
}

std::string_view TextScanner::rest_of_line() {
    while (position_ < bytes_.size() && is_blank(bytes_[position_]))
        ++position_;
    const std::size_t begin = position_;
    while (position_ < bytes_.size() && bytes_[position_] != '\n')
        ++position_;
    std::size_t end = position_;
    while (end > begin && is_blank(bytes_[end - 1]))
        --end;
    if (position_ < bytes_.size()) {
        ++position_;
        ++line_;
    }
    return bytes_.substr(begin, end - begin);
}

void TextScanner::skip_comments(char comment) {
    while (position_ < bytes_.size()) {
        if (is_space(bytes_[position_])) {
            if (bytes_[position_] == '\n') ++line_;
            ++position_;
        } else if (bytes_[position_] == comment) {
            skip_line();
        } else {
            return;
        }
    }
}

bool TextScanner::at_end_of_line() {
    while (position_ < bytes_.size() && is_blank(bytes_[position_]))
        ++position_;
    return position_ == bytes_.size() || bytes_[position_] == '\n';
}

bool TextScanner::at_end() {
    while (position_ < bytes_.size() && is_space(bytes_[position_])) {
        if (bytes_[position_] == '\n') ++line_;
        ++position_;
    }
    return position_ == bytes_.size();
}

std::string_view TextScanner::take_bytes(std::size_t count) {
    if (count > bytes_left())
        fail(fmt::format("the file ends early: {} bytes are needed, {} are left", count, bytes_left()),
             "the file is truncated; copy or export it again");
    const auto out = bytes_.substr(position_, count);
    position_ += count;
    for (char c : out)
        line_ += c == '\n';
    return out;
}

void TextScanner::fail_at_end(std::string_view expected) const {
    if (position_ < bytes_.size()) fail(fmt::format("expected {}, but the line ends here", expected));
    fail(fmt::format("expected {}, but the file ends here", expected),
         "the file is truncated; copy or export it again");
}

double TextScanner::to_number(std::string_view token, std::string_view what) const {
    if (token.empty()) fail_at_end(what);
    const auto digits = without_plus(token);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (end != digits.data() + digits.size() || error == std::errc::invalid_argument)
        fail(fmt::format("expected {}, found '{}'", what, printable(token)));
    if (error == std::errc::result_out_of_range) return beyond_range(digits);
    return value;
}

double TextScanner::to_finite_number(std::string_view token, std::string_view what) const {
    const double value = to_number(token, what);
    if (!std::isfinite(value))
        fail(fmt::format("{} is {}", what, value), "every coordinate must be a finite number");
    return value;
}

std::int64_t TextScanner::to_integer(std::string_view token, std::string_view what) const {
    if (token.empty()) fail_at_end(what);
    const auto digits = without_plus(token);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size())
        fail(fmt::format("expected {} (a whole number), found '{}'", what, printable(token)));
    return value;
}

double TextScanner::number(std::string_view what) {
    return to_number(token(), what);
}

double TextScanner::finite_number(std::string_view what) {
    return to_finite_number(token(), what);
}

std::int64_t TextScanner::integer(std::string_view what) {
    return to_integer(token(), what);
}

std::size_t TextScanner::count(std::string_view what, std::size_t least_bytes_each) {
    const std::int64_t value = integer(what);
    if (value < 0) fail(fmt::format("{} is {}", what, value));
    const auto n = static_cast<std::uint64_t>(value);
    if (least_bytes_each > 0 && n > bytes_left() / least_bytes_each + 1)
        fail(fmt::format("{} is {}, but only {} bytes are left in the file", what, n, bytes_left()),
             "the count is wrong or the file is truncated");
    return static_cast<std::size_t>(n);
}

void TextScanner::expect(std::string_view word) {
    const auto found = token();
    if (found != word)
        fail(found.empty() ? fmt::format("expected '{}', but the file ends here", word)
                           : fmt::format("expected '{}', found '{}'", word, printable(found)));
}

}  // namespace limber::build
