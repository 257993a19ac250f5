// SPDX-License-Identifier: Apache-2.0
// Sums over small arrays that a general product's overhead would dominate. For the sources of the run-time
// library, as lanes.h.
#pragma once
#include <limber/reduced/lanes.h>

#include <Eigen/Core>

namespace limber {

// out = A x, the columns of A `stride` apart.
inline void set_product(const double* A, Eigen::Index stride, Eigen::Index rows, Eigen::Index columns,
                        const double* x, double* out) {
    constexpr Eigen::Index L = kLanes<double>, kPacks = 4;
    Eigen::Index i = 0;
    for (; i + kPacks * L <= rows; i += kPacks * L) {
        Lanes<double> sum[kPacks]{};
        for (Eigen::Index c = 0; c < columns; ++c) {
            const Lanes<double> factor = all(x[c]);
            for (Eigen::Index k = 0; k < kPacks; ++k)
                sum[k] += load(A + c * stride + i + k * L) * factor;
        }
        for (Eigen::Index k = 0; k < kPacks; ++k)
            store<double>(out + i + k * L, sum[k]);
    }
    for (; i + L <= rows; i += L) {
        Lanes<double> sum{};
        for (Eigen::Index c = 0; c < columns; ++c)
            sum += load(A + c * stride + i) * all(x[c]);
        store<double>(out + i, sum);
    }
    for (; i < rows; ++i) {
        double sum = 0;
        for (Eigen::Index c = 0; c < columns; ++c)
            sum += A[c * stride + i] * x[c];
        out[i] = sum;
    }
}

// out = Aᵀ x
inline void set_dots(const double* A, Eigen::Index stride, Eigen::Index rows, Eigen::Index columns,
                     const double* x, double* out) {
    constexpr Eigen::Index L = kLanes<double>;
    for (Eigen::Index c = 0; c < columns; ++c) {
        const double* const column = A + c * stride;
        Lanes<double> total{};
        Eigen::Index i = 0;
        for (; i + L <= rows; i += L)
            total += load(column + i) * load(x + i);
        out[c] = sum<double>(total);
        for (; i < rows; ++i)
            out[c] += column[i] * x[i];
    }
}

// out = a x + b y
inline void set_sum(Eigen::Index count, double a, const double* x, double b, const double* y, double* out) {
    constexpr Eigen::Index L = kLanes<double>;
    const Lanes<double> of_x = all(a), of_y = all(b);
    Eigen::Index i = 0;
    for (; i + L <= count; i += L)
        store<double>(out + i, of_x * load(x + i) + of_y * load(y + i));
    for (; i < count; ++i)
        out[i] = a * x[i] + b * y[i];
}

// out += a x
inline void add_multiple(Eigen::Index count, double a, const double* x, double* out) {
    constexpr Eigen::Index L = kLanes<double>;
    const Lanes<double> of_x = all(a);
    Eigen::Index i = 0;
    for (; i + L <= count; i += L)
        store<double>(out + i, load(out + i) + of_x * load(x + i));
    for (; i < count; ++i)
        out[i] += a * x[i];
}

}  // namespace limber
