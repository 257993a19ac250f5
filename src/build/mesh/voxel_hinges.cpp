// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/voxel_hinges.h"

#include <vector>

namespace limber::build {
namespace {

// The four octants round the edge that leaves the vertex along `axis`, down (side 0) or up (side 1); the
// first and the last lie across from each other, as do the middle two.
std::array<unsigned, 4> octants_at_edge(unsigned axis, unsigned side) {
    const unsigned base = side << axis, u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3;
    return {base, base | u, base | v, base | u | v};
}

// The pair of empty octants if just the other two, across from each other, are there.
bool is_hinge_edge(unsigned mask, const std::array<unsigned, 4>& o, std::array<unsigned, 2>& empty) {
    const auto has = [&](unsigned i) { return (mask >> o[i] & 1) != 0; };
    if (has(0) && has(3) && !has(1) && !has(2)) return empty = {o[1], o[2]}, true;
    if (!has(0) && !has(3) && has(1) && has(2)) return empty = {o[0], o[3]}, true;
    return false;
}

bool is_hinge_corner(unsigned mask) {
    for (unsigned o = 0; o < 4; ++o)
        if (mask == (1u << o | 1u << (7 - o))) return true;
    return false;
}

CornerCase describe(unsigned mask) {
    CornerCase result;
    constexpr std::uint8_t unset = 255;
    result.cluster.fill(unset);
    for (unsigned seed = 0; seed < 8; ++seed) {
        if (!(mask >> seed & 1) || result.cluster[seed] != unset) continue;
        const auto number = static_cast<std::uint8_t>(result.clusters++);
        result.cluster[seed] = number;
        // Each pass goes at least one step further, and no path has more than seven.
        for (int pass = 0; pass < 7; ++pass)
            for (unsigned o = 0; o < 8; ++o)
                for (const unsigned step : {1u, 2u, 4u})
                    if (mask >> o & 1 && result.cluster[o ^ step] == number) result.cluster[o] = number;
    }
    std::array<unsigned, 2> empty;
    result.hinge_corner = result.hinged = is_hinge_corner(mask);
    for (unsigned axis = 0; axis < 3; ++axis)
        for (unsigned side = 0; side < 2; ++side)
            if (is_hinge_edge(mask, octants_at_edge(axis, side), empty)) {
                result.hinged = true;
                result.hinge_edges += static_cast<int>(side);
            }
    return result;
}

Cell cube_at(const Cell& vertex, unsigned octant) {
    return {vertex[0] - 1 + static_cast<int>(octant & 1), vertex[1] - 1 + static_cast<int>(octant >> 1 & 1),
            vertex[2] - 1 + static_cast<int>(octant >> 2)};
}

unsigned mask_at(const VoxelGrid& grid, const Cell& vertex) {
    unsigned mask = 0;
    for (unsigned o = 0; o < 8; ++o)
        mask |= static_cast<unsigned>(grid[cube_at(vertex, o)]) << o;
    return mask;
}

int face_neighbours(const VoxelGrid& grid, const Cell& cube) {
    int n = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const int step : {-1, 1}) {
            Cell neighbour = cube;
            neighbour[axis] += step;
            n += grid[neighbour];
        }
    return n;
}

// The empty octants of which one is to be filled.
std::vector<unsigned> candidates(unsigned mask) {
    std::array<unsigned, 2> empty;
    for (unsigned axis = 0; axis < 3; ++axis)
        for (unsigned side = 0; side < 2; ++side)
            if (is_hinge_edge(mask, octants_at_edge(axis, side), empty)) return {empty[0], empty[1]};
    std::vector<unsigned> all;
    for (unsigned o = 0; o < 8; ++o)
        if (!(mask >> o & 1)) all.push_back(o);
    return all;
}

}  // namespace

const std::array<CornerCase, 256>& corner_cases() {
    static const std::array<CornerCase, 256> cases = [] {
        std::array<CornerCase, 256> all;
        for (unsigned mask = 0; mask < 256; ++mask)
            all[mask] = describe(mask);
        return all;
    }();
    return cases;
}

HingeCount count_hinges(const VoxelGrid& grid) {
    HingeCount count;
    for_each_corner(grid, 0, grid.size()[2], [&](const Cell&, unsigned mask) {
        count.edges += static_cast<std::size_t>(corner_cases()[mask].hinge_edges);
        count.corners += corner_cases()[mask].hinge_corner;
    });
    return count;
}

std::size_t fill_hinges(VoxelGrid& grid) {
    std::vector<Cell> pending;
    for_each_corner(grid, 0, grid.size()[2], [&](const Cell& vertex, unsigned mask) {
        if (corner_cases()[mask].hinged) pending.push_back(vertex);
    });
    std::size_t filled = 0;
    for (std::size_t i = 0; i < pending.size(); ++i) {
        const Cell vertex = pending[i];
        unsigned mask = mask_at(grid, vertex);
        while (corner_cases()[mask].hinged) {
            Cell best{};
            int most = -1;
            for (const unsigned octant : candidates(mask)) {
                const Cell cube = cube_at(vertex, octant);
                if (const int n = face_neighbours(grid, cube); n > most) {
                    most = n;
                    best = cube;
                }
            }
            grid.set(best);
            ++filled;
            // The new cube may make hinges of its own at its other corners.
            for (int b = 0; b < 8; ++b)
                pending.push_back({best[0] + (b & 1), best[1] + (b >> 1 & 1), best[2] + (b >> 2)});
            mask = mask_at(grid, vertex);
        }
    }
    return filled;
}

}  // namespace limber::build
