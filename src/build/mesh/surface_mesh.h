// SPDX-License-Identifier: Apache-2.0
// A triangle surface: closed, open or a soup; what a user draws and what is shown.
#pragma once
#include <limber/model/up_axis.h>

#include <Eigen/Core>
#include <array>
#include <limits>
#include <string>
#include <vector>

namespace limber::build {

using Vertex = Eigen::Vector3d;  // rest position, m
using Triangle = std::array<int, 3>;

// Vertices and triangles are numbered by int.
inline constexpr std::size_t kMostNumbered = std::numeric_limits<int>::max();

// A named set of vertices or elements, ids ascending and unique.
struct Group {
    std::string name;
    std::vector<int> ids;
};

struct SurfaceMesh {
    std::vector<Vertex> vertices;        // in the file's order
    std::vector<Triangle> triangles;     // counter-clockwise seen from outside; polygons come triangulated
    std::vector<Group> triangle_groups;  // OBJ o/g/usemtl names, glTF mesh names
    UpAxis up = UpAxis::Z;               // as its file says, or by its format (files.h)
};

}  // namespace limber::build
