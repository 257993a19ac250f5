// SPDX-License-Identifier: Apache-2.0
// What contact asks of a warped body. Equation numbers: docs/math/contact.md; (17) and (45): warping.md.
#include "limber/warp/rotation.h"
#include "limber/warp/warp_body_impl.h"

#include <cassert>

namespace limber {

using Eigen::Vector3d;
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
    Impl& in = *impl_;
    in.drifted_q = in.state.q + seconds * in.state.v;
    if (in.settings.warping != Warping::Warped || in.shown_companions.count() == 0) {
        in.drifted_z.resize(0);
        return;
    }
    in.shown_companions.move_to(in.drifted_q);
    in.drifted_z = in.shown_companions.z();
    in.drifted_slopes = in.shown_companions.slopes();
}

const VectorXd& WarpBody::drifted_q() const {
    return impl_->drifted_q;
}

const VectorXd& WarpBody::drifted_amplitudes() const {
    return impl_->drifted_z;
}

// ∂u/∂q = ∂(R̃y)/∂w Ψ + R̃(Φ + Γ dz/dq) with y = Φq + Γz.
void WarpBody::add_rows(int vertex, double weight, const Eigen::Matrix3d& axes,
                        Eigen::Ref<Eigen::Matrix3Xd> out) const {
    const Impl& in = *impl_;
    const Eigen::Index m = in.drifted_q.size();
    const auto rows_of = [&](const WarpRows& rows) { return rows.middleRows(3 * Eigen::Index(vertex), 3); };
    const Eigen::Matrix3d weighted = weight * axes;
    if (!in.warped()) {
        for (Eigen::Index i = 0; i < m; ++i)
            out.col(i).noalias() += weighted * rows_of(in.model().surface_modes).col(i);
        return;
    }
    const Vector3d w = Impl::times(in.model().surface_rotations, vertex, in.drifted_q);
    Vector3d y = Impl::times(in.model().surface_modes, vertex, in.drifted_q);
    const bool companions = in.drifted_z.size() > 0;
    if (companions) y += Impl::times(in.model().surface_companions, vertex, in.drifted_z);
    const Eigen::Matrix3d turn = weighted * mean_rotation_jacobian(w, y);
    const Eigen::Matrix3d move = weighted * mean_rotation(w);
    for (Eigen::Index i = 0; i < m; ++i) {
        Vector3d column = rows_of(in.model().surface_modes).col(i);
        for (Eigen::Index k = 0; companions && k < in.drifted_z.size(); ++k)
            column += in.drifted_slopes(k, i) * rows_of(in.model().surface_companions).col(k);
        out.col(i).noalias() += turn * rows_of(in.model().surface_rotations).col(i) + move * column;
    }
}

StepReport WarpBody::trial_touching(double dt, const VectorXd& impulse) {
    return impl_->trial(dt, &impulse);
}

void WarpBody::halt() {
    impl_->state.v.setZero();
}

}  // namespace limber
