// SPDX-License-Identifier: Apache-2.0
#include "studio/tidy_cache.h"

#include "tests/studio/test_studio.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace limber::studio {
namespace {

namespace fs = std::filesystem;
using std::chrono::days;
using test::TemporaryFolder;

class TidyCache : public testing::Test {
 protected:
    TidyCache() : now_(fs::file_time_type::clock::now()) {
        for (const char* folder : {"uploads", "models", "meshes", "reports", "jobs", "work"})
            fs::create_directories(root() / folder);
    }
    const fs::path& root() const { return folder_.path(); }
    // A file of so many bytes, so many days old.
    void put(const std::string& name, std::size_t bytes, int age, const std::string& text = "") {
        const fs::path file = root() / name;
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text << std::string(bytes - std::min(bytes, text.size()), ' ');
        fs::last_write_time(file, now_ - days(age));
        if (file.parent_path().parent_path() != root())
            fs::last_write_time(file.parent_path(), now_ - days(age));
    }
    bool has(const std::string& name) const { return fs::exists(root() / name); }

    TemporaryFolder folder_;
    fs::file_time_type now_;
};

TEST_F(TidyCache, WhatWasNotUsedForAMonthGoesAndModelsStay) {
    put("uploads/u-obj-old/bunny.obj", 10, 40);
    put("uploads/u-obj-old.json", 2, 40);
    put("uploads/u-obj-new/cow.obj", 10, 3);
    put("uploads/u-obj-new.json", 2, 3);
    put("meshes/a.bin", 100, 31);
    put("reports/r.html", 100, 29);
    put("work/k/stage.json", 100, 50);
    put("models/m.glb", 1000, 400);
    put("jobs/1.json", 10, 400);
    const Tidied tidied = tidy_cache(root(), now_);
    EXPECT_EQ(tidied.removed, 4u);
    EXPECT_EQ(tidied.bytes, 212u);
    for (const char* gone : {"uploads/u-obj-old", "uploads/u-obj-old.json", "meshes/a.bin", "work/k"})
        EXPECT_FALSE(has(gone)) << gone;
    for (const char* kept : {"uploads/u-obj-new/cow.obj", "uploads/u-obj-new.json", "reports/r.html",
                             "models/m.glb", "jobs/1.json"})
        EXPECT_TRUE(has(kept)) << kept;
}

TEST_F(TidyCache, AnUploadThatAModelWasBuiltFromStays) {
    put("uploads/u-obj-mine/bunny.obj", 10, 400);
    put("uploads/u-obj-mine.json", 2, 400);
    put("models/m.json", 1, 400, R"({"title": "bunny", "request": {"mesh": "u-obj-mine"}})");
    put("models/broken.json", 1, 400, "{\"request\": ");
    EXPECT_EQ(tidy_cache(root(), now_).removed, 0u);
    EXPECT_TRUE(has("uploads/u-obj-mine/bunny.obj"));
}

TEST_F(TidyCache, BeyondItsSizeTheOldestGoFirstButNothingOfTheLastHour) {
    put("models/m.glb", 1000, 5);
    put("meshes/a.bin", 300, 9);
    put("meshes/b.bin", 300, 7);
    put("meshes/c.bin", 300, 3);
    put("meshes/today.bin", 3000, 0);
    CacheLimits limits;
    limits.bytes = 4400;
    EXPECT_EQ(tidy_cache(root(), now_, limits).bytes, 600u);
    EXPECT_FALSE(has("meshes/a.bin"));
    EXPECT_FALSE(has("meshes/b.bin"));
    EXPECT_TRUE(has("meshes/c.bin"));
    limits.bytes = 0;
    tidy_cache(root(), now_, limits);
    EXPECT_FALSE(has("meshes/c.bin"));
    EXPECT_TRUE(has("meshes/today.bin"));
    EXPECT_TRUE(has("models/m.glb"));
}

TEST_F(TidyCache, WhatAJobNeedsStaysAndAnUploadGoesWithItsRecord) {
    put("uploads/u-obj-a/mesh.obj", 300, 9);
    put("uploads/u-obj-a.json", 10, 20);
    put("uploads/u-obj-b/mesh.obj", 300, 8);
    put("uploads/u-obj-b.json", 10, 3);
    put("work/running/stage.bin", 300, 10);
    put("work/stopped/stage.bin", 300, 10);
    CacheLimits limits;
    limits.bytes = 0;
    const Tidied tidied =
        tidy_cache(root(), now_, limits, {root() / "uploads/u-obj-a", root() / "work/running"});
    EXPECT_EQ(tidied.left, 610u);
    EXPECT_TRUE(has("uploads/u-obj-a/mesh.obj"));
    EXPECT_TRUE(has("uploads/u-obj-a.json"));
    EXPECT_TRUE(has("work/running/stage.bin"));
    for (const char* gone : {"uploads/u-obj-b", "uploads/u-obj-b.json", "work/stopped"})
        EXPECT_FALSE(has(gone)) << gone;
}

TEST_F(TidyCache, TemporaryFilesOfAKilledStudioGoAndThoseOfALiveOneStay) {
    const pid_t killed = fork();
    if (killed == 0) _exit(0);
    waitpid(killed, nullptr, 0);  // from here on no process has this number
    const std::string gone = std::to_string(killed), alive = std::to_string(getpid());
    put("uploads/incoming-" + gone + "-a1b2c3", 100, 0);
    put("uploads/incoming-" + alive + "-a1b2c3", 100, 0);
    put("open-" + gone + ".html", 100, 0);
    put("open-" + alive + ".html", 100, 0);
    put("uploads/incoming-x", 100, 0);
    put("models/.limber-12345-0.tmp", 100, 0);  // of a file that was being written; nobody holds its lock
    const Tidied tidied = tidy_cache(root(), now_);
    EXPECT_EQ(tidied.removed, 2u);
    EXPECT_EQ(tidied.bytes, 200u);
    EXPECT_FALSE(has("uploads/incoming-" + gone + "-a1b2c3"));
    EXPECT_FALSE(has("open-" + gone + ".html"));
    EXPECT_FALSE(has("models/.limber-12345-0.tmp"));
    EXPECT_TRUE(has("uploads/incoming-" + alive + "-a1b2c3"));
    EXPECT_TRUE(has("open-" + alive + ".html"));
}

TEST_F(TidyCache, LinksAreNotFollowed) {
    TemporaryFolder elsewhere;
    std::ofstream(elsewhere.path() / "precious") << "text";
    fs::create_directory_symlink(elsewhere.path(), root() / "work" / "link");
    CacheLimits limits;
    limits.unused = limits.recent = std::chrono::hours(-1);
    tidy_cache(root(), now_, limits);
    EXPECT_TRUE(fs::exists(elsewhere.path() / "precious"));
    EXPECT_FALSE(fs::exists(fs::symlink_status(root() / "work" / "link")));
}

TEST_F(TidyCache, AnEmptyOrMissingFolderIsTidy) {
    EXPECT_EQ(tidy_cache(root() / "nowhere", now_).removed, 0u);
}

}  // namespace
}  // namespace limber::studio
