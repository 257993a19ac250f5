// SPDX-License-Identifier: Apache-2.0
// Strain-rate damping. docs/math/reduced_stvk.md, section 7; equation numbers are that page's.
//
// J = dz/dq has one entry in the row of q_i and two in the row of q_i q_j: q_j at i and q_i at j (2 q_i at i
// if i = j).
#include "limber/reduced/lanes.h"
#include "limber/reduced/strain_form.h"

#include <algorithm>
#include <cassert>

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// out += w_0 J_i0 + w_1 J_i1 + … over n consecutive products q_i q_j, from j = i on: a row of a packed
// triangle.
void add_products(const double* w, Index n, Index i, const double* q, double* out) {
    constexpr int L = kLanes<double>;
    const double* q_from_i = q + i;
    double* out_from_i = out + i;
    const Lanes<double> qi = all(q[i]);
    Lanes<double> sums{};
    Index j = 0;
    for (; j + L <= n; j += L) {
        const Lanes<double> wj = load(w + j);
        sums += wj * load(q_from_i + j);
        store<double>(out_from_i + j, load(out_from_i + j) + wj * qi);
    }
    double total = sum<double>(sums);
    for (; j < n; ++j) {
        total += w[j] * q_from_i[j];
        out_from_i[j] += w[j] * q[i];
    }
    out[i] += total;
}

// out = Σ_a w_a J_a over the first n entries of z, without the linear ones if those do not move (dJ/dt).
enum class Rows { All, Products };
void times_jacobian(const double* w, Index n, Index r, const double* q, Rows rows, double* out) {
    const Index linear = std::min(n, r);
    std::fill(out, out + r, 0.0);
    if (rows == Rows::All) std::copy(w, w + linear, out);
    for (Index i = 0, p = r; p < n; p += r - i, ++i)
        add_products(w + p, std::min(r - i, n - p), i, q, out);
}

// Calls f(k, l, b) for every entry b of z: b = q_k with l = -1, then b = q_k q_l.
template <class F>
void for_each_term(Index r, const F& f) {
    for (Index k = 0; k < r; ++k)
        f(k, Index(-1), k);
    Index b = r;
    for (Index k = 0; k < r; ++k)
        for (Index l = k; l < r; ++l, ++b)
            f(k, l, b);
}

// M += column ⊗ J_b.
void add_outer(const VectorXd& column, Index k, Index l, const VectorXd& q, MatrixXd& M) {
    if (l < 0) {
        M.col(k) += column;
    } else {
        M.col(k) += q[l] * column;
        M.col(l) += q[k] * column;
    }
}

// y = W ż with ż = J v.
void stress_of_rate(const VectorXd& packed, Index r, const VectorXd& q, const VectorXd& v,
                    StrainRateEval& out) {
    const Index m = strain_terms(r);
    for_each_term(
        r, [&](Index k, Index l, Index b) { out.z_rate[b] = l < 0 ? v[k] : q[k] * v[l] + q[l] * v[k]; });
    out.stress.setZero();
    const double* w = packed.data();
    for (Index b = 0; b < m; w += b + 1, ++b) {  // column b of the upper triangle
        const Eigen::Map<const VectorXd> column(w, b);
        out.stress.head(b) += out.z_rate[b] * column;
        out.stress[b] += column.dot(out.z_rate.head(b)) + w[b] * out.z_rate[b];
    }
}

}  // namespace

StrainRateEval::StrainRateEval(Index r)
    : force(VectorXd::Zero(r)),
      damping(MatrixXd::Zero(r, r)),
      stiffness(MatrixXd::Zero(r, r)),
      z_rate(VectorXd::Zero(strain_terms(r))),
      stress(VectorXd::Zero(strain_terms(r))),
      row(VectorXd::Zero(r)),
      rate_row(VectorXd::Zero(r)),
      half(MatrixXd::Zero(r, r)) {}

void strain_rate_force(const VectorXd& packed, Index r, const VectorXd& q, const VectorXd& v,
                       StrainRateEval& out) {
    assert(q.size() >= r && v.size() >= r && out.force.size() == r);
    stress_of_rate(packed, r, q, v, out);
    times_jacobian(out.stress.data(), strain_terms(r), r, q.data(), Rows::All, out.force.data());
}

void strain_rate_damping(const VectorXd& packed, Index r, const VectorXd& q, StrainRateEval& out) {
    assert(q.size() >= r && out.force.size() == r);
    // D = N + Nᵀ, N = Σ_b u_b ⊗ J_b, u_b = Σ_{a<b} W_ab J_a + ½ W_bb J_b (15)
    out.half.setZero();
    const double* w = packed.data();
    for_each_term(r, [&](Index k, Index l, Index b) {
        times_jacobian(w, b, r, q.data(), Rows::All, out.row.data());
        out.row[k] += 0.5 * w[b] * (l < 0 ? 1 : q[l]);
        if (l >= 0) out.row[l] += 0.5 * w[b] * q[k];
        add_outer(out.row, k, l, q, out.half);
        w += b + 1;
    });
    out.damping = out.half + out.half.transpose();
}

void strain_rate_tangent(const VectorXd& packed, Index r, const VectorXd& q, const VectorXd& v,
                         StrainRateEval& out) {
    strain_rate_damping(packed, r, q, out);
    strain_rate_force(packed, r, q, v, out);
    // d(force)/dq = Σ_b y_b d²z_b/dq² + Jᵀ W dJ/dt, where dJ/dt is the products' part of J at v. (16)
    out.stiffness.setZero();
    const double* w = packed.data();
    for_each_term(r, [&](Index k, Index l, Index b) {
        if (l >= 0) {
            out.stiffness(k, l) += out.stress[b];
            out.stiffness(l, k) += out.stress[b];
        }
        // Σ_{a<=b} W_ab (J_a ⊗ dJ_b/dt) and Σ_{a<b} W_ab (J_b ⊗ dJ_a/dt)
        if (l >= 0) {
            times_jacobian(w, b + 1, r, q.data(), Rows::All, out.row.data());
            add_outer(out.row, k, l, v, out.stiffness);
        }
        times_jacobian(w, b, r, v.data(), Rows::Products, out.rate_row.data());
        if (l < 0) {
            out.stiffness.row(k) += out.rate_row.transpose();
        } else {
            out.stiffness.row(k) += q[l] * out.rate_row.transpose();
            out.stiffness.row(l) += q[k] * out.rate_row.transpose();
        }
        w += b + 1;
    });
}

}  // namespace limber
