// SPDX-License-Identifier: Apache-2.0
// limber mesh repair: welds, drops, flips, closes holes, and says what it did.
#include "build/mesh/repair.h"

#include "build/mesh_files/files.h"
#include "build/mesh_files/repair_appearance.h"
#include "cli/command.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct MeshRepair {
    std::string input, output;
    double weld_distance = build::RepairOptions{}.weld_distance;
    bool keep_holes = false;
};

struct Outcome {
    build::RepairReport report;
    std::vector<std::string> files;  // besides the output
};

// Looks are kept where the format holds them.
Outcome repair_file(const std::string& input, const std::string& output, const build::RepairOptions& options,
                    Console& console) {
    const build::AnyMesh mesh = build::read_mesh(input);
    build::tell(console.progress(), "repairing", 0);
    if (const auto* volume = std::get_if<build::VolumeMesh>(&mesh)) {
        const build::RepairedVolume repaired = build::repair(*volume, options);
        build::write_volume(output, repaired.mesh);
        return {repaired.report, {}};
    }
    const auto& surface = std::get<build::SurfaceMesh>(mesh);
    const build::ShownSurface shown = build::read_shown_surface(input);
    for (const std::string& note : shown.notes)
        console.note(note);
    build::RepairedSurface repaired = build::repair(build::to_repair(shown, surface), options);
    Outcome out{repaired.report, {}};
    // Copies that the seams of textures ask for are no vertices of the file.
    out.report.welded_vertices -=
        std::min(out.report.welded_vertices,
                 shown.vertices.size() - std::min(shown.vertices.size(), surface.vertices.size()));
    const build::WrittenLooks written =
        build::write_dressed(output, build::dressed(std::move(repaired), shown));
    for (const std::string& note : written.notes)
        console.note(note);
    for (const auto& file : written.files)
        out.files.push_back(file.string());
    return out;
}

nlohmann::json json_of_holes(const std::vector<build::HoleLeft>& holes) {
    nlohmann::json out = nlohmann::json::array();
    for (const build::HoleLeft& hole : holes)
        out.push_back({{"edges", hole.edges},
                       {"middle", {hole.middle.x(), hole.middle.y(), hole.middle.z()}},
                       {"reason", hole.reason}});
    return out;
}

void note_holes_left(const build::RepairReport& report, Console& console) {
    constexpr std::size_t kMostNotes = 5;
    for (std::size_t h = 0; h < std::min(kMostNotes, report.holes_left.size()); ++h) {
        const build::HoleLeft& hole = report.holes_left[h];
        console.note(fmt::format("the hole of {} edges near {:.3g}, {:.3g}, {:.3g} was left open: {}",
                                 hole.edges, hole.middle.x(), hole.middle.y(), hole.middle.z(), hole.reason));
    }
    if (report.holes_left.size() > kMostNotes)
        console.note(fmt::format("{} more holes were left open", report.holes_left.size() - kMostNotes));
}

ExitStatus run(const MeshRepair& options, Console& console) {
    build::format_of(options.output);
    const auto progress = console.progress();
    build::tell(progress, "reading", 0);
    const auto [report, files] =
        repair_file(options.input, options.output,
                    {.weld_distance = options.weld_distance,
                     .holes = options.keep_holes ? build::HolePolicy::Keep : build::HolePolicy::Close},
                    console);
    note_holes_left(report, console);
    if (report.inverted_left > 0)
        console.note(fmt::format("{} bricks are still inverted: no order of their corners makes them valid",
                                 report.inverted_left));
    console.result({{"output", options.output},
                    {"files", files},
                    {"welded_vertices", report.welded_vertices},
                    {"removed_vertices", report.removed_vertices},
                    {"degenerate", report.degenerate},
                    {"duplicate", report.duplicate},
                    {"flipped", report.flipped},
                    {"inverted_left", report.inverted_left},
                    {"holes_closed", report.holes_closed},
                    {"patch_triangles", report.patch_triangles},
                    {"holes_left", json_of_holes(report.holes_left)}},
                   fmt::format("{}\n", options.output) +
                       two_columns({{"vertices welded", fmt::format("{}", report.welded_vertices)},
                                    {"vertices removed", fmt::format("{}", report.removed_vertices)},
                                    {"degenerate elements dropped", fmt::format("{}", report.degenerate)},
                                    {"duplicate elements dropped", fmt::format("{}", report.duplicate)},
                                    {"elements flipped", fmt::format("{}", report.flipped)},
                                    {"still inverted", fmt::format("{}", report.inverted_left)},
                                    {"holes closed", fmt::format("{} with {} triangles", report.holes_closed,
                                                                 report.patch_triangles)},
                                    {"holes left open", fmt::format("{}", report.holes_left.size())}}));
    return ExitStatus::Done;
}

}  // namespace

void add_mesh_repair(Command& mesh) {
    auto options = std::make_shared<MeshRepair>();
    Command command = mesh.add_command("repair", "Weld vertices, drop bad elements, flip, close holes.",
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
    command.group("Holes");
    command.flag("--keep-holes", "close no holes", options->keep_holes);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
