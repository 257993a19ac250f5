// SPDX-License-Identifier: Apache-2.0
// The commands and options that the studio needs of the program, and `limber studio` itself, as processes.
#include "test_studio.h"

#include "studio/shell_words.h"

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
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

// "running" processes that a process started, and that those started.
std::vector<pid_t> descendants_of(pid_t ancestor) {
    std::map<pid_t, std::vector<pid_t>> children;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        pid_t process = 0, parent = 0;
        char state = 0;
        if (std::sscanf(test::file_text(entry.path() / "stat").c_str(), "%d %*s %c %d", &process, &state,
                        &parent) == 3 &&
            state != 'Z')
            children[parent].push_back(process);
    }
    std::vector<pid_t> out = {ancestor};
    for (std::size_t i = 0; i < out.size(); ++i)
        out.insert(out.end(), children[out[i]].begin(), children[out[i]].end());
    out.erase(out.begin());
    return out;
}

bool runs(pid_t process) {
    char state = 'Z';
    std::sscanf(test::file_text("/proc/" + std::to_string(process) + "/stat").c_str(), "%*d %*s %c", &state);
    return state != 'Z';
}

TEST_F(Commands, NothingThatAStudioStartedOutlivesItsDeath) {
    folder_.write("web/index.html", "<!doctype html><html lang=\"en\"></html>");
    const std::string script = "echo $$ > pid; LIMBER_WEB=web exec " + shell_word(LIMBER_PROGRAM) +
                               " studio --no-open --port 0 --cache cache --json > out.json";
    const std::atomic<bool> never{false};
    std::thread studio([&] {
        run_child({"/bin/sh", {"-c", script}, folder_.path(), {}}, never,
                  [](std::string_view) { return true; });
    });
    nlohmann::json told = nlohmann::json::value_t::discarded;
    while (told.is_discarded()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        told = nlohmann::json::parse(test::file_text(folder_.path() / "out.json"), nullptr, false);
    }
    const pid_t process = std::stoi(test::file_text(folder_.path() / "pid"));
    httplib::Client client("127.0.0.1", told["port"].get<int>());
    client.set_default_headers({{"X-Limber-Token", told["token"].get<std::string>()}});
    const auto sent = client.Post("/api/uploads?name=a.obj", test::kTetrahedronObj, "text/plain");
    EXPECT_TRUE(sent && sent->status == 200);
    // Ten million tetrahedra: TetGen, a child of the studio's child, has work for minutes.
    const auto job =
        client.Post("/api/jobs",
                    nlohmann::json{{"kind", "fill"},
                                   {"upload", nlohmann::json::parse(sent ? sent->body : "{}")["upload"]},
                                   {"filling", {{"tets", {{"max_volume", 1.0 / 6 / 1e7}}}}}}
                        .dump(),
                    "text/plain");
    EXPECT_TRUE(job && job->status == 200);
    std::vector<pid_t> started;
    for (int i = 0; i < 2000; ++i) {
        started = descendants_of(process);
        // A picture may be drawn at the same time; a child of a child is TetGen.
        const bool deep = std::any_of(started.begin(), started.end(),
                                      [](pid_t child) { return !descendants_of(child).empty(); });
        if (deep) {
            started = descendants_of(process);  // it may have come since the list was made
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_GE(started.size(), 2u);
    kill(process, SIGKILL);
    studio.join();
    for (const pid_t left : started) {
        for (int i = 0; i < 1000 && runs(left); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        EXPECT_FALSE(runs(left)) << left;
        if (runs(left)) kill(left, SIGKILL);
    }
}

}  // namespace
}  // namespace limber::studio
