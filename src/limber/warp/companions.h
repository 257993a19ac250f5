// SPDX-License-Identifier: Apache-2.0
// The amplitudes of the fields that keep the lengths of warped shapes to second order.
//     u = R̃(Ψq) (Φq + Γ z(q)),   z = χ(ρ) Z (q_a q_b)                     docs/math/warping.md (25), (27)
// Frozen, shared by all bodies of a model.
#pragma once
#include <limber/model/warp_model.h>

#include <Eigen/Core>
#include <memory>

namespace limber {

class Companions {
 public:
    explicit Companions(const WarpModel& model);
    Eigen::Index count() const { return count_; }

    // z, k entries, finite for every finite q; and dz/dq, k x m. Allocates nothing.
    void evaluate(const Eigen::VectorXd& q, Eigen::VectorXd& z, Eigen::MatrixXd& slopes) const;

 private:
    Eigen::Index count_;        // k
    Eigen::Index modes_;        // c, those that have a say
    Eigen::MatrixXd gradient_;  // k c x c: times q, the gradient of the quadratic forms, column by column
    Eigen::MatrixXd turn_;      // c x c: qᵀTq is the mean of |w|² over the nodes
    Eigen::VectorXd most_;      // k, of |z|
};

// z and dz/dq where they were last asked for, at first at rest: the vertices of one shape share them.
class CompanionsAt {
 public:
    CompanionsAt(std::shared_ptr<const Companions> companions, Eigen::Index modes);
    // Allocate nothing.
    void move_to(const Eigen::VectorXd& q);
    void move_to_rest();

    Eigen::Index count() const { return z_.size(); }
    const Eigen::VectorXd& z() const { return z_; }
    const Eigen::MatrixXd& slopes() const { return slopes_; }

 private:
    std::shared_ptr<const Companions> companions_;
    Eigen::VectorXd q_, z_;
    Eigen::MatrixXd slopes_;
};

}  // namespace limber
