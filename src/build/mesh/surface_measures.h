// SPDX-License-Identifier: Apache-2.0
// Areas, enclosed volumes and winding numbers of triangle surfaces.
#pragma once
#include "build/mesh/surface_mesh.h"

#include <vector>

namespace limber::build {

// A corner repeats, a coordinate is not usable, or the area vanishes against the longest edge.
bool is_degenerate(const std::vector<Vertex>& vertices, const Triangle& triangle);

// m^2.
double area_of(const std::vector<Vertex>& vertices, const Triangle& triangle);

// Signed volume enclosed by a closed surface, m^3; positive if it faces outward. A point in its middle keeps
// the digits of a body far from the origin.
double enclosed_volume(const std::vector<Vertex>& vertices, const std::vector<Triangle>& triangles,
                       const Vertex& middle);

// How often a surface goes round a point: its solid angle over 4 pi. 1 inside a closed outward surface, 0
// outside.
double winding_number(const std::vector<Vertex>& vertices, const std::vector<Triangle>& triangles,
                      const Vertex& point);

}  // namespace limber::build
