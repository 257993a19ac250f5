// SPDX-License-Identifier: Apache-2.0
// Static equilibrium R(u) = f by Newton's method with load stepping and a line search on the total energy.
#pragma once
#include "build/fem/assemble.h"
#include "build/progress.h"

namespace limber::build {

struct StaticOptions {
    double tolerance = 1e-8;     // on |f - R(u)| / |f| over the free degrees of freedom
    int max_iterations = 500;    // Newton iterations in all
    Progress progress;
};

struct StaticResult {
    Eigen::VectorXd u;              // 3n, m
    bool converged = false;
    int iterations = 0;             // Newton iterations in all
    int load_steps = 0;
    int indefinite_tangents = 0;    // iterations in which K(u) was not positive definite and was shifted
    bool stable = true;             // K(u) is positive definite at the solution
    double residual = 0;            // |f - R(u)| / |f|
    std::string problem;            // why it did not converge, in one sentence; empty if it did
};

// f: 3n, N; entries at fixed vertices do nothing. Throws InputError if the body can move as a whole
// (count_rigid_motions() > 0), naming the loose part. `start`: 3n, or empty for rest.
StaticResult solve_static(const FemModel& model, const Eigen::VectorXd& f, const StaticOptions& options = {},
                          const Eigen::VectorXd& start = {});

}  // namespace limber::build
