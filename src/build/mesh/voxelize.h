// SPDX-License-Identifier: Apache-2.0
// Any polygon soup becomes a body of equal cubes (Barbič & James 2005, section 3.1).
#pragma once
#include "build/mesh/repair.h"
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

// What a cube at the surface counts for.
enum class VoxelFill {
    Fraction,  // the part of it that the surface encloses (VolumeMesh::fraction); cavities stay empty
    Full,      // all of it; cavities are filled
};

struct VoxelizeOptions {
    int resolution = 32;  // cubes along the longest side of the bounding box, 1..1024
    HingePolicy hinges = HingePolicy::Fill;
    VoxelFill fill = VoxelFill::Fraction;
    // A ball with a hole is a ball; a bowl is a sheet.
    HolePolicy holes = HolePolicy::CloseSmall;
};

struct VoxelReport {
    std::array<int, 3> grid{};  // cubes per axis
    double cube_side = 0;       // m
    std::size_t surface_cubes = 0, inside_cubes = 0;
    std::size_t hinge_edges = 0, hinge_corners = 0;  // found before the policy was applied
    std::size_t filled_cubes = 0, split_vertices = 0;
    int components = 0;            // face-connected parts of the result
    double volume = 0;             // m^3; cubes by their filled fraction
    std::size_t closed_holes = 0;  // the cubes fill the body as if these were closed
    // Triangles of parts that enclose nothing: the cubes that they touch count in full.
    std::size_t open_triangles = 0;
};

struct Voxelized {
    VolumeMesh mesh;
    VoxelReport report;
};
Voxelized voxelize(const SurfaceMesh& surface, const VoxelizeOptions& options = {});

}  // namespace limber::build
