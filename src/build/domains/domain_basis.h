// SPDX-License-Identifier: Apache-2.0
// The shapes of one domain of a tree. docs/math/domains.md, section 7.
#pragma once
#include "build/basis/basis.h"
#include "build/fem/assemble.h"

#include <Eigen/Core>
#include <vector>

namespace limber::build {

// P of an interface at rest: 6 x 3·points, the twist (v, ω) of its frame from the velocities of its points.
// Its transpose spreads a force and a torque over them.
Eigen::Matrix<double, 6, Eigen::Dynamic> interface_twist(const std::vector<Eigen::Vector3d>& points,
                                                         const std::vector<double>& weights);

// A subtree that hangs on an interface, as the modes of its parent feel it.
struct HangingLoad {
    std::vector<int> vertices;            // of the interface, in the domain's mesh
    std::vector<double> weights;          // positive
    Eigen::Matrix<double, 6, 6> inertia;  // I^C: of the rigid subtree at rest about the interface's centre
};

// Modes of K ψ = λ (M + Σ PᵀI^CP) ψ, P the twist of an interface's frame, then mass-PCA of their
// derivatives: `rank` vectors with UᵀMU = 1, zero where the mesh is fixed. `modes`: how many of them are
// modes; 0: chosen by the rank. Fewer vectors where the mesh has fewer.                             (24),
// (25)
Basis loaded_basis(const FemModel& model, const std::vector<HangingLoad>& loads, int rank, int modes,
                   MassKind mass, const Progress& progress = {});

// Modes among `rank` vectors: half up to 12, a quarter of those beyond.
int modes_among(int rank);

// Part of the interface's motion in the basis that no rigid frame follows, 0 to 1: the mean over the first
// `shapes` vectors of √(Σ w|u − rigid|² / Σ w|u|²).
double deviation_from_rigidity(const std::vector<Eigen::Vector3d>& points, const std::vector<double>& weights,
                               const Eigen::MatrixXd& rows, int shapes);

}  // namespace limber::build
