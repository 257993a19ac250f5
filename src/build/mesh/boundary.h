// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh/volume_mesh.h"

#include <vector>

namespace limber::build {

// The outer skin of a volume mesh: faces of exactly one element, outward; quads become two triangles.
struct Boundary {
    SurfaceMesh surface;             // only the vertices on the skin
    std::vector<int> volume_vertex;  // surface vertex -> volume vertex
};
Boundary boundary_of(const VolumeMesh& mesh);

}  // namespace limber::build
