// SPDX-License-Identifier: Apache-2.0
// The house rules that a compiler does not keep: folders in the order in which data flows, in C++ and in
// TypeScript, a licence line in every source, and documents that name only what is there.
#include "tests/paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Folders = std::vector<std::string>;

// A folder includes only itself and the folders above it in this list; docs/architecture.md has the same
// list.
const Folders kOrder = {
    "src/limber",
    "src/limber/model",
    "src/limber/select",
    "src/limber/integrate",
    "src/limber/rigid",
    "src/limber/reduced",
    "src/limber/warp",
    "src/limber/domains",
    "src/limber/contact",
    "src/limber/haptics",
    "src/limber/settings",
    "src/limber/world",
    "bindings/c",
    "bindings/wasm",
    "src/realtime",
    "src/build",
    "src/build/file",
    "src/build/mesh",
    "src/build/mesh_files",
    "src/build/animation",
    "src/build/fem",
    "src/build/basis",
    "src/build/reduce",
    "src/build/domains",
    "models",
    "src/build/picture",
    "src/build/recipe",
    "src/build/scene",
    "src/build/validate",
    "bindings/python",
    "src/studio",
    "src/cli",
};

// The same for the imports of the page.
const Folders kPageOrder = {
    "web/src/api",    "web/src/page",    "web/src/sim",  "web/src/gpu",  "web/src/motion",
    "web/src/view",   "web/src/panels",  "web/src/live", "web/src/make", "web/src/gallery",
    "web/src/sketch", "web/src/inspect", "web/src",
};

const fs::path kRoot = limber::test::source_dir();

std::string name_of(const fs::path& path) {
    return path.lexically_relative(kRoot).generic_string();
}

// Our own files below these folders: nothing that was installed, built or made for the tests.
std::vector<fs::path> files_below(const Folders& folders, const std::set<std::string>& endings) {
    const std::set<std::string> others = {"node_modules", "__pycache__", "build", "data", ".vite"};
    std::vector<fs::path> out;
    for (const std::string& folder : folders)
        for (fs::recursive_directory_iterator at(kRoot / folder), end; at != end; ++at) {
            // src/build is ours; a folder `build` elsewhere is what a build left.
            if (at->is_directory() && others.count(at->path().filename().string()) &&
                name_of(at->path()) != "src/build" && name_of(at->path()) != "tests/build")
                at.disable_recursion_pending();
            else if (at->is_regular_file() && endings.count(at->path().extension().string()))
                out.push_back(at->path());
        }
    std::sort(out.begin(), out.end());
    return out;
}

// The tests beside the WebAssembly module may include those of the library.
std::vector<fs::path> cpp_sources() {
    std::vector<fs::path> out = files_below({"src", "models", "bindings"}, {".h", ".cpp"});
    std::erase_if(out,
                  [](const fs::path& path) { return name_of(path.parent_path()) == "bindings/wasm/test"; });
    return out;
}

std::vector<fs::path> page_sources() {
    return files_below({"web/src"}, {".ts", ".tsx"});
}

std::vector<std::string> lines_of(const fs::path& path) {
    std::ifstream in(path);
    std::vector<std::string> out;
    for (std::string line; std::getline(in, line);)
        out.push_back(line);
    return out;
}

// -1: not in the list.
std::ptrdiff_t rank_in(const Folders& order, const fs::path& folder) {
    const auto found = std::find(order.begin(), order.end(), name_of(folder));
    return found == order.end() ? -1 : found - order.begin();
}

TEST(House, EverySourceLiesInAFolderOfTheMap) {
    ASSERT_GT(cpp_sources().size(), 20u);
    for (const auto& path : cpp_sources())
        EXPECT_GE(rank_in(kOrder, path.parent_path()), 0) << path;
    ASSERT_GT(page_sources().size(), 20u);
    for (const auto& path : page_sources())
        EXPECT_GE(rank_in(kPageOrder, path.parent_path()), 0) << path;
}

TEST(House, AFolderIncludesOnlyFoldersAboveIt) {
    const std::regex include(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
    int checked = 0;
    for (const auto& path : cpp_sources())
        for (const std::string& line : lines_of(path)) {
            std::smatch match;
            if (!std::regex_search(line, match, include)) continue;
            fs::path target;
            for (const auto& root : {kRoot / "src", kRoot})
                if (fs::exists(root / match[1].str())) target = root / match[1].str();
            if (target.empty()) continue;  // not ours
            ++checked;
            EXPECT_LE(rank_in(kOrder, target.parent_path()), rank_in(kOrder, path.parent_path()))
                << path << " includes " << match[1];
        }
    EXPECT_GT(checked, 50);
}

// Static and dynamic imports, types and style sheets, and the workers that a module starts.
TEST(House, AFolderOfThePageImportsOnlyFoldersAboveIt) {
    const std::regex import(R"re((?:from|import|import\(|new URL\()\s*['"](\.[^'"?]+))re");
    int checked = 0;
    for (const auto& path : page_sources())
        for (const std::string& line : lines_of(path)) {
            std::smatch match;
            if (!std::regex_search(line, match, import)) continue;
            const fs::path named = (path.parent_path() / match[1].str()).lexically_normal();
            fs::path target;
            for (const char* ending : {"", ".ts", ".tsx"})
                if (fs::is_regular_file(named.string() + ending)) target = named.string() + ending;
            ASSERT_FALSE(target.empty()) << path << " imports " << match[1] << ", which is not there";
            ++checked;
            EXPECT_GE(rank_in(kPageOrder, target.parent_path()), 0) << path << " imports " << match[1];
            EXPECT_LE(rank_in(kPageOrder, target.parent_path()), rank_in(kPageOrder, path.parent_path()))
                << path << " imports " << match[1];
        }
    EXPECT_GT(checked, 200);
}

TEST(House, EverySourceNamesItsLicence) {
    const auto sources = files_below({"src", "models", "bindings", "web", "tests", "examples", "benchmarks"},
                                     {".h", ".cpp", ".ts", ".tsx", ".js", ".mjs", ".py", ".pyi", ".css"});
    ASSERT_GT(sources.size(), 500u);
    for (const auto& path : sources) {
        const auto lines = lines_of(path);
        ASSERT_FALSE(lines.empty()) << path;
        // Below the line that names the interpreter of a script.
        const std::string& first = lines[0].starts_with("#!") && lines.size() > 1 ? lines[1] : lines[0];
        EXPECT_NE(first.find("SPDX-License-Identifier: Apache-2.0"), std::string::npos) << path;
    }
}

// One step moves everything: the world's. Who calls a step elsewhere calls that of a world, of a session or
// of the full finite-element solver.
TEST(House, OnlyTheWorldStepsBodies) {
    const std::regex call(R"((\w+)(?:\(\))?\s*(?:\.|->)\s*(?:step|trial)\s*\()");
    // self: a body of Python is a world of one body.
    const std::set<std::string> others = {"world",  "world_",  "session", "session_",
                                          "solver", "solver_", "self"};
    const std::regex text(R"("[^"]*")");
    const std::set<std::string> own = {"src/limber/world", "src/limber/reduced", "src/limber/warp",
                                       "src/limber/rigid", "src/limber/domains", "src/build/fem"};
    int checked = 0;
    for (const auto& path : cpp_sources()) {
        if (own.count(name_of(path.parent_path()))) continue;
        for (const std::string& whole : lines_of(path)) {
            const std::string line = std::regex_replace(whole, text, "");
            for (std::sregex_iterator at(line.begin(), line.end(), call), end; at != end; ++at) {
                ++checked;
                EXPECT_TRUE(others.count((*at)[1])) << path << ": " << line;
            }
        }
    }
    EXPECT_GT(checked, 4);
}

// The first cells of the tables, in order.
TEST(House, TheArchitecturePageListsTheFoldersInTheirOrder) {
    const std::regex row(R"(^\| `([\w/]+)` \|)");
    Folders cpp, page;
    for (const std::string& line : lines_of(kRoot / "docs/architecture.md")) {
        std::smatch match;
        if (!std::regex_search(line, match, row)) continue;
        const std::string folder = match[1];
        (folder.starts_with("web/") ? page : cpp).push_back(folder);
    }
    EXPECT_EQ(cpp, kOrder);
    EXPECT_EQ(page, kPageOrder);
}

std::vector<fs::path> documents() {
    std::vector<fs::path> out = files_below({"docs", "bindings", "examples"}, {".md"});
    out.push_back(kRoot / "README.md");
    return out;
}

// What may be a path in a text: the longest runs of such characters, without the full stop of a sentence.
std::vector<std::string> words_of(const std::string& text) {
    static const std::regex word(R"([\w./-]+)");
    std::vector<std::string> out;
    for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at) {
        std::string one = at->str();
        while (one.ends_with('.') || one.ends_with('-'))
            one.pop_back();
        out.push_back(one);
    }
    return out;
}

TEST(House, PathsInDocumentsExist) {
    // `models/` is a folder of the studio's cache too.
    const Folders tops = {"src/",      "tests/",      "docs/",    "web/",
                          "bindings/", "benchmarks/", "scripts/", "examples/"};
    int checked = 0;
    for (const auto& path : documents())
        for (const std::string& line : lines_of(path))
            for (const std::string& word : words_of(line)) {
                if (std::none_of(tops.begin(), tops.end(),
                                 [&](const std::string& top) { return word.starts_with(top); }))
                    continue;
                ++checked;
                EXPECT_TRUE(fs::exists(kRoot / word)) << path << " names " << word;
            }
    EXPECT_GT(checked, 50);
}

TEST(House, LinksInDocumentsLeadToFiles) {
    const std::regex link(R"(\]\(([^)\s#]+)(?:#[^)]*)?\))");
    int checked = 0;
    for (const auto& path : documents())
        for (const std::string& line : lines_of(path))
            for (std::sregex_iterator at(line.begin(), line.end(), link), end; at != end; ++at) {
                const std::string target = (*at)[1];
                if (target.find("://") != std::string::npos) continue;
                ++checked;
                EXPECT_TRUE(fs::exists(path.parent_path() / target)) << path << " links to " << target;
            }
    EXPECT_GT(checked, 50);
}

// `step.h` and `make/flow.ts`: the end of some file's path. In a row of a table whose first cell is a folder:
// a file of that folder.
TEST(House, SourcesInDocumentsExist) {
    const std::set<std::string> endings = {".h", ".cpp", ".ts", ".tsx", ".js", ".mjs", ".py", ".pyi"};
    std::vector<std::string> sources;
    for (const auto& path :
         files_below({"src", "models", "bindings", "web", "tests", "examples", "benchmarks"}, endings))
        sources.push_back("/" + name_of(path));
    const std::regex code(R"(`([\w./-]+)`)");
    const std::regex first_cell(R"(^\| `([\w/]+)` \|)");
    int checked = 0;
    for (const auto& path : documents())
        for (const std::string& line : lines_of(path)) {
            std::smatch cell;
            std::string folder;
            if (std::regex_search(line, cell, first_cell) && fs::is_directory(kRoot / cell[1].str()))
                folder = "/" + cell[1].str();
            for (std::sregex_iterator at(line.begin(), line.end(), code), end; at != end; ++at) {
                const std::string named = (*at)[1];
                if (!endings.count(fs::path(named).extension().string()) || named.starts_with('.')) continue;
                ++checked;
                const std::string tail = (named.find('/') == std::string::npos ? folder : "") + "/" + named;
                EXPECT_TRUE(std::any_of(sources.begin(), sources.end(),
                                        [&](const std::string& source) { return source.ends_with(tail); }))
                    << path << " names " << named;
            }
        }
    EXPECT_GT(checked, 50);
}

}  // namespace
