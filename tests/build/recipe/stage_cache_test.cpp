// SPDX-License-Identifier: Apache-2.0
// Results of stages on the disk: found again only for the very same thing.
#include "build/recipe/stage_cache.h"

#include "build/file/atomic_file.h"
#include "build/file/read_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

namespace limber::test {
namespace {

using namespace build;

class StageCacheFolder : public ::testing::Test {
 protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "limber_cache_XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder = std::filesystem::path(name) / "model.glb.partial";
    }
    void TearDown() override { std::filesystem::remove_all(folder.parent_path()); }
    std::filesystem::path folder;
    const Eigen::MatrixXd result = (Eigen::MatrixXd(2, 3) << 1, 2, 3, 4, 5, 6.5).finished();
};

TEST_F(StageCacheFolder, FindsAgainWhatItStored) {
    const StageCache cache(folder, 1);
    EXPECT_FALSE(cache.load("modes", 1));
    cache.store("modes", 1, result, 2);
    ASSERT_TRUE(cache.load("modes", 1));
    EXPECT_EQ(*cache.load("modes", 1), result);
    EXPECT_FALSE(cache.load("modes", 2));
    EXPECT_FALSE(cache.load("basis", 1));
}

TEST_F(StageCacheFolder, QuickStagesAreNotKept) {
    StageCache(folder, 1).store("modes", 1, result, 0.5);
    EXPECT_FALSE(std::filesystem::exists(folder));
    StageCache({}, 0).store("modes", 1, result, 10);
    EXPECT_FALSE(StageCache({}, 0).load("modes", 1));
}

TEST_F(StageCacheFolder, DamagedFilesAreComputedAgain) {
    const StageCache cache(folder, 0);
    cache.store("modes", 1, result, 1);
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        write_file(entry.path(), "damaged");
    EXPECT_FALSE(cache.load("modes", 1));
}

TEST_F(StageCacheFolder, AnyChangedByteMakesItNoCache) {
    const StageCache cache(folder, 0);
    cache.store("modes", 1, result, 1);
    const auto file = std::filesystem::directory_iterator(folder)->path();
    const std::string whole = read_file(file);
    for (std::size_t i = 0; i < whole.size(); ++i)
        for (const char change : {1, 64, -128}) {
            std::string bytes = whole;
            bytes[i] = static_cast<char>(bytes[i] ^ change);
            write_file(file, bytes, Durability::Cached);
            EXPECT_FALSE(cache.load("modes", 1)) << "byte " << i;
        }
    for (std::size_t length = 0; length < whole.size(); ++length) {
        write_file(file, whole.substr(0, length), Durability::Cached);
        EXPECT_FALSE(cache.load("modes", 1)) << "cut to " << length;
    }
    write_file(file, whole + "x", Durability::Cached);
    EXPECT_FALSE(cache.load("modes", 1));
    write_file(file, whole, Durability::Cached);
    EXPECT_EQ(cache.load("modes", 1), result);
    // The same numbers under the name of others.
    auto other = file;
    other.replace_filename(fmt::format("basis-{:016x}.cache", 1));
    std::filesystem::copy_file(file, other);
    EXPECT_FALSE(cache.load("basis", 1));
}

TEST_F(StageCacheFolder, EmptyResultsAreKeptToo) {
    const StageCache cache(folder, 0);
    cache.store("rigid", 1, Eigen::MatrixXd(6, 0), 1);
    ASSERT_TRUE(cache.load("rigid", 1));
    EXPECT_EQ(cache.load("rigid", 1)->rows(), 6);
    EXPECT_EQ(cache.load("rigid", 1)->cols(), 0);
}

TEST_F(StageCacheFolder, AFolderThatCannotBeWrittenIsNoCache) {
    write_file(folder, "a file where the folder should be");
    const StageCache in_a_file(folder, 0);
    in_a_file.store("modes", 1, result, 1);
    EXPECT_FALSE(in_a_file.load("modes", 1));
    // Where the file should be there is a folder.
    const StageCache cache(folder.parent_path() / "other.partial", 0);
    std::filesystem::create_directories(folder.parent_path() / "other.partial" /
                                        fmt::format("modes-{:016x}.cache", 1));
    cache.store("modes", 1, result, 1);
    EXPECT_FALSE(cache.load("modes", 1));
}

TEST_F(StageCacheFolder, OnlyOurOwnFilesAreRemoved) {
    const StageCache cache(folder, 0);
    cache.store("modes", 1, result, 1);
    write_file(folder / "shape-0-1.cache", "x");
    write_file(folder / "mesh.obj", "the user's");
    remove_caches(folder);
    EXPECT_EQ(read_file(folder / "mesh.obj"), "the user's");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
    std::filesystem::remove(folder / "mesh.obj");
    remove_caches(folder);
    EXPECT_FALSE(std::filesystem::exists(folder));
    write_file(folder, "a file");
    remove_caches(folder);
    EXPECT_EQ(read_file(folder), "a file");
}

TEST(Fingerprint, DependsOnEveryPartAndOnWhereItEnds) {
    const auto of = [](auto... parts) {
        Fingerprint print;
        (print.add(parts), ...);
        return print.value();
    };
    using Numbers = std::vector<double>;
    EXPECT_EQ(of("ab", "c"), of("ab", "c"));
    EXPECT_NE(of("ab", "c"), of("a", "bc"));
    EXPECT_NE(of(Numbers{1, 2}), of(Numbers{2, 1}));
    EXPECT_NE(of(Numbers{0.0}), of(Numbers{-0.0}));
}

}  // namespace
}  // namespace limber::test
