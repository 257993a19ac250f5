// SPDX-License-Identifier: Apache-2.0
// Loops over the small matrices of a domain, of rank 8 to 30 as a rule; for tree_dynamics.cpp only. Equation
// numbers: docs/math/domains.md.
#pragma once
#include <limber/domains/interface_motion.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

using SquareMap = Eigen::Map<Eigen::MatrixXd>;

// H = L Lᵀ in the lower triangle of H; false: it is not positive definite, or not finite: every entry below
// the diagonal goes into a later pivot. Ranks are small: no blocks.
inline bool factorize_in_place(SquareMap H) {
    const Eigen::Index r = H.rows();
    for (Eigen::Index k = 0; k < r; ++k) {
        const double pivot = H(k, k);
        if (!(pivot > 0 && pivot < kInfinite)) return false;
        const double inverse = 1 / std::sqrt(pivot);
        double* const of_k = H.col(k).data();
        for (Eigen::Index i = k; i < r; ++i)
            of_k[i] *= inverse;
        for (Eigen::Index l = k + 1; l < r; ++l) {
            double* const of_l = H.col(l).data();
            const double factor = of_k[l];
            for (Eigen::Index i = l; i < r; ++i)
                of_l[i] -= factor * of_k[i];
        }
    }
    return true;
}

// L y = b in place.
inline void solve_lower(const SquareMap& L, double* y) {
    const Eigen::Index r = L.rows();
    for (Eigen::Index k = 0; k < r; ++k) {
        const double* const of_k = L.col(k).data();
        y[k] /= of_k[k];
        for (Eigen::Index i = k + 1; i < r; ++i)
            y[i] -= y[k] * of_k[i];
    }
}

// Lᵀ y = b in place.
inline void solve_upper(const SquareMap& L, double* y) {
    for (Eigen::Index k = L.rows(); k-- > 0;) {
        const double* const of_k = L.col(k).data();
        double sum = y[k];
        for (Eigen::Index i = k + 1; i < L.rows(); ++i)
            sum -= of_k[i] * y[i];
        y[k] = sum / of_k[k];
    }
}

// Adds what a child with inertia I on the link T, Φ gives its parent: ΦᵀIΦ to the lower triangle of H, TᵀIΦ
// to Ŝ.                                                                                          (16), (17)
template <class Phi, class Columns>
void add_child(const Matrix6d& I, const Matrix6d& TI, const Phi& phi, Columns S_hat, SquareMap H) {
    // Rows of Φᵀ side by side: columns of H are sums of whole vectors then.
    constexpr Eigen::Index kRows = 32;
    Eigen::Matrix<double, kRows, 6> rows;
    const Eigen::Index r = phi.cols();
    for (Eigen::Index l = 0; l < r; ++l)
        S_hat.col(l) += TI * Vector6d(phi.col(l));
    for (Eigen::Index first = 0; first < r; first += kRows) {
        const Eigen::Index count = std::min(kRows, r - first);
        for (Eigen::Index k = 0; k < count; ++k)
            for (Eigen::Index i = 0; i < 6; ++i)
                rows(k, i) = phi(i, first + k);
        for (Eigen::Index l = 0; l < first + count; ++l) {
            const Vector6d carried = I * Vector6d(phi.col(l));
            const double c0 = carried[0], c1 = carried[1], c2 = carried[2], c3 = carried[3], c4 = carried[4],
                         c5 = carried[5];
            const double *const p0 = rows.col(0).data(), *const p1 = rows.col(1).data(),
                                *const p2 = rows.col(2).data(), *const p3 = rows.col(3).data(),
                                *const p4 = rows.col(4).data(), *const p5 = rows.col(5).data();
            double* const out = H.col(l).data() + first;
            for (Eigen::Index k = std::max<Eigen::Index>(l - first, 0); k < count; ++k)
                out[k] += c0 * p0[k] + c1 * p1[k] + c2 * p2[k] + c3 * p3[k] + c4 * p4[k] + c5 * p5[k];
        }
    }
}

}  // namespace limber
