// SPDX-License-Identifier: Apache-2.0
// Elements as assembly wants them: four side by side in the lanes of a vector register, groups of four in
// spatially coherent blocks, blocks in colours. No two blocks of a colour share a vertex, so a colour is one
// parallel sweep without races, and every sum is taken in the same order whatever the number of threads.
#pragma once
#include "build/fem/vertex_pattern.h"

#include <limits>
#include <vector>

namespace limber::build {

inline constexpr int kLanes = 4;
// Four doubles, one per element; +, -, * act lane by lane. Passed by reference only: how it travels by value
// depends on the machine's vector width.
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));

// Where the 3x3 block of a vertex pair is stored (VertexPattern): the place of its first entry; ~place if the
// element's local order is against the lower triangle, so that the block is stored transposed;
// kDropped if one of the two vertices is fixed.
inline constexpr int kDropped = std::numeric_limits<int>::min();

// Pairs (a, b) of local vertices, a > b, stand at a(a-1)/2 + b.
// Lanes that no element fills have zero stiffness, the vertices of lane 0, and dropped pairs.
struct TetGroup {
    Lanes b[3][3];          // rest gradients of N_1, N_2, N_3, 1/m; that of N_0 is minus their sum
    Lanes lambda, mu;       // times volume, J
    int vertex[4][kLanes];  // ascending, so that no pair is transposed
    int pair[6][kLanes];
};

struct BrickGroup {
    Lanes filled;      // stiffness_fraction() of the brick
    Lanes lambda, mu;  // Pa, times `filled`
    int vertex[8][kLanes];
    int pair[28][kLanes];
    int shape[kLanes];
};

// One quadrature point of a brick at rest.
struct BrickPoint {
    double weight;   // Gauss weight times det J, m^3
    double b[8][3];  // rest gradients, 1/m
};

// Groups begin..end of tets, bricks or pressure bricks.
struct Block {
    enum class Kind { Tets, Bricks, PressureBricks } kind;
    int begin, end;
};

// The column of a vertex in the matrix.
struct VertexColumn {
    int diagonal;  // where its first entry is stored; -1 if the vertex is fixed
    int below;     // blocks below the diagonal
};

struct ElementBlocks {
    VertexPattern pattern;
    std::vector<VertexColumn> columns;  // per vertex of the mesh
    std::vector<TetGroup> tets;
    std::vector<BrickGroup> bricks;
    int points_per_brick = 0;  // 8 or 27
    // Bricks that are translates of each other share their points; shape s starts at s·points_per_brick.
    std::vector<BrickPoint> brick_points;
    // Selective quadrature: the same bricks in the same order, which then have λ only, at one point of the
    // mean gradients; λ of `bricks` is 0. Shape s has point s.
    std::vector<BrickGroup> pressure_bricks;
    std::vector<BrickPoint> pressure_points;
    std::vector<int> tet_order, brick_order;  // position 4·group + lane -> index into mesh.tets, mesh.bricks
    std::vector<Block> blocks;                // colour by colour
    std::vector<int> colour_begin;            // into blocks; colours + 1
};

// Throws InputError if the Jacobian of a brick is not positive at a quadrature point.
ElementBlocks make_element_blocks(const FemModel& model);

}  // namespace limber::build
