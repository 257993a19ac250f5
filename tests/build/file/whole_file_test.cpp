// SPDX-License-Identifier: Apache-2.0
// Files are read whole and written whole or not at all.
#include "build/file/atomic_file.h"
#include "build/file/read_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <limber/input_error.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

// In place of the C library's: notes what is synced, then does it.
static std::vector<std::string> synced_files;
extern "C" int fsync(int file) {
    synced_files.push_back(std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file)));
    return static_cast<int>(syscall(SYS_fsync, file));
}

namespace limber::build {
namespace {

namespace fs = std::filesystem;

// Somebody without root's rights, as long as it lives.
class AnyUser {
 public:
    AnyUser() { changed_ = geteuid() == 0 && seteuid(65534) == 0; }
    ~AnyUser() {
        if (changed_ && seteuid(0) != 0) abort();
    }
    AnyUser(const AnyUser&) = delete;
    AnyUser& operator=(const AnyUser&) = delete;

 private:
    bool changed_ = false;
};

std::set<std::string> names_in(const fs::path& folder) {
    std::set<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder))
        out.insert(entry.path().filename());
    return out;
}

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

TEST_F(WholeFile, NamesMayBeAsLongAsTheSystemAllows) {
    for (const std::size_t length : {244, 255}) {
        write_file(folder_ / std::string(length, 'n'), "x");
        EXPECT_EQ(read_file(folder_ / std::string(length, 'n')), "x");
    }
}

TEST_F(WholeFile, ALinkToNothingIsWrittenThrough) {
    fs::create_directory(folder_ / "deep");
    fs::create_symlink("deep/second", folder_ / "first");
    fs::create_symlink("file", folder_ / "deep" / "second");
    write_file(folder_ / "first", "new");
    EXPECT_TRUE(fs::is_symlink(folder_ / "first"));
    EXPECT_TRUE(fs::is_symlink(folder_ / "deep" / "second"));
    EXPECT_FALSE(fs::is_symlink(folder_ / "deep" / "file"));
    EXPECT_EQ(read_file(folder_ / "deep" / "file"), "new");
}

TEST_F(WholeFile, ALinkThatLeadsNowhereIsRefusedAndStays) {
    fs::create_symlink("none/file", folder_ / "link");
    try {
        write_file(folder_ / "link", "x");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(error.problem.find("none/file"), std::string::npos) << error.problem;
    }
    fs::create_symlink("loop", folder_ / "loop");
    EXPECT_THROW(write_file(folder_ / "loop", "x"), InputError);
    EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
    EXPECT_TRUE(fs::is_symlink(folder_ / "loop"));
    EXPECT_EQ(files(), 2u);
}

TEST_F(WholeFile, AFileThatTheUserMayNotWriteIsNotReplaced) {
    write_file(folder_ / "protected", "old");
    fs::permissions(folder_ / "protected", fs::perms::owner_read);
    fs::permissions(folder_, fs::perms::all);  // its folder would let it be replaced
    {
        const AnyUser user;
        EXPECT_THROW(write_file(folder_ / "protected", "new"), InputError);
        write_file(folder_ / "other", "x");
    }
    EXPECT_EQ(read_file(folder_ / "protected"), "old");
    EXPECT_EQ(files(), 2u);
}

TEST_F(WholeFile, ThePermissionsOfAReplacedFileAreKept) {
    for (const auto mode : {fs::perms(0600), fs::perms(0664)}) {
        write_file(folder_ / "a", "old");
        fs::permissions(folder_ / "a", mode);
        write_file(folder_ / "a", "new");
        EXPECT_EQ(fs::status(folder_ / "a").permissions(), mode);
    }
}

TEST_F(WholeFile, WhatAKilledWriterLeftIsRemovedByTheNextOne) {
    const fs::path place = folder_ / "abandoned";
    fs::create_directory(place);
    const pid_t child = fork();
    if (child == 0) {
        AtomicFile file(place / "a");
        file.stream() << "half";
        file.stream().flush();
        raise(SIGKILL);
    }
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    ASSERT_EQ(names_in(place).size(), 1u);
    // A writer that lives, in this process or another one, and what is not ours.
    std::ofstream(place / ".limber-1-0.tmp") << "of a living writer";
    const int living = open((place / ".limber-1-0.tmp").c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_EQ(flock(living, LOCK_EX), 0);
    std::ofstream(place / ".limber-notes.tmp") << "somebody's own";
    AtomicFile open_one(place / "b");
    write_file(place / "c", "x");
    open_one.commit();
    EXPECT_EQ(names_in(place), (std::set<std::string>{".limber-1-0.tmp", ".limber-notes.tmp", "b", "c"}));
    close(living);
}

TEST_F(WholeFile, AUsersFileAndItsFolderAreOnTheDiskAndACacheNeedNotBe) {
    synced_files.clear();
    write_file(folder_ / "a", "x");
    ASSERT_EQ(synced_files.size(), 2u);
    EXPECT_EQ(synced_files[0].find((folder_ / ".limber-").string()), 0u)
        << synced_files[0];                        // before its name
    EXPECT_EQ(synced_files[1], folder_.string());  // after it
    synced_files.clear();
    write_file(folder_ / "b", "x", Durability::Cached);
    EXPECT_TRUE(synced_files.empty());
}

TEST_F(WholeFile, OnlyRegularFilesAreRead) {
    ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    for (const fs::path& path : {fs::path("/dev/zero"), fs::path("/dev/null"), folder_ / "pipe"}) {
        try {
            read_file(path);
            ADD_FAILURE() << path;
        } catch (const InputError& error) {
            EXPECT_NE(error.problem.find("not a regular file"), std::string::npos) << error.problem;
        }
    }
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
