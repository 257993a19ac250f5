// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/domains.md.
#include "limber/domains/interface_motion.h"

#include "limber/reduced/lanes.h"
#include "limber/rigid/cross_matrix.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

namespace limber {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

// From any B; slow.
Polar polar_by_svd(const Matrix3d& B) {
    const Eigen::JacobiSVD<Matrix3d> svd(B, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const double sign = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
    const Vector3d turn(1, 1, sign);
    const Vector3d stretch = svd.singularValues().cwiseProduct(turn);
    return {svd.matrixU() * turn.asDiagonal() * svd.matrixV().transpose(),
            svd.matrixV() * stretch.asDiagonal() * svd.matrixV().transpose()};
}

// out[j] = ratesᵀ x[j].
template <int count>
void sum_rates(const LinkInterface& interface, const double* const (&x)[count], double (&out)[count][12]) {
    constexpr int L = kLanes<double>, kGroup = 4;
    const Eigen::Index r = interface.rates.rows();
    for (int first = 0; first < 12; first += kGroup) {
        Lanes<double> sum[count][kGroup]{};
        Eigen::Index l = 0;
        for (; l + L <= r; l += L)
            for (int k = 0; k < kGroup; ++k) {
                const Lanes<double> rate = load(interface.rates.col(first + k).data() + l);
                for (int j = 0; j < count; ++j)
                    sum[j][k] += rate * load(x[j] + l);
            }
        for (int j = 0; j < count; ++j) {
            const Pack<double, kGroup> total = sums<double>(sum[j]);
            for (int k = 0; k < kGroup; ++k) {
                out[j][first + k] = total[k];
                for (Eigen::Index m = l; m < r; ++m)
                    out[j][first + k] += interface.rates(m, first + k) * x[j][m];
            }
        }
    }
}

// `lanes` rows of set_link_rows().
template <int lanes>
void set_rows(const LinkInterface& interface, double scale, const LinkTurn& link, Eigen::Index first,
              Eigen::Ref<MatrixX6d>& out) {
    using V = Pack<double, lanes>;
    const auto rate = [&](int k) { return load<double, lanes>(interface.rates.col(k).data() + first); };
    const auto factor = [](double x) { return all<double, lanes>(x); };
    V w[3];
    for (int c = 0; c < 3; ++c)
        w[c] = factor(link.turn(c, 0)) * rate(0);
    for (int k = 1; k < 9; ++k) {
        const V of = rate(k);
        for (int c = 0; c < 3; ++c)
            w[c] += factor(link.turn(c, k)) * of;
    }
    for (int c = 0; c < 3; ++c) {
        const int i = (c + 1) % 3, j = (c + 2) % 3;
        V v = factor(scale) * rate(9 + c) + w[i] * factor(link.arm[j]);
        v += w[j] * factor(-link.arm[i]);
        store<double, lanes>(out.col(c).data() + first, v);
        store<double, lanes>(out.col(3 + c).data() + first, w[c]);
    }
}

Matrix3d matrix_of(const double (&sum)[12]) {
    return Eigen::Map<const Matrix3d>(sum);
}
Vector3d vector_of(const double (&sum)[12]) {
    return Eigen::Map<const Vector3d>(sum + 9);
}

}  // namespace

// Newton's method for the maximum of tr QᵀB from Q = 1: with S = QᵀB the gradient is ax(S) and the Hessian
// −(tr S·1 − S). A step whose rotation has the tangent of the angle found is exact where P is a multiple of
// the unit matrix. A maximum with a definite Hessian is the only one. Interfaces turn little within a domain;
// where they turn far, the SVD takes over.
Polar polar(const Matrix3d& B) {
    constexpr int kIterations = 8;
    constexpr double kDone = 1e-8;    // rad: the next error is its square
    constexpr double kLargest = 1.5;  // tangent of an angle: beyond, the model of second order misleads
    if (!B.allFinite()) return {B, B};
    Eigen::Quaterniond turned = Eigen::Quaterniond::Identity();
    Matrix3d Q = Matrix3d::Identity(), S = B;
    for (int k = 0; k < kIterations; ++k) {
        const double trace = S.trace(), xy = -0.5 * (S(0, 1) + S(1, 0)), xz = -0.5 * (S(0, 2) + S(2, 0)),
                     yz = -0.5 * (S(1, 2) + S(2, 1));
        const double xx = trace - S(0, 0), yy = trace - S(1, 1), zz = trace - S(2, 2);
        // The inverse by cofactors; definite if all leading minors are positive.
        const double minor = xx * yy - xy * xy;
        const Vector3d row0(yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy);
        const double det = xx * row0[0] + xy * row0[1] + xz * row0[2];
        const double floor = 1e-9 * std::abs(trace);
        if (!(xx > floor && minor > floor * xx && det > floor * minor)) return polar_by_svd(B);
        const Vector3d row1(row0[1], xx * zz - xz * xz, xy * xz - xx * yz), row2(row0[2], row1[2], minor);
        const Vector3d a = ax(S);
        const Vector3d w = Vector3d(row0.dot(a), row1.dot(a), row2.dot(a)) / det;
        const double squared = w.squaredNorm();
        if (!(squared < kLargest * kLargest)) return polar_by_svd(B);
        const Eigen::Quaterniond step(1 + std::sqrt(1 + squared), w[0], w[1], w[2]);
        turned = turned * step;
        turned.coeffs() /= turned.norm();
        Q = turned.toRotationMatrix();
        S.noalias() = Q.transpose() * B;
        if (squared < kDone * kDone) return {Q, 0.5 * (S + S.transpose())};
    }
    return polar_by_svd(B);
}

LinkInterface::LinkInterface(const DomainInterface& of)
    : centre(of.centre), covariance(of.covariance), rates(of.turn.cols(), 12) {
    if (rates.rows() == 0) return;
    rates << of.turn.transpose(), of.shift.transpose();
}

LinkPose link_pose(const LinkInterface& interface, const Attachment& attachment,
                   const Eigen::Ref<const Eigen::VectorXd>& q) {
    double at[1][12];
    sum_rates<1>(interface, {q.data()}, at);
    const Matrix3d Q = polar(interface.covariance + matrix_of(at[0])).Q;
    return {Q * attachment.rotation,
            attachment.scale * (interface.centre + vector_of(at[0])) + Q * attachment.offset};
}

LinkTurn move_link(const LinkInterface& interface, const Attachment& attachment,
                   const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& v,
                   LinkMotion& out) {
    double at[2][12];
    sum_rates<2>(interface, {q.data(), v.data()}, at);
    const Matrix3d B = interface.covariance + matrix_of(at[0]), B_rate = matrix_of(at[1]);
    const auto [Q, P] = polar(B);
    // Y⁻¹ = Q (tr P·1 − P)⁻¹
    const Matrix3d inverse = (P.trace() * Matrix3d::Identity() - P).inverse();
    const Matrix3d Y_inverse = Q * inverse;
    // ax(QᵀM) is linear in vec(M): component 0 is Q_·2·M_·1 − Q_·1·M_·2, and so on round. Y⁻¹ times that.
    LinkTurn link;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        link.turn.middleCols<3>(3 * i) =
            Y_inverse.col(k) * Q.col(j).transpose() - Y_inverse.col(j) * Q.col(k).transpose();
    }
    const double s = attachment.scale;
    link.arm = Q * attachment.offset;  // Qo
    out.R = Q * attachment.rotation;
    out.x = s * (interface.centre + vector_of(at[0])) + link.arm;
    const Vector3d omega = link.turn * B_rate.reshaped();
    out.omega = omega;
    out.rate = s * vector_of(at[1]) + omega.cross(link.arm);
    const Matrix3d spin = cross_matrix(omega);
    const Matrix3d P_rate = Q.transpose() * (B_rate - spin * B);
    const Vector3d in_child = Q.transpose() * omega;
    out.bias_omega = Y_inverse * (-ax(Q.transpose() * spin * B_rate) -
                                  (P_rate.trace() * in_child - P_rate * in_child));  // γ_ω
    out.bias = out.bias_omega.cross(link.arm) + omega.cross(omega.cross(link.arm));
    return link;
}

void set_link_rows(const LinkInterface& interface, const Attachment& attachment, const LinkTurn& link,
                   Eigen::Ref<MatrixX6d> rows) {
    constexpr int L = kLanes<double>;
    const Eigen::Index r = rows.rows();
    Eigen::Index l = 0;
    for (; l + L <= r; l += L)
        set_rows<L>(interface, attachment.scale, link, l, rows);
    for (; l < r; ++l)
        set_rows<1>(interface, attachment.scale, link, l, rows);
}

}  // namespace limber
