// SPDX-License-Identifier: Apache-2.0
// Inertia of a free reduced body, x = c + R (X − X_c + Uq): polynomials in q from the tensors of [X U].
// Equation numbers: docs/math/free_bodies.md.
#pragma once
#include <limber/model/model.h>
#include <limber/result.h>

#include <Eigen/Core>
#include <array>
#include <vector>

namespace limber {

// Of chosen basis vectors and the densities that the model was built with. Frozen, shared by bodies. The
// extended basis is Ŭ = [X − X_c, U], the extended coordinates are q̆ = (1, q): index 0 is the rest shape.
struct FreeInertia {
    double mass = 0;                                   // kg
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();  // X_c, in the model's coordinates, m
    Eigen::MatrixXd reduced_mass;                      // r x r, UᵀMU
    // (r+1) x (r+1) each. Planes 0 to 5, symmetric: entries xx, yy, zz, xy, xz, yz of
    // J_ab = ½ ∫ρ (2 Ŭ_a·Ŭ_b 1 − Ŭ_aŬ_bᵀ − Ŭ_bŬ_aᵀ). Planes 6 to 8, antisymmetric: x, y, z of
    // ∫ρ Ŭ_b × Ŭ_a in entry (a, b).                                                                     (4)
    std::array<Eigen::MatrixXd, 9> planes;

    Eigen::Index rank() const { return reduced_mass.rows(); }
};

// Refused: a model without tensors, and a basis that is not mass-orthogonal to the rigid motions.
Result<FreeInertia> free_inertia(const Model& model, const std::vector<int>& coordinates);

// J_a(q) = Σ_b q̆_b J_ab and H_a(q) = ∫ρ (Ŭq̆) × Ŭ_a for every a: what I(q), H(q) and their derivatives are
// made of.                                                                                               (5)
struct FreeShapeInertia {
    explicit FreeShapeInertia(Eigen::Index rank = 0);
    Eigen::VectorXd q;                            // q̆, r+1 entries
    Eigen::Matrix<double, Eigen::Dynamic, 9> at;  // row a: the six entries of J_a, then H_a
    Eigen::Matrix3d inertia;                      // I(q) = Σ q̆_a J_a, about the centre, body axes, kg m²
    auto H() const { return at.rightCols<3>().bottomRows(at.rows() - 1); }  // r x 3: H(q)ᵀ
    auto J() const { return at.leftCols<6>().bottomRows(at.rows() - 1); }   // r x 6
};

// Allocates nothing. factor: of the densities.
void evaluate(const FreeInertia& inertia, double factor, const Eigen::VectorXd& q, FreeShapeInertia& out);

// Row a: ∫ρ U_a × (Uw), r x 3.                                                                          (6)
void gyroscopic(const FreeInertia& inertia, double factor, const Eigen::VectorXd& w,
                Eigen::Matrix<double, Eigen::Dynamic, 3>& out);

// uᵀ J v as the product of the six entries of J with this.
inline Eigen::Matrix<double, 6, 1> six_entries(const Eigen::Vector3d& u, const Eigen::Vector3d& v) {
    Eigen::Matrix<double, 6, 1> out;
    out << u[0] * v[0], u[1] * v[1], u[2] * v[2], u[0] * v[1] + u[1] * v[0], u[0] * v[2] + u[2] * v[0],
        u[1] * v[2] + u[2] * v[1];
    return out;
}
// J v as the product of the six entries of J with this, 6 x 3.
inline Eigen::Matrix<double, 6, 3> six_columns(const Eigen::Vector3d& v) {
    Eigen::Matrix<double, 6, 3> out;
    out << v[0], 0, 0, 0, v[1], 0, 0, 0, v[2], v[1], v[0], 0, v[2], 0, v[0], 0, v[2], v[1];
    return out;
}

}  // namespace limber
