// SPDX-License-Identifier: Apache-2.0
// Cholesky's factorisation A = L Lᵀ of a dense symmetric matrix of a few dozen rows, in tiles of four by
// four. Allocates once. At these sizes a general library spends most of its time outside the arithmetic.
#pragma once
#include <Eigen/Core>

namespace limber {

template <class Scalar>
class SmallCholesky {
 public:
    using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

    explicit SmallCholesky(Eigen::Index size);

    // Factorises A + shift I; reads the lower triangle of A. False: not positive definite, or not finite.
    bool factorize(const Matrix& A, Scalar shift = 0);
    // x <- A⁻¹ x, after factorize() was true.
    void solve_in_place(Vector& x);

 private:
    Eigen::Index size_, padded_;  // rows, and rounded up to whole tiles
    Matrix L_;                    // padded_ x padded_, lower triangle; the padding is the unit matrix
    Vector inverse_diagonal_;     // 1 / L_ii
    Vector x_;                    // padded_, scratch
};

extern template class SmallCholesky<double>;
extern template class SmallCholesky<float>;

}  // namespace limber
