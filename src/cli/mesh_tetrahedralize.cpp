// SPDX-License-Identifier: Apache-2.0
// limber mesh tetrahedralize: a closed surface is filled with tetrahedra that follow it exactly.
#include "build/mesh/tetrahedralize.h"

#include "build/mesh_files/files.h"
#include "cli/command.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct MeshTetrahedralize {
    std::string surface, output;
    std::optional<double> max_volume;
};

ExitStatus run(const MeshTetrahedralize& options, Console& console) {
    build::format_of(options.output);
    const Stopwatch watch;
    const auto progress = console.progress();
    build::tell(progress, "reading", 0);
    const build::SurfaceMesh surface = build::read_surface(options.surface);
    build::tell(progress, "filling with tetrahedra", 0);
    const build::VolumeMesh mesh =
        build::tetrahedralize(surface, {.max_volume = options.max_volume}, options.surface);
    build::tell(progress, "writing", 0);
    build::write_volume(options.output, mesh);
    console.result({{"output", options.output},
                    {"vertices", mesh.vertices.size()},
                    {"tets", mesh.tets.size()},
                    {"seconds", watch.seconds()}},
                   fmt::format("{}\n", options.output) +
                       two_columns({{"tetrahedra", fmt::format("{}", mesh.tets.size())},
                                    {"vertices", fmt::format("{}", mesh.vertices.size())}}));
    return ExitStatus::Done;
}

}  // namespace

void add_mesh_tetrahedralize(Command& mesh) {
    auto options = std::make_shared<MeshTetrahedralize>();
    Command command =
        mesh.add_command("tetrahedralize", "Fill a closed surface with tetrahedra that follow it exactly.",
                         "limber mesh tetrahedralize heart.stl -o heart.msh --max-volume 1e-7");
    command.group("Files");
    command.argument("surface", options->surface, "a closed surface; its vertices keep their order");
    command.required_output({"-o,--output", "volume", "the volume mesh: .vtu .msh .vtk .mesh .veg .inp", ""},
                            options->output);
    command.group("Tetrahedra");
    command.number({"--max-volume", "m^3", "largest tetrahedron", "1/1000 of the volume"}, positive_number(),
                   options->max_volume);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
