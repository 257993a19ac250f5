// SPDX-License-Identifier: Apache-2.0
// Cholesky of a tangent that may not be positive definite.
#pragma once
#include "build/fem/sparse_cholesky.h"

#include <optional>

namespace limber::build {

// Factorises A, or A + shift D if A is not positive definite, with the first shift of the series first_shift,
// 4 first_shift, ... that serves. D > 0: the diagonal of the stiffness at rest, so that shift is a pure
// number. Returns the shift, 0 for A itself; nothing if even the shift 100 fails (then A is not finite). A
// keeps its values.
std::optional<double> factorize_shifted(SparseCholesky& factor, SparseMatrix& A, const Eigen::VectorXd& D,
                                        double first_shift = 1e-3);

// Of a lower triangle whose columns start with their diagonal entry.
Eigen::VectorXd diagonal_of(const SparseMatrix& lower);

}  // namespace limber::build
