// SPDX-License-Identifier: Apache-2.0
// Does a computed motion keep its energy? E(t) - E(0) must equal the work done by the loads and by damping.
#pragma once
#include "build/fem/dynamics.h"

#include <Eigen/Core>

namespace limber::cli {

// E = kinetic + elastic energy. The work of a step is
//   1/2 (g_n + g_n+1) . (u_n+1 - u_n)   with   g = f - (alpha M + beta K(u)) v,
// the trapezoidal rule; Newmark's method meets the balance exactly where R(u) is linear.
class EnergyBalance {
 public:
    EnergyBalance(const build::FemModel& model, const build::DynamicOptions& options,
                  const build::DynamicSolver& solver, const build::FullState& start,
                  const Eigen::VectorXd& f);

    // After every step, with the force at its end.
    void record(const build::FullState& state, const Eigen::VectorXd& f);

    // max |E - E(0) - work| / E(0); a motion that starts without energy: relative to the largest E reached;
    // zero if nothing ever moves.
    double drift() const;

 private:
    Eigen::VectorXd working_force(const build::FullState& state, const Eigen::VectorXd& f);
    double energy(const build::FullState& state) const;

    const build::FemModel& model_;
    const build::DynamicSolver& solver_;
    double alpha_, beta_;
    build::SparseMatrix mass_, stiffness_;  // empty where damping does not need them
    Eigen::VectorXd last_u_, last_g_;
    double start_energy_, largest_energy_;
    double work_ = 0, largest_gap_ = 0;  // J
};

}  // namespace limber::cli
