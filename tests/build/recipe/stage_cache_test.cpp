// SPDX-License-Identifier: Apache-2.0
// Results of stages on the disk: found again only for the very same thing.
#include "build/recipe/stage_cache.h"

#include "build/file/atomic_file.h"

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
