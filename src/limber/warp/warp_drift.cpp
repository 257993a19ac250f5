// SPDX-License-Identifier: Apache-2.0
// The shape to which the velocities lead, how it moves with q, and springs, which pull at it. Equation
// numbers: docs/math/warping.md.
#include "limber/warp/rotation.h"
#include "limber/warp/warp_body_impl.h"

namespace limber {

using Eigen::Vector3d;

void WarpBody::Impl::drift(double seconds) {
    drifted_q = state.q + seconds * state.v;
    if (settings.warping != Warping::Warped || shown_companions.count() == 0) {
        drifted_z.resize(0);
        return;
    }
    shown_companions.move_to(drifted_q);
    drifted_z = shown_companions.z();
    drifted_slopes = shown_companions.slopes();
}

// w = Ψq and y = Φq + Γz there.
WarpBody::Impl::LinearShape WarpBody::Impl::drifted_shape(int vertex) const {
    LinearShape out;
    out.w = times(model().surface_rotations, vertex, drifted_q);
    out.y = times(model().surface_modes, vertex, drifted_q);
    if (drifted_z.size() > 0) out.y += times(model().surface_companions, vertex, drifted_z);
    return out;
}

// ∂u/∂q = ∂(R̃y)/∂w Ψ + R̃(Φ + Γ dz/dq).                                                           (17)
void WarpBody::Impl::add_drifted_rows(int vertex, const Eigen::Matrix3d& axes,
                                      Eigen::Ref<Eigen::Matrix3Xd> out) const {
    const Eigen::Index m = drifted_q.size();
    const auto rows_of = [&](const WarpRows& rows) { return rows.middleRows(3 * Eigen::Index(vertex), 3); };
    if (!warped()) {
        for (Eigen::Index i = 0; i < m; ++i)
            out.col(i).noalias() += axes * rows_of(model().surface_modes).col(i);
        return;
    }
    const LinearShape at = drifted_shape(vertex);
    const Eigen::Matrix3d turn = axes * mean_rotation_jacobian(at.w, at.y);
    const Eigen::Matrix3d move = axes * mean_rotation(at.w);
    for (Eigen::Index i = 0; i < m; ++i) {
        Vector3d column = rows_of(model().surface_modes).col(i);
        for (Eigen::Index k = 0; k < drifted_z.size(); ++k)
            column += drifted_slopes(k, i) * rows_of(model().surface_companions).col(k);
        out.col(i).noalias() += turn * rows_of(model().surface_rotations).col(i) + move * column;
    }
}

// -∂/∂q ½k|u - target|², where the force neither feeds a swing nor damps it.                       (29)
void WarpBody::Impl::pull(int vertex, const Vector3d& target, double stiffness, double dt) {
    drift(settings.step == OscillatorStep::ClosedForm ? 0.5 * dt : 0);
    spring_rows.setZero();
    add_drifted_rows(vertex, Eigen::Matrix3d::Identity(), spring_rows);
    const LinearShape at = drifted_shape(vertex);
    const Vector3d u = warped() ? Vector3d(mean_rotation(at.w) * at.y) : at.y;  // (25)
    const Vector3d force = stiffness * (target - u);
    for (Eigen::Index i = 0; i < modal_force.size(); ++i)
        modal_force[i] += spring_rows.col(i).dot(force);
}

}  // namespace limber
