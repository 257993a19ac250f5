// SPDX-License-Identifier: Apache-2.0
// Where two things touch or are about to: what detection finds and the contact solver takes.
// docs/math/contact.md, section 3.
#pragma once
#include <Eigen/Core>
#include <array>
#include <cstdint>

namespace limber {

// A point of a body's surface: weights on the vertices of one triangle; they sum to 1.
struct SurfacePoint {
    std::array<std::int32_t, 3> vertices{};
    Eigen::Vector3d weights = Eigen::Vector3d::UnitX();
};

struct ContactPoint {
    std::int32_t body_a = 0;                             // place in the list of surfaces
    std::int32_t body_b = -1;                            // the other one; -1: an obstacle
    std::int32_t obstacle = -1;                          // place in the list of obstacles; -1: a body
    SurfacePoint a, b;                                   // b: of body_b
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  // world, m, on the surface of b or the obstacle
    Eigen::Vector3d apart = Eigen::Vector3d::Zero();     // of two bodies: from b's point to a's, m
    Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();   // unit, world, from b to a
    double gap = 0;                                      // m, negative: overlap; continuous in the pose
    double area = 0;        // m², so that stiffness k (Pa/m) times area does not depend on the mesh
    std::uint64_t key = 0;  // of the pair of features, one of its kind between these two: the same in the
                            // next step (warm starts, friction anchors)
};

}  // namespace limber
