// SPDX-License-Identifier: Apache-2.0
#include "test_studio.h"

#include "studio/gallery.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

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

TEST_F(GalleryTest, TheSamplesBeginWithTheJellyBoxAndEndWithTheBars) {
    start();
    const nlohmann::json gallery = get("/api/gallery").json();
    std::vector<std::string> ids;
    for (const auto& model : gallery["models"])
        ids.push_back(model["id"]);
    ASSERT_EQ(ids.size(), 14u);
    EXPECT_EQ(std::vector<std::string>(ids.begin(), ids.begin() + 4),
              (std::vector<std::string>{"jelly-box", "spoon", "heart", "bridge"}));
    EXPECT_EQ(std::vector<std::string>(ids.end() - 2, ids.end()),
              (std::vector<std::string>{"bar", "bar-tets"}));
}

TEST_F(GalleryTest, TreesAreAmongTheSamplesAndTheOakStandsInTheWind) {
    start();
    for (const char* title : {"Oak", "Dragon", "Flower", "Word", "Station"})
        EXPECT_EQ(entry(title)["kind"], "sample") << title;
    EXPECT_EQ(entry("Oak")["wind"], (nlohmann::json{8, 0, 0}));
    EXPECT_TRUE(entry("Bar")["wind"].is_null());
    EXPECT_NE(post("/api/gallery/great-oak/build", "{}").status, 200);
}

TEST_F(GalleryTest, TheGreatOakIsThereIfTheCommandLineNamesIt) {
    options_.files = {"great-oak"};
    start();
    EXPECT_TRUE(studio_->address().ends_with("&open=great-oak")) << studio_->address();
    EXPECT_EQ(entry("Great-oak")["kind"], "sample");
}

// The live view drops a model with fixed vertices as this variant.
TEST_F(GalleryTest, AModelIsBuiltAgainWithNothingFixed) {
    start();
    const std::string mesh = upload("corner.obj", test::kTetrahedronObj);
    const auto fixed = job({{"kind", "build"},
                            {"upload", mesh},
                            {"name", "Corner"},
                            {"filling", {{"voxels", {{"resolution", 2}}}}},
                            {"fix", {"z<0.01"}},
                            {"improve", {"z>0.1"}},
                            {"modes", 2},
                            {"rank", 2}});
    ASSERT_EQ(fixed["state"], "done") << fixed;
    const nlohmann::json again = {{"kind", "build"},        {"from_model", fixed["result"]["id"]},
                                  {"name", "Corner, free"}, {"fix", {"none"}},
                                  {"method", "stvk"},       {"sketch", nullptr},
                                  {"improve", nullptr}};
    const auto free = job(again);
    ASSERT_EQ(free["state"], "done") << free;
    EXPECT_EQ(free["result"]["info"]["free_body"], true) << free["result"]["info"];
    EXPECT_EQ(job(again)["result"]["id"], free["result"]["id"]) << "it is built once";
    EXPECT_EQ(entry("Corner, free")["kind"], "built");
}

TEST_F(GalleryTest, TheJellyBoxBringsItsJump) {
    start();
    EXPECT_TRUE(entry("Bar")["motion"].is_null());
    const auto motion = entry("Jelly-box")["motion"];
    EXPECT_EQ(motion["name"], "jump");
    // 4 s at 60 poses a second, from where it stands to 0.45 m above that (models/skeleton.cpp: 0.7 to 1.15
    // m).
    const auto& positions = motion["positions"];
    ASSERT_EQ(positions.size(), 3u * 241u);
    ASSERT_EQ(motion["orientations"].size(), 4u * 241u);
    double highest = 0;
    for (std::size_t i = 2; i < positions.size(); i += 3)
        highest = std::max(highest, positions[i].get<double>());
    EXPECT_EQ(positions[2], 0.0);
    EXPECT_NEAR(highest, 0.45, 0.005);
    EXPECT_EQ(motion["orientations"][3], 1.0);
}

TEST_F(GalleryTest, TwoModelsOfOneNameHaveTwoTitles) {
    start();
    const std::string mesh = upload("corner.obj", test::kTetrahedronObj);
    const auto built = [&](int rank) {
        return job({{"kind", "build"},
                    {"upload", mesh},
                    {"name", "Corner"},
                    {"filling", {{"voxels", {{"resolution", 2}}}}},
                    {"fix", {"z<0.01"}},
                    {"modes", 2},
                    {"rank", rank}});
    };
    const auto first = built(2), second = built(1);
    ASSERT_EQ(first["state"], "done") << first;
    ASSERT_EQ(second["state"], "done") << second;
    EXPECT_EQ(entry("Corner")["id"], first["result"]["id"]);
    EXPECT_EQ(entry("Corner (2)")["id"], second["result"]["id"]);
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
    } while (without.contains("oak"));  // a tree: many parts, one surface
    EXPECT_EQ(get("/api/models/oak.png").body.substr(1, 3), "PNG");
}

}  // namespace
}  // namespace limber::studio
