// SPDX-License-Identifier: Apache-2.0
// Any polygon soup becomes a body of equal cubes (Barbič & James 2005, section 3.1).
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh/volume_mesh.h"

#include <array>
#include <cstddef>

namespace limber::build {

// Cubes that share only an edge or a corner are hinges: K is singular there.
enum class HingePolicy {
    Split,  // the shared vertices are doubled, the cubes come apart there
    Fill,   // cubes are added until they share a face
};

struct VoxelizeOptions {
    int resolution = 32;  // cubes along the longest side of the bounding box, 1..1024
    HingePolicy hinges = HingePolicy::Fill;
};

struct VoxelReport {
    std::array<int, 3> grid{};  // cubes per axis
    double cube_side = 0;       // m
    std::size_t surface_cubes = 0, inside_cubes = 0;
    std::size_t hinge_edges = 0, hinge_corners = 0;  // found before the policy was applied
    std::size_t filled_cubes = 0, split_vertices = 0;
    int components = 0;  // face-connected parts of the result
};

struct Voxelized {
    VolumeMesh mesh;
    VoxelReport report;
};
Voxelized voxelize(const SurfaceMesh& surface, const VoxelizeOptions& options = {});

}  // namespace limber::build
