// SPDX-License-Identifier: Apache-2.0
// limber assemble: a tree of domains from parts that were built one by one.
#include "build/domains/assembly.h"
#include "build/file/atomic_file.h"
#include "cli/command.h"
#include "cli/model_summary.h"

#include <limber/model/model_file.h>

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct Assemble {
    std::string assembly, output;
};

ExitStatus run(const Assemble& options, Console& console) {
    const Stopwatch watch;
    const std::filesystem::path output = options.output;
    if (output.extension() != ".glb")
        throw InputError{output.string(), "a model is a .glb file", "-o " + output.stem().string() + ".glb"};
    const auto progress = console.progress();
    build::tell(progress, "reading", 0);
    const build::Assembly assembly = build::read_assembly(options.assembly);
    const double reading = watch.seconds();
    build::Assembled built = build::assemble(assembly, options.assembly, progress);
    built.model->name = std::filesystem::path(options.assembly).stem().string();
    built.model->command = console.command;
    for (const std::string& note : built.notes)
        console.note(note);
    build::tell(progress, "writing", 0);
    const Result<ModelBytes> written = write_model(*built.model, {}, {}, output.string());
    if (!written.ok()) throw written.error();
    const std::string& bytes = written.value().bytes;
    build::write_file(output, bytes);

    nlohmann::json json = model_json(*built.model, bytes.size());
    json["output"] = output.string();
    json["seconds"] = {{"reading", reading}, {"total", watch.seconds()}};
    console.result(std::move(json), fmt::format("{}\n", output.string()) +
                                        model_text(*built.model, bytes.size(),
                                                   {{"seconds", fmt::format("{:.1f}", watch.seconds())}}));
    return ExitStatus::Done;
}

}  // namespace

void add_assemble(Command& limber) {
    auto options = std::make_shared<Assemble>();
    Command command =
        limber.add_command("assemble", "Assemble parts into a tree of domains: instances on parents.",
                           "limber assemble plant.json -o plant.glb");
    command.group("Files");
    command.argument("assembly", options->assembly,
                     "JSON: the parts (models that limber build made, fixed\n"
                     "at their foot), the root, and the instances with parent,\n"
                     "position, rotation and scale");
    command.required_output({"-o,--output", "tree.glb", "the tree", ""}, options->output);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
