// SPDX-License-Identifier: Apache-2.0
// Shapes of obstacles and their signed distances. docs/math/contact.md, section 2.
#pragma once
#include <limber/contact/distance_field.h>
#include <limber/result.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace limber {

// Lengths in m. Centres stand in the origin, axes along z.
struct PlaneShape {};  // solid where z < 0
struct SphereShape {
    double radius = 0;
};
struct CapsuleShape {
    double radius = 0, length = 0;  // length: between the centres of its caps
};
struct BoxShape {
    Eigen::Vector3d size = Eigen::Vector3d::Zero();
};
struct CylinderShape {
    double radius = 0, length = 0;
};
struct MeshShape {
    std::shared_ptr<const DistanceField> field;  // make_distance_field()
};

using Shape = std::variant<PlaneShape, SphereShape, CapsuleShape, BoxShape, CylinderShape, MeshShape>;

// Sizes that are not positive, not finite, or beyond 1e-9 … 1e9 m; a mesh without its field.
std::optional<InputError> shape_problem(const Shape& shape, const std::string& where = "the shape");

// Distance to the surface, negative inside, m; and its gradient, of unit length, outwards. Where several
// surface points are equally near, the gradient is that of one of them.                        (11) … (16)
struct SignedDistance {
    double distance = 0;
    Eigen::Vector3d gradient = Eigen::Vector3d::UnitZ();
};
SignedDistance signed_distance(const Shape& shape, const Eigen::Vector3d& x);

// How far signed_distance() may be from the true distance, m: 0 but for meshes.
double distance_error(const Shape& shape);

// The box that holds it; infinite for planes.
Eigen::AlignedBox3d bounds(const Shape& shape);

// Size of the smallest patch that it touches a flat surface with, m: triangles are looked at in pieces of
// this size. Infinite for planes.
double feature_length(const Shape& shape);
// Its smallest thickness, m: who moves more in a step may pass through.
double thickness(const Shape& shape);

}  // namespace limber
