// SPDX-License-Identifier: Apache-2.0
// A file that is going to be written is not read, whatever it is called.
#include "build/file/output_guard.h"

#include "build/file/atomic_file.h"
#include "build/file/read_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace limber::build {
namespace {

class OutputGuard : public testing::Test {
 protected:
    void SetUp() override {
        std::filesystem::create_directories(folder_ / "deep");
        write_file(folder_ / "a", "old");
        std::filesystem::create_symlink("a", folder_ / "link");
        std::filesystem::create_hard_link(folder_ / "a", folder_ / "hard");
        std::filesystem::create_directory_symlink(".", folder_ / "here");
    }
    void TearDown() override {
        announce_outputs({});
        std::filesystem::remove_all(folder_);
    }
    std::vector<std::filesystem::path> spellings() const {
        return {
            folder_ / "a",          folder_ / "." / "a", folder_ / "deep" / ".." / "a",     folder_ / "link",
            folder_ / "here" / "a", folder_ / "hard",    folder_ / "here" / "here" / "link"};
    }
    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("limber_guard_" + std::to_string(getpid()));
};

TEST_F(OutputGuard, AnOutputIsNotReadUnderAnyOfItsNames) {
    for (const auto& output : spellings()) {
        announce_outputs({{"--csv", output}});
        for (const auto& input : spellings()) {
            EXPECT_THROW(read_file(input), WouldOverwrite) << output << ' ' << input;
            EXPECT_THROW(refuse_output(input), WouldOverwrite) << output << ' ' << input;
        }
    }
    announce_outputs({{"--csv", folder_ / "b"}});
    for (const auto& input : spellings())
        EXPECT_EQ(read_file(input), "old");
}

TEST_F(OutputGuard, TheMessageNamesTheFileAndTheOption) {
    announce_outputs({{"--csv", folder_ / "link"}});
    try {
        read_file(folder_ / "a");
        FAIL();
    } catch (const WouldOverwrite& refused) {
        EXPECT_EQ(refused.error.where, folder_ / "link");
        EXPECT_NE(refused.error.problem.find((folder_ / "a").string()), std::string::npos);
        EXPECT_EQ(refused.error.try_this, "another name for --csv");
    }
}

TEST_F(OutputGuard, TwoOutputsAreTwoFiles) {
    for (const auto& first : spellings())
        for (const auto& second : spellings())
            EXPECT_THROW(announce_outputs({{"--csv", first}, {"--out", second}}), InputError)
                << first << ' ' << second;
    // Also if they are not there yet.
    std::filesystem::create_symlink("new", folder_ / "dangling");
    for (const char* second : {"new", "./new", "here/new", "dangling"})
        EXPECT_THROW(announce_outputs({{"--csv", folder_ / "new"}, {"--out", folder_ / second}}), InputError)
            << second;
    announce_outputs({{"--csv", folder_ / "new"}, {"--out", folder_ / "deep" / "new"}});
    announce_outputs({{"--csv", "/dev/null"}, {"--out", "/dev/null"}});
}

TEST_F(OutputGuard, AnOutputThatCannotBeWrittenIsRefusedAtOnce) {
    EXPECT_THROW(announce_outputs({{"--csv", folder_}}), InputError);
    EXPECT_THROW(announce_outputs({{"--csv", folder_ / "none" / "a"}}), InputError);
    EXPECT_THROW(announce_outputs({{"--csv", folder_ / "a" / "b"}}), InputError);
    EXPECT_THROW(announce_outputs({{"--csv", folder_ / std::string(256, 'n')}}), InputError);
}

}  // namespace
}  // namespace limber::build
