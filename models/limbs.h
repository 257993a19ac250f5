// SPDX-License-Identifier: Apache-2.0
// Bodies of limbs that hang on one another: one surface, and the tree of domains that it is cut into.
#pragma once
#include "build/mesh/volume_mesh.h"
#include "models/isosurface.h"

#include <limits>
#include <string>
#include <vector>

namespace limber::models {

// A field is at least the distance from it.
struct Ball {
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    double radius = std::numeric_limits<double>::infinity();
};
struct TreeLimb {
    std::string name;
    int parent;   // a limb; -1: the first
    Field field;  // m, negative inside
    Ball ball{};  // infinite: nothing is known
};
using TreeLimbs = std::vector<TreeLimb>;

// A limb along a path, as fields.h has it; any unit.
struct Bead;
Field along(const std::vector<Bead>& chain);
Ball ball_of(const std::vector<Bead>& chain);
// An ellipsoid with axes turned: radii along the columns of `axes`, which are orthonormal.
Field turned_ellipsoid(const Eigen::Vector3d& centre, const Eigen::Matrix3d& axes,
                       const Eigen::Vector3d& radii);

// All limbs with fillets of about `blend` between parents and children, m.
Field joined(const TreeLimbs& limbs, double blend);

std::vector<std::string> names_of(const TreeLimbs& limbs);

// Each element belongs to the limb whose field is least at its centre; where limbs meet that are not parent
// and child, elements go to the limbs between them, and loose pieces to their neighbours.
std::vector<int> labels_of(const TreeLimbs& limbs, const build::VolumeMesh& mesh);

}  // namespace limber::models
