// SPDX-License-Identifier: Apache-2.0
// How much a running studio keeps, and how much it lets wait.
#include "test_studio.h"

#include <unistd.h>

#include <chrono>
#include <thread>

namespace limber::studio {
namespace {

namespace fs = std::filesystem;

class Quota : public test::StudioTest {
 protected:
    using Answer = test::Answer;
    // A mesh of so many bytes, most of them a comment.
    static std::string mesh(std::size_t bytes, char comment) {
        return test::kTetrahedronObj + "# " + std::string(bytes - test::kTetrahedronObj.size() - 2, comment);
    }
    Answer send(std::size_t bytes, char comment) const {
        return post("/api/uploads?name=a.obj", mesh(bytes, comment));
    }
    void make_older(std::chrono::hours age) const {
        const auto then = fs::file_time_type::clock::now() - age;
        for (const auto& entry : fs::recursive_directory_iterator(options_.cache / "uploads"))
            fs::last_write_time(entry.path(), then);
    }
};

TEST_F(Quota, AnUploadBeyondTheRoomInTheCacheIsRefusedAndToldSo) {
    options_.most_cache_bytes = 100'000;
    start();
    EXPECT_EQ(send(60'000, 'a').status, 200);
    const Answer second = send(60'000, 'b');
    EXPECT_EQ(second.status, 507);
    EXPECT_EQ(second.json()["error"]["where"], "cache");
    EXPECT_NE(second.json()["error"]["problem"].get<std::string>().find("full"), std::string::npos);
    EXPECT_NE(second.json()["error"]["try_this"], "");
    const nlohmann::json told = get("/api/gallery").json();
    EXPECT_EQ(told["cache"]["limit"], 100'000);
    EXPECT_GE(told["cache"]["bytes"], 60'000);
    EXPECT_LT(told["cache"]["bytes"], 100'000);
    EXPECT_EQ(told["queue"]["waiting"], 0);
    EXPECT_EQ(told["queue"]["limit"], 50);
    EXPECT_EQ(send(30'000, 'c').status, 200);
}

TEST_F(Quota, WhatWasNotUsedForHoursMakesRoomWhileTheStudioRuns) {
    options_.most_cache_bytes = 100'000;
    start();
    const std::string first = send(60'000, 'a').json()["upload"];
    make_older(std::chrono::hours(2));
    EXPECT_EQ(send(60'000, 'b').status, 200);
    EXPECT_FALSE(fs::exists(options_.cache / "uploads" / first));
    EXPECT_FALSE(fs::exists(options_.cache / "uploads" / (first + ".json")));
    const auto gone = post("/api/jobs", nlohmann::json{{"kind", "check"}, {"upload", first}}.dump());
    EXPECT_EQ(gone.json()["error"]["problem"], "there is no such upload");
}

TEST_F(Quota, NoJobBeginsInAFullCache) {
    start();
    const std::string id = send(60'000, 'a').json()["upload"];
    stop();
    options_.most_cache_bytes = 50'000;
    start();
    const auto refused = post("/api/jobs", nlohmann::json{{"kind", "check"}, {"upload", id}}.dump());
    EXPECT_EQ(refused.status, 507);
    EXPECT_EQ(post("/api/gallery/bar/build", "").status, 507);
}

TEST_F(Quota, JobsBeyondTheQueueAreRefusedAndToldSo) {
    options_.most_waiting_jobs = 2;
    folder_.write("program", "#!/bin/sh\nexec sleep 600\n");
    fs::permissions(folder_.path() / "program", fs::perms::owner_all);
    options_.program = folder_.path() / "program";
    start();
    const auto build = [&](const std::string& name) {
        return post("/api/jobs", nlohmann::json{{"kind", "build"}, {"sample", "bar"}, {"name", name}}.dump());
    };
    // The first leaves the queue as soon as it runs.
    const std::string running = build("running").json()["job"];
    while (get("/api/jobs/" + running).json()["state"] == "queued")
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(build("a").status, 200);
    EXPECT_EQ(build("b").status, 200);
    const Answer refused = build("c");
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.json()["error"]["where"], "queue");
    EXPECT_EQ(post("/api/gallery/bar/build", "").status, 503);
    EXPECT_EQ(get("/api/gallery").json()["queue"], (nlohmann::json{{"waiting", 2}, {"limit", 2}}));
}

TEST_F(Quota, ACacheFolderOfAnotherUserIsRefused) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can make one";
    fs::create_directories(options_.cache);
    ASSERT_EQ(chown(options_.cache.c_str(), 12345, 12345), 0);
    EXPECT_THROW(start(), InputError);
}

}  // namespace
}  // namespace limber::studio
