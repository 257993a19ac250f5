// SPDX-License-Identifier: Apache-2.0
// The lowest eigenpairs of K x = lambda M x by shift-invert block Lanczos with full reorthogonalisation.
// docs/math/modes.md.
#pragma once
#include "build/fem/sparse_cholesky.h"
#include "build/progress.h"

#include <functional>

namespace limber::build {

struct LanczosOptions {
    double shift = 0;          // sigma, below the lowest eigenvalue wanted
    Eigen::Index block = 4;    // right sides that one pass over the factor serves
    double tolerance = 1e-10;  // on the residual of (K - sigma M)^-1 M x = theta x, relative to theta
    Progress progress = {};
};

struct EigenPairs {
    Eigen::VectorXd values;   // ascending
    Eigen::MatrixXd vectors;  // M-orthonormal columns
    bool converged = false;
};

// K and M by what they do to columns.
struct Pencil {
    Eigen::Index size = 0;
    std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)> solve;       // (K - sigma M)^-1 B
    std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)> times_mass;  // M X
};

// `deflated` has M-orthonormal columns that span a subspace to leave out. Repeated eigenvalues come complete:
// what was found is checked by a second search beside it.
EigenPairs lowest_eigenpairs(const Pencil& pencil, const Eigen::MatrixXd& deflated, Eigen::Index count,
                             const LanczosOptions& options);
// `factor` is of K - sigma M.
EigenPairs lowest_eigenpairs(const SparseCholesky& factor, const SparseMatrix& mass,
                             const Eigen::MatrixXd& deflated, Eigen::Index count,
                             const LanczosOptions& options);

}  // namespace limber::build
