// SPDX-License-Identifier: Apache-2.0
// What the program says and where: results on standard output, everything else on standard error. All that is
// for people passes build::visible_text here, since names and keys come from files.
#pragma once
#include "build/progress.h"

#include <limber/input_error.h>

#include <chrono>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace limber::cli {

// To call first: standard streams that are closed are taken by /dev/null. Otherwise the first file that is
// opened would become standard output, and the result would be written into it.
void keep_standard_streams();

enum class ExitStatus : int { Done = 0, BadInput = 1, NotConverged = 2 };

class Console {
 public:
    bool json = false;   // --json: the result is one JSON object
    bool quiet = false;  // --quiet: only results and errors
    // --progress: "bar", "lines", or "json": each line of standard error is an object {"stage", "fraction"},
    // {"note"} or {"error"}, for programs. Empty: a bar on a terminal, else lines.
    std::string progress_form;
    std::string command;  // as it was typed, for files that remember how they were made

    Console();
    ~Console();
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    // Shows how far the work is: a bar on a terminal (at most ten times a second), plain lines elsewhere
    // (one for each stage and at most one a second), nothing with --quiet. The console must outlive it.
    build::Progress progress();

    // Something worth knowing that is no error. Also kept for the "notes" of the JSON.
    void note(const std::string& text);

    // The one result of a command: the JSON with --json, else the text for people.
    void result(nlohmann::json json_object, const std::string& text);

    void error(const InputError& error);

    // Text of our own to standard output: help, the version.
    void print(std::string_view text);

    // False, and an error told, if not all of standard output could be written.
    bool finish();

 private:
    nlohmann::json say_error(const InputError& error) const;
    void show(std::string_view stage, double fraction);
    void wipe_bar();
    bool shows_bar() const;

    using Clock = std::chrono::steady_clock;
    std::mutex mutex_;  // solvers may report from several threads
    bool terminal_;
    bool bar_shown_ = false;
    std::string stage_;
    Clock::time_point stage_began_, last_shown_;
    std::vector<std::string> notes_;
    int output_error_ = 0;  // errno of the first failure to write standard output
};

// Seconds since it was made.
class Stopwatch {
 public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    }

 private:
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace limber::cli
