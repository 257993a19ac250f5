// SPDX-License-Identifier: Apache-2.0
// Tokens and numbers of a text file held in memory, with the line number for every complaint.
#pragma once
#include <limber/input_error.h>
#include <limber/printable.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace limber::build {

// A cursor over bytes that the caller keeps alive. White space is blank, tab, carriage return, line feed.
// Numbers do not depend on the locale. Every failure throws InputError{"name:line", ...}.
class TextScanner {
 public:
    TextScanner(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

    // The next token separated by white space, across lines; empty at the end of the bytes.
    std::string_view token();
    // The next token on the present line; empty at its end. The cursor stays on the line.
    std::string_view token_on_line();
    // The rest of the present line without its end and without blanks around it; the cursor goes to the next
    // line.
    std::string_view rest_of_line();
    void skip_line() { rest_of_line(); }
    // Goes past blank lines and lines that start with the comment character.
    void skip_comments(char comment);
    bool at_end();          // only white space is left
    bool at_end_of_line();  // only blanks are left on this line
    // Raw bytes from the cursor on, for the binary part of a file; throws if fewer are left.
    std::string_view take_bytes(std::size_t count);

    // `what` names the thing in the complaint: "a coordinate", "the number of vertices".
    double number(std::string_view what);
    // A finite number; NaN and infinity are refused.
    double finite_number(std::string_view what);
    std::int64_t integer(std::string_view what);
    // A count of things that take at least `least_bytes_each` bytes of the file each: refused if it is
    // negative or if the rest of the file is too short to hold that many. Call it before taking memory.
    std::size_t count(std::string_view what, std::size_t least_bytes_each);
    // The next token must be this word.
    void expect(std::string_view word);

    std::size_t line() const { return line_; }
    std::size_t bytes_left() const { return bytes_.size() - position_; }
    std::string where() const;  // "name:line"
    [[noreturn]] void fail(std::string problem, std::string try_this = "") const;

    // Parsing of one token that the caller holds already.
    double to_number(std::string_view token, std::string_view what) const;
    double to_finite_number(std::string_view token, std::string_view what) const;
    std::int64_t to_integer(std::string_view token, std::string_view what) const;

 private:
    // "expected a coordinate, but the file (or only the line) ends here"
    [[noreturn]] void fail_at_end(std::string_view expected) const;

    std::string_view bytes_;
    std::string name_;
    std::size_t position_ = 0;
    std::size_t line_ = 1;
};

using limber::printable;

}  // namespace limber::build
