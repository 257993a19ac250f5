// SPDX-License-Identifier: Apache-2.0
// Our options in terms of CLI11's.
#include "cli/command.h"

#include "build/file/text_scanner.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>

namespace limber::cli {
namespace {

template <class Number>
CLI::Validator number_check(Number least, Number most, const std::string& what) {
    return CLI::Validator(
        [=](std::string& text) -> std::string {
            const char* begin = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
            const char* const end = text.data() + text.size();
            Number value{};
            const auto [stop, error] = std::from_chars(begin, end, value);
            // NaN fails both comparisons.
            if (error == std::errc{} && stop == end && value >= least && value <= most) return "";
            return fmt::format("'{}' is not {}", build::printable(text), what);
        },
        "", "");
}

CLI::Validator word_check(const std::vector<std::string>& choices) {
    return CLI::Validator(
        [=](std::string& text) -> std::string {
            for (const std::string& choice : choices)
                if (text == choice) return "";
            return fmt::format("'{}' is none of {}", build::printable(text), fmt::join(choices, ", "));
        },
        "", "");
}

}  // namespace

Range any_number() {
    constexpr double huge = std::numeric_limits<double>::max();
    return {-huge, huge, "a finite number"};
}

Range positive_number() {
    return {std::numeric_limits<double>::min(), std::numeric_limits<double>::max(), "a positive number"};
}

Command Command::add_heading(const std::string& name, const std::string& description) {
    CLI::App& app = *app_.add_subcommand(name, description);
    app.get_help_ptr()->group("General");
    return {app, program_};
}

Command Command::add_command(const std::string& name, const std::string& description,
                             const std::string& example) {
    CLI::App& app = *app_.add_subcommand(name, description);
    app.footer("Example:  " + example +
               "\nExit status: 0 done, 1 bad input, 2 the numerics did not converge");
    Command command(app, program_);
    command.group("General");
    app.get_help_ptr()->group("General");
    command.flag("--json", "result as JSON on standard output", program_.console.json);
    command.flag("--quiet", "no progress and no notes", program_.console.quiet);
    command.word({"--progress", "word", "bar, lines, or json (an object a line)", "bar or lines"},
                 {"bar", "lines", "json"}, program_.console.progress_form);
    return command;
}

void Command::describe(CLI::Option& option, const Named& named) {
    option.group(group_)->type_name(named.unit)->default_str(named.default_text);
}

void Command::argument(const std::string& name, std::string& out, const std::string& meaning) {
    app_.add_option(name, out, meaning)->required()->group(group_);
}

void Command::arguments(const std::string& name, std::vector<std::string>& out, const std::string& meaning) {
    app_.add_option(name, out, meaning)->group(group_);
}

void Command::text(const Named& named, std::string& out) {
    describe(*app_.add_option(named.names, out, named.meaning), named);
}

void Command::required_text(const Named& named, std::string& out) {
    describe(*app_.add_option(named.names, out, named.meaning)->required(), named);
}

void Command::texts(const Named& named, std::vector<std::string>& out) {
    CLI::Option* option = app_.add_option(named.names, out, named.meaning);
    describe(*option, named);
    // One value each time, so that an argument may follow: --fix "x<0.1" bar.msh.
    option->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void Command::word(const Named& named, const std::vector<std::string>& choices, std::string& out) {
    describe(*app_.add_option(named.names, out, named.meaning)->check(word_check(choices)), named);
}

void Command::flag(const std::string& name, const std::string& meaning, bool& out) {
    app_.add_flag(name, out, meaning)->group(group_);
}

void Command::number(const Named& named, const Range& range, double& out) {
    describe(*app_.add_option(named.names, out, named.meaning)
                  ->check(number_check(range.least, range.most, range.what)),
             named);
}

void Command::number(const Named& named, const Range& range, std::optional<double>& out) {
    describe(*app_.add_option(named.names, out, named.meaning)
                  ->check(number_check(range.least, range.most, range.what)),
             named);
}

void Command::required_number(const Named& named, const Range& range, double& out) {
    number(named, range, out);
    app_.get_options().back()->required();
}

void Command::whole_number(const Named& named, int least, int most, int& out) {
    describe(
        *app_.add_option(named.names, out, named.meaning)
             ->check(number_check(least, most, fmt::format("a whole number from {} to {}", least, most))),
        named);
}

void Command::when_chosen(std::function<ExitStatus(Console&)> action) {
    app_.callback([&program = program_, action = std::move(action)] { program.chosen = action; });
}

}  // namespace limber::cli
