// SPDX-License-Identifier: Apache-2.0
// Static equilibrium R(u) = f by Newton's method with load stepping and a line search on the total energy.
// docs/math/statics.md.
#pragma once
#include "build/fem/assemble.h"
#include "build/progress.h"

namespace limber::build {

struct StaticOptions {
    double tolerance = 1e-8;   // on |f - R(u)| / |f| over the free degrees of freedom
    int max_iterations = 500;  // Newton iterations in all
    Progress progress = {};
};

struct StaticResult {
    Eigen::VectorXd u;  // 3n, m; if not converged, under the part of the load that was reached
    bool converged = false;
    int iterations = 0;  // Newton iterations in all
    int load_steps = 0;
    int indefinite_tangents = 0;      // iterations in which K(u) was not positive definite and was shifted
    bool stable = true;               // K(u) is positive definite at the solution
    double residual = 0;              // |f - R(u)| / |f|
    std::size_t turned_elements = 0;  // elements that are inside out at the solution
    std::string problem;              // why it did not converge, in one sentence; empty if it did
    std::string warning;  // what makes a converged solution doubtful (unstable, inside out), or empty
};

// f: 3n, N; entries at fixed vertices do nothing (a load on fixed vertices only gives u = 0, converged).
// Throws InputError if the body can move as a whole (rigid_motions() has columns), naming the loose part, and
// for a load that is not finite. `start`: 3n, or empty for rest.
StaticResult solve_static(const FemModel& model, const Eigen::VectorXd& f, const StaticOptions& options = {},
                          const Eigen::VectorXd& start = {});

}  // namespace limber::build
