// SPDX-License-Identifier: Apache-2.0
// Bodies of bricks along a path.
#pragma once
#include "build/mesh/volume_mesh.h"

#include <Eigen/Core>
#include <vector>

namespace limber::models {

// A round body along a path with a radius at every point of it, m: across² bricks between two points of the
// path.
build::VolumeMesh swept_round(const std::vector<Eigen::Vector3d>& path, const std::vector<double>& radii,
                              int across);

// A sheet in the plane of x and z that is bent along y: at every point of the path as wide to both sides
// along x, `thickness` thick, one brick deep, `across` bricks wide. `cup`: how far its edges rise along y,
// over the half width.
build::VolumeMesh swept_sheet(const std::vector<Eigen::Vector3d>& path,
                              const std::vector<double>& half_widths, double thickness, int across,
                              double cup);

}  // namespace limber::models
