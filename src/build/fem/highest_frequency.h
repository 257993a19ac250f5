// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "build/fem/model.h"

namespace limber::build {

// The highest angular frequency of K x = omega^2 M x, rad/s, M > 0 diagonal: Lanczos' largest value plus its
// error bound, so that it is not below the true one by more than 0.1 %.
double highest_frequency(const SparseMatrix& stiffness, const Eigen::VectorXd& lumped_mass);

}  // namespace limber::build
