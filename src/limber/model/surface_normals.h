// SPDX-License-Identifier: Apache-2.0
// Normals of the rest surface, and how they turn with each basis vector, for glTF's NORMAL attributes.
#pragma once
#include <limber/model/model.h>

#include <Eigen/Core>
#include <vector>

namespace limber {

// At vertex v, the sum of the triangles' (b − a) × (c − a): their normals, weighted by area. Vertices that
// a seam of textures split (they have the same input vertex) share it.
class SurfaceNormals {
 public:
    explicit SurfaceNormals(const ModelSurface& surface);

    // Unit normals; where the triangles have no area, the z axis.
    std::vector<Eigen::Vector3d> at_rest() const;
    // The derivative of the unit normals when the vertices move by x + w displacement, at w = 0.
    std::vector<Eigen::Vector3d> derivative(const Eigen::Ref<const Eigen::VectorXd>& displacement) const;

 private:
    const ModelSurface& surface_;
    std::vector<std::size_t> sum_of_vertex_;  // which entry of sums_ a vertex takes
    std::vector<Eigen::Vector3d> sums_;
};

}  // namespace limber
