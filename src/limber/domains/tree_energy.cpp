// SPDX-License-Identifier: Apache-2.0
// Momenta and energies of a tree at the moment that was evaluated.
#include "limber/domains/tree_views.h"

namespace limber {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

TreeMomentum tree_momentum(const DomainTree& tree, const VectorXd& v, const TreeWork& work) {
    TreeMomentum out;
    const DomainNode& root = work.nodes[0];
    out.mass = root.subtree_mass;
    out.centre = root.x + root.R * root.subtree_centre;
    out.momentum.setZero();
    out.angular_momentum.setZero();
    out.inertia.setZero();
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const TreeDomain& d = tree.domains[i];
        const DomainNode& node = work.nodes[i];
        Vector6d h = node.inertia.I * node.twist;
        h += columns(work.S, d).lazyProduct(segment(v, d));
        const Vector3d P = node.R * h.head<3>(), arm = node.x - out.centre;
        out.momentum += P;
        out.angular_momentum += node.R * h.tail<3>() + arm.cross(P);
        // Steiner, with the first moment about the frame's origin.
        const double m = node.inertia.I(0, 0);
        const Vector3d c = node.R * node.inertia.centre_moment;
        const Matrix3d J = node.inertia.I.bottomRightCorner<3, 3>();
        out.inertia += node.R * J * node.R.transpose();
        out.inertia += (m * arm.squaredNorm() + 2 * arm.dot(c)) * Matrix3d::Identity() -
                       m * arm * arm.transpose() - arm * c.transpose() - c * arm.transpose();
    }
    return out;
}

double tree_kinetic_energy(const DomainTree& tree, const std::vector<DomainState>& domains, const VectorXd& v,
                           const TreeWork& work) {
    double twice = 0;
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const TreeDomain& d = tree.domains[i];
        const DomainNode& node = work.nodes[i];
        twice += node.twist.dot(node.inertia.I * node.twist);
        if (d.rank == 0) continue;
        const auto rate = segment(v, d);
        twice += 2 * node.twist.dot(columns(work.S, d).lazyProduct(rate));
        twice += mass_scale(d, domains[i]) * rate.dot(tree.parts[std::size_t(d.part)].mass.lazyProduct(rate));
    }
    return 0.5 * twice;
}

double tree_elastic_energy(const DomainTree& tree, const std::vector<DomainState>& domains,
                           const TreeWork& work) {
    double sum = 0;
    for (const TreeWork::PartWork& of : work.parts)
        for (std::size_t k = 0; k < of.domains.size(); ++k) {
            const auto i = std::size_t(of.domains[k]);
            sum += energy_scale(tree.domains[i], domains[i]) * of.energy[Eigen::Index(k)];
        }
    return sum;
}

}  // namespace limber
