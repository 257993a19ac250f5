// SPDX-License-Identifier: Apache-2.0
// Constraint targets that go smoothly to where the user wants them: a jump within one step would be a blow.
// Two exponential approaches, one behind the other, so that the speed has no jump either:
//     ẋ₁ = (target - x₁) / τ,   ẋ₂ = (x₁ - x₂) / τ
// A value that can be saved and restored with the state of a body.
#pragma once
#include <limber/warp/constraints.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <functional>

namespace limber {

class WarpBody;

// Where a vertex is at the start, in the frame of the support.
struct VertexPlacement {
    Eigen::Vector3d displacement = Eigen::Vector3d::Zero();  // from its rest position, m
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
};
VertexPlacement placement_of(const WarpBody& body, int vertex);

struct ConstraintMotion {
    Constraints target;   // where they are wanted
    Constraints first;    // x₁
    Constraints present;  // x₂, what the body is given
    double size = 1;      // of the body, m: closer than 1e-7 of it counts as arrived
};

// Vertices that `motion` constrained already go on from where their targets are; others begin at `now`.
// Quaternions must be of unit length (constraints_problem).
void set_target(ConstraintMotion& motion, const Constraints& target,
                const std::function<VertexPlacement(int vertex)>& now);

// One step; fraction = dt/τ, from 0 to 1; what is above is 1. Allocates nothing.
void advance(ConstraintMotion& motion, double fraction);

// All are where they are wanted, exactly.
bool arrived(const ConstraintMotion& motion);

}  // namespace limber
