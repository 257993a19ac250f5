// SPDX-License-Identifier: Apache-2.0
// Where cubes of a grid meet only at an edge or a corner.
//
// All is told by the eight cubes round a grid vertex. Octant o of vertex (x, y, z) is the cube at
// (x - 1 + (o & 1), y - 1 + (o >> 1 & 1), z - 1 + (o >> 2)); a mask has bit o set if that cube is there.
#pragma once
#include "build/mesh/voxel_grid.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace limber::build {

// What each of the 256 masks means.
struct CornerCase {
    std::array<std::uint8_t, 8>
        cluster{};  // octant -> number of its face-connected cluster round this vertex
    int clusters = 0;
    int hinge_edges = 0;  // of the three edges up from the vertex: two of four cubes, across from each other
    bool hinge_corner = false;  // two cubes alone, across from each other
    bool hinged = false;        // a hinge corner, or any of the six edges at the vertex is a hinge
};
const std::array<CornerCase, 256>& corner_cases();

// Calls visit(vertex, mask) for each grid vertex with at least one cube; x fastest, z slowest, from plane
// z = first to plane z = last.
template <class Visit>
void for_each_corner(const VoxelGrid& grid, int first, int last, Visit&& visit) {
    const int words = grid.size()[0] / 64 + 1;
    for (int z = first; z <= last; ++z)
        for (int y = 0; y <= grid.size()[1]; ++y)
            for (int w = 0; w < words; ++w) {
                std::array<std::uint64_t, 8> octant;
                std::uint64_t any = 0;
                for (int row = 0; row < 4; ++row) {
                    const int cy = y - 1 + (row & 1), cz = z - 1 + (row >> 1);
                    const std::uint64_t here = grid.word(w, cy, cz);
                    octant[static_cast<std::size_t>(2 * row)] = here << 1 | grid.word(w - 1, cy, cz) >> 63;
                    octant[static_cast<std::size_t>(2 * row + 1)] = here;
                    any |= octant[static_cast<std::size_t>(2 * row)] | here;
                }
                for (; any; any &= any - 1) {
                    const int bit = std::countr_zero(any);
                    unsigned mask = 0;
                    for (unsigned o = 0; o < 8; ++o)
                        mask |= static_cast<unsigned>(octant[o] >> bit & 1) << o;
                    visit(Cell{64 * w + bit, y, z}, mask);
                }
            }
}

struct HingeCount {
    std::size_t edges = 0, corners = 0;
};
HingeCount count_hinges(const VoxelGrid& grid);

// Adds cubes until there is no hinge left; returns how many. Each time, of the cubes that would help, the one
// with the most neighbours is taken.
std::size_t fill_hinges(VoxelGrid& grid);

}  // namespace limber::build
