// SPDX-License-Identifier: Apache-2.0
// The overview, --help, --version, and that the manual docs/command_line.md and --help tell the same.
#include "run_limber.h"
#include "tests/paths.h"

#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace limber::test {
namespace {

const std::vector<Arguments> kCommands = {{"mesh", "info"},
                                          {"mesh", "voxelize"},
                                          {"mesh", "tetrahedralize"},
                                          {"mesh", "repair"},
                                          {"mesh", "convert"},
                                          {"models", "list"},
                                          {"models", "make"},
                                          {"solve", "modes"},
                                          {"solve", "static"},
                                          {"solve", "dynamic"},
                                          {"draw"},
                                          {"build"},
                                          {"info"},
                                          {"simulate"},
                                          {"validate"}};

std::string joined(const Arguments& words) {
    std::string out = "limber";
    for (const auto& word : words)
        out += ' ' + word;
    return out;
}

std::set<std::string> options_in(const std::string& text) {
    static const std::regex pattern("--[a-z][a-z-]*");
    std::set<std::string> out;
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it)
        out.insert(it->str());
    return out;
}

// The options that a help text declares: those at the start of a line.
std::set<std::string> options_declared(const std::string& help) {
    std::set<std::string> out;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("  -")) {
            const auto found = options_in(line.substr(0, line.find("  ", 2)));
            out.insert(found.begin(), found.end());
        }
    return out;
}

// "## limber solve modes" -> the text under it.
std::map<std::string, std::string> manual_sections() {
    std::istringstream lines(file_text(test::source_dir() + "/docs/command_line.md"));
    std::map<std::string, std::string> sections;
    std::string name;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("## "))
            name = line.substr(3);
        else
            sections[name] += line + '\n';
    return sections;
}

TEST(Help, LimberAlonePrintsTheOverviewWithEveryCommand) {
    const Ran alone = run_limber({});
    EXPECT_EQ(alone.status, 0);
    EXPECT_EQ(alone.err, "");
    for (const auto& words : kCommands)
        EXPECT_NE(alone.out.find(joined(words).substr(7)), std::string::npos) << joined(words);
    EXPECT_EQ(run_limber({"--help"}).out, alone.out);
    EXPECT_EQ(run_limber({"-h"}).out, alone.out);
}

TEST(Help, VersionIsThatOfTheProjectWithTheCommit) {
    const Ran ran = run_limber({"--version"});
    EXPECT_EQ(ran.status, 0);
    // No commit where limber is built outside of a repository.
    const std::regex expected("limber [0-9]+\\.[0-9]+\\.[0-9]+( \\(commit [0-9a-f]{12}(-dirty)?\\))?\n");
    EXPECT_TRUE(std::regex_match(ran.out, expected)) << ran.out;
}

TEST(Help, EveryCommandHasUsageGroupsExampleAndExitStatus) {
    for (Arguments words : kCommands) {
        const std::string name = joined(words);
        words.push_back("--help");
        const Ran ran = run_limber(words);
        EXPECT_EQ(ran.status, 0) << name;
        EXPECT_EQ(ran.out.find("usage: " + name), 0u) << ran.out;
        for (const char* piece :
             {"Example:  limber ", "Exit status: 0 done, 1 bad input, 2 ", "--json", "--quiet", "--help"})
            EXPECT_NE(ran.out.find(piece), std::string::npos) << name << ": " << piece;
        std::istringstream lines(ran.out);
        for (std::string line; std::getline(lines, line);)
            EXPECT_LE(line.size(), 120u) << line;
    }
}

TEST(Help, ContractedOptionsAreThere) {
    const std::set<std::string> solve = {"--fix",   "--young", "--poisson", "--density", "--material",
                                         "--probe", "--vtu",   "--out",     "--json",    "--quiet"};
    const std::map<std::string, std::set<std::string>> contract = {
        {"modes", {"--count", "--mass"}},
        {"static", {"--load", "--gravity"}},
        {"dynamic", {"--load", "--release", "--dt", "--duration", "--damping", "--integrator", "--csv"}}};
    for (const auto& [name, own] : contract) {
        const auto declared = options_declared(run_limber({"solve", name, "--help"}).out);
        for (const auto& option : solve)
            EXPECT_TRUE(declared.contains(option)) << name << ' ' << option;
        for (const auto& option : own)
            EXPECT_TRUE(declared.contains(option)) << name << ' ' << option;
    }
}

TEST(Help, TheManualAndTheHelpNameTheSameOptions) {
    const auto sections = manual_sections();
    ASSERT_TRUE(sections.contains("Every command"));
    ASSERT_TRUE(sections.contains("Every solve command"));
    for (Arguments words : kCommands) {
        const std::string name = joined(words);
        ASSERT_TRUE(sections.contains(name)) << name;
        const bool solves = words[0] == "solve";
        words.push_back("--help");
        const auto declared = options_declared(run_limber(words).out);
        EXPECT_GE(declared.size(), 3u) << name;

        auto shared = options_in(sections.at("Every command"));
        if (solves) shared.merge(options_in(sections.at("Every solve command")));
        const auto own = options_in(sections.at(name));
        for (const auto& option : declared)
            EXPECT_TRUE(own.contains(option) || shared.contains(option))
                << name << " " << option << " is not in the manual";
        for (const auto& option : own)
            EXPECT_TRUE(declared.contains(option)) << name << " has no " << option;
        const auto of_solve = options_in(sections.at("Every solve command"));
        for (const auto& option : of_solve)
            EXPECT_TRUE(!solves || declared.contains(option)) << name << " has no " << option;
    }
}

}  // namespace
}  // namespace limber::test
