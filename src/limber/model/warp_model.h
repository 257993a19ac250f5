// SPDX-License-Identifier: Apache-2.0
// What modal warping needs of a body at run time: frozen, shareable between bodies and threads.
// Symbols and equations: docs/math/warping.md. m modes, k companions, n nodes that carry mass, s vertices
// that are shown.
#pragma once
#include <limber/input_error.h>

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

namespace limber {

// Rows 3·point + component, a column for each mode; the rows of a point lie together in memory.
using WarpRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct WarpModel {
    Eigen::VectorXd eigenvalues;  // m, λ > 0, 1/s²; the modes are mass-normalised

    // Where gravity and the support's motion act; may be empty if neither is wanted. Nodes that cannot move
    // may be left out.
    WarpRows node_modes, node_rotations;  // 3n x m: Φ, 1/√kg, and Ψ = WΦ, rad/(m√kg)
    Eigen::VectorXd node_mass;            // n, row sums of the mass matrix, kg
    std::vector<Eigen::Vector3d>
        node_moment;  // n, Σ_j M_ij X_j, kg m, about the origin of the support's frame

    // What is shown, and where forces act.
    WarpRows surface_modes, surface_rotations;  // 3s x m
    std::vector<Eigen::Vector3d> normals;       // s, of unit length, at rest; empty if none are wanted

    // What the turned modes lack to keep lengths to second order: fields Γ with amplitudes z that are
    // quadratic in the first c <= m coordinates. May be empty: then the shape is the paper's. (25), (27)
    WarpRows surface_companions;      // 3s x k: Γ, 1/√kg
    Eigen::MatrixXd companion_forms;  // k x c(c+1)/2: z of (q_a q_b), a <= b: 00, 01, …, 11, …; 1/(m√kg)

    Eigen::Index companions() const { return companion_forms.rows(); }
    Eigen::Index modes() const { return eigenvalues.size(); }
    Eigen::Index nodes() const { return node_mass.size(); }
    Eigen::Index vertices() const { return surface_modes.rows() / 3; }
};

// c, where there are c(c+1)/2 pairs a <= b of c modes; rounded where there are no such modes.
Eigen::Index modes_of_pairs(Eigen::Index pairs);

// What is wrong, if anything: sizes that do not agree, numbers that are not finite or too large, an
// eigenvalue or a mass that is not positive, a mode that moves nothing.
std::optional<InputError> warp_model_problem(const WarpModel& model, const std::string& where = "the model");

}  // namespace limber
