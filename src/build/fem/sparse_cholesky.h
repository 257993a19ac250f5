// SPDX-License-Identifier: Apache-2.0
// Supernodal sparse Cholesky (CHOLMOD) with the symbolic part kept between factorisations.
#pragma once
#include "build/fem/model.h"

#include <memory>

namespace limber::build {

// OpenBLAS starts a thread per core for every product, which costs more than it gives on the small dense
// blocks of a sparse factor and fights with TBB. One thread, for the whole process; other BLAS are not
// touched. Whoever calls BLAS calls this first; SparseCholesky does.
void keep_blas_on_one_thread();

class SparseCholesky {
 public:
    // Orders and analyses the pattern of a lower triangle once. Blocks of three (x, y, z of a vertex) are
    // kept together: the ordering works on vertices, which is nine times less graph.
    explicit SparseCholesky(const SparseMatrix& pattern);
    ~SparseCholesky();
    SparseCholesky(SparseCholesky&&) noexcept;
    SparseCholesky& operator=(SparseCholesky&&) noexcept;

    // The matrix has the pattern given above. False: it is not positive definite, or not finite; then solve()
    // must not be called.
    bool factorize(const SparseMatrix& lower);
    // One right side per column; all are solved as one block. Several threads may solve at the same time.
    Eigen::MatrixXd solve(const Eigen::MatrixXd& right_sides) const;
    void solve_in_place(Eigen::VectorXd& right_side) const;

 private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace limber::build
