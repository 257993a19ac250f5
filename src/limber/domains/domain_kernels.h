// SPDX-License-Identifier: Apache-2.0
// Loops over the small matrices of a domain, of rank 8 to 30 as a rule; for the sources of this folder only.
// Equation numbers: docs/math/domains.md.
#pragma once
#include <limber/domains/interface_motion.h>
#include <limber/reduced/lanes.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

using SquareMap = Eigen::Map<Eigen::MatrixXd>;
using LinkRows = Eigen::Map<const MatrixX6d>;

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

// out = A x, the columns of A `stride` apart. No product with a few rows pays for the general one's overhead.
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
        out[i] = 0;
        for (Eigen::Index c = 0; c < columns; ++c)
            out[i] += A[c * stride + i] * x[c];
    }
}

// rowsᵀ a of a link's rows, r x 6: R Φ a.
inline Vector6d link_sum(const LinkRows& rows, const double* a) {
    constexpr Eigen::Index L = kLanes<double>;
    const Eigen::Index r = rows.rows();
    Lanes<double> sums[6]{};
    Eigen::Index l = 0;
    for (; l + L <= r; l += L) {
        const Lanes<double> x = load(a + l);
        for (int i = 0; i < 6; ++i)
            sums[i] += load(rows.col(i).data() + l) * x;
    }
    Vector6d out;
    for (int i = 0; i < 6; ++i) {
        out[i] = sum<double>(sums[i]);
        for (Eigen::Index m = l; m < r; ++m)
            out[i] += rows(m, i) * a[m];
    }
    return out;
}

// to[k] += Σ rows(k, i) factors[i] from row `first` on, or from up to a register before it.
inline void add_link_rows(const LinkRows& rows, const double (&factors)[6], Eigen::Index first, double* to) {
    constexpr Eigen::Index L = kLanes<double>;
    const Eigen::Index r = rows.rows();
    Lanes<double> of[6];
    for (int i = 0; i < 6; ++i)
        of[i] = all(factors[i]);
    Eigen::Index k = first / L * L;
    for (; k + L <= r; k += L) {
        Lanes<double> sum = load(to + k);
        for (int i = 0; i < 6; ++i)
            sum += load(rows.col(i).data() + k) * of[i];
        store<double>(to + k, sum);
    }
    for (; k < r; ++k)
        for (int i = 0; i < 6; ++i)
            to[k] += rows(k, i) * factors[i];
}

// to += rows F: Φᵀ of a force on the child's frame, given in the parent's axes.
inline void add_link_force(const LinkRows& rows, const Vector6d& F, double* to) {
    const double factors[6] = {F[0], F[1], F[2], F[3], F[4], F[5]};
    add_link_rows(rows, factors, 0, to);
}

// Both axes of an inertia turned.
inline Matrix6d turned_inertia(const Eigen::Matrix3d& R, const Matrix6d& I) {
    const Eigen::Matrix3d A = R * I.topLeftCorner<3, 3>() * R.transpose(),
                          B = R * I.topRightCorner<3, 3>() * R.transpose(),
                          C = R * I.bottomRightCorner<3, 3>() * R.transpose();
    Matrix6d out;
    out << A, B, B.transpose(), C;
    return out;
}

// TᵀIT of a child's inertia in the parent's axes, x its place.                                        (17)
inline Matrix6d shifted_inertia(const Eigen::Vector3d& x, const Matrix6d& I) {
    const Eigen::Matrix3d arm = cross_matrix(x), A = I.topLeftCorner<3, 3>(), B = I.topRightCorner<3, 3>();
    const Eigen::Matrix3d coupling = B - A * arm;
    Matrix6d out;
    out << A, coupling, coupling.transpose(),
        I.bottomRightCorner<3, 3>() - B.transpose() * arm + arm * coupling;
    return out;
}

// Adds what a child with this inertia in the parent's axes gives its parent: ΦᵀIΦ to the lower triangle of
// H, TᵀIΦ to Ŝ. Entries above the diagonal of H are lost.                                       (16), (17)
template <class Columns>
void add_child(const Matrix6d& I, const Eigen::Vector3d& x, const LinkRows& rows, Columns S_hat,
               SquareMap H) {
    constexpr Eigen::Index kBlock = 8;
    const Eigen::Index r = rows.rows();
    for (Eigen::Index first = 0; first < r; first += kBlock) {
        const Eigen::Index count = std::min(kBlock, r - first);
        double phi[6][kBlock]{}, carried[6][kBlock];  // I Φ
        for (int i = 0; i < 6; ++i)
            for (Eigen::Index l = 0; l < count; ++l)
                phi[i][l] = rows(first + l, i);
        for (Eigen::Index l = 0; l < kBlock; ++l)
            for (int i = 0; i < 6; ++i) {
                double sum = 0;
                for (int j = 0; j < 6; ++j)
                    sum += I(i, j) * phi[j][l];
                carried[i][l] = sum;
            }
        for (Eigen::Index l = 0; l < count; ++l) {
            const double factors[6] = {carried[0][l], carried[1][l], carried[2][l],
                                       carried[3][l], carried[4][l], carried[5][l]};
            const Eigen::Vector3d force(factors[0], factors[1], factors[2]);
            auto column = S_hat.col(first + l);
            column.template head<3>() += force;
            column.template tail<3>() += Eigen::Vector3d(factors[3], factors[4], factors[5]) + x.cross(force);
            add_link_rows(rows, factors, first + l, H.col(first + l).data());
        }
    }
}

}  // namespace limber
