// SPDX-License-Identifier: Apache-2.0
// Newton's method for R(u) = f on the free degrees of freedom, under one dead load. docs/math/statics.md.
#pragma once
#include "build/fem/assemble.h"
#include "build/fem/sparse_cholesky.h"

#include <functional>
#include <string>

namespace limber::build {

struct Equilibrium {
    Eigen::VectorXd u;  // free dofs
    bool converged = false;
    double residual = 0;  // |f - R(u)|, N
    std::string problem;  // why not; empty if converged
};

// Keeps matrices, the symbolic factor and the counts from one load to the next.
class EquilibriumSearch {
 public:
    // The model must outlive the search.
    explicit EquilibriumSearch(const FemModel& model);

    // From u, until |f - R(u)| <= goal (N). `each` hears the residual of every iteration.
    Equilibrium find(Eigen::VectorXd u, const Eigen::VectorXd& f, double goal, int max_iterations,
                     const std::function<void(double)>& each);

    Eigen::VectorXd force(const Eigen::VectorXd& u);
    // K(u) is positive definite.
    bool is_stable(const Eigen::VectorXd& u);
    // From an equilibrium whose K(u) is not positive definite: along the softest direction, so far that the
    // largest component of the motion is `displacement` (m).
    Eigen::VectorXd leave_saddle(const Eigen::VectorXd& u, double displacement);

    int iterations() const { return iterations_; }
    int indefinite_tangents() const { return indefinite_; }

 private:
    void linearize(const Eigen::VectorXd& u);
    Eigen::VectorXd stiffness_times(const Eigen::VectorXd& x) const {
        return K_.selfadjointView<Eigen::Lower>() * x;
    }

    const FemModel& model_;
    SparseMatrix K_;
    Eigen::VectorXd R_;              // at the last linearize
    Eigen::VectorXd rest_diagonal_;  // of K(0)
    SparseCholesky factor_;
    double shift_ = 1e-3;  // that served last
    int iterations_ = 0, indefinite_ = 0;
    Eigen::VectorXd full_force_;  // 3n, scratch
};

// How many elements have a Jacobian determinant that is not positive, at 2x2x2 points in bricks. u: 3n.
std::size_t turned_inside_out(const VolumeMesh& mesh, const Eigen::VectorXd& u);

}  // namespace limber::build
