// SPDX-License-Identifier: Apache-2.0
// limber mesh repair: welds, drops, flips, and says what it did.
#include "build/mesh/repair.h"

#include "build/mesh_files/files.h"
#include "build/mesh_files/read_appearance.h"
#include "cli/command.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct MeshRepair {
    std::string input, output;
    double weld_distance = build::RepairOptions{}.weld_distance;
};

void write(const std::string& path, const build::SurfaceMesh& mesh) {
    build::write_surface(path, mesh);
}
void write(const std::string& path, const build::VolumeMesh& mesh) {
    build::write_volume(path, mesh);
}

ExitStatus run(const MeshRepair& options, Console& console) {
    build::format_of(options.output);
    const auto progress = console.progress();
    build::tell(progress, "reading", 0);
    const build::AnyMesh mesh = build::read_mesh(options.input);
    build::tell(progress, "repairing", 0);
    const build::RepairReport report = std::visit(
        [&](const auto& m) {
            const auto repaired = build::repair(m, {.weld_distance = options.weld_distance});
            write(options.output, repaired.mesh);
            return repaired.report;
        },
        mesh);
    if (std::holds_alternative<build::SurfaceMesh>(mesh) &&
        !build::read_shown_surface(options.input).appearance.parts.empty())
        console.note(
            "colours and textures are not written: limber build takes the original mesh with them, and needs "
            "no "
            "repair of seams");
    if (report.inverted_left > 0)
        console.note(fmt::format("{} bricks are still inverted: no order of their corners makes them valid",
                                 report.inverted_left));
    console.result({{"output", options.output},
                    {"welded_vertices", report.welded_vertices},
                    {"removed_vertices", report.removed_vertices},
                    {"degenerate", report.degenerate},
                    {"duplicate", report.duplicate},
                    {"flipped", report.flipped},
                    {"inverted_left", report.inverted_left}},
                   fmt::format("{}\n", options.output) +
                       two_columns({{"vertices welded", fmt::format("{}", report.welded_vertices)},
                                    {"vertices removed", fmt::format("{}", report.removed_vertices)},
                                    {"degenerate elements dropped", fmt::format("{}", report.degenerate)},
                                    {"duplicate elements dropped", fmt::format("{}", report.duplicate)},
                                    {"elements flipped", fmt::format("{}", report.flipped)},
                                    {"still inverted", fmt::format("{}", report.inverted_left)}}));
    return ExitStatus::Done;
}

}  // namespace

void add_mesh_repair(Command& mesh) {
    auto options = std::make_shared<MeshRepair>();
    Command command = mesh.add_command("repair", "Repair what needs no guessing; say what was done.",
                                       "limber mesh repair bracket.msh -o fixed.msh");
    command.group("Files");
    command.argument("input", options->input, "a surface or a volume mesh");
    command.required_output({"-o,--output", "file", "the repaired mesh", ""}, options->output);
    command.group("Welding");
    command.number(
        {"--weld-distance", "fraction",
         "vertices closer than this become one, as a fraction\nof the bounding diagonal; 0: equal ones only",
         "1e-9"},
        {0, 0.1, "a fraction from 0 to 0.1"}, options->weld_distance);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
