// SPDX-License-Identifier: Apache-2.0
// The gap between a moving point and a shape, on the side from which it came; the deepest point of a triangle
// in a shape. docs/math/contact.md, section 3.
#pragma once
#include <limber/contact/shape.h>

#include <Eigen/Core>
#include <array>
#include <optional>

namespace limber {

struct Gap {
    double gap = 0;                                     // m
    Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  // in the shape's axes, of unit length
};

// Of a point that goes from `start` through `now` as far again, all in the shape's axes. remembered: the
// normal of the same contact a step ago, or null. Where the point goes less than an eighth of the shape's
// thickness and the side did not change, the signed distance.                                  (21) … (23)
Gap gap_of_point(const Shape& shape, const Eigen::Vector3d& now, const Eigen::Vector3d& start,
                 const Eigen::Vector3d* remembered);
// The same where the gap at `now` without regard to sides is known.
Gap gap_on_side(const Shape& shape, const Gap& plain, const Eigen::Vector3d& now,
                const Eigen::Vector3d& start, const Eigen::Vector3d* remembered);

// How far from `from` along the unit vector `direction` the shape begins; nothing within `length`.
std::optional<double> first_hit(const Shape& shape, const Eigen::Vector3d& from,
                                const Eigen::Vector3d& direction, double length);

// The point of a triangle where the signed distance is least, as weights of its corners; of a mesh, a point
// where it is least nearby.                                                                           (24)
struct DeepestPoint {
    Eigen::Vector3d weights;
    double distance = 0;
};
DeepestPoint deepest_point(const Shape& shape, const std::array<Eigen::Vector3d, 3>& corners);

// The gap at the deepest point x of a triangle with unit normal N. Where an edge or a corner of the shape is
// pressed into the triangle, the distance has a kink: the normal is a mixture of its slopes on both sides
// such that none is left along the triangle. sharpness: the length of the mixture, 1 without a kink; 0 where
// the shape's two sides are equally near, as in the middle of a plate.                               (26)
struct FaceGap {
    Gap gap;
    double sharpness = 1;
};
FaceGap gap_of_deepest(const Shape& shape, const Eigen::Vector3d& x, const Eigen::Vector3d& normal,
                       double size);

// The weights of the point of a triangle nearest to x.
Eigen::Vector3d nearest_weights(const std::array<Eigen::Vector3d, 3>& corners, const Eigen::Vector3d& x);

}  // namespace limber
