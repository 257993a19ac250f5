// SPDX-License-Identifier: Apache-2.0
// The frame that an interface carries: its rotation is the polar rotation of the covariance of deformed
// against rest points, with its first and second derivatives. docs/math/domains.md, section 1.
#pragma once
#include <limber/model/domain_interface.h>
#include <limber/rigid/cross_matrix.h>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace limber {

using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Matrix6Xd = Eigen::Matrix<double, 6, Eigen::Dynamic>;

// B = Q P with a proper rotation Q (det Q = 1) and a symmetric P: Q maximises tr QᵀB. Unique as long as the
// second singular value of B exceeds the third (with the sign of det B), so also for planar interfaces.  (3)
struct Polar {
    Eigen::Matrix3d Q, P;
};
Polar polar(const Eigen::Matrix3d& B);

// (M32 − M23, M13 − M31, M21 − M12): twice the axial vector of the antisymmetric part.
inline Eigen::Vector3d ax(const Eigen::Matrix3d& M) {
    return {M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1)};
}

// How a child's frame is attached to the interface, all in the parent's frame at rest.
struct Attachment {
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  // R̂: parent from child
    Eigen::Vector3d offset = Eigen::Vector3d::Zero();        // o: from the interface's centre, m
    double scale = 1;                                        // s of the parent: lengths over those built
};

// The child's frame seen from the parent's, at one moment.
struct LinkMotion {
    Eigen::Matrix3d R;      // Q R̂: parent from child
    Eigen::Vector3d x;      // the child's origin, m
    Eigen::Vector3d omega;  // ω_ij = Ωq̇, parent's axes, rad/s
    Eigen::Vector3d rate;   // ẋ, m/s
    // ẍ = [columns of phi] q̈ + bias, ω̇_ij = Ωq̈ + bias_omega                                         (5), (6)
    Eigen::Vector3d bias, bias_omega;
};

// T = [Rᵀ, −Rᵀx̃; 0, Rᵀ]: the twist of the parent's frame to that of the child's, without q̇.             (12)
inline Matrix6d twist_map(const LinkMotion& link) {
    const Eigen::Matrix3d Rt = link.R.transpose();
    Matrix6d T;
    T << Rt, -Rt * cross_matrix(link.x), Eigen::Matrix3d::Zero(), Rt;
    return T;
}
// T ν
inline Vector6d to_child(const LinkMotion& link, const Vector6d& twist) {
    const Eigen::Vector3d w = twist.tail<3>();
    Vector6d out;
    out << link.R.transpose() * (twist.head<3>() + w.cross(link.x)), link.R.transpose() * w;
    return out;
}
// Tᵀ F
inline Vector6d to_parent(const LinkMotion& link, const Vector6d& force) {
    const Eigen::Vector3d f = link.R * force.head<3>();
    Vector6d out;
    out << f, link.x.cross(f) + link.R * force.tail<3>();
    return out;
}

// phi = [â + Ω×Qo; Ω], 6 x r in the parent's axes: (ẋ, ω_ij) = phi q̇. Allocates nothing. Where the
// interface has collapsed to a line the result is not finite.                                       (4)
void move_link(const DomainInterface& interface, const Attachment& attachment,
               const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& v,
               LinkMotion& out, Eigen::Ref<Matrix6Xd> phi);

}  // namespace limber
