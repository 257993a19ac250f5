// SPDX-License-Identifier: Apache-2.0
// What the warped shapes of modes lack to second order: fields that a few numbers, quadratic in q, add.
// docs/math/warping.md, section 7.
#pragma once
#include "build/fem/assemble.h"
#include "build/fem/modes.h"

#include <Eigen/Core>

namespace limber::build {

struct WarpCompanions {
    Eigen::MatrixXd shapes;  // 3n x k: Γ, orthonormal in the mass, 1/√kg
    Eigen::MatrixXd forms;  // k x c(c+1)/2: z of (q_a q_b) of the first c modes, a <= b: 00, 01, …, 11, …
};

// As few as keep what matters of all pairs of the first modes: the softest, which rotate most. At most two
// for each mode. rotations: Ψ on all vertices. The body is fixed.
WarpCompanions warp_companions(const FemModel& model, const ModesResult& modes,
                               const Eigen::MatrixXd& rotations, MassKind mass);

}  // namespace limber::build
