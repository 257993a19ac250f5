// SPDX-License-Identifier: Apache-2.0
// What is wrong with a mesh, in words and numbers.
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh/volume_mesh.h"

#include <Eigen/Geometry>
#include <string>
#include <vector>

namespace limber::build {

inline constexpr std::size_t kMostIds = 200;

struct Problem {
    std::string kind;  // stable word for scripts: "open_edges", "non_manifold_edges", "inverted", "sliver",
                       // "degenerate", "duplicate", "unreferenced", "not_finite", "scale", "not_orientable",
                       // "self_intersections", ...
    std::string message;   // one sentence with numbers and units
    std::string try_this;  // may be empty
    std::size_t count = 0;
    // Up to kMostIds offenders: vertices where `kind` is "unreferenced", "not_finite" or "hinge", else
    // triangles or elements.
    std::vector<int> first_ids;
};

struct MeshReport {
    std::size_t vertices = 0, triangles = 0, tets = 0, bricks = 0;
    Eigen::AlignedBox3d bounds;  // m; of the finite vertices
    double volume = 0;   // m^3; signed volume of a watertight surface, sum over elements of a volume mesh
    int components = 0;  // connected parts (volume: connected through shared vertices)
    // Surface: vertices at the place of an earlier one (kWeldDistance), as texture seams have them. The
    // surface is looked at with such vertices as one.
    std::size_t seam_vertices = 0;
    double area = 0;          // m^2, of a surface
    bool watertight = false;  // surface: every edge has two triangles of opposite direction; volume: its skin
                              // is closed, each edge with as many faces one way as the other
    bool orientable = true;
    std::size_t inverted = 0;  // elements with a non-positive Jacobian at a vertex (bricks) or volume (tets)
    std::vector<Problem> problems;  // worst first
};

// 2 volume / area: the thickness of a plate with the volume and the area of a closed surface, m; 0 for
// others.
double mean_thickness(const MeshReport& report);

struct CheckOptions {
    // Surfaces: also look for triangles that cross each other, which takes longer than all the rest (about 2
    // s for a million triangles).
    bool self_intersections = false;
};
MeshReport check(const SurfaceMesh& mesh, const CheckOptions& options = {});
MeshReport check(const VolumeMesh& mesh);

// Throws InputError for what no solver can take: no elements, NaN, inverted or zero-volume elements.
// `name` is the file, for the message.
void require_sound(const VolumeMesh& mesh, const std::string& name);

// Signed volume of an element; bricks by 2x2x2 Gauss (exact).
double tet_volume(const VolumeMesh& mesh, const Tet& tet);
double brick_volume(const VolumeMesh& mesh, const Brick& brick);

}  // namespace limber::build
