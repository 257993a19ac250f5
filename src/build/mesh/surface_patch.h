// SPDX-License-Identifier: Apache-2.0
// Small patches of a surface, on which a load is shared by area.
#pragma once
#include "build/mesh/surface_mesh.h"
#include "build/mesh/volume_mesh.h"

#include <Eigen/Core>
#include <vector>

namespace limber::build {

struct SurfacePatch {
    std::vector<int> vertices;                          // ascending
    Eigen::VectorXd shares;                             // of a load, by area; they sum to 1
    Vertex middle = Vertex::Zero();                     // of the vertices, weighted by their shares, m
    Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  // mean, of length 1
};

// Vertices that lie at the same place, such as those of a texture seam, count as one point: the patches of a
// surface do not depend on how it is split.
class PatchSurface {
 public:
    PatchSurface(const std::vector<Vertex>& vertices, const std::vector<Triangle>& triangles);

    // The vertices within `radius` (m, straight) of a vertex whose normals are less than 90 degrees from its
    // own: the other side of a thin wall is not a part of it.
    SurfacePatch around(int vertex, double radius) const;
    // Of given vertices (at least one). A single point stands for the patch around it.
    SurfacePatch of(const std::vector<int>& vertices, double radius) const;

 private:
    SurfacePatch shared(std::vector<int> ids) const;

    std::vector<Vertex> vertices_;
    std::vector<int> point_of_;                 // the first vertex at the same place
    Eigen::VectorXd area_;                      // of each vertex: a third of its triangles', m^2
    std::vector<Eigen::Vector3d> area_vector_;  // the same with direction
    std::vector<Eigen::Vector3d> normal_;       // of each vertex's point, not normalised
};

// The radius of patches that local compliance is measured on: 3% of the surface's bounding diagonal, but not
// below the mean size of an element, since a load on less than an element tells of the mesh, not of the body.
double patch_radius(const VolumeMesh& volume, const std::vector<Vertex>& surface);

}  // namespace limber::build
