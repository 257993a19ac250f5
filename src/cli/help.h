// SPDX-License-Identifier: Apache-2.0
// The text of --help: usage, what it does, options in groups with units and defaults, an example.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace limber::cli {

class HelpFormatter : public CLI::FormatterBase {
 public:
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

// "limber solve modes": the command with those above it.
std::string full_name(const CLI::App& app);

}  // namespace limber::cli
