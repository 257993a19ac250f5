// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/write_volume.h"

#include "build/file/atomic_file.h"
#include "build/mesh_files/cell_text.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <algorithm>
#include <cctype>
#include <string>

namespace limber::build {
namespace {

// What the readers would refuse is not written.
void require_writable(const CellView& cells, const std::filesystem::path& path) {
    if (cells.cell_count() == 0) throw InputError{path.string(), "the mesh to be written has no cells", ""};
    for (std::size_t i = 0; i < cells.vertices.size(); ++i)
        if (const Vertex& v = cells.vertices[i]; !v.allFinite())
            throw InputError{path.string(), fmt::format("vertex {} is ({}, {}, {})", i, v.x(), v.y(), v.z()),
                             "every coordinate must be a finite number"};
}

// Both files appear, or neither is touched; only a failing rename can part them.
void write_tetgen(const std::filesystem::path& path, const VolumeMesh& mesh) {
    const TetGenText text = tetgen_text(mesh);
    const auto files = files_written(path);
    AtomicFile node(files[0]), ele(files[1]);
    node.stream() << text.node;
    ele.stream() << text.ele;
    if (!node.stream().flush() || !ele.stream().flush())
        throw InputError{path.string(), "writing failed; the old files are untouched",
                         "check the disk space"};
    node.commit();
    ele.commit();
}

}  // namespace

std::vector<std::filesystem::path> files_written(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    const bool capitals = ending == ".NODE" || ending == ".ELE";
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (ending != ".node" && ending != ".ele") return {path};
    std::filesystem::path node = path, ele = path;
    return {node.replace_extension(capitals ? ".NODE" : ".node"),
            ele.replace_extension(capitals ? ".ELE" : ".ele")};
}

CellView view_of(const SurfaceMesh& mesh) {
    return {.vertices = mesh.vertices,
            .triangles = mesh.triangles,
            .tets = {},
            .bricks = {},
            .vertex_groups = {},
            .cell_groups = mesh.triangle_groups,
            .up = mesh.up};
}

CellView view_of(const VolumeMesh& mesh) {
    return {.vertices = mesh.vertices,
            .triangles = {},
            .tets = mesh.tets,
            .bricks = mesh.bricks,
            .vertex_groups = mesh.vertex_groups,
            .cell_groups = mesh.element_groups,
            .up = mesh.up,
            .fraction = mesh.fraction};
}

// The formats that hold cells of every kind. False: this is none of them, and nothing was written.
static bool write_any_cells(const std::filesystem::path& path, FileFormat format, const CellView& cells) {
    switch (format) {
        case FileFormat::Gmsh:
            write_file(path, gmsh_text(cells));
            return true;
        case FileFormat::Medit:
            write_file(path, medit_text(cells));
            return true;
        case FileFormat::Vtk:
            write_file(path, vtk_text(cells));
            return true;
        case FileFormat::Vtu:
            write_file(path, vtu_text(cells, {}));
            return true;
        default:
            return false;
    }
}

void write_volume(const std::filesystem::path& path, const VolumeMesh& mesh) {
    const FileFormat format = format_of(path);
    const CellView cells = view_of(mesh);
    require_writable(cells, path);
    if (format == FileFormat::TetGen && !mesh.bricks.empty())
        throw InputError{path.string(),
                         fmt::format("TetGen's files hold no hexahedra; the mesh has {}", mesh.bricks.size()),
                         "write .msh, .mesh, .vtk or .vtu"};
    if (format == FileFormat::Vega && !mesh.tets.empty() && !mesh.bricks.empty())
        throw InputError{path.string(), "a Vega file holds tetrahedra or hexahedra, not both",
                         "write .msh, .mesh, .vtk or .vtu"};
    if (write_any_cells(path, format, cells)) return;
    switch (format) {
        case FileFormat::TetGen:
            return write_tetgen(path, mesh);
        case FileFormat::Vega:
            return write_file(path, vega_text(mesh));
        case FileFormat::CalculixInp:
            return write_file(path, calculix_text(mesh));
        default:
            throw InputError{path.string(), "this format holds surfaces, not volumes",
                             "write .msh, .node, .mesh, .veg, .vtk, .vtu or .inp"};
    }
}

void write_surface_as_cells(const std::filesystem::path& path, FileFormat format, const SurfaceMesh& mesh) {
    const CellView cells = view_of(mesh);
    require_writable(cells, path);
    if (write_any_cells(path, format, cells)) return;
    throw InputError{path.string(), "this format does not hold triangles as cells", "write .vtk or .vtu"};
}

}  // namespace limber::build
