// SPDX-License-Identifier: Apache-2.0
// The reduced energy before symmetrisation: V = ½ zᵀ W z with z = (q, all q_i q_j, i <= j).              (3)
// W is linear in the bulk and shear moduli of every material group, so materials are edited exactly; and
// strain rates need W itself: the viscous force is eta (dz/dq)ᵀ W (dz/dq) q̇.                             (9)
// Derivation and symbols: docs/math/reduced_stvk.md; equation numbers are that page's.
#pragma once
#include <limber/model/model.h>
#include <limber/reduced/quartic_form.h>

#include <Eigen/Core>
#include <vector>

namespace limber {

// m = r + r(r+1)/2 entries of z: q_0 … q_{r-1}, then q_0q_0, q_0q_1, … q_0q_{r-1}, q_1q_1, …
constexpr Eigen::Index strain_terms(Eigen::Index rank) {
    return rank + rank * (rank + 1) / 2;
}
// Where q_i q_j, i <= j, stands in z.
constexpr Eigen::Index product_index(Eigen::Index rank, Eigen::Index i, Eigen::Index j) {
    return rank + i * rank - i * (i - 1) / 2 + (j - i);
}
// Where W_ab, a <= b, stands in the packed upper triangle.
constexpr Eigen::Index packed_index(Eigen::Index a, Eigen::Index b) {
    return b * (b + 1) / 2 + a;
}

// Sum over the groups of kappa_g bulk_g + mu_g shear_g: W packed, for the given constants (one per group).
Eigen::VectorXd weighted_strain_form(const Model& model, const std::vector<Material>& materials);

// W of only the chosen basis vectors (ascending or not, each once).
Eigen::VectorXd restrict_strain_form(const Eigen::VectorXd& packed, Eigen::Index rank,
                                     const std::vector<int>& chosen);

// The quartic form (6) that equals ½ zᵀ W z. (8)
template <class Scalar>
QuarticForm<Scalar> symmetrize(const Eigen::VectorXd& packed, Eigen::Index rank);

// The viscous stress eta C:Ė, for eta = 1 s. With J = dz/dq, the damping matrix is D = Jᵀ W J and the force
// is D v; its power v·Dv = żᵀ W ż is never negative. (9)
struct StrainRateEval {
    explicit StrainRateEval(Eigen::Index rank);
    Eigen::VectorXd force;      // D v, r
    Eigen::MatrixXd damping;    // D(q) = d(force)/dv, r x r, symmetric, both triangles
    Eigen::MatrixXd stiffness;  // d(force)/dq at constant v, r x r, not symmetric

    Eigen::VectorXd z_rate, stress;  // scratch: ż = Jv and Wż, m entries
    Eigen::VectorXd row, rate_row;   // scratch: a column of W times J and times dJ/dt, r entries
    Eigen::MatrixXd half;            // scratch, r x r
};

// All allocate nothing. q and v have at least `rank` entries. Costs are in multiply-adds, with m = dim z.

// Fills out.force; m².
void strain_rate_force(const Eigen::VectorXd& packed, Eigen::Index rank, const Eigen::VectorXd& q,
                       const Eigen::VectorXd& v, StrainRateEval& out);
// Fills out.damping; m².
void strain_rate_damping(const Eigen::VectorXd& packed, Eigen::Index rank, const Eigen::VectorXd& q,
                         StrainRateEval& out);
// Fills out.force, out.damping and out.stiffness; 4 m².
void strain_rate_tangent(const Eigen::VectorXd& packed, Eigen::Index rank, const Eigen::VectorXd& q,
                         const Eigen::VectorXd& v, StrainRateEval& out);

}  // namespace limber
