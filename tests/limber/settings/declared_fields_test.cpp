// SPDX-License-Identifier: Apache-2.0
// Tables and declarations of settings are what the field lists say.
#include <limber/settings/declare_fields.h>
#include "tests/paths.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace limber::test {
namespace {

TEST(DeclaredFields, OfDocsAndDeclarationsAreFresh) {
    for (const char* file : {"docs/scene_file.md", "docs/python.md", "bindings/wasm/settings.d.ts",
                             "bindings/python/limber.pyi"}) {
        std::ifstream in(source_dir() + "/" + file, std::ios::binary);
        std::ostringstream text;
        text << in.rdbuf();
        ASSERT_NE(text.str().find("fields: StvkSettings"), std::string::npos) << file;
        const auto fresh = with_declared_fields(text.str(), file);
        ASSERT_TRUE(fresh.ok()) << fresh.error().where << ": " << fresh.error().problem;
        EXPECT_TRUE(fresh.value() == text.str()) << file << " is not fresh; run scripts/describe_settings";
    }
}

TEST(DeclaredFields, StandBetweenTheirMarkersInTheFormOfTheFile) {
    const auto made = [](const std::string& text, const char* file) {
        const auto result = with_declared_fields(text, file);
        return result.ok() ? result.value() : "error: " + result.error().problem;
    };
    EXPECT_EQ(
        made("a\n  # fields: StvkSettings.damping dict\n  old\n  # end\nb\n", "x.pyi"),
        "a\n  # fields: StvkSettings.damping dict\n  alpha: float\n  beta: float\n  strain_rate: float\n"
        "  # end\nb\n");
    const std::string keywords = made("# fields: WarpSettings\n# end\n", "x.pyi");
    EXPECT_NE(keywords.find("\ncoriolis: bool = False,\n"), std::string::npos) << keywords;
    EXPECT_NE(keywords.find("\nwarping: str = \"warped\",\n"), std::string::npos) << keywords;
    const std::string members = made("// fields: StvkSettings\n// end\n", "x.d.ts");
    EXPECT_NE(members.find("\nprecision?: 'double' | 'float';\n"), std::string::npos) << members;
    EXPECT_NE(members.find("\ndamping?: {\n  /** "), std::string::npos) << members;
    EXPECT_NE(members.find("\n  strain_rate?: number;\n};\n"), std::string::npos) << members;
    const std::string table = made("<!-- fields: WarpSettings body -->\n<!-- end -->\n", "x.md");
    EXPECT_NE(table.find("| `young_scale` |  | from 1e-09 to 1e+09 | 1 | "), std::string::npos) << table;
    EXPECT_EQ(table.find("gravity"), std::string::npos) << "a world has it";
    EXPECT_NE(made("// fields: Nothing\n// end\n", "x.ts").find("no fields of 'Nothing'"), std::string::npos);
    EXPECT_NE(made("// fields: Material\n", "x.ts").find("no end"), std::string::npos);
}

}  // namespace
}  // namespace limber::test
