// SPDX-License-Identifier: Apache-2.0
// Forces on all nodes that carry mass, rotated into the nodes' local frames and summed into modal forces.
// Frozen, shared by all bodies of a model.
#pragma once
#include <limber/model/warp_model.h>
#include <limber/rigid/frame.h>

#include <Eigen/Core>
#include <vector>

namespace limber {

class WarpNodes {
 public:
    explicit WarpNodes(const WarpModel& model);
    bool empty() const { return nodes_ == 0; }
    Eigen::Index work_size() const;  // entries of `work` below

    // out += Φᵀ R(Ψq)ᵀ F with F = m uniform + linear s at each node.                           (8), (12)
    void add_inertia(const InertialField& field, const Eigen::VectorXd& q, Eigen::VectorXd& work,
                     Eigen::VectorXd& out) const;
    // What these forces do on the path from the shape R̃(Ψq)Φq to that of p, J.                          (28)
    double work_of_inertia(const InertialField& field, const Eigen::VectorXd& q,
                           const Eigen::VectorXd& p) const;
    // out -= Φᵀ m (RᵀṘ Φv), the Coriolis force of the turning local frames, with lumped mass.         (13)
    void subtract_coriolis(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& work,
                           Eigen::VectorXd& out) const;

 private:
    template <class ForceOnBlock>
    void add_modal_force(const ForceOnBlock& force_on, Eigen::VectorXd& work, Eigen::VectorXd& out) const;

    Eigen::Index nodes_, modes_;
    // Blocks of nodes: mode by mode, three components side by side for the block.
    std::vector<double> modes_of_, rotations_of_;
    std::vector<double> mass_, moment_;
};

}  // namespace limber
