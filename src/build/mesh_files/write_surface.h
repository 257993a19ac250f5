// SPDX-License-Identifier: Apache-2.0
// The bytes of surface files, one function per format; files.h's write_surface picks one and writes them.
#pragma once
#include "build/mesh/surface_mesh.h"

#include <limber/model/appearance.h>

#include <string>
#include <vector>

namespace limber::build {

// Text with as many digits as a double needs to come back the same. Groups become g statements; blanks in
// their names become underscores, because g separates names by blanks.
std::string obj_bytes(const SurfaceMesh& mesh);
// The groups of each triangle as obj_bytes() writes them after "g"; "" for none.
std::vector<std::string> group_statements(const SurfaceMesh& mesh);
std::string off_bytes(const SurfaceMesh& mesh);
// Binary, little endian, coordinates as doubles.
// `colors`: of each vertex, linear; empty: none.
std::string ply_bytes(const SurfaceMesh& mesh, const std::vector<VertexColor>& colors = {});
// Binary; coordinates are floats, as the format has them. Both throw InputError{name, ...} if one of them
// is beyond the range of a float.
std::string stl_bytes(const SurfaceMesh& mesh, const std::string& name);
std::string glb_bytes(const SurfaceMesh& mesh, const std::string& name);

// A linear colour as it is on the screen, 0 to 1: the inverse of linear_color().
double screen_color(float linear);

}  // namespace limber::build
