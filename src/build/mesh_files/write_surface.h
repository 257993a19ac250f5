// SPDX-License-Identifier: Apache-2.0
// The bytes of surface files, one function per format; files.h's write_surface picks one and writes them.
#pragma once
#include "build/mesh/surface_mesh.h"

#include <string>

namespace limber::build {

// Text with as many digits as a double needs to come back the same. Groups become g statements; blanks in
// their names become underscores, because g separates names by blanks.
std::string obj_bytes(const SurfaceMesh& mesh);
std::string off_bytes(const SurfaceMesh& mesh);
// Binary, little endian, coordinates as doubles.
std::string ply_bytes(const SurfaceMesh& mesh);
// Binary; coordinates are floats, as the format has them. Both throw InputError{name, ...} if one of them
// is beyond the range of a float.
std::string stl_bytes(const SurfaceMesh& mesh, const std::string& name);
std::string glb_bytes(const SurfaceMesh& mesh, const std::string& name);

}  // namespace limber::build
