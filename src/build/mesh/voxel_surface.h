// SPDX-License-Identifier: Apache-2.0
// Where a surface touches a grid of unit cubes, and which cubes it shuts off from the outside.
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh/voxel_grid.h"

#include <array>
#include <optional>
#include <vector>

namespace limber::build {

// A triangle that runs through the inside of a cube touches it. One that lies in a plane between cubes
// touches neither side, or every face along the grid would get two layers; it is a wall on the cubes' common
// faces.
struct VoxelSurface {
    VoxelGrid touched;
    // Per axis, one bit per face across that axis: face k lies between cubes k - 1 and k. None: no wall.
    std::array<std::optional<VoxelGrid>, 3> walls;
    // Per axis and plane k: the walls' area that faces up the axis less that which faces down.
    std::array<std::vector<double>, 3> facing;
};

// Vertices in units of cubes: the grid is the box from 0 to `size`.
VoxelSurface rasterize(const std::vector<Vertex>& vertices, const std::vector<Triangle>& triangles,
                       const Cell& size);

// The cubes that the outside does not reach through faces without walls: touched and inside.
VoxelGrid shut_off(const VoxelSurface& surface);

}  // namespace limber::build
