// SPDX-License-Identifier: Apache-2.0
// limber info: what a model file holds.
#include "build/file/read_file.h"
#include "cli/command.h"
#include "cli/model_summary.h"

#include <limber/model/model_file.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct Info {
    std::string model;
};

ExitStatus run(const Info& options, Console& console) {
    const Stopwatch watch;
    const std::string bytes = build::read_file(options.model);
    const Result<std::shared_ptr<const Model>> read = read_model(bytes, options.model);
    if (!read.ok()) throw read.error();
    const Model& model = *read.value();
    nlohmann::json json = model_json(model, bytes.size());
    json["seconds"] = {{"reading", watch.seconds()}};
    console.result(std::move(json), fmt::format("{}\n", options.model) + model_text(model, bytes.size(), {}));
    return ExitStatus::Done;
}

}  // namespace

void add_info(Command& limber) {
    auto options = std::make_shared<Info>();
    Command command = limber.add_command("info", "Report the rank, materials and frequencies of a model.",
                                         "limber info bridge.glb");
    command.group("Files");
    command.argument("model", options->model, "a .glb file that limber built");
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
