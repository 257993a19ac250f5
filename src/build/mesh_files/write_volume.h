// SPDX-License-Identifier: Apache-2.0
// What write_volume and write_surface (files.h) share: the formats that hold cells of any dimension.
#pragma once
#include "build/mesh_files/files.h"

namespace limber::build {

// Triangles as cells of a Gmsh, Medit, Vtk or Vtu file; triangle groups as far as the format has groups.
void write_surface_as_cells(const std::filesystem::path& path, FileFormat format, const SurfaceMesh& mesh);

}  // namespace limber::build
