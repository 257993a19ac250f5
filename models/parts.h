// SPDX-License-Identifier: Apache-2.0
// Closed parts that models are put together from. Parts may run into each other.
#pragma once
#include "build/mesh/surface_mesh.h"

#include <Eigen/Core>
#include <vector>

namespace limber::models {

// A round tube along a path with a radius at every point of it (m), closed by a fan at both ends
// (the last 2 (sides - 2) triangles). `sides` corners around.
void add_tube(build::SurfaceMesh& mesh, const std::vector<Eigen::Vector3d>& path,
              const std::vector<double>& radii, int sides);
void add_rod(build::SurfaceMesh& mesh, const Eigen::Vector3d& from, const Eigen::Vector3d& to, double radius,
             int sides);

// A box between two points with a rectangular section; `height` lies along `up` as nearly as it can.
// It may taper: the section at the end is the one at the start times `taper`.
void add_beam(build::SurfaceMesh& mesh, const Eigen::Vector3d& from, const Eigen::Vector3d& to, double width,
              double height, const Eigen::Vector3d& up = {0, 0, 1}, double taper = 1);
void add_box(build::SurfaceMesh& mesh, const Eigen::Vector3d& low, const Eigen::Vector3d& high);

// Points a + t (b - a) for t = 0 .. 1 in equal steps.
std::vector<Eigen::Vector3d> line(const Eigen::Vector3d& a, const Eigen::Vector3d& b, int steps);

}  // namespace limber::models
