// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/domains.md.
#include "limber/domains/tree_air.h"

#include <Eigen/Geometry>
#include <cmath>

namespace limber {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// diag(1, s) of the twist: D of an instance is s² times D of its part between two of these.
Vector6d lengths(double s) {
    Vector6d out;
    out << 1, 1, 1, s, s, s;
    return out;
}

// f −= factor · D (twist; rates of the domain's coordinates).
void add_resistance(const DomainTree& tree, std::size_t i, double factor, const Vector6d& twist,
                    const VectorXd& rates, TreeWork& work) {
    const TreeDomain& d = tree.domains[i];
    const SurfaceDrag& drag = tree.parts[std::size_t(d.part)].drag;
    const Vector6d scale = lengths(d.scale), scaled = scale.cwiseProduct(twist);
    Vector6d f = drag.twist * scaled;
    if (d.rank > 0) {
        const auto rate = rates.segment(d.first, d.rank);
        f += d.scale * drag.shape_twist.lazyProduct(rate);
        auto f_q = work.f_q.segment(d.first, d.rank);
        f_q -= factor * d.scale * drag.shape_twist.transpose().lazyProduct(scaled);
        f_q -= factor * d.scale * d.scale * drag.shape.lazyProduct(rate);
    }
    f = (-factor * scale).cwiseProduct(f).eval();
    work.nodes[i].f_nu += f;
    work.nodes[i].subtree_force += f.head<3>();
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
    const SurfaceDrag& drag = tree.parts[std::size_t(d.part)].drag;
    const Vector6d scale = lengths(d.scale);
    const double factor = seconds * work.air[domain].factor;
    work.nodes[domain].I_A += factor * scale.asDiagonal() * drag.twist * scale.asDiagonal();
    if (d.rank == 0) return;
    work.S_hat.middleCols(d.first, d.rank) += factor * d.scale * (scale.asDiagonal() * drag.shape_twist);
    Eigen::Map<Eigen::MatrixXd>(work.H.data() + d.first_square, d.rank, d.rank) +=
        factor * d.scale * d.scale * drag.shape;
}

}  // namespace limber
