// SPDX-License-Identifier: Apache-2.0
// limber mesh convert: one file format to another.
#include "build/mesh/boundary.h"
#include "build/mesh_files/files.h"
#include "cli/command.h"
#include "cli/filling.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace limber::cli {
namespace {

struct MeshConvert {
    std::string input, output;
};

// Formats that have no cells.
bool holds_only_surfaces(build::FileFormat format) {
    using enum build::FileFormat;
    return format == Obj || format == Stl || format == Ply || format == Off || format == Gltf ||
           format == Glb;
}

ExitStatus run(const MeshConvert& options, Console& console) {
    const build::FileFormat format = build::format_of(options.output);
    const auto progress = console.progress();
    build::tell(progress, "reading", 0);
    build::AnyMesh mesh = build::read_mesh(options.input);
    if (const auto* volume = std::get_if<build::VolumeMesh>(&mesh); volume && holds_only_surfaces(format)) {
        console.note("this format holds surfaces only: the boundary of the volume is written");
        mesh = build::boundary_of(*volume).surface;
    }
    build::tell(progress, "writing", 0);
    if (const auto* volume = std::get_if<build::VolumeMesh>(&mesh)) {
        build::write_volume(options.output, *volume);
        note_lost_fractions(options.output, *volume, console);
        console.result({{"output", options.output},
                        {"vertices", volume->vertices.size()},
                        {"triangles", 0},
                        {"tets", volume->tets.size()},
                        {"bricks", volume->bricks.size()}},
                       fmt::format("{}: {} vertices, {} tetrahedra, {} bricks\n", options.output,
                                   volume->vertices.size(), volume->tets.size(), volume->bricks.size()));
    } else {
        const auto& surface = std::get<build::SurfaceMesh>(mesh);
        build::write_surface(options.output, surface);
        console.result({{"output", options.output},
                        {"vertices", surface.vertices.size()},
                        {"triangles", surface.triangles.size()},
                        {"tets", 0},
                        {"bricks", 0}},
                       fmt::format("{}: {} vertices, {} triangles\n", options.output, surface.vertices.size(),
                                   surface.triangles.size()));
    }
    return ExitStatus::Done;
}

}  // namespace

void add_mesh_convert(Command& mesh) {
    auto options = std::make_shared<MeshConvert>();
    Command command = mesh.add_command("convert", "Convert a mesh to another format, by file extension.",
                                       "limber mesh convert bracket.msh bracket.vtu");
    command.group("Files");
    command.argument(
        "input", options->input,
        "surfaces: .obj .stl .ply .off .gltf .glb\nvolumes: .msh .node .ele .mesh .veg .vtk .vtu");
    command.output_argument(
        "output", options->output,
        "the same formats (glTF as .glb), and .inp for CalculiX;\na volume in a surface format "
        "gives its boundary");
    command.run_when_chosen(options, run);
}

}  // namespace limber::cli
