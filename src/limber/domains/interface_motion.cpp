// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/domains.md.
#include "limber/domains/interface_motion.h"

#include "limber/rigid/cross_matrix.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
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

}  // namespace

// Newton's method for the maximum of tr QᵀB from Q = 1: with S = QᵀB the gradient is ax(S) and the Hessian
// −(tr S·1 − S). A step whose rotation has the tangent of the angle found is exact where P is a multiple of
// the unit matrix. A maximum with a definite Hessian is the only one. Interfaces turn little within a domain;
// where they turn far, the SVD takes over.
Polar polar(const Matrix3d& B) {
    constexpr int kIterations = 8;
    constexpr double kDone = 1e-9;    // rad: the next error is its square
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

void move_link(const DomainInterface& interface, const Attachment& attachment,
               const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& v,
               LinkMotion& out, Eigen::Ref<Matrix6Xd> phi) {
    using Column9 = Eigen::Matrix<double, 9, 1>;
    Column9 b = interface.covariance.reshaped(), b_rate = Column9::Zero();
    for (Eigen::Index l = 0; l < q.size(); ++l) {
        const Column9 column = interface.turn.col(l);
        b += q[l] * column;
        b_rate += v[l] * column;
    }
    const Matrix3d B = b.reshaped(3, 3), B_rate = b_rate.reshaped(3, 3);
    const auto [Q, P] = polar(B);
    // Y⁻¹ = Q (tr P·1 − P)⁻¹
    const Matrix3d inverse = (P.trace() * Matrix3d::Identity() - P).inverse();
    const Matrix3d Y_inverse = Q * inverse;
    // ax(QᵀM) is linear in vec(M): component 0 is Q_·2·M_·1 − Q_·1·M_·2, and so on round.
    Eigen::Matrix<double, 3, 9> axial;
    axial.setZero();
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        axial.block<1, 3>(k, 3 * i) = Q.col(j).transpose();
        axial.block<1, 3>(k, 3 * j) = -Q.col(i).transpose();
    }
    const Eigen::Matrix<double, 3, 9> turn_of = Y_inverse * axial;
    const double s = attachment.scale;
    const Vector3d arm = Q * attachment.offset;  // Qo
    Vector3d shifted = Vector3d::Zero();
    for (Eigen::Index l = 0; l < q.size(); ++l) {
        const Vector3d turn = turn_of * Column9(interface.turn.col(l));  // Ω
        const Vector3d shift = interface.shift.col(l);                   // â
        phi.col(l).head<3>() = s * shift + turn.cross(arm);
        phi.col(l).tail<3>() = turn;
        shifted += q[l] * shift;
    }
    out.R = Q * attachment.rotation;
    out.x = s * (interface.centre + shifted) + arm;
    const Vector3d omega = turn_of * B_rate.reshaped();
    out.omega = omega;
    out.rate = phi.topRows<3>().lazyProduct(v);
    const Matrix3d spin = cross_matrix(omega);
    const Matrix3d P_rate = Q.transpose() * (B_rate - spin * B);
    const Vector3d in_child = Q.transpose() * omega;
    out.bias_omega = Y_inverse * (-ax(Q.transpose() * spin * B_rate) -
                                  (P_rate.trace() * in_child - P_rate * in_child));  // γ_ω
    out.bias = out.bias_omega.cross(arm) + omega.cross(omega.cross(arm));
}

}  // namespace limber
