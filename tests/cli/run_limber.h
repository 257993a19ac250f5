// SPDX-License-Identifier: Apache-2.0
// Runs the built program as a user would: a child process, its output, its exit status.
#pragma once
#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace limber::test {

struct Ran {
    int status = -1;  // exit status; -1 if a signal ended it
    int signal = 0;
    std::string out, err;

    // Standard output must be exactly one JSON value without NaN or infinity (the parser knows neither).
    nlohmann::json json() const;
};

using Arguments = std::vector<std::string>;

Ran run_limber(const Arguments& arguments);

// The same with the streams as a shell redirects them: ">/dev/full", "2>&-".
Ran run_in_shell(const std::string& redirections, const Arguments& arguments);

// Starts it and returns at once; end it with wait_for().
pid_t start_limber(const Arguments& arguments, const std::filesystem::path& out,
                   const std::filesystem::path& err);
Ran wait_for(pid_t child, const std::filesystem::path& out, const std::filesystem::path& err);

// A folder of its own for every test, removed at the end.
class InFolder : public ::testing::Test {
 protected:
    void SetUp() override;
    void TearDown() override;
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    void write(const std::string& name, const std::string& bytes) const;
    // limber models make bar, with these cells and sides; returns its path.
    std::string bar(const std::string& cells, const std::string& size, bool tets = false) const;
    // Runs a command that must succeed, with --json --quiet, and returns its result.
    nlohmann::json result_of(Arguments arguments) const;

    std::filesystem::path folder_;
};

// Runs a command that must fail as bad input, and returns {"where", "problem", "try_this"}. Checks that
// standard error tells the same, without a crash report.
nlohmann::json error_of(Arguments arguments);

std::string file_text(const std::filesystem::path& path);

}  // namespace limber::test
