// SPDX-License-Identifier: Apache-2.0
#include "cli/energy_balance.h"

#include <algorithm>
#include <cmath>

namespace limber::cli {

EnergyBalance::EnergyBalance(const build::FemModel& model, const build::DynamicOptions& options,
                             const build::DynamicSolver& solver, const build::FullState& start,
                             const Eigen::VectorXd& f)
    : model_(model), solver_(solver), alpha_(options.alpha), beta_(options.beta) {
    const bool lumped = options.integrator == build::Integrator::CentralDifferences;
    if (alpha_ != 0) mass_ = build::mass_matrix(model, lumped ? build::MassKind::Lumped : options.mass);
    if (beta_ != 0) stiffness_ = build::matrix_pattern(model);
    last_u_ = start.u;
    last_g_ = working_force(start, f);
    start_energy_ = largest_energy_ = energy(start);
}

double EnergyBalance::energy(const build::FullState& state) const {
    return solver_.kinetic_energy(state) + build::elastic_energy(model_, state.u);
}

Eigen::VectorXd EnergyBalance::working_force(const build::FullState& state, const Eigen::VectorXd& f) {
    Eigen::VectorXd g = model_.restrict_to_free(f);
    const Eigen::VectorXd v = model_.restrict_to_free(state.v);
    if (alpha_ != 0) g -= mass_.selfadjointView<Eigen::Lower>() * Eigen::VectorXd(alpha_ * v);
    if (beta_ != 0) {
        Eigen::VectorXd internal;
        build::force_and_stiffness(model_, state.u, internal, stiffness_);
        g -= stiffness_.selfadjointView<Eigen::Lower>() * Eigen::VectorXd(beta_ * v);
    }
    return model_.expand_from_free(g);
}

void EnergyBalance::record(const build::FullState& state, const Eigen::VectorXd& f) {
    const Eigen::VectorXd g = working_force(state, f);
    work_ += 0.5 * (last_g_ + g).dot(state.u - last_u_);
    last_g_ = g;
    last_u_ = state.u;
    const double now = energy(state);
    largest_energy_ = std::max(largest_energy_, now);
    largest_gap_ = std::max(largest_gap_, std::abs(now - start_energy_ - work_));
}

double EnergyBalance::drift() const {
    const double scale = start_energy_ > 0 ? start_energy_ : largest_energy_;
    return scale > 0 ? largest_gap_ / scale : 0.0;
}

}  // namespace limber::cli
