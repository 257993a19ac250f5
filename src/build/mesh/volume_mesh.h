// SPDX-License-Identifier: Apache-2.0
// A volume mesh of linear tetrahedra and 8-node bricks, mixed as you like.
#pragma once
#include "build/mesh/material.h"
#include "build/mesh/surface_mesh.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace limber::build {

// Positive: (v1 - v0) . ((v2 - v0) x (v3 - v0)) > 0.
using Tet = std::array<int, 4>;
// VTK and Gmsh order: 0 1 2 3 run counter-clockwise round the bottom face seen from above (from the
// top face), 4 5 6 7 above them. On the unit cube: 000 100 110 010 001 101 111 011 (xyz).
using Brick = std::array<int, 8>;

// Elements are numbered tets first: element e is tets[e] if e < tets.size(), else bricks[e - tets.size()].
struct VolumeMesh {
    std::vector<Vertex> vertices;
    std::vector<Tet> tets;
    std::vector<Brick> bricks;
    // Per brick: the part of it that the body fills, 0 to 1. Its mass counts by it exactly, its stiffness
    // with a floor (stiffness_fraction). Empty: all 1. Rounded to float, as files keep it.
    std::vector<double> fraction;
    std::vector<Group> vertex_groups;   // named node sets of the file
    std::vector<Group> element_groups;  // Gmsh physical volumes, Vega sets; may overlap
    // Materials that the file itself gives to element groups, in the order in which they apply (Vega).
    // The group "" stands for all elements.
    std::vector<std::pair<std::string, Material>> materials;
    UpAxis up = UpAxis::Z;  // as its file says, or by its format (files.h)

    std::size_t element_count() const { return tets.size() + bricks.size(); }
    double fraction_of(std::size_t brick) const { return fraction.empty() ? 1 : fraction[brick]; }
};

// A nearly empty cube keeps this part of its stiffness: the condition number of K grows by at most its
// inverse, and a force on the surface in such a cube does not move it far from its neighbours.
inline constexpr double kLeastStiffness = 0.1;
inline double stiffness_fraction(double filled) {
    return filled > kLeastStiffness ? filled : kLeastStiffness;
}

}  // namespace limber::build
