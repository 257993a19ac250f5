// SPDX-License-Identifier: Apache-2.0
#include "build/fem/shifted_cholesky.h"

namespace limber::build {

Eigen::VectorXd diagonal_of(const SparseMatrix& lower) {
    Eigen::VectorXd diagonal(lower.cols());
    for (Eigen::Index j = 0; j < lower.cols(); ++j)
        diagonal[j] = lower.valuePtr()[lower.outerIndexPtr()[j]];
    return diagonal;
}

static void set_diagonal(SparseMatrix& lower, const Eigen::VectorXd& diagonal) {
    for (Eigen::Index j = 0; j < lower.cols(); ++j)
        lower.valuePtr()[lower.outerIndexPtr()[j]] = diagonal[j];
}

std::optional<double> factorize_shifted(SparseCholesky& factor, SparseMatrix& A, const Eigen::VectorXd& D,
                                        double first_shift) {
    if (factor.factorize(A)) return 0.0;
    const Eigen::VectorXd diagonal = diagonal_of(A);
    std::optional<double> found;
    for (double shift = first_shift; shift <= 100 && !found; shift *= 4) {
        set_diagonal(A, diagonal + shift * D);
        if (factor.factorize(A)) found = shift;
    }
    set_diagonal(A, diagonal);
    return found;
}

}  // namespace limber::build
