// SPDX-License-Identifier: Apache-2.0
#include "studio/static_export.h"

#include "test_studio.h"

namespace limber::studio {
namespace {

class StaticExport : public test::StudioTest {};

TEST_F(StaticExport, HoldsThePageTheGalleryAndTheModels) {
    // A volume of two tetrahedra, which is built as it is, in no time.
    folder_.write(
        "two.mesh",
        "MeshVersionFormatted 2\nDimension 3\nVertices 5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\n"
        "Tetrahedra 2\n1 2 3 4 0\n2 5 3 4 0\nEnd\n");
    options_.files = {folder_.path() / "two.mesh"};
    const auto out = folder_.path() / "site";
    std::vector<std::string> built;
    const Exported exported = export_studio(
        options_, out, [](const std::string&) {}, [&](const std::string& model) { built.push_back(model); });
    EXPECT_EQ(exported.models, 1u);
    EXPECT_EQ(built, std::vector<std::string>{"two.mesh"});
    EXPECT_NE(test::file_text(out / "index.html").find("<html lang=\"en\" data-export>"), std::string::npos);
    EXPECT_EQ(test::file_text(out / "assets/main.js"), "export {};");
    const auto gallery = nlohmann::json::parse(test::file_text(out / "gallery.json"));
    ASSERT_EQ(gallery["models"].size(), 1u);
    const std::string model = gallery["models"][0]["model"];
    EXPECT_EQ(model.substr(0, 7), "models/");
    EXPECT_EQ(test::file_text(out / model).substr(0, 4), "glTF");
    EXPECT_EQ(test::file_text(out / gallery["models"][0]["picture"].get<std::string>()).substr(1, 3), "PNG");
    EXPECT_EQ(gallery["models"][0]["state"], "ready");
    // It does not tell in which folder it was made.
    EXPECT_EQ(test::file_text(out / "gallery.json").find(folder_.path().string()), std::string::npos);
}

TEST_F(StaticExport, WritesOverNothing) {
    folder_.write("site/precious.txt", "x");
    EXPECT_THROW(export_studio(
                     options_, folder_.path() / "site", [](const std::string&) {}, [](const std::string&) {}),
                 InputError);
    EXPECT_EQ(test::file_text(folder_.path() / "site/precious.txt"), "x");
}

TEST_F(StaticExport, DoesNotTakeTheCacheForAFolderToFill) {
    for (const char* cache : {"site", "site/cache", "site/../site/a/b"}) {
        options_.cache = folder_.path() / cache;
        EXPECT_THROW(
            export_studio(
                options_, folder_.path() / "site", [](const std::string&) {}, [](const std::string&) {}),
            InputError)
            << cache;
        EXPECT_FALSE(std::filesystem::exists(folder_.path() / "site")) << cache;
    }
}

}  // namespace
}  // namespace limber::studio
