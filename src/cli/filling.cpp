// SPDX-License-Identifier: Apache-2.0
#include "cli/filling.h"

#include <nlohmann/json.hpp>

namespace limber::cli {

void add_fill_option(Command& command, std::string& out) {
    command.word({"--fill", "word",
                  "what a cube at a closed surface counts for: the\n"
                  "fraction that it encloses, or the full cube",
                  "fraction"},
                 {"fraction", "full"}, out);
}

std::optional<build::VoxelFill> parse_fill(const std::string& word) {
    if (word.empty()) return {};
    return word == "full" ? build::VoxelFill::Full : build::VoxelFill::Fraction;
}

void note_lost_fractions(const std::string& file, const build::VolumeMesh& mesh, Console& console) {
    if (mesh.fraction.empty() || build::format_of(file) == build::FileFormat::Vtu) return;
    console.note("this format does not keep how far cubes are filled: they count in full; .vtu keeps it");
}

nlohmann::json to_json(const build::FillReport& report) {
    if (report.kind.empty()) return nullptr;
    nlohmann::json thickness, across, resolution, cubes_thick, excess, better;
    if (report.thickness > 0) {
        thickness = report.thickness;
        across = report.thickness / report.element_side;
    }
    if (report.resolution > 0) resolution = report.resolution;
    if (report.better_resolution > 0) better = report.better_resolution;
    if (report.cubes_thick > 0) {
        cubes_thick = report.cubes_thick;
        excess = report.bending_excess;
    }
    return {{"kind", report.kind},
            {"resolution", resolution},
            {"element_side", report.element_side},
            {"volume", report.volume},
            {"thickness", thickness},
            {"elements_across", across},
            {"cubes_thick", cubes_thick},
            {"bending_excess", excess},
            {"better_resolution", better},
            {"estimated_seconds", report.seconds}};
}

nlohmann::json to_json(const build::HeldReport& report) {
    return {{"nodes", report.nodes}, {"area", report.area}, {"surface_area", report.surface}};
}

}  // namespace limber::cli
