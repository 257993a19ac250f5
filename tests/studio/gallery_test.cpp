// SPDX-License-Identifier: Apache-2.0
#include "test_studio.h"

#include "studio/gallery.h"

#include <set>

namespace limber::studio {
namespace {

class GalleryTest : public test::StudioTest {
 protected:
    nlohmann::json entry(const std::string& title) const {
        const nlohmann::json gallery = get("/api/gallery").json();
        for (const auto& model : gallery["models"])
            if (model["title"] == title) return model;
        ADD_FAILURE() << "nothing of the title " << title;
        return {};
    }
};

TEST_F(GalleryTest, TheSamplesAreThereBeforeTheyAreBuilt) {
    start();
    const auto bar = entry("Bar");
    EXPECT_EQ(bar["state"], "unbuilt");
    EXPECT_EQ(bar["kind"], "sample");
    EXPECT_TRUE(bar["model"].is_null());
    EXPECT_EQ(bar["command"], "limber build bar -o bar.glb");
    EXPECT_GE(get("/api/materials").json().size(), 8u);
    EXPECT_EQ(get("/api/models/bar.glb").status, 404);
}

TEST_F(GalleryTest, FilesOfTheCommandLineAreModelsOrMeshes) {
    folder_.write("corner.obj", test::kTetrahedronObj);
    const std::atomic<bool> never{false};
    const std::string model = (folder_.path() / "corner.glb").string();
    const ChildResult built =
        run_child({LIMBER_PROGRAM,
                   {"build", (folder_.path() / "corner.obj").string(), "-o", model, "--fix", "z<0.01",
                    "--resolution", "2", "--modes", "1", "--rank", "1"},
                   "/",
                   {}},
                  never, [](std::string_view) { return true; });
    ASSERT_EQ(built.status, 0);
    options_.files = {folder_.path() / "corner.obj", model};
    start();
    const auto ready = entry("corner.glb");
    EXPECT_EQ(ready["state"], "ready");
    EXPECT_EQ(ready["kind"], "given");
    EXPECT_EQ(ready["rank"], 1);
    EXPECT_EQ(get('/' + ready["model"].get<std::string>()).body, test::file_text(model));
    const auto mesh = entry("corner.obj");
    EXPECT_EQ(mesh["state"], "unbuilt");
    const auto check = job({{"kind", "check"}, {"upload", mesh["upload"]}});
    EXPECT_EQ(check["state"], "done") << check;
    // What is not made here is not removed here.
    EXPECT_NE(remove("/api/models/" + ready["id"].get<std::string>()).status, 200);
    EXPECT_TRUE(std::filesystem::exists(model));
}

TEST_F(GalleryTest, TheAddressOpensTheOneThingThatWasNamed) {
    options_.files = {"spoon"};
    start();
    EXPECT_TRUE(studio_->address().ends_with("&open=spoon")) << studio_->address();
    EXPECT_EQ(entry("Spoon")["kind"], "sample");
    stop();
    options_.files = {"spoon", "heart"};
    start();
    EXPECT_EQ(studio_->address().find("open="), std::string::npos);
}

TEST_F(GalleryTest, AFileThatIsNeitherIsToldAtOnce) {
    folder_.write("notes.txt", "hello");
    for (const char* name : {"notes.txt", "not-there.obj"}) {
        options_.files = {folder_.path() / name};
        EXPECT_THROW(start(), InputError) << name;
    }
}

TEST_F(GalleryTest, WithoutAPageTheErrorTellsHowToBuildIt) {
    options_.page = folder_.path() / "nowhere";
    try {
        start();
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(error.try_this.find("limber_web"), std::string::npos);
    }
}

TEST_F(GalleryTest, APictureIsDrawnOfWhatIsNotBuilt) {
    options_.draws_pictures = true;
    start();
    std::set<std::string> without;
    do {
        without.clear();
        const nlohmann::json gallery = get("/api/gallery").json();
        for (const auto& model : gallery["models"])
            if (model["picture"].is_null()) without.insert(model["id"]);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    } while (without.contains("bar"));
    EXPECT_EQ(get("/api/models/bar.png").body.substr(1, 3), "PNG");
}

}  // namespace
}  // namespace limber::studio
