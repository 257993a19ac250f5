// SPDX-License-Identifier: Apache-2.0
// How much of each cube of a grid a closed surface encloses: exact, by the divergence theorem.
//
// Along a line up z the inside between z_k and z_k+1 has the length  sum_i s_i clamp(z_k+1 - z_i, 0, 1),  z_i
// where the line crosses the surface, s_i = +1 where it enters. Integrated over the column of a cube this is
// a sum over the pieces of the triangles in and below the cube, all of them polygons: no sampling.
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh/voxel_grid.h"

#include <vector>

namespace limber::build {

class VoxelVolume {
 public:
    // Vertices in units of cubes: the grid is the box from 0 to `size`. The triangles form closed surfaces
    // that face outward. Cost and memory follow the pieces that the planes of the grid cut the triangles
    // into.
    VoxelVolume(const std::vector<Vertex>& vertices, const std::vector<Triangle>& triangles,
                const Cell& size);

    // The integral of the winding number over a cube: its filled part where the surface goes round once.
    double operator[](const Cell& c) const;

 private:
    struct Layer {
        int z;
        double inside;   // of the pieces in this cube
        double through;  // of all pieces up to this cube: what they add to each cube above
    };
    std::size_t column(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(size_[0]) + static_cast<std::size_t>(x);
    }
    Cell size_;
    std::vector<std::size_t> column_begin_;  // into layers_, by columns, one more than there are
    std::vector<Layer> layers_;              // ascending z in each column
};

}  // namespace limber::build
