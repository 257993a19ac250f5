// SPDX-License-Identifier: Apache-2.0
// The inertia of one domain in its own moving frame, from two tensors over the basis extended by the rest
// position, Ŭ = [X U], q̆ = (1, q):
//     c_a = ∫ρŬ_a,   G_ab = ∫ρŬ_aŬ_bᵀ                                                                  (7)
// docs/math/domains.md, section 2.
#pragma once
#include <limber/domains/interface_motion.h>
#include <limber/model/model.h>

#include <Eigen/Core>

namespace limber {

// Of a part as it was built (scale and density 1); frozen.
struct InertiaTensors {
    int rank = 0;
    double mass = 0;  // kg
    // 3 x (r+1), c_a in column a; kg m for a = 0, kg·m/(unit of q) for the others.
    Eigen::Matrix3Xd c;
    // G in the order in which one product with q̆ gives all N_b = Σ_a q̆_a G_ab: column a; row k(r+1) + b has
    // of G_ab the entries xx, yy, zz, yz, xz, xy of its symmetric part, k = 0 … 5, and ax G_ab, k = 6 … 8.
    Eigen::MatrixXd G;  // 9(r+1) x (r+1)

    // Adds density-weighted G_ab of all pairs; of: r+1 blocks by r+1 blocks of 3 x 3.
    void set_G(const Eigen::MatrixXd& blocks);
};

// Σ over the groups of a model with their densities as built.
InertiaTensors inertia_tensors(const Model& model);

// Scale factors of an instance: lengths s, density d, Young's modulus e over those built.
struct DomainScale {
    double length = 1, density = 1, young = 1;
    double mass() const { return density * length * length * length; }  // of m; of M it is s² more
};

// At one q, q̇ and ω, in the domain's axes.                                                           (8)–(11)
struct DomainInertia {
    Matrix6d I;                     // of the frame's twist (v, ω)
    Vector6d b_nu;                  // F = I A + S q̈ + b_ν
    Eigen::Vector3d centre_moment;  // c = ∫ρx, kg m
};

// Scratch of set_inertia for ranks up to `rank`.
struct InertiaScratch {
    explicit InertiaScratch(int rank);
    Eigen::VectorXd N, rate;  // 9(r+1), 4(r+1)
    Eigen::VectorXd q;        // q̆, r+1
};

// S: 6 x r; b_q: r. Allocates nothing.
void set_inertia(const InertiaTensors& of, const DomainScale& scale,
                 const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& v,
                 const Eigen::Vector3d& omega, InertiaScratch& scratch, DomainInertia& out,
                 Eigen::Ref<Matrix6Xd> S, Eigen::Ref<Eigen::VectorXd> b_q);

}  // namespace limber
