// SPDX-License-Identifier: Apache-2.0
// Supernodal sparse Cholesky (CHOLMOD) with the symbolic part kept between factorisations.
#pragma once
#include "build/fem/model.h"

#include <memory>

namespace limber::build {

class SparseCholesky {
public:
    // Orders and analyses the pattern of a lower triangle once. Blocks of three (x, y, z of a vertex) are
    // kept together: the ordering works on vertices, which is nine times less graph.
    explicit SparseCholesky(const SparseMatrix& pattern);
    ~SparseCholesky();
    SparseCholesky(SparseCholesky&&) noexcept;
    SparseCholesky& operator=(SparseCholesky&&) noexcept;

    // False: the matrix is not positive definite; then solve() must not be called.
    bool factorize(const SparseMatrix& lower);
    Eigen::MatrixXd solve(const Eigen::MatrixXd& right_sides) const;
    void solve_in_place(Eigen::VectorXd& right_side) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace limber::build
