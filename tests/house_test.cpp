// SPDX-License-Identifier: Apache-2.0
// The house rules that a compiler does not keep: folders in the order in which data flows.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// A folder includes only itself and the folders above it in this list (docs/architecture.md draws it).
const std::vector<std::string> kOrder = {
    "src/limber",
    "src/limber/model",
    "src/limber/select",
    "src/limber/integrate",
    "src/limber/rigid",
    "src/limber/reduced",
    "src/limber/warp",
    "src/limber/settings",
    "src/limber/world",
    "src/build",
    "src/build/file",
    "src/build/mesh",
    "src/build/mesh_files",
    "src/build/animation",
    "models",
    "src/build/fem",
    "src/build/basis",
    "src/build/reduce",
    "src/build/picture",
    "src/build/recipe",
    "src/build/scene",
    "src/build/validate",
    "src/studio",
    "src/cli",
};

const fs::path kRoot = LIMBER_SOURCE_DIR;

std::vector<fs::path> sources() {
    std::vector<fs::path> out;
    for (const char* top : {"src", "models"})
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / top))
            if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp")
                out.push_back(entry.path());
    return out;
}

std::ptrdiff_t rank_of(const fs::path& folder) {
    const auto found =
        std::find(kOrder.begin(), kOrder.end(), folder.lexically_relative(kRoot).generic_string());
    return found == kOrder.end() ? -1 : found - kOrder.begin();
}

TEST(House, EverySourceLiesInAFolderOfTheMap) {
    ASSERT_GT(sources().size(), 20u);
    for (const auto& path : sources())
        EXPECT_GE(rank_of(path.parent_path()), 0) << path;
}

TEST(House, AFolderIncludesOnlyFoldersAboveIt) {
    const std::regex include(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
    int checked = 0;
    for (const auto& path : sources()) {
        std::ifstream in(path);
        for (std::string line; std::getline(in, line);) {
            std::smatch match;
            if (!std::regex_search(line, match, include)) continue;
            fs::path target;
            for (const auto& root : {kRoot / "src", kRoot})
                if (fs::exists(root / match[1].str())) target = root / match[1].str();
            if (target.empty()) continue;  // not ours
            ++checked;
            EXPECT_LE(rank_of(target.parent_path()), rank_of(path.parent_path()))
                << path << " includes " << match[1];
        }
    }
    EXPECT_GT(checked, 50);
}

TEST(House, EverySourceNamesItsLicence) {
    for (const auto& path : sources()) {
        std::ifstream in(path);
        std::string line;
        std::getline(in, line);
        EXPECT_EQ(line, "// SPDX-License-Identifier: Apache-2.0") << path;
    }
}

}  // namespace
