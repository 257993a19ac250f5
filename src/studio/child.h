// SPDX-License-Identifier: Apache-2.0
// One command of limber in a process of its own, with limits: whatever a mesh makes it do harms nothing else.
#pragma once
#include <limber/input_error.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace limber::studio {

struct ChildLimits {
    std::uint64_t memory_bytes = 4ull << 30;  // address space; the sanitizers' own build has no limit
    std::uint64_t file_bytes = 4ull << 30;    // of any file it writes
    double seconds = 3600;  // by the clock; computing time is bounded by the same on all cores
};

struct ChildCommand {
    std::filesystem::path program;
    std::vector<std::string> arguments;
    std::filesystem::path folder;  // where it runs
    ChildLimits limits;
};

enum class ChildEnd { Exited, Killed, TooLong, TooMuchOutput, Cancelled, NotStarted };

struct ChildResult {
    ChildEnd end = ChildEnd::NotStarted;
    int status = 0;          // Exited: the exit status
    int signal = 0;          // Killed: by this signal, not by us
    std::string out;         // standard output
    std::string last_words;  // the last lines of standard error that `on_line` did not take
};

// Takes a line of standard error; false: it is not one that it understands.
using OnLine = std::function<bool(std::string_view line)>;

// Returns when the process and all that it started are gone. `cancel` ends it: SIGTERM, and SIGKILL two
// seconds later.
ChildResult run_child(const ChildCommand& command, const std::atomic<bool>& cancel, const OnLine& on_line);

// Why it failed, for a person; only for ends other than Exited.
InputError explain(const ChildResult& result, const ChildLimits& limits);

}  // namespace limber::studio
