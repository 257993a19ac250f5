// SPDX-License-Identifier: Apache-2.0
// The structure of the subcommands: each file of this folder declares one command by its add_... function.
// Only command.cpp, help.cpp and main.cpp know the parser behind it.
#pragma once
#include "cli/console.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace limber::cli {

struct Program {
    Console console;
    std::function<ExitStatus(Console&)> chosen;  // what the arguments ask for; set by parsing
};

// An option as the help shows it.
struct Named {
    std::string names;         // "-o,--output"
    std::string unit;          // what follows: "Pa", "file.npy"
    std::string meaning;       // one or more short lines
    std::string default_text;  // empty: the help shows none
};

// Numbers are refused outside these limits; NaN, infinity and text always are.
struct Range {
    double least, most;
    std::string what;  // ends the sentence "'abc' is not ..."
};
Range any_number();
Range positive_number();

class Command {
 public:
    Command(CLI::App& app, Program& program) : app_(app), program_(program) {}

    // Commands under this one: a heading such as `solve`, or one that runs, with --json, --quiet and --help.
    Command add_heading(const std::string& name, const std::string& description);
    Command add_command(const std::string& name, const std::string& description, const std::string& example);

    // The options that follow stand under this title in the help.
    void group(const std::string& title) { group_ = title; }

    void argument(const std::string& name, std::string& out, const std::string& meaning);  // must be given
    void arguments(const std::string& name, std::vector<std::string>& out, const std::string& meaning);
    void text(const Named& named, std::string& out);
    void required_text(const Named& named, std::string& out);
    // A file that the command writes. Before the command runs, all of them are checked: that they can be
    // written, that no two are the same, and that none is named by another option; read_file() then refuses
    // them (output_guard.h). `files`: what is written for the name, if that is more than this file; also
    // called with an empty name.
    using FilesOf = std::function<std::vector<std::filesystem::path>(const std::string& name)>;
    void output_argument(const std::string& name, std::string& out, const std::string& meaning);
    void output(const Named& named, std::string& out, FilesOf files = {});
    void required_output(const Named& named, std::string& out);
    // A folder that the command fills. Before the command runs: it must be empty or not there yet, in a place
    // that can be written.
    void output_folder(const Named& named, std::string& out);
    void texts(const Named& named, std::vector<std::string>& out);  // may repeat, one value each time
    void word(const Named& named, const std::vector<std::string>& choices, std::string& out);
    void flag(const std::string& name, const std::string& meaning, bool& out);
    void number(const Named& named, const Range& range, double& out);
    void number(const Named& named, const Range& range, std::optional<double>& out);
    void required_number(const Named& named, const Range& range, double& out);
    void whole_number(const Named& named, int least, int most, int& out);

    // `run` is called with the options after parsing has filled them in; they live as long as the program.
    template <class Options>
    void run_when_chosen(std::shared_ptr<Options> options, ExitStatus (*run)(const Options&, Console&)) {
        when_chosen([options, run](Console& console) { return run(*options, console); });
    }

 private:
    void when_chosen(std::function<ExitStatus(Console&)> action);
    void describe(CLI::Option& option, const Named& named);
    void add_output(const CLI::Option* option, const std::string& name, FilesOf files);

    struct Output {
        const CLI::Option* option;
        const std::string* name;
        FilesOf files;
    };
    static void guard(const CLI::App& app, const std::vector<Output>& outputs,
                      const std::vector<const std::string*>& folders);

    CLI::App& app_;
    Program& program_;
    std::string group_;
    std::vector<Output> outputs_;
    std::vector<const std::string*> output_folders_;
};

void add_mesh_info(Command& mesh);
void add_mesh_voxelize(Command& mesh);
void add_mesh_tetrahedralize(Command& mesh);
void add_mesh_repair(Command& mesh);
void add_mesh_convert(Command& mesh);
void add_mesh_outline(Command& mesh);
void add_models_list(Command& models);
void add_models_make(Command& models);
void add_solve_modes(Command& solve);
void add_solve_static(Command& solve);
void add_solve_dynamic(Command& solve);
void add_draw(Command& limber);
void add_build(Command& limber);
void add_assemble(Command& limber);
void add_info(Command& limber);
void add_simulate(Command& limber);
void add_validate(Command& limber);
void add_haptics(Command& limber);
void add_studio(Command& limber);

}  // namespace limber::cli
