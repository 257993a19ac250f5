// SPDX-License-Identifier: Apache-2.0
// What a free soft body keeps from step to step. docs/math/free_bodies.md.
#pragma once
#include <limber/rigid/rigid_body.h>

#include <Eigen/Core>

namespace limber {

// Centre, orientation, momentum and angular momentum about the centre, in world axes; the shape and its
// velocity in body axes. The spin follows from them.
struct FreeState : RigidState {
    Eigen::VectorXd q, v;  // r entries, zero where a coordinate is not in use
};

}  // namespace limber
