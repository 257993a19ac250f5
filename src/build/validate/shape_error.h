// SPDX-License-Identifier: Apache-2.0
// The difference of two motions that a drifting phase does not dominate: each piece of the full motion, half
// a period long, against the reduced motion shifted in time as it fits best. docs/math/validation.md.
#pragma once
#include <Eigen/Core>
#include <optional>
#include <vector>

namespace limber::build {

class ShapeError {
 public:
    // basis: U of the surface, 3s x r; areas of its vertices, s, m^2.
    ShapeError(const Eigen::MatrixXd& basis, const Eigen::VectorXd& areas);

    // Frame by frame, both from time 0 on at the same step. The reduced motion may have more frames.
    void add_full(const Eigen::VectorXd& u);     // 3s, m
    void add_reduced(const Eigen::VectorXd& q);  // r

    // Relative to the full motion; half_period in frames, at least 1. None: nothing moved.             (4)
    std::optional<double> relative(Eigen::Index half_period) const;

 private:
    const Eigen::MatrixXd& basis_;
    const Eigen::VectorXd& areas_;
    Eigen::MatrixXd gram_;                 // Uᵀ A U
    std::vector<Eigen::VectorXd> moment_;  // Uᵀ A u of each full frame
    std::vector<double> square_;           // uᵀ A u
    std::vector<Eigen::VectorXd> q_;
};

}  // namespace limber::build
