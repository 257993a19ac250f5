// SPDX-License-Identifier: Apache-2.0
#include "studio/child.h"

#include "build/file/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <thread>

namespace limber::studio {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kMercy = std::chrono::seconds(2);  // between SIGTERM and SIGKILL
// Of standard output: one JSON object, of some kilobytes. It is parsed and kept with the job.
constexpr std::size_t kMostOutput = 4u << 20;
constexpr std::size_t kLongestLine = 1u << 16;
constexpr std::size_t kMostLastWords = 4000;

struct Pipe {
    int read = -1, write = -1;
    Pipe() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) == 0) {
            read = ends[0];
            write = ends[1];
        }
    }
    ~Pipe() {
        close_read();
        close_write();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    void close_read() {
        if (read >= 0) close(read);
        read = -1;
    }
    void close_write() {
        if (write >= 0) close(write);
        write = -1;
    }
};

void set_limit(__rlimit_resource resource, std::uint64_t most) {
    const rlimit limit{most, most};
    setrlimit(resource, &limit);
}

// Between fork and exec: only calls that are safe after a fork of a program with threads.
[[noreturn]] void become(char* const* argv, const char* program, const char* folder,
                         const ChildLimits& limits, unsigned processors, pid_t parent, int out, int err) {
    setpgid(0, 0);
    build::end_with_parent(parent);  // a studio that crashes leaves nothing behind
    build::restore_default_signals();
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close_range(3, ~0u, 0);
#ifndef __SANITIZE_ADDRESS__
    set_limit(RLIMIT_AS, limits.memory_bytes);
#endif
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_FSIZE, limits.file_bytes);
    set_limit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.seconds * processors) + 1);
    if (nice(5) == -1) { /* it runs all the same */
    }
    if (chdir(folder) == 0) execv(program, argv);
    _exit(127);
}

class Output {
 public:
    Output(ChildResult& result, const OnLine& on_line) : result_(result), on_line_(on_line) {}

    // False: the end.
    bool read_out(int descriptor) {
        const ssize_t got = ::read(descriptor, block_.data(), block_.size());
        if (got > 0 && result_.out.size() <= kMostOutput)
            result_.out.append(block_.data(), static_cast<std::size_t>(got));
        return got > 0 || (got < 0 && errno == EINTR);
    }
    bool read_err(int descriptor) {
        const ssize_t got = ::read(descriptor, block_.data(), block_.size());
        for (ssize_t i = 0; i < got; ++i) {
            const char c = block_[static_cast<std::size_t>(i)];
            if (c == '\n')
                end_line();
            else if (line_.size() < kLongestLine)
                line_ += c;
        }
        return got > 0 || (got < 0 && errno == EINTR);
    }
    void end_line() {
        if (!line_.empty() && !on_line_(line_)) {
            std::string& words = result_.last_words;
            words += line_ + '\n';
            if (words.size() > kMostLastWords) words.erase(0, words.size() - kMostLastWords);
        }
        line_.clear();
    }
    bool too_much() const { return result_.out.size() > kMostOutput; }

 private:
    ChildResult& result_;
    const OnLine& on_line_;
    std::string line_;
    std::array<char, 16384> block_{};
};

// Asks the process to end, later makes it.
class Ending {
 public:
    explicit Ending(pid_t group) : group_(group) {}
    void ask(ChildEnd why) {
        if (why_) return;
        why_ = why;
        asked_ = Clock::now();
        kill(-group_, SIGTERM);
    }
    void insist() {
        if (why_ && Clock::now() - asked_ > kMercy) kill(-group_, SIGKILL);
    }
    std::optional<ChildEnd> why() const { return why_; }

 private:
    pid_t group_;
    std::optional<ChildEnd> why_;
    Clock::time_point asked_;
};

}  // namespace

ChildResult run_child(const ChildCommand& command, const std::atomic<bool>& cancel, const OnLine& on_line) {
    ChildResult result;
    Pipe out, err;
    if (out.read < 0 || err.read < 0) return result;
    std::vector<std::string> words = {"limber"};
    words.insert(words.end(), command.arguments.begin(), command.arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    const unsigned processors = std::max(1u, std::thread::hardware_concurrency());

    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) return result;
    if (child == 0)
        become(argv.data(), command.program.c_str(), command.folder.c_str(), command.limits, processors,
               parent, out.write, err.write);
    setpgid(child, child);  // in both, whichever is first
    out.close_write();
    err.close_write();

    const auto until = Clock::now() + std::chrono::duration<double>(command.limits.seconds);
    Output output(result, on_line);
    Ending ending(child);
    int status = 0;
    bool gone = false;
    while (!gone || out.read >= 0 || err.read >= 0) {
        std::array<pollfd, 2> pipes = {pollfd{out.read, POLLIN, 0}, pollfd{err.read, POLLIN, 0}};
        poll(pipes.data(), pipes.size(), 50);
        if (pipes[0].revents != 0 && !output.read_out(out.read)) out.close_read();
        if (pipes[1].revents != 0 && !output.read_err(err.read)) err.close_read();
        if (!gone && waitpid(child, &status, WNOHANG) == child) {
            gone = true;
            kill(-child, SIGKILL);  // what it started itself must not hold the pipes open
        }
        if (cancel) ending.ask(ChildEnd::Cancelled);
        if (Clock::now() > until) ending.ask(ChildEnd::TooLong);
        if (output.too_much()) ending.ask(ChildEnd::TooMuchOutput);
        ending.insist();
    }
    output.end_line();
    if (WIFEXITED(status)) {
        result.end = ChildEnd::Exited;
        result.status = WEXITSTATUS(status);
    } else {
        result.end = ChildEnd::Killed;
        result.signal = WTERMSIG(status);
    }
    if (ending.why()) result.end = *ending.why();
    if (result.end == ChildEnd::Exited && result.status == 127) result.end = ChildEnd::NotStarted;
    return result;
}

InputError explain(const ChildResult& result, const ChildLimits& limits) {
    const char* const smaller = "a coarser mesh, a lower resolution or fewer modes";
    switch (result.end) {
        case ChildEnd::TooLong:
            return {"time", fmt::format("it took longer than {:.0f} s and was stopped", limits.seconds),
                    smaller};
        case ChildEnd::TooMuchOutput:
            return {"limber", "it wrote more than it should and was stopped", smaller};
        case ChildEnd::Cancelled:
            return {"", "it was cancelled", "start it again: what was finished is kept"};
        case ChildEnd::NotStarted:
            return {"limber", "the program could not be started",
                    "limber studio again, from where it is installed"};
        default:
            break;
    }
    switch (result.signal) {
        case SIGKILL:
            return {"memory", "the system stopped it (SIGKILL), most likely because memory ran out", smaller};
        case SIGXCPU:
            return {"time", "it used up its computing time (SIGXCPU) and was stopped", smaller};
        case SIGXFSZ:
            return {"disk",
                    fmt::format("a file grew beyond {:.0f} MB (SIGXFSZ)", limits.file_bytes / 1048576.0),
                    smaller};
        default: {
            const char* const name = sigabbrev_np(result.signal);
            return {"limber", fmt::format("it crashed (SIG{}); nothing else was harmed", name ? name : "?"),
                    "limber mesh repair on the file, another filling, or report the file as a bug"};
        }
    }
}

}  // namespace limber::studio
