// SPDX-License-Identifier: Apache-2.0
// Lengths and angles of displacement fields by the mass matrix, <a, b> = aᵀMb, on the free degrees of
// freedom.
#pragma once
#include "build/fem/assemble.h"

namespace limber::build {

// Many columns of FemModel's restrict_to_free and expand_from_free.
Eigen::MatrixXd free_rows(const FemModel& model, const Eigen::MatrixXd& full);
Eigen::MatrixXd all_rows(const FemModel& model, const Eigen::MatrixXd& free);

class MassMetric {
 public:
    MassMetric(const FemModel& model, MassKind kind);

    Eigen::MatrixXd times(const Eigen::MatrixXd& X) const;  // M X
    Eigen::VectorXd norms(const Eigen::MatrixXd& X) const;  // of the columns
    // Columns that span the same and are orthonormal to rounding; X has full rank, condition below 1e7.
    Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& X) const;
    // The motions of the body as a whole that its fixed vertices allow, orthonormal; often none.
    Eigen::MatrixXd rigid_motions(const FemModel& model) const;
    // X less its part in the span of the orthonormal columns Y.
    Eigen::MatrixXd without(const Eigen::MatrixXd& X, const Eigen::MatrixXd& Y) const;
    // The orthonormal columns Q, then those of X made orthonormal to all before them, in their order; a
    // column that depends on those before it is left out.
    Eigen::MatrixXd appended(const Eigen::MatrixXd& Q, const Eigen::MatrixXd& X) const;

 private:
    SparseMatrix of_vertices_;  // lower triangle of m: M is m times the unit matrix of x, y, z
};

}  // namespace limber::build
