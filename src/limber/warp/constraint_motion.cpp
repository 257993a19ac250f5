// SPDX-License-Identifier: Apache-2.0
#include "limber/warp/constraint_motion.h"

#include "limber/warp/rotation.h"
#include "limber/warp/warp_body.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace limber {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kArrived = 1e-7;  // of the body's size, and of quaternions

// Of the two quaternions of an orientation, the one nearer to `from`.
Quaterniond near_side(const Quaterniond& orientation, const Quaterniond& from) {
    return from.dot(orientation) < 0 ? Quaterniond(-orientation.coeffs()) : orientation;
}

Quaterniond approached(const Quaterniond& from, const Quaterniond& to, double fraction) {
    const Quaterniond near = near_side(to, from);
    return Quaterniond(from.coeffs() + fraction * (near.coeffs() - from.coeffs())).normalized();
}

// The constraint of `vertex` in a list, or null.
template <class Constraint>
const Constraint* find_vertex(const std::vector<Constraint>& list, int vertex) {
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const Constraint& c) { return c.vertex == vertex; });
    return found == list.end() ? nullptr : &*found;
}

}  // namespace

VertexPlacement placement_of(const WarpBody& body, int vertex) {
    VertexPlacement out;
    out.displacement = body.displacement(vertex);
    if (body.settings().warping != Warping::Linear)
        out.orientation = Quaterniond(rotation_matrix(body.rotation(vertex))).normalized();
    return out;
}

void set_target(ConstraintMotion& motion, const Constraints& target,
                const std::function<VertexPlacement(int vertex)>& now) {
    Constraints first = target, present = target;
    for (std::size_t i = 0; i < target.positions.size(); ++i) {
        const int vertex = target.positions[i].vertex;
        const PositionConstraint* before = find_vertex(motion.present.positions, vertex);
        present.positions[i].displacement = before ? before->displacement : now(vertex).displacement;
        first.positions[i].displacement = before ? find_vertex(motion.first.positions, vertex)->displacement
                                                 : present.positions[i].displacement;
    }
    for (std::size_t i = 0; i < target.orientations.size(); ++i) {
        const int vertex = target.orientations[i].vertex;
        const OrientationConstraint* before = find_vertex(motion.present.orientations, vertex);
        present.orientations[i].orientation = before ? before->orientation : now(vertex).orientation;
        first.orientations[i].orientation = before
                                                ? find_vertex(motion.first.orientations, vertex)->orientation
                                                : present.orientations[i].orientation;
    }
    motion.target = target;
    motion.first = std::move(first);
    motion.present = std::move(present);
}

void advance(ConstraintMotion& motion, double fraction) {
    assert(fraction >= 0);
    fraction = std::min(fraction, 1.0);
    for (std::size_t i = 0; i < motion.target.positions.size(); ++i) {
        const Vector3d& target = motion.target.positions[i].displacement;
        Vector3d& first = motion.first.positions[i].displacement;
        Vector3d& present = motion.present.positions[i].displacement;
        first += fraction * (target - first);
        present += fraction * (first - present);
        const double left = std::max((first - target).lpNorm<Eigen::Infinity>(),
                                     (present - target).lpNorm<Eigen::Infinity>());
        if (left < kArrived * motion.size) first = present = target;
    }
    for (std::size_t i = 0; i < motion.target.orientations.size(); ++i) {
        const Quaterniond& target = motion.target.orientations[i].orientation;
        Quaterniond& first = motion.first.orientations[i].orientation;
        Quaterniond& present = motion.present.orientations[i].orientation;
        first = approached(first, target, fraction);
        present = approached(present, first, fraction);
        const auto left = [&](const Quaterniond& at) {
            return (near_side(target, at).coeffs() - at.coeffs()).lpNorm<Eigen::Infinity>();
        };
        if (std::max(left(first), left(present)) < kArrived) first = present = target;
    }
}

bool arrived(const ConstraintMotion& motion) {
    for (std::size_t i = 0; i < motion.target.positions.size(); ++i)
        if (motion.present.positions[i].displacement != motion.target.positions[i].displacement) return false;
    for (std::size_t i = 0; i < motion.target.orientations.size(); ++i)
        if (motion.present.orientations[i].orientation.coeffs() !=
            motion.target.orientations[i].orientation.coeffs())
            return false;
    return true;
}

}  // namespace limber
