// SPDX-License-Identifier: Apache-2.0
// What contact asks of a free body, in the words that all kinds share. Equation numbers:
// docs/math/contact.md.
#include "limber/reduced/free_stvk_body_impl.h"
#include "limber/rigid/cross_matrix.h"

namespace limber {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::VectorXd;

void FreeStvkBody::trial_matrix(Eigen::MatrixXd& out) {
    out.resize(velocity_size(), velocity_size());
    system_matrix(out);
}

void FreeStvkBody::drift(double seconds) {
    Data& in = *data_;
    half_drift(2 * seconds, in.drifted);
    in.drifted_q.setZero(model().rank);
    for (Index i = 0; i < in.size(); ++i)
        in.drifted_q[in.coordinate(i)] = in.drifted.q[i];
}

Pose FreeStvkBody::drifted_pose() const {
    const HalfDrift& at = data_->drifted;
    return {at.centre - at.R * data_->equation.inertia().centre, Eigen::Quaterniond(at.R).normalized()};
}

const VectorXd& FreeStvkBody::drifted_q() const {
    return data_->drifted_q;
}

// J = [1, −R[y]×, RU].                                                                               (48)
void FreeStvkBody::add_rows(int vertex, double weight, const Matrix3d& axes,
                            Eigen::Ref<Eigen::Matrix3Xd> out) const {
    const Data& in = *data_;
    const auto rows = model().surface.basis.middleRows<3>(3 * Index(vertex));
    const Matrix3d turned = weight * axes * in.drifted.R;
    out.leftCols<3>() += weight * axes;
    out.middleCols<3>(3) -= turned * cross_matrix(arm(vertex, in.drifted.q));
    for (Index i = 0; i < in.size(); ++i)
        out.col(6 + i).noalias() += turned * rows.col(in.coordinate(i));
}

StepReport FreeStvkBody::trial_touching(double dt, const VectorXd& impulse) {
    VectorXd& own = data_->contact_impulse;
    own = impulse;
    own.segment<3>(3) = data_->drifted.R * impulse.segment<3>(3);
    return trial(dt, &own);
}

void FreeStvkBody::halt() {
    Data& in = *data_;
    in.state.momentum.setZero();
    in.state.angular_momentum.setZero();
    in.state.v.setZero();
    in.load();
}

}  // namespace limber
