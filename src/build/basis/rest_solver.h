// SPDX-License-Identifier: Apache-2.0
// Linear statics of the body at rest for many loads at once. docs/math/basis.md.
#pragma once
#include "build/basis/mass_metric.h"
#include "build/fem/sparse_cholesky.h"

#include <Eigen/Core>
#include <optional>
#include <vector>

namespace limber::build {

// K x = b at rest, on the free degrees of freedom. Where the body can move as a whole, the load is freed of
// its resultant by inertia forces, and the solution of its rigid part: inertia relief.                  (5)
class RestSolver {
 public:
    // Throws InputError if parts can move without strain.
    RestSolver(const FemModel& model, MassKind mass);
    Eigen::MatrixXd solve(const Eigen::MatrixXd& loads) const;

 private:
    MassMetric metric_;
    Eigen::MatrixXd motions_, inertia_;  // Y and MY
    std::vector<Eigen::Index> fixed_;
    std::optional<SparseCholesky> factor_;
};

}  // namespace limber::build
