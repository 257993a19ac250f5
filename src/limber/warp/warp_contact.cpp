// SPDX-License-Identifier: Apache-2.0
// What contact asks of a warped body. Equation numbers: docs/math/contact.md.
#include "limber/warp/warp_body_impl.h"

namespace limber {

using Eigen::VectorXd;

Eigen::Index WarpBody::velocity_size() const {
    return impl_->state.v.size();
}

void WarpBody::start_velocity(VectorXd& out) const {
    out = impl_->state.v;
}

void WarpBody::trial_velocity(VectorXd& out) const {
    out = impl_->next.v;
}

// Backward Euler on each mode, of mass density_scale.                                                 (49)
void WarpBody::trial_matrix(Eigen::MatrixXd& out) {
    const Impl& in = *impl_;
    const double h = in.trial_dt;
    out.setZero(in.eigenvalues.size(), in.eigenvalues.size());
    out.diagonal() =
        in.settings.density_scale *
        (1 + h * in.settings.alpha + (h * in.settings.beta + h * h) * in.eigenvalues.array()).matrix();
}

void WarpBody::drift(double seconds) {
    impl_->drift(seconds);
}

const VectorXd& WarpBody::drifted_q() const {
    return impl_->drifted_q;
}

const VectorXd& WarpBody::drifted_amplitudes() const {
    return impl_->drifted_z;
}

void WarpBody::add_rows(int vertex, double weight, const Eigen::Matrix3d& axes,
                        Eigen::Ref<Eigen::Matrix3Xd> out) const {
    impl_->add_drifted_rows(vertex, weight * axes, out);
}

StepReport WarpBody::trial_touching(double dt, const VectorXd& impulse) {
    return impl_->trial(dt, &impulse);
}

void WarpBody::halt() {
    impl_->state.v.setZero();
}

}  // namespace limber
