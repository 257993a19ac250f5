// SPDX-License-Identifier: Apache-2.0
// The processes are shells here: they do on purpose what a program does by accident.
#include "studio/child.h"

#include "test_studio.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>

namespace limber::studio {
namespace {

const std::atomic<bool> kNever{false};

ChildCommand shell(const std::string& script, ChildLimits limits = {}) {
    return {"/bin/sh", {"-c", script}, "/tmp", limits};
}

ChildResult run(const ChildCommand& command) {
    return run_child(command, kNever, [](std::string_view) { return false; });
}

TEST(Child, ItsOutputAndExitStatusComeBack) {
    const ChildResult result = run(shell("pwd; echo to standard error >&2; exit 3"));
    EXPECT_EQ(result.end, ChildEnd::Exited);
    EXPECT_EQ(result.status, 3);
    EXPECT_EQ(result.out, "/tmp\n");
    EXPECT_EQ(result.last_words, "to standard error\n");
}

TEST(Child, ALineThatIsUnderstoodIsNotRepeated) {
    std::vector<std::string> lines;
    const ChildResult result =
        run_child(shell("echo one >&2; echo two >&2; printf three >&2"), kNever, [&](std::string_view line) {
            lines.emplace_back(line);
            return line != "two";
        });
    EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "three"}));
    EXPECT_EQ(result.last_words, "two\n");
}

TEST(Child, ACrashIsToldByTheNameOfItsSignal) {
    const ChildResult result = run(shell("kill -SEGV $$"));
    EXPECT_EQ(result.end, ChildEnd::Killed);
    EXPECT_EQ(result.signal, SIGSEGV);
    const InputError error = explain(result, {});
    EXPECT_NE(error.problem.find("SIGSEGV"), std::string::npos);
    EXPECT_NE(error.try_this, "");
    EXPECT_NE(explain(run(shell("kill -KILL $$")), {}).problem.find("memory"), std::string::npos);
}

TEST(Child, AProgramThatIsNotThereIsToldSo) {
    const ChildResult result = run({"/does/not/exist", {}, "/tmp", {}});
    EXPECT_EQ(result.end, ChildEnd::NotStarted);
    EXPECT_NE(explain(result, {}).problem, "");
}

TEST(Child, CancellingEndsItAndAllThatItStarted) {
    const test::TemporaryFolder folder;
    std::atomic<bool> cancel{false};
    // A grandchild that would write the file in the end, and a parent that ignores the request to stop.
    const ChildCommand command = {
        "/bin/sh",
        {"-c", "trap '' TERM; (sleep 3; touch survived) & echo ready >&2; wait; sleep 600"},
        folder.path(),
        {}};
    const ChildResult result = run_child(command, cancel, [&](std::string_view) {
        cancel = true;
        return true;
    });
    EXPECT_EQ(result.end, ChildEnd::Cancelled);
    std::this_thread::sleep_for(
        std::chrono::seconds(2));  // the time at which the grandchild would have written
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "survived"));
}

TEST(Child, ALimitOfTimeEndsIt) {
    const ChildLimits limits{.seconds = 0.3};
    const ChildResult result = run(shell("sleep 600", limits));
    EXPECT_EQ(result.end, ChildEnd::TooLong);
    EXPECT_NE(explain(result, limits).problem.find("0 s"), std::string::npos);
}

TEST(Child, ItsFilesCannotGrowWithoutEnd) {
    const test::TemporaryFolder folder;
    const ChildResult result = run({"/bin/sh",
                                    {"-c", "exec head -c 10000000 /dev/zero > large"},
                                    folder.path(),
                                    {.file_bytes = 1 << 20}});
    EXPECT_EQ(result.signal, SIGXFSZ);
    EXPECT_LE(std::filesystem::file_size(folder.path() / "large"), 1u << 20);
}

TEST(Child, OutputWithoutEndIsCutOff) {
    const ChildResult result = run(shell("exec cat /dev/zero"));
    EXPECT_EQ(result.end, ChildEnd::TooMuchOutput);
    EXPECT_LT(result.out.size(), 5u << 20);
}

TEST(Child, ItInheritsNoOpenFile) {
    const test::TemporaryFolder folder;
    folder.write("secret", "x");
    const FILE* held = std::fopen((folder.path() / "secret").c_str(), "r");
    ASSERT_NE(held, nullptr);
    // `ls` itself opens the folder that it lists: one more than 0, 1 and 2.
    const ChildResult result = run(shell("ls /proc/self/fd | wc -l; readlink /proc/self/fd/*"));
    EXPECT_EQ(result.out.substr(0, result.out.find('\n')), "4") << result.out;
    EXPECT_EQ(result.out.find("secret"), std::string::npos) << result.out;
    std::fclose(const_cast<FILE*>(held));
}

#ifndef __SANITIZE_ADDRESS__  // the sanitizer needs terabytes of address space, so its build has no such
                              // limit
TEST(Child, MemoryBeyondTheLimitIsRefused) {
    const ChildResult result =
        run({LIMBER_PROGRAM,
             {"models", "make", "bar", "--cells", "100,100,100", "-o", "/dev/null.vtu", "--json"},
             "/tmp",
             {.memory_bytes = 300u << 20}});
    EXPECT_EQ(result.end, ChildEnd::Exited);
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.out.find("memory"), std::string::npos) << result.out << result.last_words;
}
#endif

}  // namespace
}  // namespace limber::studio
