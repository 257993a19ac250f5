// SPDX-License-Identifier: Apache-2.0
// How long an explicit step may be.
#pragma once
#include <limber/reduced/reduced_system.h>

namespace limber {

// The limit of central differences about q, docs/math/newmark.md (9), with the strain-rate damping that the
// system has; infinite if nothing limits it. Allocates.
template <class Scalar>
double stable_dt(ReducedSystem<Scalar>& system, const Eigen::VectorXd& q, double alpha, double beta);

}  // namespace limber
