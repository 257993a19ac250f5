// SPDX-License-Identifier: Apache-2.0
// limber models list: the built-in models.
#include "cli/command.h"
#include "models/models.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct ModelsList {};

ExitStatus run(const ModelsList&, Console& console) {
    nlohmann::json rows = nlohmann::json::array();
    std::size_t width = 0;
    for (const auto& model : models::list())
        width = std::max(width, model.name.size());
    std::string text;
    for (const auto& model : models::list()) {
        nlohmann::json row = {{"name", model.name},
                              {"description", model.description},
                              {"fix", model.fix},
                              {"young", model.material.young},
                              {"poisson", model.material.poisson},
                              {"density", model.material.density},
                              {"resolution", nullptr}};
        if (model.domains > 0) row["domains"] = model.domains;
        if (model.resolution > 0) row["resolution"] = model.resolution;
        rows.push_back(std::move(row));
        text +=
            fmt::format("  {:<{}}  {}\n  {:<{}}  fixed at \"{}\"{}, E = {:g} Pa, nu = {:g}, {:g} kg/m^3\n",
                        model.name, width, model.description, "", width, model.fix,
                        model.resolution > 0 ? fmt::format(", --resolution {}", model.resolution) : "",
                        model.material.young, model.material.poisson, model.material.density);
    }
    console.result({{"models", rows}}, text);
    return ExitStatus::Done;
}

}  // namespace

void add_models_list(Command& models) {
    auto options = std::make_shared<ModelsList>();
    Command command =
        models.add_command("list", "List the built-in models with their fixed parts.", "limber models list");
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
