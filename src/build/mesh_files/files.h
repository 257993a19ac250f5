// SPDX-License-Identifier: Apache-2.0
// Reading and writing mesh files. The format follows the file name's ending; where one ending serves
// surfaces and volumes (.vtk, .mesh, .msh, .ply ...) the content decides.
//
// Readers check syntax, counts, index ranges and that coordinates are finite, and throw InputError with
// file and line (or byte) otherwise; geometry is check.h's matter. A reader never takes memory that the
// file's length does not justify. Writers are atomic and keep 17 significant digits unless the format says
// less.
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh/volume_mesh.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace limber::build {

enum class FileFormat { Obj, Stl, Ply, Off, Gltf, Glb, Gmsh, TetGen, Medit, Vega, Vtk, Vtu, CalculixInp };

// By the ending, whatever its case; throws InputError that lists the known ones.
FileFormat format_of(const std::filesystem::path& path);

// What write_surface() and write_volume() write for this name: the file, or both of TetGen's pair.
std::vector<std::filesystem::path> files_written(const std::filesystem::path& path);

using AnyMesh = std::variant<SurfaceMesh, VolumeMesh>;

// Reads whatever the file holds: cells of a volume if there are any, else triangles. Up is what the file says
// (those that limber writes do); else y for glTF, OBJ, PLY and OFF, z for the others.
AnyMesh read_mesh(const std::filesystem::path& path);
// These two refuse the other kind, with the command that turns one into the other.
SurfaceMesh read_surface(const std::filesystem::path& path);
VolumeMesh read_volume(const std::filesystem::path& path);

void write_surface(const std::filesystem::path& path, const SurfaceMesh& mesh);
void write_volume(const std::filesystem::path& path, const VolumeMesh& mesh);

// One array of the vertices' data for a .vtu or .vtk file: values.size() = components * vertices.
struct VertexField {
    std::string name;
    int components = 3;
    std::vector<double> values;
};
void write_vtu(const std::filesystem::path& path, const VolumeMesh& mesh,
               const std::vector<VertexField>& fields);

// The readers, by bytes; `name` is for messages. What the fuzz targets call. Files of several parts
// (TetGen's .node beside .ele, .gltf with .bin) are joined by read_mesh.
SurfaceMesh read_obj(std::string_view bytes, const std::string& name);
SurfaceMesh read_stl(std::string_view bytes,
                     const std::string& name);  // ASCII and binary; equal corners welded
SurfaceMesh read_ply(std::string_view bytes, const std::string& name);  // ASCII, little and big endian
SurfaceMesh read_off(std::string_view bytes, const std::string& name);  // OFF, COFF, NOFF; ASCII
SurfaceMesh read_glb(std::string_view bytes, const std::string& name);  // all nodes of the scene, transformed
// A .gltf may name only files inside its own folder (`folder`, empty: data URIs only).
SurfaceMesh read_gltf(std::string_view bytes, const std::string& name, const std::filesystem::path& folder);
AnyMesh read_gmsh(std::string_view bytes, const std::string& name);   // 2.2 and 4.1, ASCII and binary
AnyMesh read_medit(std::string_view bytes, const std::string& name);  // ASCII .mesh
AnyMesh read_vtk(std::string_view bytes, const std::string& name);    // legacy, ASCII and binary
AnyMesh read_vtu(std::string_view bytes, const std::string& name);    // ASCII, base64, appended, zlib
VolumeMesh read_tetgen(std::string_view node, std::string_view ele, const std::string& name);
VolumeMesh read_vega(std::string_view bytes, const std::string& name);

}  // namespace limber::build
