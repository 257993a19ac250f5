// SPDX-License-Identifier: Apache-2.0
// The commands and options that the studio needs of the program, and `limber studio` itself, as processes.
#include "test_studio.h"

#include "studio/shell_words.h"

#include <cstring>
#include <sstream>
#include <thread>

namespace limber::studio {
namespace {

class Commands : public ::testing::Test {
 protected:
    ChildResult run(const std::vector<std::string>& arguments) {
        const std::atomic<bool> never{false};
        return run_child({LIMBER_PROGRAM, arguments, folder_.path(), {}}, never, [&](std::string_view line) {
            lines_.emplace_back(line);
            return true;
        });
    }
    test::TemporaryFolder folder_;
    std::vector<std::string> lines_;  // of standard error
};

TEST_F(Commands, ProgressAsJsonIsAnObjectOnEveryLine) {
    folder_.write("a.obj", "mtllib nowhere.mtl\n" + test::kTetrahedronObj);
    const ChildResult built = run({"build", "a.obj", "-o", "a.glb", "--resolution", "2", "--fix", "z<0.01",
                                   "--modes", "1", "--rank", "1", "--json", "--progress", "json"});
    ASSERT_EQ(built.status, 0) << built.out;
    bool stage = false, note = false;
    for (const std::string& line : lines_) {
        const auto json = nlohmann::json::parse(line, nullptr, false);
        ASSERT_TRUE(json.is_object()) << line;
        stage |= json.value("stage", "") == "reduction";
        note |= json.value("note", "").find("material library") != std::string::npos;
    }
    EXPECT_TRUE(stage);
    EXPECT_TRUE(note);
    // How results are told is no part of the command that the model remembers.
    EXPECT_EQ(nlohmann::json::parse(built.out)["command"],
              "limber build a.obj -o a.glb --resolution 2 --fix 'z<0.01' --modes 1 --rank 1");
    lines_.clear();
    EXPECT_EQ(run({"mesh", "info", "nowhere.obj", "--json", "--progress=json"}).status, 1);
    ASSERT_EQ(lines_.size(), 1u);
    EXPECT_TRUE(nlohmann::json::parse(lines_[0]).contains("error"));
}

TEST_F(Commands, AnOutlineHoldsTheOuterFacesInMetres) {
    ASSERT_EQ(run({"models", "make", "bar", "--cells", "2,1,1", "--size", "2,1,1", "-o", "bar.vtu"}).status,
              0);
    const ChildResult outlined =
        run({"mesh", "outline", "bar.vtu", "-o", "bar.bin", "--unit", "cm", "--json"});
    ASSERT_EQ(outlined.status, 0) << outlined.out;
    const std::string bytes = test::file_text(folder_.path() / "bar.bin");
    std::array<std::uint32_t, 3> counts{};
    ASSERT_GE(bytes.size(), 12u);
    std::memcpy(counts.data(), bytes.data(), 12);
    // Two cubes side by side: 12 corners, 10 outer quads, 20 edges (of 24 less the four that both have).
    EXPECT_EQ(counts, (std::array<std::uint32_t, 3>{12, 20, 20}));
    ASSERT_EQ(bytes.size(), 12 + 4 * (3 * 12 + 2 * 20 + 3 * 20));
    float largest = 0;
    for (std::size_t i = 0; i < 36; ++i) {
        float x = 0;
        std::memcpy(&x, bytes.data() + 12 + 4 * i, 4);
        largest = std::max(largest, x);
    }
    EXPECT_EQ(largest, 0.02f);
    EXPECT_EQ(run({"mesh", "outline", "bar.vtu", "-o", "x.bin", "--unfilled", "--tets", "--json"}).status, 1);
}

TEST_F(Commands, TheStudioServesUntilItIsInterruptedAndLeavesNothingRunning) {
    folder_.write("web/index.html", "<!doctype html><html lang=\"en\"></html>");
    const std::string script = "LIMBER_WEB=web exec " + shell_word(LIMBER_PROGRAM) +
                               " studio spoon --no-open --port 0 --cache cache --json > out.json";
    std::atomic<bool> interrupt{false};
    ChildResult ended;
    std::thread studio([&] {
        ended = run_child({"/bin/sh", {"-c", script}, folder_.path(), {}}, interrupt,
                          [](std::string_view) { return true; });
    });
    nlohmann::json told = nlohmann::json::value_t::discarded;
    while (told.is_discarded()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        told = nlohmann::json::parse(test::file_text(folder_.path() / "out.json"), nullptr, false);
    }
    httplib::Client client("127.0.0.1", told["port"].get<int>());
    client.set_default_headers({{"X-Limber-Token", told["token"].get<std::string>()}});
    const auto page = client.Get("/");
    EXPECT_TRUE(page && page->status == 200);
    // Something that runs when the end comes.
    const auto job = client.Post("/api/gallery/bridge/build", "", "text/plain");
    EXPECT_TRUE(job && job->status == 200);
    interrupt = true;
    studio.join();
    EXPECT_EQ(ended.status, 0);
    EXPECT_EQ(ended.signal, 0);
    EXPECT_TRUE(told["address"].get<std::string>().ends_with("&open=spoon"));
    const auto gone = httplib::Client("127.0.0.1", told["port"].get<int>()).Get("/");
    EXPECT_FALSE(gone);
}

}  // namespace
}  // namespace limber::studio
