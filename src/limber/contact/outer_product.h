// SPDX-License-Identifier: Apache-2.0
// Products of the small dense blocks of an island's matrix: 6 to some fifty rows, where the overhead of a
// general product is larger than the product. For the sources of this folder.
#pragma once
#include <Eigen/Core>
#include <algorithm>

namespace limber {

enum class OuterPart { All, Lower };

// Rows and columns of `to` are those of one chunk: R rows from row i, C columns from column j.
template <int R, int C>
void add_outer_chunk(double* to, Eigen::Index ldt, const double* x, Eigen::Index ldx, const double* y,
                     Eigen::Index ldy, Eigen::Index depth, double factor) {
    using Rows = Eigen::Array<double, R, 1>;
    Rows sum[C];
    for (Rows& column : sum)
        column.setZero();
    for (Eigen::Index k = 0; k < depth; ++k, x += ldx, y += ldy) {
        const Rows at = Eigen::Map<const Rows>(x);
        for (int c = 0; c < C; ++c)
            sum[c] += at * y[c];
    }
    for (int c = 0; c < C; ++c)
        Eigen::Map<Rows>(to + c * ldt) += factor * sum[c];
}

// to += factor · x yᵀ, of m x n by columns without gaps; x is m x depth, y is n x depth. Lower: at least the
// lower half, m = n.
inline void add_outer(double* to, const double* x, Eigen::Index m, const double* y, Eigen::Index n,
                      Eigen::Index depth, double factor, OuterPart part = OuterPart::All) {
    const auto columns = [&]<int C>(Eigen::Index j) {
        Eigen::Index i = part == OuterPart::Lower ? j : 0;
        for (; i + 8 <= m; i += 8)
            add_outer_chunk<8, C>(to + i + j * m, m, x + i, m, y + j, n, depth, factor);
        if (i + 4 <= m) {
            add_outer_chunk<4, C>(to + i + j * m, m, x + i, m, y + j, n, depth, factor);
            i += 4;
        }
        if (i + 2 <= m) {
            add_outer_chunk<2, C>(to + i + j * m, m, x + i, m, y + j, n, depth, factor);
            i += 2;
        }
        if (i < m) add_outer_chunk<1, C>(to + i + j * m, m, x + i, m, y + j, n, depth, factor);
    };
    Eigen::Index j = 0;
    for (; j + 4 <= n; j += 4)
        columns.template operator()<4>(j);
    for (; j < n; ++j)
        columns.template operator()<1>(j);
}

// R rows of x, which is m x n by columns:  x = x L⁻ᵀ, of the lower half of L, n x n.
template <int R>
void solve_transposed_rows(double* x, Eigen::Index m, const double* L, Eigen::Index n) {
    using Rows = Eigen::Array<double, R, 1>;
    for (Eigen::Index j = 0; j < n; ++j) {
        // Even and odd columns apart: subtractions need not wait.
        Rows even = Eigen::Map<const Rows>(x + j * m), odd = Rows::Zero();
        Eigen::Index i = 0;
        for (; i + 2 <= j; i += 2) {
            even -= L[j + i * n] * Eigen::Map<const Rows>(x + i * m);
            odd -= L[j + (i + 1) * n] * Eigen::Map<const Rows>(x + (i + 1) * m);
        }
        if (i < j) even -= L[j + i * n] * Eigen::Map<const Rows>(x + i * m);
        Eigen::Map<Rows>(x + j * m) = (even + odd) / L[j + j * n];
    }
}
inline void solve_transposed(double* x, Eigen::Index m, const double* L, Eigen::Index n) {
    Eigen::Index i = 0;
    for (; i + 8 <= m; i += 8)
        solve_transposed_rows<8>(x + i, m, L, n);
    if (i + 4 <= m) {
        solve_transposed_rows<4>(x + i, m, L, n);
        i += 4;
    }
    for (; i + 2 <= m; i += 2)
        solve_transposed_rows<2>(x + i, m, L, n);
    if (i < m) solve_transposed_rows<1>(x + i, m, L, n);
}

}  // namespace limber
