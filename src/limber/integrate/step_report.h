// SPDX-License-Identifier: Apache-2.0
// What moves, and what a step in time says about itself.
#pragma once
#include <Eigen/Core>

namespace limber {

// Displacement or reduced coordinates, with both derivatives in time.
struct Motion {
    Eigen::VectorXd u, v, a;
};

struct StepReport {
    int iterations = 0;         // Newton's corrections
    double residual = 0;        // |f - M a - C v - R| over the largest of the four, at its last evaluation
    bool converged = true;      // false: the motion was left at the start of the step
    int linear_iterations = 0;  // of conjugate gradients, in all
    bool refactored = false;    // a matrix was factorised in this step
};

}  // namespace limber
