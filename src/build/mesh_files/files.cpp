// SPDX-License-Identifier: Apache-2.0
// Which reader and which writer a file name asks for.
#include "build/mesh_files/files.h"

#include "build/file/atomic_file.h"
#include "build/file/read_file.h"
#include "build/mesh_files/recorded_up.h"
#include "build/mesh_files/write_surface.h"
#include "build/mesh_files/write_volume.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <utility>

namespace limber::build {
namespace {

constexpr std::pair<std::string_view, FileFormat> kEndings[] = {
    {".obj", FileFormat::Obj},    {".stl", FileFormat::Stl},        {".ply", FileFormat::Ply},
    {".off", FileFormat::Off},    {".gltf", FileFormat::Gltf},      {".glb", FileFormat::Glb},
    {".msh", FileFormat::Gmsh},   {".node", FileFormat::TetGen},    {".ele", FileFormat::TetGen},
    {".mesh", FileFormat::Medit}, {".veg", FileFormat::Vega},       {".vtk", FileFormat::Vtk},
    {".vtu", FileFormat::Vtu},    {".inp", FileFormat::CalculixInp}};

std::string lower_case(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

// TetGen's x.node and x.ele belong together; either names the pair.
VolumeMesh read_tetgen_pair(const std::filesystem::path& path) {
    const bool capitals = path.extension().string() != lower_case(path.extension().string());
    std::filesystem::path node = path, ele = path;
    node.replace_extension(capitals ? ".NODE" : ".node");
    ele.replace_extension(capitals ? ".ELE" : ".ele");
    const std::string nodes = read_file(node);
    VolumeMesh mesh = read_tetgen(nodes, read_file(ele), ele.string());
    mesh.up = recorded_up(nodes).value_or(UpAxis::Z);
    return mesh;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

void check_writable(const SurfaceMesh& mesh, const std::string& name) {
    if (mesh.triangles.empty()) throw InputError{name, "there are no triangles to write", ""};
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        if (!mesh.vertices[v].allFinite())
            throw InputError{name, fmt::format("vertex {} is not finite; no file is written", v),
                             "limber mesh repair removes such vertices"};
}

}  // namespace

FileFormat format_of(const std::filesystem::path& path) {
    const std::string ending = lower_case(path.extension().string());
    std::string known;
    for (const auto& [text, format] : kEndings) {
        if (ending == text) return format;
        known += fmt::format(" {}", text);
    }
    throw InputError{path.string(),
                     ending.empty() ? "the file name has no ending, so its format is unknown"
                                    : fmt::format("unknown ending '{}'", ending),
                     "limber knows" + known};
}

namespace {

AnyMesh read_bytes(const std::string& bytes, FileFormat format, const std::filesystem::path& path) {
    const std::string name = path.string();
    switch (format) {
        case FileFormat::Obj:
            return read_obj(bytes, name);
        case FileFormat::Stl:
            return read_stl(bytes, name);
        case FileFormat::Ply:
            return read_ply(bytes, name);
        case FileFormat::Off:
            return read_off(bytes, name);
        case FileFormat::Gltf:
            return read_gltf(bytes, name, folder_of(path));
        case FileFormat::Glb:
            return read_glb(bytes, name);
        case FileFormat::Gmsh:
            return read_gmsh(bytes, name);
        case FileFormat::Medit:
            return read_medit(bytes, name);
        case FileFormat::Vega:
            return read_vega(bytes, name);
        case FileFormat::Vtk:
            return read_vtk(bytes, name);
        case FileFormat::Vtu:
            return read_vtu(bytes, name);
        case FileFormat::TetGen:
        case FileFormat::CalculixInp:
            break;  // read_mesh() handles them
    }
    throw InputError{name, "unknown format", ""};
}

// Of the formats whose readers do not say it.
UpAxis usual_up(FileFormat format) {
    const bool y = format == FileFormat::Obj || format == FileFormat::Ply || format == FileFormat::Off;
    return y ? UpAxis::Y : UpAxis::Z;
}

}  // namespace

AnyMesh read_mesh(const std::filesystem::path& path) {
    const FileFormat format = format_of(path);
    if (format == FileFormat::TetGen) return read_tetgen_pair(path);
    if (format == FileFormat::CalculixInp)
        throw InputError{path.string(), "limber writes CalculiX decks (.inp) but does not read them",
                         "convert the mesh to .msh or .vtu first"};
    const std::string bytes = read_file(path);
    AnyMesh mesh = read_bytes(bytes, format, path);
    if (format == FileFormat::Gltf || format == FileFormat::Glb) return mesh;
    std::visit([&](auto& m) { m.up = recorded_up(bytes).value_or(usual_up(format)); }, mesh);
    return mesh;
}

SurfaceMesh read_surface(const std::filesystem::path& path) {
    AnyMesh mesh = read_mesh(path);
    if (auto* surface = std::get_if<SurfaceMesh>(&mesh)) return std::move(*surface);
    throw InputError{
        path.string(),
        fmt::format("the file holds a volume mesh ({} elements); a surface is needed here",
                    std::get<VolumeMesh>(mesh).element_count()),
        fmt::format("limber mesh convert {} {}.obj   writes its skin", path.string(), path.stem().string())};
}

VolumeMesh read_volume(const std::filesystem::path& path) {
    AnyMesh mesh = read_mesh(path);
    if (auto* volume = std::get_if<VolumeMesh>(&mesh)) return std::move(*volume);
    throw InputError{path.string(),
                     fmt::format("the file holds a surface ({} triangles); a volume mesh is needed here",
                                 std::get<SurfaceMesh>(mesh).triangles.size()),
                     fmt::format("limber mesh voxelize {} -o {}.vtu --resolution 32", path.string(),
                                 path.stem().string())};
}

void write_surface(const std::filesystem::path& path, const SurfaceMesh& mesh) {
    const FileFormat format = format_of(path);
    const std::string name = path.string();
    check_writable(mesh, name);
    switch (format) {
        case FileFormat::Obj:
            return write_file(path, obj_bytes(mesh));
        case FileFormat::Stl:
            return write_file(path, stl_bytes(mesh, name));
        case FileFormat::Ply:
            return write_file(path, ply_bytes(mesh));
        case FileFormat::Off:
            return write_file(path, off_bytes(mesh));
        case FileFormat::Glb:
            return write_file(path, glb_bytes(mesh, name));
        case FileFormat::Gmsh:
        case FileFormat::Medit:
        case FileFormat::Vtk:
        case FileFormat::Vtu:
            return write_surface_as_cells(path, format, mesh);
        case FileFormat::Gltf:
            throw InputError{name, "limber writes glTF as one .glb file", "end the name in .glb"};
        case FileFormat::TetGen:
        case FileFormat::Vega:
        case FileFormat::CalculixInp:
            break;
    }
    throw InputError{name, "this format holds volumes, not surfaces",
                     "write .obj, .ply, .stl, .off, .glb, .msh, .mesh, .vtk or .vtu"};
}

}  // namespace limber::build
