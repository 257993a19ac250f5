// SPDX-License-Identifier: Apache-2.0
// The amplitudes of the fields that keep the lengths of warped shapes to second order.
//     u = R̃(Ψq) (Φq + Γ z(q)),   z = s(ρ) Z (q_a q_b)                     docs/math/warping.md (25), (27)
// Frozen, shared by all bodies of a model.
#pragma once
#include <limber/model/warp_model.h>

#include <Eigen/Core>

namespace limber {

class Companions {
 public:
    explicit Companions(const WarpModel& model);
    Eigen::Index count() const { return forms_.rows(); }

    // out: k entries, finite for every finite q.
    void amplitudes(const Eigen::VectorXd& q, Eigen::VectorXd& out) const;
    // dz/dq at q, k x m.
    void slopes(const Eigen::VectorXd& q, Eigen::MatrixXd& out) const;

 private:
    // s and ds/dρ of the factor that holds z where the body turns far.
    struct Hold {
        double factor, slope;
    };
    Hold hold_at(const Eigen::VectorXd& q) const;

    Eigen::Index modes_;     // c, those that have a say
    Eigen::MatrixXd forms_;  // k x c(c+1)/2: a column for each pair of modes
    Eigen::MatrixXd turn_;   // c x c: qᵀTq is the mean of |w|² over the nodes
    Eigen::VectorXd most_;   // k, of |z|
};

}  // namespace limber
