// SPDX-License-Identifier: Apache-2.0
// Loops over the small matrices of a domain, of rank 8 to 30 as a rule; for the sources of this folder only.
// Equation numbers: docs/math/domains.md.
#pragma once
#include <limber/domains/interface_motion.h>
#include <limber/reduced/lanes.h>
#include <limber/reduced/small_product.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/Jacobi>
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

// H −= factor Σ λ vvᵀ over the negative eigenvalues of the symmetric K, by cyclic Jacobi rotations; K becomes
// diagonal, axes its eigenvectors. A few µs at rank 8; only where H cannot be factorised.              (33)
inline void add_lift(double factor, SquareMap K, SquareMap axes, SquareMap H) {
    constexpr int kSweeps = 10;          // they converge quadratically: 5 or 6 are enough
    constexpr double kDiagonal = 1e-24;  // of the squares of all entries: off the diagonal at most
    const Eigen::Index r = K.rows();
    axes.setIdentity();
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        const double all = K.squaredNorm(), off = all - K.diagonal().squaredNorm();
        if (!(off > kDiagonal * all)) break;
        for (Eigen::Index p = 0; p + 1 < r; ++p)
            for (Eigen::Index q = p + 1; q < r; ++q) {
                Eigen::JacobiRotation<double> rotation;
                if (!rotation.makeJacobi(K, p, q)) continue;
                K.applyOnTheLeft(p, q, rotation.adjoint());
                K.applyOnTheRight(p, q, rotation);
                axes.applyOnTheRight(p, q, rotation);
            }
    }
    for (Eigen::Index l = 0; l < r; ++l)
        if (K(l, l) < 0) H -= (factor * K(l, l)) * axes.col(l).lazyProduct(axes.col(l).transpose());
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

// W = Ŝ L⁻ᵀ in place, so that ŜH⁻¹Ŝᵀ = WWᵀ, which is taken from I.                                       (18)
template <class Columns>
void eliminate(const SquareMap& L, Columns W, Matrix6d& I) {
    using Pair = Pack<double, 2>;
    const auto add = [](const Pair(&w)[3], double factor, double* to) {
        const Pair of = all<double, 2>(factor);
        for (int i = 0; i < 3; ++i)
            store<double, 2>(to + 2 * i, load<double, 2>(to + 2 * i) + w[i] * of);
    };
    for (Eigen::Index l = 0; l < L.rows(); ++l) {
        double* const column = W.col(l).data();
        const double* const of_l = L.col(l).data();
        const Pair inverse = all<double, 2>(1 / of_l[l]);
        Pair w[3];
        for (int i = 0; i < 3; ++i) {
            w[i] = load<double, 2>(column + 2 * i) * inverse;
            store<double, 2>(column + 2 * i, w[i]);
        }
        for (Eigen::Index k = l + 1; k < L.rows(); ++k)
            add(w, -of_l[k], W.col(k).data());
        for (Eigen::Index c = 0; c < 6; ++c)
            add(w, -column[c], I.col(c).data());
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

// `lanes` of the columns from `first` on.
template <int lanes, class Columns>
void add_child_columns(const Matrix6d& I, const Eigen::Vector3d& x, const LinkRows& rows, Eigen::Index first,
                       Columns& S_hat, SquareMap& H) {
    using V = Pack<double, lanes>;
    double carried[6][lanes];  // I Φ
    V phi[6];
    for (int j = 0; j < 6; ++j)
        phi[j] = load<double, lanes>(rows.col(j).data() + first);
    for (int i = 0; i < 6; ++i) {
        V sum = all<double, lanes>(I(i, 0)) * phi[0];
        for (int j = 1; j < 6; ++j)
            sum += all<double, lanes>(I(i, j)) * phi[j];
        store<double, lanes>(carried[i], sum);
    }
    for (int l = 0; l < lanes; ++l) {
        const double f[6] = {carried[0][l], carried[1][l], carried[2][l],
                             carried[3][l], carried[4][l], carried[5][l]};
        double* const column = S_hat.col(first + l).data();
        for (int i = 0; i < 3; ++i)
            column[i] += f[i];
        column[3] += f[3] + (x[1] * f[2] - x[2] * f[1]);
        column[4] += f[4] + (x[2] * f[0] - x[0] * f[2]);
        column[5] += f[5] + (x[0] * f[1] - x[1] * f[0]);
        add_link_rows(rows, f, first + l, H.col(first + l).data());
    }
}

// Adds what a child with this inertia in the parent's axes gives its parent: ΦᵀIΦ to the lower triangle of
// H, TᵀIΦ to Ŝ. Entries above the diagonal of H are lost.                                       (16), (17)
template <class Columns>
void add_child(const Matrix6d& I, const Eigen::Vector3d& x, const LinkRows& rows, Columns S_hat,
               SquareMap H) {
    constexpr int L = kLanes<double>;
    Eigen::Index l = 0;
    for (; l + L <= rows.rows(); l += L)
        add_child_columns<L>(I, x, rows, l, S_hat, H);
    for (; l < rows.rows(); ++l)
        add_child_columns<1>(I, x, rows, l, S_hat, H);
}

}  // namespace limber
