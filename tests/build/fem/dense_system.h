// SPDX-License-Identifier: Apache-2.0
// A finite-element body with dense matrices and direct solves: what a reduced model looks like to
// limber/integrate, and a slow second opinion on the sparse system.
#pragma once
#include "build/fem/assemble.h"

#include <limber/integrate/implicit_step.h>
#include <Eigen/Dense>

namespace limber::build::testing {

inline Eigen::MatrixXd dense(const SparseMatrix& lower) {
    const Eigen::MatrixXd half = lower;
    return half.selfadjointView<Eigen::Lower>();
}

inline Eigen::MatrixXd dense_stiffness(const FemModel& model, const Eigen::VectorXd& free_u) {
    Eigen::VectorXd force;
    SparseMatrix stiffness;
    force_and_stiffness(model, model.expand_from_free(free_u), force, stiffness);
    return dense(stiffness);
}

struct DenseSystem {
    const FemModel& model;
    Eigen::MatrixXd M = dense(mass_matrix(model, MassKind::Consistent));
    Eigen::VectorXd at = Eigen::VectorXd::Zero(model.free_dofs());
    Eigen::MatrixXd K = dense_stiffness(model, at);

    void mass_times(const Eigen::VectorXd& x, Eigen::VectorXd& out) const { out = M * x; }
    void force(const Eigen::VectorXd& u, Eigen::VectorXd& out) const {
        Eigen::VectorXd full;
        internal_force(model, model.expand_from_free(u), full);
        out = model.restrict_to_free(full);
    }
    void linearize(const Eigen::VectorXd& u, Eigen::VectorXd& out) {
        at = u;
        K = dense_stiffness(model, u);
        force(u, out);
    }
    void stiffness_times(const Eigen::VectorXd& x, Eigen::VectorXd& out) const { out = K * x; }
    double force_rounding(const Eigen::VectorXd&) const { return 0; }
    LinearReport solve(const TangentWeights& weights, const Eigen::VectorXd& v, const Eigen::VectorXd& b,
                       double, Eigen::VectorXd& out) const {
        Eigen::MatrixXd A = weights.mass * M + weights.stiffness * K;
        // Column by column: d/du (K(u) v) e_i = dK(u)[e_i] v, by differences of K that are exact for a
        // quadratic.
        if (weights.rate != 0)
            for (Eigen::Index i = 0; i < v.size(); ++i) {
                Eigen::VectorXd e = Eigen::VectorXd::Zero(v.size());
                e[i] = 0.01;
                A.col(i) += weights.rate *
                            ((dense_stiffness(model, at + e) - dense_stiffness(model, at - e)) * v) / 0.02;
            }
        out = A.partialPivLu().solve(b);
        return {.solved = true, .iterations = 1, .refactored = true};
    }
};

}  // namespace limber::build::testing
