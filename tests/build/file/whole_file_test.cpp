// SPDX-License-Identifier: Apache-2.0
// Files are read whole and written whole or not at all.
#include "build/file/atomic_file.h"
#include "build/file/read_file.h"

#include <gtest/gtest.h>
#include <limber/input_error.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

namespace limber::build {
namespace {

namespace fs = std::filesystem;

class WholeFile : public testing::Test {
 protected:
    void SetUp() override { fs::create_directories(folder_); }
    void TearDown() override { fs::remove_all(folder_); }
    std::size_t files() const {
        return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
    }
    fs::path folder_ = fs::temp_directory_path() / ("limber_file_" + std::to_string(getpid()));
};

TEST_F(WholeFile, BytesComeBackAsTheyWent) {
    std::string bytes("\0\r\n\xff\x1a", 5);
    for (int i = 0; i < 200'000; ++i)
        bytes += static_cast<char>(i * 31);  // longer than one chunk
    write_file(folder_ / "a", bytes);
    EXPECT_EQ(read_file(folder_ / "a"), bytes);
    write_file(folder_ / "a", "");
    EXPECT_EQ(read_file(folder_ / "a"), "");
    EXPECT_EQ(files(), 1u);
}

TEST_F(WholeFile, WithoutCommitTheOldFileStaysAndNothingIsLeft) {
    write_file(folder_ / "a", "old");
    {
        AtomicFile file(folder_ / "a");
        file.stream() << "half of the n";
        EXPECT_EQ(read_file(folder_ / "a"), "old");
    }
    try {
        AtomicFile file(folder_ / "b");
        file.stream() << "half";
        throw std::runtime_error("interrupted");
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(read_file(folder_ / "a"), "old");
    EXPECT_FALSE(fs::exists(folder_ / "b"));
    EXPECT_EQ(files(), 1u);
}

TEST_F(WholeFile, CommitReplacesTheOldFile) {
    write_file(folder_ / "a", "old and long");
    write_file(folder_ / "a", "new");
    EXPECT_EQ(read_file(folder_ / "a"), "new");
    EXPECT_EQ(files(), 1u);
}

TEST_F(WholeFile, TwoWritersOfOneFileDoNotMix) {
    AtomicFile first(folder_ / "a"), second(folder_ / "a");
    first.stream() << "first";
    second.stream() << "second";
    first.commit();
    EXPECT_EQ(read_file(folder_ / "a"), "first");
    second.commit();
    EXPECT_EQ(read_file(folder_ / "a"), "second");
}

TEST_F(WholeFile, LinkStaysALink) {
    write_file(folder_ / "real", "old");
    fs::create_symlink("real", folder_ / "link");
    write_file(folder_ / "link", "new");
    EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
    EXPECT_EQ(read_file(folder_ / "real"), "new");
}

TEST_F(WholeFile, DeviceIsWrittenToAndNotReplaced) {
    write_file("/dev/null", "gone");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WholeFile, FullDiskIsReported) {
    ASSERT_TRUE(fs::exists("/dev/full"));  // every write fails with "no space left"
    EXPECT_THROW(write_file("/dev/full", std::string(100'000, 'x')), InputError);
}

TEST_F(WholeFile, PlacesThatCannotBeWrittenAreRefused) {
    EXPECT_THROW(write_file(folder_, "x"), InputError);
    EXPECT_THROW(write_file(folder_ / "none" / "a", "x"), InputError);
    EXPECT_THROW(write_file("", "x"), InputError);
    EXPECT_THROW(write_file(folder_ / std::string(300, 'n'), "x"), InputError);
    write_file(folder_ / "a", "x");
    EXPECT_THROW(write_file(folder_ / "a" / "b", "x"), InputError);  // a file is no folder
}

TEST_F(WholeFile, FilesThatCannotBeReadAreRefused) {
    EXPECT_THROW(read_file(folder_ / "none"), InputError);
    EXPECT_THROW(read_file(folder_), InputError);
    EXPECT_THROW(read_file(""), InputError);
    EXPECT_THROW(read_file(folder_ / std::string(300, 'n')), InputError);
    fs::create_symlink("loop", folder_ / "loop");
    EXPECT_THROW(read_file(folder_ / "loop"), InputError);
}

TEST_F(WholeFile, TooLargeAFileIsRefusedBeforeItIsRead) {
    write_file(folder_ / "large", "x");
    fs::resize_file(folder_ / "large", (std::uintmax_t{8} << 30) + 1);  // sparse: takes no space
    try {
        read_file(folder_ / "large");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(error.problem.find("8589934593 bytes"), std::string::npos) << error.problem;
    }
}

}  // namespace
}  // namespace limber::build
