// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/domains.md.
#include "limber/domains/domain_inertia.h"

#include "limber/reduced/small_product.h"
#include "limber/rigid/cross_matrix.h"

#include <Eigen/Geometry>
#include <cassert>

namespace limber {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

void InertiaTensors::set_G(const Eigen::MatrixXd& blocks) {
    const Eigen::Index n = rank + 1;
    assert(blocks.rows() == 3 * n && blocks.cols() == 3 * n);
    G.resize(9 * n, n);
    for (Eigen::Index a = 0; a < n; ++a)
        for (Eigen::Index b = 0; b < n; ++b) {
            const Matrix3d g = blocks.block<3, 3>(3 * a, 3 * b);
            const Vector3d axial = ax(g);
            const double rows[9] = {g(0, 0),
                                    g(1, 1),
                                    g(2, 2),
                                    0.5 * (g(1, 2) + g(2, 1)),
                                    0.5 * (g(0, 2) + g(2, 0)),
                                    0.5 * (g(0, 1) + g(1, 0)),
                                    axial[0],
                                    axial[1],
                                    axial[2]};
            for (Eigen::Index k = 0; k < 9; ++k)
                G(k * n + b, a) = rows[k];
        }
}

InertiaScratch::InertiaScratch(int rank)
    : N(VectorXd::Zero(9 * (rank + 1))), rate(VectorXd::Zero(4 * (rank + 1))), q(VectorXd::Zero(rank + 1)) {}

void set_inertia(const InertiaTensors& of, const DomainScale& scale, const Eigen::Ref<const VectorXd>& q,
                 const Eigen::Ref<const VectorXd>& v, const Vector3d& omega, InertiaScratch& scratch,
                 DomainInertia& out, Eigen::Ref<Matrix6Xd> S, Eigen::Ref<VectorXd> b_q) {
    const Eigen::Index r = of.rank, n = r + 1;
    auto extended = scratch.q.head(n);
    extended[0] = 1;
    extended.tail(r) = q;
    auto all = scratch.N.head(9 * n);
    set_product(of.G.data(), 9 * n, 9 * n, n, extended.data(), all.data());
    // Row b: N_b.
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 9>> N(all.data(), n, 9);
    const double first = scale.mass() * scale.length, second = first * scale.length;

    Vector3d c, c_rate;
    Vector6d whole;
    Eigen::Matrix<double, 9, 1> rate;
    set_product(of.c.data(), 3, 3, n, extended.data(), c.data());
    set_product(of.c.data() + 3, 3, 3, r, v.data(), c_rate.data());
    set_dots(all.data(), n, n, 6, extended.data(), whole.data());
    set_dots(all.data() + 1, n, r, 9, v.data(), rate.data());
    c *= first;
    c_rate *= first;
    whole *= second;
    rate *= second;

    const Matrix3d J{{whole[1] + whole[2], -whole[5], -whole[4]},
                     {-whole[5], whole[0] + whole[2], -whole[3]},
                     {-whole[4], -whole[3], whole[0] + whole[1]}};  // tr N·1 − N
    const Matrix3d arm = cross_matrix(c);
    out.I << scale.mass() * of.mass * Matrix3d::Identity(), -arm, arm, J;
    out.centre_moment = c;

    // N' = Σ q̇_p N_pᵀ: its symmetric part is that of Σ q̇_p N_p, its ax the opposite.
    const Matrix3d spread{{rate[1] + rate[2], -rate[5], -rate[4]},
                          {-rate[5], rate[0] + rate[2], -rate[3]},
                          {-rate[4], -rate[3], rate[0] + rate[1]}};
    const Vector3d axial = -rate.tail<3>();
    out.b_nu.head<3>() = omega.cross(omega.cross(c)) + 2 * omega.cross(c_rate);
    out.b_nu.tail<3>() = omega.cross(J * omega) + 2 * (spread * omega) - axial.cross(omega);

    if (r == 0) return;
    for (Eigen::Index l = 0; l < r; ++l) {
        const double* const of_c = of.c.col(l + 1).data();
        double* const column = S.col(l).data();
        for (int k = 0; k < 3; ++k) {
            column[k] = first * of_c[k];
            column[3 + k] = -second * N(l + 1, 6 + k);
        }
    }
    const double w = omega.squaredNorm();
    if (w == 0) {
        b_q.setZero();
        return;
    }
    Vector6d centrifugal;  // ωᵀN_lω − |ω|² tr N_l
    centrifugal << omega[0] * omega[0] - w, omega[1] * omega[1] - w, omega[2] * omega[2] - w,
        2 * omega[1] * omega[2], 2 * omega[0] * omega[2], 2 * omega[0] * omega[1];
    set_product(all.data() + 1, n, r, 6, centrifugal.data(), b_q.data());
    double* const spun = scratch.rate.data();
    set_product(of.G.data() + 9 * n + 6 * n, 9 * n, 3 * n, r, v.data(), spun);  // ax N'_b
    double* const turned = spun + 3 * n;
    set_product(spun + 1, n, r, 3, omega.data(), turned);
    set_sum(r, second, b_q.data(), -2 * second, turned, b_q.data());
}

}  // namespace limber
