// SPDX-License-Identifier: Apache-2.0
// The surface on which a field is zero, by surface nets: one vertex in every grid cell that it passes
// through.
#pragma once
#include "build/mesh/surface_mesh.h"

#include <Eigen/Geometry>
#include <functional>

namespace limber::models {

// Negative inside. Need not be a distance, but should grow about as one near the surface.
using Field = std::function<double(const Eigen::Vector3d&)>;

// From the corners of a tetrahedron with radius `step` about the point: exact for linear fields.
struct Slope {
    double value;
    Eigen::Vector3d gradient;
};
Slope slope(const Field& field, const Eigen::Vector3d& at, double step);

// A closed surface if the field is positive on the whole boundary of the box; triangles face outward.
build::SurfaceMesh isosurface(const Field& field, const Eigen::AlignedBox3d& box, double cell);

}  // namespace limber::models
