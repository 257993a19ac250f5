// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>

namespace limber::cli {
namespace {

struct Line {
    std::string names, meaning, default_value;
};

// "-o, --output <file>" or "<mesh>".
std::string names_of(const CLI::Option& option) {
    if (option.get_positional()) return fmt::format("<{}>", option.get_single_name());
    std::string names;
    for (const std::string& s : option.get_snames())
        names += fmt::format("{}-{}", names.empty() ? "" : ", ", s);
    for (const std::string& l : option.get_lnames())
        names += fmt::format("{}--{}", names.empty() ? "" : ", ", l);
    const std::string type = option.get_items_expected_max() == 0 ? "" : option.get_type_name();
    return type.empty() ? names : fmt::format("{} <{}>", names, type);
}

std::string usage_of(const CLI::App& app) {
    std::string usage = "usage: " + full_name(app);
    if (!app.get_subcommands({}).empty()) return usage + " <command> [options]";
    for (const CLI::Option* option : app.get_options())
        if (option->get_positional()) usage += ' ' + names_of(*option);
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_positional() || !option->get_required()) continue;
        const std::string names = names_of(*option);
        // The first of its names is enough here.
        const auto comma = names.find(", ");
        usage += ' ' + (comma == std::string::npos ? names
                                                   : names.substr(0, comma) + names.substr(names.find(" <")));
    }
    return usage + " [options]";
}

std::string table(const std::vector<Line>& lines, std::size_t names_width, std::size_t meaning_width) {
    std::string out;
    for (const Line& line : lines) {
        const std::string last =
            line.default_value.empty() ? "" : fmt::format("(default {})", line.default_value);
        // A meaning of several lines keeps its column; the default stands on the first.
        std::size_t begin = 0;
        for (bool first = true; begin <= line.meaning.size(); first = false) {
            const std::size_t end = std::min(line.meaning.find('\n', begin), line.meaning.size());
            std::string row =
                fmt::format("  {:<{}}  {:<{}}  {}", first ? line.names : "", names_width,
                            line.meaning.substr(begin, end - begin), meaning_width, first ? last : "");
            row.erase(row.find_last_not_of(' ') + 1);
            out += row + '\n';
            begin = end + 1;
        }
    }
    return out;
}

std::size_t longest_line(const std::string& text) {
    std::size_t longest = 0;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        longest = std::max(longest, end - begin);
        begin = end + 1;
    }
    return longest;
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const {
    std::vector<std::pair<std::string, std::vector<Line>>> groups;
    // "General" (--json, --quiet, --help) is declared first and shown last.
    std::vector<std::string> names = app->get_groups();
    std::stable_partition(names.begin(), names.end(), [](const std::string& g) { return g != "General"; });
    for (const std::string& group : names) {
        std::vector<Line> lines;
        for (const CLI::Option* option : app->get_options(
                 [&](const CLI::Option* o) { return o->get_group() == group && !group.empty(); }))
            lines.push_back({names_of(*option), option->get_description(), option->get_default_str()});
        if (!lines.empty()) groups.emplace_back(group, std::move(lines));
    }
    std::vector<Line> commands;
    for (const CLI::App* sub : app->get_subcommands({})) {
        if (sub->get_subcommands({}).empty()) {
            commands.push_back({sub->get_name(), sub->get_description(), ""});
            continue;
        }
        for (const CLI::App* leaf : sub->get_subcommands({}))
            commands.push_back({sub->get_name() + ' ' + leaf->get_name(), leaf->get_description(), ""});
    }
    if (!commands.empty()) groups.insert(groups.begin(), {"Commands", commands});

    std::size_t names_width = 0, meaning_width = 0;
    for (const auto& [group, lines] : groups)
        for (const Line& line : lines) {
            names_width = std::max(names_width, line.names.size());
            if (!line.default_value.empty())
                meaning_width = std::max(meaning_width, longest_line(line.meaning));
        }

    std::string out = usage_of(*app) + "\n\n" + app->get_description() + "\n\n";
    for (const auto& [group, lines] : groups)
        out += group + '\n' + table(lines, names_width, meaning_width);
    if (!app->get_footer().empty()) out += '\n' + app->get_footer() + '\n';
    return out;
}

std::string full_name(const CLI::App& app) {
    return app.get_parent() ? full_name(*app.get_parent()) + ' ' + app.get_name() : app.get_name();
}

}  // namespace limber::cli
