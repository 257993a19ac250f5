// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/small_cholesky.h"

#include "limber/reduced/lanes.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace limber {
namespace {

using Eigen::Index;
constexpr Index kFactorTile = 4;

template <class Scalar>
using Four = Pack<Scalar, 4>;

template <class Scalar>
inline Four<Scalar> load4(const Scalar* from) {
    return load<Scalar, 4>(from);
}
template <class Scalar>
inline Four<Scalar> all4(Scalar value) {
    return all<Scalar, 4>(value);
}

// `tiles` tiles below each other, rows i on, columns j … j + 3, become A - L(i, 0…j-1) L(j, 0…j-1)ᵀ.
template <class Scalar, int tiles>
inline void subtract_products(const Scalar* L, Index ld, Index i, Index j,
                              Four<Scalar> (&tile)[tiles][kFactorTile]) {
    for (int t = 0; t < tiles; ++t)
        for (int c = 0; c < kFactorTile; ++c)
            tile[t][c] = load4(L + (j + c) * ld + i + t * kFactorTile);
    for (Index k = 0; k < j; ++k) {
        const Scalar* column = L + k * ld;
        Four<Scalar> row[tiles];
        for (int t = 0; t < tiles; ++t)
            row[t] = load4(column + i + t * kFactorTile);
        for (int c = 0; c < kFactorTile; ++c) {
            const Four<Scalar> factor = all4(-column[j + c]);
            for (int t = 0; t < tiles; ++t)
                tile[t][c] += row[t] * factor;
        }
    }
}

// The rows below the diagonal tile of columns j … j + 3: X with X Lᵀ = tile.
template <class Scalar, int tiles>
inline void finish_rows(Scalar* L, Index ld, Index i, Index j, const Scalar* inverse) {
    Four<Scalar> tile[tiles][kFactorTile];
    subtract_products<Scalar, tiles>(L, ld, i, j, tile);
    for (int c = 0; c < kFactorTile; ++c) {
        for (int m = 0; m < c; ++m) {
            const Four<Scalar> factor = all4(-L[(j + m) * ld + j + c]);
            for (int t = 0; t < tiles; ++t)
                tile[t][c] += tile[t][m] * factor;
        }
        const Four<Scalar> scale = all4(inverse[j + c]);
        for (int t = 0; t < tiles; ++t) {
            tile[t][c] = tile[t][c] * scale;
            store<Scalar, 4>(L + (j + c) * ld + i + t * kFactorTile, tile[t][c]);
        }
    }
}

}  // namespace

template <class Scalar>
SmallCholesky<Scalar>::SmallCholesky(Index size)
    : size_(size),
      padded_((size + kFactorTile - 1) / kFactorTile * kFactorTile),
      L_(Matrix::Identity(padded_, padded_)),
      inverse_diagonal_(Vector::Ones(padded_)),
      x_(Vector::Zero(padded_)) {}

template <class Scalar>
bool SmallCholesky<Scalar>::factorize(const Matrix& A, Scalar shift) {
    assert(A.rows() == size_ && A.cols() == size_);
    const Index n = padded_, ld = padded_;
    Scalar* L = L_.data();
    Scalar* inverse = inverse_diagonal_.data();
    // A tile on the diagonal is read as a whole, so columns are copied from its first row on.
    for (Index j = 0; j < size_; ++j) {
        const Index first = j / kFactorTile * kFactorTile;
        const Scalar* from = A.data() + j * size_;
        for (Index i = first; i < size_; ++i)
            L[j * ld + i] = from[i];
        L[j * ld + j] += shift;
    }
    for (Index j = size_; j < n; ++j)
        for (Index i = j / kFactorTile * kFactorTile; i < n; ++i)
            L[j * ld + i] = i == j ? Scalar(1) : Scalar(0);

    for (Index j = 0; j < n; j += kFactorTile) {
        Four<Scalar> tile[1][kFactorTile];
        const Scalar before[kFactorTile] = {L[j * ld + j], L[(j + 1) * ld + j + 1], L[(j + 2) * ld + j + 2],
                                            L[(j + 3) * ld + j + 3]};
        subtract_products<Scalar, 1>(L, ld, j, j, tile);
        Scalar a[kFactorTile][kFactorTile];
        for (int c = 0; c < kFactorTile; ++c)
            store<Scalar, 4>(a[c], tile[0][c]);
        for (int c = 0; c < kFactorTile; ++c) {
            // A pivot that is lost in the rounding of its own diagonal says nothing.
            const Scalar pivot = a[c][c];
            if (!(pivot > std::numeric_limits<Scalar>::epsilon() * before[c]) || !std::isfinite(pivot))
                return false;
            const Scalar root = std::sqrt(pivot), inverse_root = 1 / root;
            inverse[j + c] = inverse_root;
            L[(j + c) * ld + j + c] = root;
            for (int i = c + 1; i < kFactorTile; ++i) {
                a[c][i] *= inverse_root;
                L[(j + c) * ld + j + i] = a[c][i];
            }
            for (int d = c + 1; d < kFactorTile; ++d)
                for (int i = d; i < kFactorTile; ++i)
                    a[d][i] -= a[c][i] * a[c][d];
        }
        Index i = j + kFactorTile;
        for (; i + 2 * kFactorTile <= n; i += 2 * kFactorTile)
            finish_rows<Scalar, 2>(L, ld, i, j, inverse);
        if (i < n) finish_rows<Scalar, 1>(L, ld, i, j, inverse);
    }
    return true;
}

template <class Scalar>
void SmallCholesky<Scalar>::solve_in_place(Vector& x) {
    assert(x.size() == size_);
    const Index n = padded_, ld = padded_;
    const Scalar* L = L_.data();
    const Scalar* inverse = inverse_diagonal_.data();
    Scalar* y = x_.data();
    for (Index i = 0; i < size_; ++i)
        y[i] = x[i];
    for (Index i = size_; i < n; ++i)
        y[i] = 0;
    // L y = x, four columns at a time.
    for (Index j = 0; j < n; j += kFactorTile) {
        for (Index c = j; c < j + kFactorTile; ++c) {
            y[c] *= inverse[c];
            for (Index i = c + 1; i < j + kFactorTile; ++i)
                y[i] -= L[c * ld + i] * y[c];
        }
        const Four<Scalar> y0 = all4(-y[j]), y1 = all4(-y[j + 1]), y2 = all4(-y[j + 2]), y3 = all4(-y[j + 3]);
        for (Index i = j + kFactorTile; i < n; i += kFactorTile) {
            const Scalar* l = L + j * ld + i;
            store<Scalar, 4>(y + i, load4(y + i) + (load4(l) * y0 + load4(l + ld) * y1) +
                                        (load4(l + 2 * ld) * y2 + load4(l + 3 * ld) * y3));
        }
    }
    // Lᵀ x = y
    for (Index j = n - kFactorTile; j >= 0; j -= kFactorTile) {
        Four<Scalar> dot[kFactorTile]{};
        for (Index i = j + kFactorTile; i < n; i += kFactorTile) {
            const Four<Scalar> yi = load4(y + i);
            for (int c = 0; c < kFactorTile; ++c)
                dot[c] += load4(L + (j + c) * ld + i) * yi;
        }
        const Four<Scalar> total = sums<Scalar, 4>(dot);
        for (Index c = kFactorTile - 1; c >= 0; --c) {
            Scalar value = y[j + c] - total[static_cast<int>(c)];
            for (Index i = c + 1; i < kFactorTile; ++i)
                value -= L[(j + c) * ld + j + i] * y[j + i];
            y[j + c] = value * inverse[j + c];
        }
    }
    for (Index i = 0; i < size_; ++i)
        x[i] = y[i];
}

template class SmallCholesky<double>;
template class SmallCholesky<float>;

}  // namespace limber
