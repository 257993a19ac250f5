// SPDX-License-Identifier: Apache-2.0
// Deformation bases: linear modes, modal derivatives, mass-PCA, given shapes. docs/math/basis.md.
// Vectors over vertices have 3n rows, ordered 3·vertex + component.
#pragma once
#include "build/fem/assemble.h"
#include "build/fem/modes.h"
#include "build/file/npy.h"
#include "build/progress.h"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace limber::build {

struct Basis {
    Eigen::MatrixXd U;               // 3n x r, UᵀMU = I, zero on fixed vertices
    Eigen::VectorXd spectrum;        // all singular values of mass-PCA, descending; empty if none was made
    Eigen::VectorXd frequencies_hz;  // of the linear modes it came from
    double captured = 1;             // 1 - (sum of squares left out)/(sum of squares)
    std::vector<std::string> notes;  // what was changed in the input, one sentence each
};

// How many basis vectors: a number, or as few as leave less than this fraction of the spectrum's square sum.
struct RankChoice {
    int rank = 30;
    std::optional<double> auto_fraction{};  // "auto:1%" -> 0.01
};

// The right sides -2 Q(a_i, b_i), N, 3n x pairs, for given pairs of columns of `shapes` (3n x k). Q is the
// symmetric bilinear form of the quadratic part of the force, R(u) = Ku + Q(u, u) + …; exact.          (4)
Eigen::MatrixXd quadratic_forces(const FemModel& model, const Eigen::MatrixXd& shapes,
                                 const std::vector<std::pair<int, int>>& pairs);

// The loads ∫ C:sym(Ω_aΩ_b + Ω_aε_b + Ω_bε_a), N, 3n x pairs: of the strains that are missing to second order
// where gradients Ω + ε, rotation and strain, rotate by Ω. docs/math/warping.md (26).
Eigen::MatrixXd turned_strain_loads(const FemModel& model, const Eigen::MatrixXd& shapes,
                                    const std::vector<std::pair<int, int>>& pairs);

// K Φ_ij = -2 Q(Ψ_i, Ψ_j) for all i <= j; bodies that can move as a whole by inertia relief. Columns in the
// order 00, 01, ..., 0k, 11, ...; not normalised. Throws InputError if parts can move without strain. (3),
// (5)
Eigen::MatrixXd modal_derivatives(const FemModel& model, const ModesResult& modes, MassKind mass,
                                  const Progress& progress = {});

// How the vibration modes change as the body deforms: the derivative of Ψ_i along Ψ_j in column i k + j, not
// symmetric in i and j (paper 1, appendix D; its eq. 29). Slow: k block solves by conjugate gradients. (8)
Eigen::MatrixXd tangent_mode_derivatives(const FemModel& model, const ModesResult& modes, MassKind mass,
                                         const Progress& progress = {});

// Best r-dimensional subspace through the origin in the mass metric (appendix A). shapes: 3n x S; rows of
// fixed vertices are not looked at. Throws InputError if the rank is larger than the shapes' own. (9)
Basis mass_pca(const FemModel& model, const Eigen::MatrixXd& shapes, const RankChoice& rank, MassKind mass);

enum class DerivativeKind {
    Static,   // modal_derivatives(): the default
    Tangent,  // tangent_mode_derivatives(), without their rigid parts
};

// Eq. 16: modes scaled by λ₁/λ_j, mass-normalised derivatives by λ₁²/(λ_iλ_j), then mass-PCA. (10)
Basis modal_derivative_basis(const FemModel& model, const ModesResult& modes, const RankChoice& rank,
                             MassKind mass, const Progress& progress = {},
                             DerivativeKind kind = DerivativeKind::Static);

// Only the modes (they lock under cubic forces: for comparison, not a default).
Basis modes_basis(const ModesResult& modes, int rank);

// Chosen modes (1-based, as people count them), then all derivatives among them, mass-orthonormalised in this
// order; what depends on those before it is left out.
Basis picked_basis(const FemModel& model, const ModesResult& modes, const std::vector<int>& picks,
                   MassKind mass, const Progress& progress = {});

// Mass-PCA of given displacement fields: an array of S x n x 3, n x 3 or 3n x S. What they have on fixed
// vertices, or of a motion of the whole of a body that can move so, is taken out with a note. `name` is the
// file's, for messages.
Basis shapes_basis(const FemModel& model, const NpyArray& shapes, const std::string& name,
                   const RankChoice& rank, MassKind mass);

// The basis made mass-orthogonal to every motion of the body as a whole that its fixed vertices allow, to
// rounding: small principal components have more of them than modes do. (13)
Basis without_rigid_motions(const FemModel& model, Basis basis, MassKind mass);

// The basis with the static responses K u = f at rest to `loads` (N, 3n x k) after its own vectors, mass-
// orthonormalised. Under these loads the reduced body then moves as the full one does in linear statics. A
// response that the basis holds already adds nothing; bodies that can move as a whole by inertia relief. (12)
Basis with_static_responses(const FemModel& model, Basis basis, const Eigen::MatrixXd& loads, MassKind mass,
                            const Progress& progress = {});

}  // namespace limber::build
