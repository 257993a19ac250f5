// SPDX-License-Identifier: Apache-2.0
// Linear vibration modes K x = lambda M x by shift-invert Lanczos.
#pragma once
#include "build/fem/assemble.h"
#include "build/progress.h"

namespace limber::build {

struct ModesOptions {
    int count = 20;  // elastic modes; rigid ones come on top and apart
    MassKind mass = MassKind::Consistent;
    Progress progress = {};
};

struct ModesResult {
    Eigen::VectorXd eigenvalues;     // ascending, elastic only, 1/s^2
    Eigen::VectorXd frequencies_hz;  // sqrt(lambda) / (2 pi)
    Eigen::MatrixXd shapes;          // 3n x count, mass-normalised, zero on fixed vertices; the entry of
                                     // largest magnitude is positive (the first, where several agree to 1e-6)
    Eigen::VectorXd residuals;       // |K x - lambda M x| / |K x|
    Eigen::MatrixXd rigid_shapes;    // 3n x rigid motions, mass-orthonormal
    bool converged = false;
};

// Throws InputError if count exceeds what the mesh has.
ModesResult solve_modes(const FemModel& model, const ModesOptions& options = {});

// Infinitesimal rigid motions that the fixed vertices allow: 6 for every part without fixed vertices,
// fewer for parts fixed at one vertex (3) or along a line (1).
Eigen::MatrixXd rigid_motions(const FemModel& model);  // 3n x count, zero on fixed vertices

}  // namespace limber::build
