// SPDX-License-Identifier: Apache-2.0
// The experiments of Choi & Ko 2005, Figures 4, 5, 6 and 11: a bar by linear modes, by modal warping as the
// paper has it (local), with companions (warped), and by nonlinear finite elements. What is measured and what
// the paper leaves open: docs/warping_evaluation.md.
#pragma once
#include "build/fem/assemble.h"
#include "build/fem/modes.h"

#include <limber/model/warp_model.h>
#include <limber/warp/oscillators.h>

#include <array>
#include <memory>
#include <vector>

namespace limber::bench {

// 1 x 0.2 x 0.2 m along x, clamped at x = 0, E = 1 MPa, ν = 0.3, 1000 kg/m³, six tets to a cube: with
// 11 x 3 x 3 nodes the 99 nodes and 240 elements of the paper's Table I. All nodes are shown.
struct PaperBar {
    std::array<int, 3> nodes;
    build::FemModel model;
    build::SparseMatrix mass;  // consistent, of all nodes, both triangles
    std::shared_ptr<const WarpModel> warp;
};
PaperBar paper_bar(std::array<int, 3> nodes, int modes = 8);

// u is the displacement of all nodes, 3n, m.
struct Shape {
    Eigen::VectorXd u;
    double volume_change;  // relative to the bar at rest
    double error;          // |u - nonlinear u| / |nonlinear u| in the L2 norm of the field over the body
};

// In balance under gravity along -z, m/s². Throws std::runtime_error if the nonlinear bar finds none.
struct Balance {
    double gravity;
    Shape linear, local, warped, nonlinear;
};
std::vector<Balance> balances(const PaperBar& bar, const std::vector<double>& gravities);

// Gravity along -z acts in the first 0.1 s; then the bar swings freely and undamped.
struct VibrationOptions {
    double duration = 2, dt = 0.005;  // s; dt divides 0.1
    OscillatorStep step = OscillatorStep::ClosedForm;
};
struct Vibration {
    double gravity;
    std::vector<double> time{};                                    // s, the end of each step
    std::vector<double> linear{}, local{}, warped{}, nonlinear{};  // mean of the nodes' |u|, m
    double linear_error = 0, local_error = 0, warped_error = 0;    // L2 over space and time, relative
};
Vibration vibration(const PaperBar& bar, double gravity, const VibrationOptions& options = {});

// |RᵀM - MRᵀ| / total mass, with the rotations of the first bending mode that turns the tip by `tip_angle`.
struct CommutationError {
    double spectral, frobenius;
};
CommutationError commutation_error(const PaperBar& bar, double tip_angle);

}  // namespace limber::bench
