// SPDX-License-Identifier: Apache-2.0
// limber's command line: declares the commands, runs the one that was asked for, turns errors into messages.
#include "build/file/atomic_file.h"
#include "build/file/nearest_word.h"
#include "build/file/output_guard.h"
#include "build/file/text_scanner.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/version.h"
#include "studio/shell_words.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>

namespace limber::cli {
namespace {

// Half-written files go, then the signal does what it does by default.
void clean_up_and_die(int signal_number) {
    build::remove_pending_files();
    std::signal(signal_number, SIG_DFL);
    std::raise(signal_number);
}

void declare_commands(CLI::App& app, Program& program) {
    app.name("limber");
    app.description("Turns meshes into soft bodies that run in real time. Units are SI; ids start at 0.");
    app.formatter(std::make_shared<HelpFormatter>());
    app.set_help_flag("-h,--help", "this text")->group("General");
    app.set_version_flag("--version", version_text())
        ->description("the version, and the commit it was built from")
        ->group("General");
    app.footer(
        "Example:  limber build spoon -o spoon.glb && limber validate spoon.glb --report spoon.html\n"
        "Each command has its own --help.");

    Command limber(app, program);
    Command mesh =
        limber.add_heading("mesh", "Look at mesh files, make volumes of surfaces, repair, convert.");
    add_mesh_info(mesh);
    add_mesh_voxelize(mesh);
    add_mesh_tetrahedralize(mesh);
    add_mesh_repair(mesh);
    add_mesh_convert(mesh);
    add_mesh_outline(mesh);
    Command models = limber.add_heading("models", "The built-in models, made by code.");
    add_models_list(models);
    add_models_make(models);
    Command solve = limber.add_heading("solve", "Vibration modes, equilibria and motions of a volume mesh.");
    add_solve_modes(solve);
    add_solve_static(solve);
    add_solve_dynamic(solve);
    add_draw(limber);
    add_build(limber);
    add_assemble(limber);
    add_info(limber);
    add_simulate(limber);
    add_haptics(limber);
    add_validate(limber);
    add_studio(limber);
}

// The command the arguments came to before parsing stopped.
const CLI::App& deepest_command(const CLI::App& app) {
    const auto parsed = app.get_subcommands();
    return parsed.empty() ? app : deepest_command(*parsed.front());
}

InputError unknown_argument(const CLI::App& command, const std::string& argument) {
    const std::string name = full_name(command);
    std::vector<std::string> known;
    const bool is_heading = command.get_parent() && !command.get_subcommands({}).empty();
    if (is_heading && argument.starts_with("-")) return {name, "a command is missing", name + " --help"};
    if (argument.starts_with("-")) {
        for (const CLI::Option* option : command.get_options())
            for (const std::string& l : option->get_lnames())
                known.push_back("--" + l);
        const std::string word = argument.substr(0, argument.find('='));
        const std::string nearest = build::nearest_word(word, known);
        return {name, fmt::format("unknown option '{}'", build::printable(word)),
                nearest.empty() ? name + " --help" : fmt::format("{} {}", name, nearest)};
    }
    for (const CLI::App* sub : command.get_subcommands({}))
        known.push_back(sub->get_name());
    if (known.empty())
        return {name, fmt::format("'{}' is one argument too many", build::printable(argument)),
                name + " --help"};
    const std::string nearest = build::nearest_word(argument, known);
    return {name, fmt::format("unknown command '{}'", build::printable(argument)),
            nearest.empty() ? name + " --help" : name + ' ' + nearest};
}

// CLI11's complaints in our own form.
InputError to_input_error(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& command = deepest_command(app);
    const std::string help = full_name(command) + " --help";
    // An option that does not exist explains a required one that seems missing.
    if (const auto extra = app.remaining(true); !extra.empty())
        return unknown_argument(command, extra.front());
    const std::string text = error.what();
    if (dynamic_cast<const CLI::ValidationError*>(&error)) {
        // "--dt: 'nan' is not a positive number"
        const auto colon = text.find(": ");
        if (colon != std::string::npos) return {text.substr(0, colon), text.substr(colon + 2), help};
    }
    return {full_name(command), text, help};
}

// The arguments as a shell takes them, without those that only say how results are told.
std::string command_line(int argc, char** argv) {
    std::string out = "limber";
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--progress") ++i;
        if (word == "--json" || word == "--quiet" || word.starts_with("--progress")) continue;
        out += ' ' + studio::shell_word(word);
    }
    return out;
}

ExitStatus run(Program& program, int argc, char** argv) {
    CLI::App app;
    // Known before parsing, so that an argument error is JSON too.
    for (int i = 1; i < argc; ++i)
        program.console.json |= std::strcmp(argv[i], "--json") == 0;
    program.console.command = command_line(argc, argv);
    declare_commands(app, program);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        program.console.print(deepest_command(app).help());
        return ExitStatus::Done;
    } catch (const CLI::CallForVersion& version) {
        program.console.print(fmt::format("{}\n", version.what()));
        return ExitStatus::Done;
    } catch (const CLI::ParseError& error) {
        throw to_input_error(app, error);
    }
    if (program.chosen) return program.chosen(program.console);

    const CLI::App& command = deepest_command(app);
    if (&command != &app)
        throw InputError{full_name(command), "a command is missing", full_name(command) + " --help"};
    program.console.print(app.help());
    return ExitStatus::Done;
}

}  // namespace
}  // namespace limber::cli

int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape): where telling an error fails, it ends
    using namespace limber;
    cli::keep_standard_streams();
    for (int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU, SIGXFSZ})
        if (std::signal(signal_number, cli::clean_up_and_die) == SIG_IGN)
            std::signal(signal_number, SIG_IGN);  // as nohup wants it
    cli::Program program;
    cli::ExitStatus status = cli::ExitStatus::BadInput;
    try {
        status = cli::run(program, argc, argv);
    } catch (const InputError& error) {
        program.console.error(error);
    } catch (const build::WouldOverwrite& refused) {
        program.console.error(refused.error);
    } catch (const std::bad_alloc&) {
        program.console.error({"memory", "there is not enough of it for this mesh",
                               "a coarser mesh (a lower --resolution), fewer modes, or a larger machine"});
    } catch (const std::exception& error) {
        program.console.error({"limber", error.what(), ""});
    }
    if (!program.console.finish()) status = cli::ExitStatus::BadInput;
    return static_cast<int>(status);
}
