// SPDX-License-Identifier: Apache-2.0
// A full finite-element body as the `System` of limber/integrate: everything on the free degrees of freedom.
#pragma once
#include "build/fem/assemble.h"
#include "build/fem/sparse_cholesky.h"

#include <limber/integrate/implicit_step.h>

#include <optional>

namespace limber::build {

class SparseSystem {
 public:
    // The model must outlive the system.
    SparseSystem(const FemModel& model, MassKind mass);

    void mass_times(const Eigen::VectorXd& x, Eigen::VectorXd& out) const;
    // M out = b; conjugate gradients with Jacobi's preconditioner, to rounding.
    void mass_solve(const Eigen::VectorXd& b, Eigen::VectorXd& out) const;
    void force(const Eigen::VectorXd& u, Eigen::VectorXd& out);
    void linearize(const Eigen::VectorXd& u, Eigen::VectorXd& out);
    void stiffness_times(const Eigen::VectorXd& x, Eigen::VectorXd& out) const;
    double force_rounding(const Eigen::VectorXd& u) const;

    // Conjugate gradients, preconditioned by the diagonal as long as the steps in time are short, else by the
    // factor of an earlier matrix, which is renewed when they become slow. A matrix that is not positive
    // definite is shifted until it is: the Newton step is then damped.
    LinearReport solve(const TangentWeights& weights, const Eigen::VectorXd& v, const Eigen::VectorXd& b,
                       double tolerance, Eigen::VectorXd& out);

    const SparseMatrix& mass() const { return mass_; }
    const SparseMatrix& stiffness() const { return stiffness_; }  // K at the kept point; first at rest

 private:
    void combine(const TangentWeights& weights, const Eigen::VectorXd& v);  // into matrix_
    void conserve_momentum(const TangentWeights& weights, const Eigen::VectorXd& b,
                           Eigen::VectorXd& out) const;

    const FemModel& model_;
    double size_, total_mass_;                // of the body, m and kg
    SparseMatrix mass_, stiffness_, matrix_;  // one pattern
    Eigen::VectorXd stiffness_diagonal_;      // at rest
    Eigen::VectorXd kept_;                    // u of linearize
    std::optional<SparseCholesky> factor_;    // of an earlier matrix_
    Eigen::VectorXd full_force_;              // 3n, scratch
    SparseMatrix ahead_, behind_;             // K(u + h v), K(u - h v), scratch
};

}  // namespace limber::build
