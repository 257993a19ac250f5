// SPDX-License-Identifier: Apache-2.0
// What contact asks of a nonlinear body on a support. Equation numbers: docs/math/contact.md.
#include "limber/reduced/stvk_body_impl.h"

#include <cassert>

namespace limber {

using Eigen::VectorXd;

Eigen::Index StvkBody::velocity_size() const {
    return impl_->size();
}

void StvkBody::start_velocity(VectorXd& out) const {
    out = impl_->present().v;
}

void StvkBody::trial_velocity(VectorXd& out) const {
    assert(impl_->converged);
    out = impl_->next.v;
}

void StvkBody::trial_matrix(Eigen::MatrixXd& out) {
    Impl& in = *impl_;
    const StvkSettings& s = *in.settings;
    const double h = in.trial_dt;
    // (49)
    TangentWeights weights{.mass = 1 + 0.5 * h * s.alpha,
                           .stiffness = 0.25 * h * h + 0.5 * h * s.beta,
                           .place = 0,
                           .velocity = 0.5 * h};
    if (s.integrator == StvkIntegrator::BackwardEuler)
        weights = {.mass = 1 + h * s.alpha, .stiffness = h * h + h * s.beta, .place = 0, .velocity = h};
    if (s.integrator == StvkIntegrator::CentralDifferences)
        weights = {.mass = 1, .stiffness = 0, .place = 0, .velocity = 0};
    // One correction is made with K at the start.
    const bool one = s.newton == 1 && (s.integrator == StvkIntegrator::Newmark ||
                                       s.integrator == StvkIntegrator::BackwardEuler);
    const MotionView at = one ? in.present() : MotionView(in.next);
    std::visit([&](auto& dense) { dense.tangent(weights, at.u, at.v, out); }, in.scratch->system);
}

void StvkBody::drift(double seconds) {
    impl_->drifted_q = impl_->state.q + seconds * impl_->state.v;
    impl_->contact_impulse.resize(impl_->model().rank);  // now: the first contact takes no memory
}

const VectorXd& StvkBody::drifted_q() const {
    return impl_->drifted_q;
}

void StvkBody::add_rows(int vertex, double weight, const Eigen::Matrix3d& axes,
                        Eigen::Ref<Eigen::Matrix3Xd> out) const {
    const auto rows = impl_->model().surface.basis.middleRows<3>(3 * Eigen::Index(vertex));
    const Eigen::Matrix3d weighted = weight * axes;
    const std::vector<int>& coordinates = impl_->settings->coordinates;
    for (std::size_t i = 0; i < coordinates.size(); ++i)
        out.col(Eigen::Index(i)).noalias() += weighted * rows.col(coordinates[i]);
}

StepReport StvkBody::trial_touching(double dt, const VectorXd& impulse) {
    const std::vector<int>& coordinates = impl_->settings->coordinates;
    impl_->contact_impulse.setZero(impl_->model().rank);
    for (std::size_t i = 0; i < coordinates.size(); ++i)
        impl_->contact_impulse[coordinates[i]] = impulse[Eigen::Index(i)];
    return impl_->trial(dt, &impl_->contact_impulse);
}

void StvkBody::halt() {
    impl_->state.v.setZero();
    impl_->state.a.setZero();
}

}  // namespace limber
