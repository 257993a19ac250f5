// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/domains.md.
#include "limber/domains/tree_air.h"

#include "limber/reduced/small_product.h"

#include <Eigen/Geometry>
#include <cmath>

namespace limber {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// f −= factor · D (twist; rates of the domain's coordinates). D of an instance is s² times D of its part
// between two diag(1, s, s); the factor has the s².
void add_resistance(const DomainTree& tree, std::size_t i, double factor, const Vector6d& twist,
                    const VectorXd& rates, TreeWork& work) {
    const TreeDomain& d = tree.domains[i];
    const SurfaceDrag& drag = tree.parts[std::size_t(d.part)].drag;
    const Eigen::Index n = 6 + d.rank;
    auto motion = work.one_in.head(n), f = work.one_out.head(n);
    motion.head<3>() = twist.head<3>();
    motion.segment<3>(3) = d.scale * twist.tail<3>();
    for (Eigen::Index l = 0; l < d.rank; ++l)
        motion[6 + l] = d.scale * rates[d.first + l];
    set_product(drag.D.data(), n, n, n, motion.data(), f.data());
    const Vector3d force = -factor * f.head<3>();
    work.nodes[i].f_nu.head<3>() += force;
    work.nodes[i].f_nu.tail<3>() -= factor * d.scale * f.segment<3>(3);
    work.nodes[i].subtree_force += force;
    add_multiple(d.rank, -factor * d.scale, f.data() + 6, work.f_q.data() + d.first);
}

}  // namespace

void set_air(const DomainTree& tree, const std::vector<DomainState>& domains, const Wind* wind, double time,
             const VectorXd& q, const VectorXd& v, TreeWork& work) {
    if (!wind) {
        work.air.clear();
        return;
    }
    work.air.resize(tree.size());
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const TreeDomain& d = tree.domains[i];
        const DomainNode& node = work.nodes[i];
        const SurfaceDrag& drag = tree.parts[std::size_t(d.part)].drag;
        Vector3d arm = drag.centre, rate = Vector3d::Zero();
        if (d.rank > 0) {
            arm += drag.centre_basis.lazyProduct(q.segment(d.first, d.rank));
            rate = drag.centre_basis.lazyProduct(v.segment(d.first, d.rank));
        }
        const Vector3d w = node.twist.tail<3>();
        DomainAir& air = work.air[i];
        air.velocity = wind->at(time, node.x + node.R * (d.scale * arm));
        const Vector3d u =
            node.R.transpose() * air.velocity - node.twist.head<3>() - d.scale * (w.cross(arm) + rate);
        const double speed = std::sqrt(u.squaredNorm() + w.squaredNorm() * d.scale * d.scale * drag.spread);
        air.factor =
            domains[i].detached ? 0 : 0.5 * kAirDensity * wind->settings().drag * speed * d.scale * d.scale;
    }
}

void add_drag(const DomainTree& tree, std::size_t domain, const VectorXd& v, TreeWork& work) {
    const DomainNode& node = work.nodes[domain];
    Vector6d past = node.twist;
    past.head<3>() -= node.R.transpose() * work.air[domain].velocity;
    add_resistance(tree, domain, work.air[domain].factor, past, v, work);
}

void add_drag_by_acceleration(const DomainTree& tree, std::size_t domain, double seconds, const Vector6d& A,
                              const VectorXd& a, TreeWork& work) {
    add_resistance(tree, domain, seconds * work.air[domain].factor, A, a, work);
}

void add_drag_matrix(const DomainTree& tree, std::size_t domain, double seconds, TreeWork& work) {
    const TreeDomain& d = tree.domains[domain];
    const Eigen::MatrixXd& D = tree.parts[std::size_t(d.part)].drag.D;
    const double factor = seconds * work.air[domain].factor, s = d.scale;
    Matrix6d& I_A = work.nodes[domain].I_A;
    for (Eigen::Index l = 0; l < D.cols(); ++l) {
        const double of_l = factor * (l < 3 ? 1 : s);
        double* const on_twist = l < 6 ? I_A.col(l).data() : work.S_hat.col(d.first + l - 6).data();
        add_multiple(3, of_l, D.col(l).data(), on_twist);
        add_multiple(3, of_l * s, D.col(l).data() + 3, on_twist + 3);
        if (l >= 6)
            add_multiple(d.rank, of_l * s, D.col(l).data() + 6,
                         work.H.data() + d.first_square + (l - 6) * d.rank);
    }
}

}  // namespace limber
