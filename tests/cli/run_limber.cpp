// SPDX-License-Identifier: Apache-2.0
#include "run_limber.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace limber::test {
namespace {

std::filesystem::path make_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "limber_cli_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    return name;
}

}  // namespace

std::string file_text(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

nlohmann::json Ran::json() const {
    auto value = nlohmann::json::parse(out, nullptr, /*allow_exceptions=*/false);
    EXPECT_FALSE(value.is_discarded()) << "standard output is not JSON:\n" << out << err;
    return value;
}

static pid_t start(Arguments words, const std::filesystem::path& out, const std::filesystem::path& err) {
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    const int out_file = open(out.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
    const int err_file = open(err.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
    const pid_t child = fork();
    if (child == 0) {
        dup2(out_file, STDOUT_FILENO);
        dup2(err_file, STDERR_FILENO);
        execv(argv[0], argv.data());
        _exit(127);
    }
    close(out_file);
    close(err_file);
    return child;
}

Ran wait_for(pid_t child, const std::filesystem::path& out, const std::filesystem::path& err) {
    int status = 0;
    waitpid(child, &status, 0);
    Ran ran;
    if (WIFEXITED(status)) ran.status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ran.signal = WTERMSIG(status);
    ran.out = file_text(out);
    ran.err = file_text(err);
    return ran;
}

static Ran run(const Arguments& words) {
    const auto folder = make_folder();
    const Ran ran = wait_for(start(words, folder / "out", folder / "err"), folder / "out", folder / "err");
    std::filesystem::remove_all(folder);
    return ran;
}

static Arguments joined(Arguments first, const Arguments& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

pid_t start_limber(const Arguments& arguments, const std::filesystem::path& out,
                   const std::filesystem::path& err) {
    return start(joined({LIMBER_PROGRAM}, arguments), out, err);
}

Ran run_limber(const Arguments& arguments) {
    return run(joined({LIMBER_PROGRAM}, arguments));
}

Ran run_in_shell(const std::string& redirections, const Arguments& arguments) {
    return run(joined({"/bin/sh", "-c", "exec \"$0\" \"$@\" " + redirections, LIMBER_PROGRAM}, arguments));
}

void InFolder::SetUp() {
    folder_ = make_folder();
}

void InFolder::TearDown() {
    std::filesystem::remove_all(folder_);
}

void InFolder::write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
}

std::string InFolder::bar(const std::string& cells, const std::string& size, bool tets) const {
    const std::string file = path(tets ? "bar_tets.vtu" : "bar.vtu");
    Arguments arguments = {"models", "make", "bar", "--cells", cells, "--size", size, "-o", file};
    if (tets) arguments.push_back("--tets");
    result_of(arguments);
    return file;
}

nlohmann::json InFolder::result_of(Arguments arguments) const {
    arguments.insert(arguments.end(), {"--json", "--quiet"});
    const Ran ran = run_limber(arguments);
    if (ran.status != 0) throw std::runtime_error("limber failed: " + ran.out + ran.err);
    EXPECT_EQ(ran.err, "");
    return ran.json();
}

nlohmann::json error_of(Arguments arguments) {
    arguments.push_back("--json");
    const Ran ran = run_limber(arguments);
    EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
    const auto value = ran.json();
    if (!value.is_object() || !value.contains("error")) {
        ADD_FAILURE() << "no error in " << ran.out;
        return {{"where", ""}, {"problem", ""}, {"try_this", ""}};
    }
    const auto error = value["error"];
    EXPECT_EQ(error.size(), 3u);
    EXPECT_NE(error["problem"].get<std::string>(), "");
    EXPECT_NE(ran.err.find("error: "), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find(error["where"].get<std::string>()), std::string::npos) << ran.err;
    EXPECT_EQ(ran.err.find("AddressSanitizer"), std::string::npos) << ran.err;
    return error;
}

}  // namespace limber::test
