// SPDX-License-Identifier: Apache-2.0
// limber mesh voxelize: any surface, also an open or tangled one, becomes a body of equal cubes.
#include "build/mesh/voxelize.h"

#include "build/mesh_files/files.h"
#include "cli/command.h"
#include "cli/filling.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct MeshVoxelize {
    std::string surface, output;
    int resolution = 32;
    std::string hinges = "fill", fill;
};

ExitStatus run(const MeshVoxelize& options, Console& console) {
    build::format_of(options.output);  // an unknown ending is said before the work
    const Stopwatch watch;
    const auto progress = console.progress();
    build::tell(progress, "reading", 0);
    const build::SurfaceMesh surface = build::read_surface(options.surface);
    build::tell(progress, "voxelizing", 0);
    const auto [mesh, report] = build::voxelize(
        surface, {.resolution = options.resolution,
                  .hinges = options.hinges == "split" ? build::HingePolicy::Split : build::HingePolicy::Fill,
                  .fill = parse_fill(options.fill).value_or(build::VoxelFill::Fraction)});
    build::tell(progress, "writing", 0);
    build::write_volume(options.output, mesh);

    note_lost_fractions(options.output, mesh, console);
    if (report.closed_holes > 0)
        console.note(fmt::format("{} closed: the cubes fill the body (at most {:g}% of the area of a part)",
                                 report.closed_holes == 1
                                     ? "a hole counts as"
                                     : fmt::format("{} holes count as", report.closed_holes),
                                 100 * build::kSmallHoles));
    if (report.open_triangles > 0)
        console.note(
            fmt::format("{} of {} triangles belong to parts with holes: the cubes that they touch "
                        "count in full",
                        report.open_triangles, surface.triangles.size()));
    const std::size_t hinges = report.hinge_edges + report.hinge_corners;
    if (hinges > 0)
        console.note(fmt::format("{} cubes met only at an edge or a corner; {}", hinges,
                                 options.hinges == "split"
                                     ? fmt::format("{} shared vertices were doubled", report.split_vertices)
                                     : fmt::format("{} cubes were added there", report.filled_cubes)));
    if (report.components > 1)
        console.note(fmt::format("the body has {} separate parts; each needs its own fixed vertices",
                                 report.components));
    console.result(
        {{"output", options.output},
         {"vertices", mesh.vertices.size()},
         {"bricks", mesh.bricks.size()},
         {"grid", report.grid},
         {"cube_side", report.cube_side},
         {"surface_cubes", report.surface_cubes},
         {"inside_cubes", report.inside_cubes},
         {"hinge_edges", report.hinge_edges},
         {"hinge_corners", report.hinge_corners},
         {"filled_cubes", report.filled_cubes},
         {"split_vertices", report.split_vertices},
         {"components", report.components},
         {"volume", report.volume},
         {"closed_holes", report.closed_holes},
         {"open_triangles", report.open_triangles},
         {"seconds", watch.seconds()}},
        fmt::format("{}\n", options.output) +
            two_columns({{"grid", fmt::format("{} x {} x {} cubes of {:.6g} m", report.grid[0],
                                              report.grid[1], report.grid[2], report.cube_side)},
                         {"bricks", fmt::format("{} ({} on the surface, {} inside)", mesh.bricks.size(),
                                                report.surface_cubes, report.inside_cubes)},
                         {"vertices", fmt::format("{}", mesh.vertices.size())},
                         {"filled volume", fmt::format("{:.6g} m^3", report.volume)},
                         {"components", fmt::format("{}", report.components)}}));
    return ExitStatus::Done;
}

}  // namespace

void add_mesh_voxelize(Command& mesh) {
    auto options = std::make_shared<MeshVoxelize>();
    Command command = mesh.add_command("voxelize", "Fill a surface, closed or not, with equal cubes.",
                                       "limber mesh voxelize spoon.obj -o spoon.vtu --resolution 60");
    command.group("Files");
    command.argument("surface", options->surface,
                     ".obj .stl .ply .off .gltf .glb, or triangles in a volume format");
    command.required_output({"-o,--output", "volume", "the volume mesh: .vtu .msh .vtk .mesh .veg .inp", ""},
                            options->output);
    command.group("Cubes");
    command.whole_number({"--resolution", "n", "cubes along the longest side, 1 to 1024", "32"}, 1, 1024,
                         options->resolution);
    add_fill_option(command, options->fill);
    command.word({"--hinges", "word", "where cubes meet only at an edge or a corner: fill or split", "fill"},
                 {"fill", "split"}, options->hinges);
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
