// SPDX-License-Identifier: Apache-2.0
// Our options in terms of CLI11's.
#include "cli/command.h"

#include "build/file/output_guard.h"
#include "build/file/output_place.h"
#include "build/file/text_scanner.h"
#include "build/mesh_files/files.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
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

// The files that the text of an option may name: as it stands; behind "file:" and "sketch:", where commas
// part several; before the colon of "SELECT: values".
std::vector<std::filesystem::path> files_named(std::string text) {
    std::vector<std::filesystem::path> out = {text};
    text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
    if (text.starts_with("file:")) {
        text.erase(0, 5);
        out.insert(out.end(), {text, text.substr(0, text.rfind(':'))});
    } else if (text.starts_with("sketch:")) {
        for (std::string_view rest = std::string_view(text).substr(7); !rest.empty();) {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            out.emplace_back(rest.substr(0, comma));
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
    }
    return out;
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

void Command::output_argument(const std::string& name, std::string& out, const std::string& meaning) {
    argument(name, out, meaning);
    add_output(app_.get_options().back(), out, {});
}

void Command::output(const Named& named, std::string& out, FilesOf files) {
    text(named, out);
    add_output(app_.get_options().back(), out, std::move(files));
}

void Command::required_output(const Named& named, std::string& out) {
    required_text(named, out);
    add_output(app_.get_options().back(), out, {});
}

void Command::output_folder(const Named& named, std::string& out) {
    text(named, out);
    output_folders_.push_back(&out);
}

void Command::add_output(const CLI::Option* option, const std::string& name, FilesOf files) {
    if (!files)
        files = [](const std::string& file) {
            return file.empty() ? std::vector<std::filesystem::path>{} : build::files_written(file);
        };
    outputs_.push_back({option, &name, std::move(files)});
}

void Command::guard(const CLI::App& app, const std::vector<Output>& outputs,
                    const std::vector<const std::string*>& folders) {
    for (const std::string* folder : folders)
        if (!folder->empty()) build::check_output_folder(*folder);
    std::vector<build::OutputName> names;
    for (const Output& output : outputs)
        for (const std::filesystem::path& file : output.files(*output.name))
            names.push_back({output.option->get_name(), file});
    build::announce_outputs(names);
    for (const CLI::Option* option : app.get_options()) {
        const bool is_flag = option->get_items_expected_max() == 0;
        if (is_flag ||
            std::any_of(outputs.begin(), outputs.end(), [&](const Output& o) { return o.option == option; }))
            continue;
        for (const std::string& text : option->results())
            for (const std::filesystem::path& file : files_named(text))
                build::refuse_output(file);
    }
}

void Command::when_chosen(std::function<ExitStatus(Console&)> action) {
    app_.callback([this_app = &app_, &program = program_, outputs = outputs_, folders = output_folders_,
                   action = std::move(action)] {
        program.chosen = [=](Console& console) {
            guard(*this_app, outputs, folders);
            return action(console);
        };
    });
}

}  // namespace limber::cli
