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
using MatrixX6d = Eigen::Matrix<double, Eigen::Dynamic, 6>;

// An interface laid out for the dynamics: each entry of B and of the centre has its rates side by side.
struct LinkInterface {
    LinkInterface(const DomainInterface& of);
    Eigen::Vector3d centre;
    Eigen::Matrix3d covariance;
    Eigen::Matrix<double, Eigen::Dynamic, 12> rates;  // r x 12: of vec(B), then of the centre
};

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
    // ẍ = (â + Ω×Qo) q̈ + bias, ω̇_ij = Ωq̈ + bias_omega                                         (5), (6)
    Eigen::Vector3d bias, bias_omega;
};

// T = [Rᵀ, −Rᵀx̃; 0, Rᵀ]: the twist of the parent's frame to that of the child's, without q̇.             (12)
inline Matrix6d twist_map(const LinkMotion& link) {
    const Eigen::Matrix3d Rt = link.R.transpose();
    Matrix6d T;
    T << Rt, -Rt * cross_matrix(link.x), Eigen::Matrix3d::Zero(), Rt;
    return T;
}
// Both vectors of a twist or a force, turned.
inline Vector6d turned(const Eigen::Matrix3d& R, const Vector6d& x) {
    Vector6d out;
    out << R * x.head<3>(), R * x.tail<3>();
    return out;
}
// T ν + Φ q̇; own: R Φ q̇, what the link adds, in the parent's axes.
inline Vector6d to_child(const LinkMotion& link, const Vector6d& twist, const Vector6d& own) {
    Vector6d sum = twist + own;
    sum.head<3>() += twist.tail<3>().cross(link.x);
    return turned(link.R.transpose(), sum);
}
// R F: a force on the child's frame in the parent's axes.
inline Vector6d in_parent(const LinkMotion& link, const Vector6d& force) {
    return turned(link.R, force);
}
// Tᵀ F of such a force.
inline Vector6d at_parent(const LinkMotion& link, const Vector6d& in_parent) {
    Vector6d out = in_parent;
    out.tail<3>() += link.x.cross(in_parent.head<3>());
    return out;
}

// Where the child's frame is, without its motion.
struct LinkPose {
    Eigen::Matrix3d R;
    Eigen::Vector3d x;
};
LinkPose link_pose(const LinkInterface& interface, const Attachment& attachment,
                   const Eigen::Ref<const Eigen::VectorXd>& q);

// What the columns of a link follow from: Ω = turn · vec(Bˡ), and the arm Qo.
struct LinkTurn {
    Eigen::Matrix<double, 3, 9> turn;
    Eigen::Vector3d arm;
};
// Allocates nothing. Where the interface has collapsed to a line the result is not finite.           (4)
LinkTurn move_link(const LinkInterface& interface, const Attachment& attachment,
                   const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& v,
                   LinkMotion& out);
// rows = [â + Ω×Qo; Ω]ᵀ = (R Φ)ᵀ, r x 6 in the parent's axes: (ẋ, ω_ij) = rowsᵀ q̇.
void set_link_rows(const LinkInterface& interface, const Attachment& attachment, const LinkTurn& turn,
                   Eigen::Ref<MatrixX6d> rows);

}  // namespace limber
