// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/domains.md.
#include "limber/domains/tree_dynamics.h"

#include "limber/domains/domain_kernels.h"
#include "limber/domains/tree_air.h"
#include "limber/domains/tree_views.h"
#include "limber/rigid/cross_matrix.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <cmath>

namespace limber {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// From so many instances on, a part's polynomials are evaluated in one sweep for a register full of them.
constexpr std::size_t kBatch = 4;

// A domain that is detached has no mass any more.
DomainScale scale_of(const TreeDomain& domain, const DomainState& state) {
    return {domain.scale, state.detached ? 0 : state.density, state.young};
}
// A point mass at c: what L1 (c = 0) and L2 put in place of a subtree.
Matrix6d point_mass(double mass, const Vector3d& c) {
    const Matrix3d arm = cross_matrix(c);
    Matrix6d I;
    I << mass * Matrix3d::Identity(), -mass * arm, mass * arm, -mass * arm * arm;
    return I;
}

int highest_rank(const DomainTree& tree) {
    int out = 0;
    for (const PartCoefficients& part : tree.parts)
        out = std::max(out, part.rank());
    return out;
}

Vector3d lumped_at(Coupling coupling, const DomainNode& node) {
    return coupling == Coupling::Centre ? node.subtree_centre : Vector3d::Zero();
}

// What the parent feels of a child: all of its force, or that of its lumped mass.
Vector6d felt_force(Coupling coupling, const DomainNode& node) {
    if (coupling == Coupling::Exact) return node.F;
    const Vector3d c = lumped_at(coupling, node), w = node.twist.tail<3>();
    const Vector3d a = node.A.head<3>() + node.A.tail<3>().cross(c) + w.cross(w.cross(c));
    const Vector3d f = node.subtree_mass * a - node.subtree_force;
    Vector6d out;
    out << f, c.cross(f);
    return out;
}

}  // namespace

void index_domains(DomainTree& tree) {
    tree.coordinates = tree.phi_rows = tree.squares = 0;
    for (std::size_t i = 0; i < tree.size(); ++i) {
        TreeDomain& d = tree.domains[i];
        assert(d.parent < int(i));
        d.rank = tree.parts[std::size_t(d.part)].rank();
        d.first = tree.coordinates;
        d.first_square = tree.squares;
        d.first_phi = tree.phi_rows;
        d.leaf = true;
        d.last_child = false;
        d.energy_scale = d.scale * d.scale * d.scale;
        d.mass_scale = d.energy_scale * d.scale * d.scale;
        tree.coordinates += d.rank;
        tree.squares += Eigen::Index(d.rank) * d.rank;
        if (d.parent < 0) continue;
        TreeDomain& parent = tree.domains[std::size_t(d.parent)];
        tree.phi_rows += parent.rank;
        parent.leaf = false;
    }
    std::vector<char> seen(tree.size(), 0);
    for (std::size_t j = tree.size(); j-- > 1;) {
        char& parent = seen[std::size_t(tree.domains[j].parent)];
        tree.domains[j].last_child = !parent;
        parent = 1;
    }
}

TreeWork::TreeWork(const DomainTree& tree)
    : nodes(tree.size()),
      phi(VectorXd::Zero(6 * tree.phi_rows)),
      S(Matrix6Xd::Zero(6, tree.coordinates)),
      S_hat(S),
      W(S),
      H(VectorXd::Zero(tree.squares)),
      K(H),
      b_q(VectorXd::Zero(tree.coordinates)),
      f_q(b_q),
      f_int(b_q),
      residual(b_q),
      y(b_q),
      correction(b_q),
      scratch(highest_rank(tree)),
      one_in(VectorXd::Zero(6 + highest_rank(tree))),
      one_out(one_in),
      one_square(VectorXd::Zero(Eigen::Index(highest_rank(tree)) * highest_rank(tree))),
      one_axes(one_square) {
    std::vector<std::vector<int>> instances(tree.parts.size());
    for (std::size_t i = 0; i < tree.size(); ++i)
        instances[std::size_t(tree.domains[i].part)].push_back(int(i));
    for (std::size_t p = 0; p < tree.parts.size(); ++p) {
        const int rank = tree.parts[p].rank();
        const auto count = Eigen::Index(instances[p].size());
        const bool many = instances[p].size() >= kBatch && rank > 0;
        parts.push_back({std::move(instances[p]), QuarticEval<double>(rank),
                         many ? std::make_unique<QuarticBatch<double>>(rank, int(count)) : nullptr,
                         Eigen::MatrixXd::Zero(rank, many ? count : 0), VectorXd::Zero(rank),
                         VectorXd::Zero(count)});
    }
}

TreeWork::TreeWork(const TreeWork& other)
    : nodes(other.nodes),
      phi(other.phi),
      S(other.S),
      S_hat(other.S_hat),
      W(other.W),
      H(other.H),
      K(other.K),
      b_q(other.b_q),
      f_q(other.f_q),
      f_int(other.f_int),
      residual(other.residual),
      y(other.y),
      correction(other.correction),
      scratch(other.scratch),
      air(other.air),
      air_lead(other.air_lead),
      air_gravity(other.air_gravity),
      one_in(other.one_in),
      one_out(other.one_out),
      one_square(other.one_square),
      one_axes(other.one_axes) {
    for (const PartWork& part : other.parts)
        parts.push_back({part.domains, part.eval,
                         part.batch ? std::make_unique<QuarticBatch<double>>(*part.batch) : nullptr, part.q,
                         part.q_one, part.energy});
}

namespace {

// Pose and twist of one domain, its parent's being known.
LinkTurn place_link(const DomainTree& tree, const VectorXd& q, const VectorXd& v, std::size_t j,
                    TreeWork& work) {
    const TreeDomain& d = tree.domains[j];
    const TreeDomain& up = tree.domains[std::size_t(d.parent)];
    DomainNode& node = work.nodes[j];
    const DomainNode& parent = work.nodes[std::size_t(d.parent)];
    LinkMotion& link = node.link;
    const LinkTurn turn = move_link(tree.parts[std::size_t(up.part)].interfaces[std::size_t(d.interface)],
                                    d.attachment, segment(q, up), segment(v, up), link);
    Vector6d own;
    own << link.rate, link.omega;
    node.twist = to_child(link, parent.twist, own);
    node.R = parent.R * link.R;
    node.x = parent.x + parent.R * link.x;
    return turn;
}
void place_root(const RootMotion& root, TreeWork& work) {
    DomainNode& node = work.nodes[0];
    node.R = root.pose.orientation.toRotationMatrix();
    node.x = root.pose.position;
    node.twist = root.twist;
}

// With what its acceleration depends on.
void move_domain(const DomainTree& tree, const RootMotion& root, const VectorXd& q, const VectorXd& v,
                 std::size_t j, TreeWork& work) {
    const TreeDomain& d = tree.domains[j];
    if (d.parent < 0) {
        place_root(root, work);
        return;
    }
    const TreeDomain& up = tree.domains[std::size_t(d.parent)];
    const LinkTurn turn = place_link(tree, q, v, j, work);
    set_link_rows(tree.parts[std::size_t(up.part)].interfaces[std::size_t(d.interface)], d.attachment, turn,
                  new_link_rows(work.phi, d, up));
    DomainNode& node = work.nodes[j];
    const LinkMotion& link = node.link;
    const Vector3d w = work.nodes[std::size_t(d.parent)].twist.tail<3>();
    Vector6d gamma;
    gamma << w.cross(w.cross(link.x)) + 2 * w.cross(link.rate) + link.bias,
        link.bias_omega + w.cross(link.omega);
    node.gamma = turned(link.R.transpose(), gamma);  // (13)
}

// With its inertia; no external forces yet.
void evaluate_domain(const DomainTree& tree, const std::vector<DomainState>& domains, const RootMotion& root,
                     const VectorXd& q, const VectorXd& v, std::size_t j, TreeWork& work) {
    move_domain(tree, root, q, v, j, work);
    const TreeDomain& d = tree.domains[j];
    DomainNode& node = work.nodes[j];
    set_inertia(tree.parts[std::size_t(d.part)].inertia, scale_of(d, domains[j]), segment(q, d),
                segment(v, d), node.twist.tail<3>(), work.scratch, node.inertia, columns(work.S, d),
                segment(work.b_q, d));
    node.subtree_mass = node.inertia.I(0, 0);
    node.subtree_centre = node.inertia.centre_moment;  // times the mass until it is complete
    node.f_nu.setZero();
    node.subtree_force.setZero();
}

// Mass, centre and net force of the subtrees, in the axes of their own frames.
void sum_subtrees(const DomainTree& tree, TreeWork& work) {
    for (std::size_t j = tree.size(); j-- > 0;) {
        DomainNode& node = work.nodes[j];
        if (node.subtree_mass > 0) node.subtree_centre /= node.subtree_mass;
        if (tree.domains[j].parent < 0) continue;
        DomainNode& parent = work.nodes[std::size_t(tree.domains[j].parent)];
        parent.subtree_mass += node.subtree_mass;
        parent.subtree_centre += node.subtree_mass * (node.link.x + node.link.R * node.subtree_centre);
        parent.subtree_force += node.link.R * node.subtree_force;
    }
}

// H, Ŝ and Î of a domain without its children.
void begin_factors(const DomainTree& tree, const std::vector<DomainState>& domains,
                   const TreeDamping& damping, const TreeWeights& weights, std::size_t i, TreeWork& work) {
    const TreeDomain& d = tree.domains[i];
    work.nodes[i].I_A = work.nodes[i].inertia.I;
    if (d.rank > 0) {
        const double of_mass = mass_scale(d, domains[i]) * (1 + weights.damping * damping.alpha);
        const double of_rest = weights.damping * damping.beta * energy_scale(d, domains[i]);
        const PartCoefficients& part = tree.parts[std::size_t(d.part)];
        const Eigen::Index squares = Eigen::Index(d.rank) * d.rank;
        double* const H = work.H.data() + d.first_square;
        set_sum(squares, of_mass, part.mass.data(), weights.stiffness, work.K.data() + d.first_square, H);
        if (of_rest != 0) add_multiple(squares, of_rest, part.energy.linear.data(), H);
        columns(work.S_hat, d) = columns(work.S, d);
    }
    if (!work.air.empty()) add_drag_matrix(tree, i, weights.damping + work.air_lead, work);
}

}  // namespace

void evaluate_poses(const DomainTree& tree, const RootMotion& root, const VectorXd& q, const VectorXd& v,
                    TreeWork& work) {
    place_root(root, work);
    for (std::size_t j = 1; j < tree.size(); ++j)
        place_link(tree, q, v, j, work);
}

void evaluate_motion(const DomainTree& tree, const std::vector<DomainState>& domains, const RootMotion& root,
                     const VectorXd& q, const VectorXd& v, TreeWork& work) {
    for (std::size_t j = 0; j < tree.size(); ++j)
        evaluate_domain(tree, domains, root, q, v, j, work);
    sum_subtrees(tree, work);
}

void evaluate_elastic(const DomainTree& tree, const std::vector<DomainState>& domains, const VectorXd& q,
                      TreeWork& work) {
    for (std::size_t p = 0; p < tree.parts.size(); ++p) {
        const PartCoefficients& part = tree.parts[p];
        TreeWork::PartWork& of = work.parts[p];
        const Eigen::Index r = part.rank();
        if (r == 0) continue;
        if (of.batch) {
            for (std::size_t k = 0; k < of.domains.size(); ++k)
                of.q.col(Eigen::Index(k)) = segment(q, tree.domains[std::size_t(of.domains[k])]);
            evaluate(part.energy, of.q, *of.batch);
        }
        for (std::size_t k = 0; k < of.domains.size(); ++k) {
            const auto i = std::size_t(of.domains[k]);
            const TreeDomain& d = tree.domains[i];
            const double scale = energy_scale(d, domains[i]);
            const auto column = Eigen::Index(k);
            if (of.batch) {
                segment(work.f_int, d) = scale * of.batch->force.col(column);
                square(work.K, d) = scale * of.batch->stiffness.middleCols(r * column, r);
                of.energy[column] = of.batch->energy[column];
            } else {
                of.q_one = segment(q, d);
                evaluate(part.energy, of.q_one, of.eval);
                segment(work.f_int, d) = scale * of.eval.force;
                square(work.K, d) = scale * of.eval.stiffness;
                of.energy[column] = of.eval.energy;
            }
        }
    }
}

void evaluate_elastic_of(const DomainTree& tree, const std::vector<DomainState>& domains, const VectorXd& q,
                         std::size_t domain, TreeWork& work) {
    const TreeDomain& d = tree.domains[domain];
    TreeWork::PartWork& of = work.parts[std::size_t(d.part)];
    const double scale = energy_scale(d, domains[domain]);
    of.q_one = segment(q, d);
    evaluate(tree.parts[std::size_t(d.part)].energy, of.q_one, of.eval);
    segment(work.f_int, d) = scale * of.eval.force;
    square(work.K, d) = scale * of.eval.stiffness;
}

void evaluate_tree(const DomainTree& tree, const std::vector<DomainState>& domains, const RootMotion& root,
                   const VectorXd& q, const VectorXd& v, const std::vector<DomainForce>& forces,
                   TreeWork& work) {
    evaluate_elastic(tree, domains, q, work);
    evaluate_loads(tree, domains, root, q, v, forces, work);
}

void evaluate_loads(const DomainTree& tree, const std::vector<DomainState>& domains, const RootMotion& root,
                    const VectorXd& q, const VectorXd& v, const std::vector<DomainForce>& forces,
                    TreeWork& work) {
    work.f_q.setZero();
    // From domain to domain with all that it needs: large trees do not fit into caches.
    for (std::size_t j = 0; j < tree.size(); ++j) {
        evaluate_domain(tree, domains, root, q, v, j, work);
        if (!work.air.empty()) add_drag(tree, j, v, work);
    }
    for (const DomainForce& force : forces) {
        const TreeDomain& d = tree.domains[std::size_t(force.domain)];
        DomainNode& node = work.nodes[std::size_t(force.domain)];
        const Vector3d f = node.R.transpose() * force.force;
        Vector3d x = d.scale * force.point;
        if (force.rows) {
            const Eigen::Map<const Eigen::Matrix3Xd, 0, Eigen::OuterStride<>> U(
                force.rows, 3, d.rank, Eigen::OuterStride<>(force.stride));
            x += d.scale * U.lazyProduct(segment(q, d));
            segment(work.f_q, d) += d.scale * U.transpose().lazyProduct(f);
        }
        node.f_nu.head<3>() += f;
        node.f_nu.tail<3>() += x.cross(f);
        node.subtree_force += f;
    }
    sum_subtrees(tree, work);
}

void tree_residual(const DomainTree& tree, const std::vector<DomainState>& domains, Coupling coupling,
                   const TreeDamping& damping, const VectorXd& v, const VectorXd& a,
                   const Vector6d& root_acceleration, TreeWork& work) {
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const TreeDomain& d = tree.domains[i];
        DomainNode& node = work.nodes[i];
        if (d.parent < 0) {
            node.A = root_acceleration;
        } else {
            const TreeDomain& up = tree.domains[std::size_t(d.parent)];
            const DomainNode& parent = work.nodes[std::size_t(d.parent)];
            node.A =
                to_child(node.link, parent.A, link_sum(link_rows(work.phi, d, up), segment(a, up).data()));
            node.A += node.gamma;
        }
        if (!work.air.empty()) {
            Vector6d moved = node.A;  // without gravity
            moved.head<3>() += node.R.transpose() * work.air_gravity;
            add_drag_by_acceleration(tree, i, work.air_lead, moved, a, work);
        }
        node.F = node.inertia.I * node.A + node.inertia.b_nu - node.f_nu;  // (14)
        if (d.rank == 0) continue;
        node.F += columns(work.S, d).lazyProduct(segment(a, d));
        const double mass = mass_scale(d, domains[i]);
        // M q̈ + αM q̇ + βK₁ q̇: one product each.
        const PartCoefficients& part = tree.parts[std::size_t(d.part)];
        auto r = segment(work.residual, d);
        auto y = segment(work.y, d);
        auto product = work.one_out.head(d.rank);
        y = segment(a, d) + damping.alpha * segment(v, d);
        set_product(part.mass.data(), d.rank, d.rank, d.rank, y.data(), product.data());
        r = mass * product;
        if (damping.beta != 0) {
            set_product(part.energy.linear.data(), d.rank, d.rank, d.rank, v.data() + d.first,
                        product.data());
            r += damping.beta * energy_scale(d, domains[i]) * product;
        }
        r += columns(work.S, d).transpose().lazyProduct(node.A);
        r += segment(work.b_q, d) + segment(work.f_int, d) - segment(work.f_q, d);  // (15)
    }
    for (std::size_t j = tree.size(); j-- > 0;) {
        const TreeDomain& d = tree.domains[j];
        if (!domains[j].moves()) segment(work.residual, d).setZero();
        if (d.parent < 0) continue;
        const TreeDomain& up = tree.domains[std::size_t(d.parent)];
        const LinkMotion& link = work.nodes[j].link;
        const Vector6d F = in_parent(link, felt_force(coupling, work.nodes[j]));
        work.nodes[std::size_t(d.parent)].F += at_parent(link, F);
        add_link_force(link_rows(work.phi, d, up), F, segment(work.residual, up).data());
    }
}

bool factorize_tree(const DomainTree& tree, const std::vector<DomainState>& domains, Coupling coupling,
                    const TreeDamping& damping, const TreeWeights& weights, TreeWork& work) {
    for (std::size_t j = tree.size(); j-- > 0;) {
        const TreeDomain& d = tree.domains[j];
        DomainNode& node = work.nodes[j];
        if (d.leaf) begin_factors(tree, domains, damping, weights, j, work);
        if (d.last_child) begin_factors(tree, domains, damping, weights, std::size_t(d.parent), work);
        if (d.rank > 0 && domains[j].moves()) {
            auto H = square(work.H, d);
            SquareMap kept(work.one_square.data(), d.rank, d.rank);
            kept = H;
            if (!factorize_in_place(H)) {
                H = kept;
                kept = square(work.K, d);
                SquareMap axes(work.one_axes.data(), d.rank, d.rank);
                add_lift(weights.stiffness, kept, axes, H);  // (33)
                if (!factorize_in_place(H)) return false;
            }
            auto W = columns(work.W, d);
            W = columns(work.S_hat, d);
            eliminate(H, W, node.I_A);
        }
        if (d.parent < 0) continue;
        const TreeDomain& up = tree.domains[std::size_t(d.parent)];
        DomainNode& parent = work.nodes[std::size_t(d.parent)];
        const Matrix6d I =
            turned_inertia(node.link.R, coupling == Coupling::Exact
                                            ? node.I_A
                                            : point_mass(node.subtree_mass, lumped_at(coupling, node)));
        parent.I_A += shifted_inertia(node.link.x, I);  // (17)
        if (up.rank == 0 || !domains[std::size_t(d.parent)].moves()) continue;
        add_child(I, node.link.x, link_rows(work.phi, d, up), columns(work.S_hat, up), square(work.H, up));
    }
    return true;
}

bool solve_tree(const DomainTree& tree, const std::vector<DomainState>& domains, Coupling coupling,
                RootMount mount, TreeWork& work) {
    work.y = work.residual;
    for (std::size_t j = tree.size(); j-- > 0;) {
        const TreeDomain& d = tree.domains[j];
        DomainNode& node = work.nodes[j];
        if (d.leaf) node.p.setZero();
        if (d.last_child) work.nodes[std::size_t(d.parent)].p.setZero();
        if (d.rank > 0 && domains[j].moves()) {
            auto y = segment(work.y, d);
            solve_lower(square(work.H, d), y.data());
            node.p -= columns(work.W, d).lazyProduct(y);
        }
        if (d.parent < 0 || coupling != Coupling::Exact) continue;
        const TreeDomain& up = tree.domains[std::size_t(d.parent)];
        const Vector6d p = in_parent(node.link, node.p);
        work.nodes[std::size_t(d.parent)].p += at_parent(node.link, p);
        add_link_force(link_rows(work.phi, d, up), p, segment(work.y, up).data());
    }
    work.nodes[0].dA.setZero();
    if (mount == RootMount::Free) {
        const Eigen::LLT<Matrix6d> inertia(work.nodes[0].I_A);
        if (inertia.info() != Eigen::Success) return false;
        work.nodes[0].dA = -inertia.solve(work.nodes[0].F + work.nodes[0].p);  // (19)
    }
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const TreeDomain& d = tree.domains[i];
        DomainNode& node = work.nodes[i];
        if (d.parent >= 0) {
            const TreeDomain& up = tree.domains[std::size_t(d.parent)];
            node.dA = to_child(node.link, work.nodes[std::size_t(d.parent)].dA,
                               link_sum(link_rows(work.phi, d, up), segment(work.correction, up).data()));
        }
        if (d.rank == 0) continue;
        auto delta = segment(work.correction, d);
        if (!domains[i].moves()) {
            delta.setZero();
            continue;
        }
        delta = -segment(work.y, d);
        delta -= columns(work.W, d).transpose().lazyProduct(node.dA);
        node.curvature = delta.squaredNorm();
        solve_upper(square(work.H, d), delta.data());  // (20)
        node.force_along = delta.dot(segment(work.f_int, d));
    }
    return work.correction.allFinite() && work.nodes[0].dA.allFinite();
}

}  // namespace limber
