// SPDX-License-Identifier: Apache-2.0
// The matrix of a tree as a few of its domains see it: what impulses on them do to their velocities. It costs
// as much as the ways from these domains to the root are long, whatever the size of the tree.
// docs/math/domains.md, section 10.
#pragma once
#include <limber/domains/tree_dynamics.h>

#include <Eigen/Core>
#include <span>
#include <vector>

namespace limber {

// Velocities y = (v, ω, q̇) of each touched domain, one after another: the twist of its frame in its axes and
// the rates of its coordinates, 6 + r entries; and forces on them, f, in the same places.
class TreePaths {
 public:
    // Copies what it needs of a tree after factorize_tree() with Coupling::Exact. touched: ascending. Takes
    // memory only for longer ways than ever before.
    void copy(const DomainTree& tree, const std::vector<DomainState>& domains, RootMount mount,
              const TreeWork& work, std::span<const int> touched);

    Eigen::Index size() const { return size_; }                                // of y
    Eigen::Index first(std::size_t touched) const { return first_[touched]; }  // of a domain's entries in y

    // y of a twist of the root and rates of all coordinates: y = B (A₀, q̇).
    void velocities(const Vector6d& root, const Eigen::VectorXd& v, Eigen::Ref<Eigen::VectorXd> y) const;
    // Bᵀf: on all coordinates, and (force, moment) on the root's frame in its axes.
    void generalize(const Eigen::Ref<const Eigen::VectorXd>& f, Eigen::VectorXd& on_q,
                    Vector6d& on_root) const;
    // y = B (matrix of the tree)⁻¹ Bᵀ f. False: the root's inertia is singular.                       (29)
    bool respond(const Eigen::Ref<const Eigen::VectorXd>& f, Eigen::Ref<Eigen::VectorXd> y);

 private:
    struct Node {
        int up = -1;  // place of the parent; -1: the root
        int rank = 0, up_rank = 0;
        bool moves = true;                  // false: frozen, or rigid
        Eigen::Index q = 0;                 // of its coordinates in the tree
        Eigen::Index at = 0;                // in scratch
        Eigen::Index y = -1;                // first entry in y; -1: it is not touched
        std::size_t phi = 0, H = 0, W = 0;  // in numbers_
        Matrix6d T;
        Vector6d F, p, dA;
    };
    Eigen::Map<const Matrix6Xd> phi_of(const Node& n) const {
        return {numbers_.data() + n.phi, 6, n.up_rank};
    }
    Eigen::Map<const Matrix6Xd> W_of(const Node& n) const { return {numbers_.data() + n.W, 6, n.rank}; }
    Eigen::Map<const Eigen::MatrixXd> H_of(const Node& n) const {
        return {numbers_.data() + n.H, n.rank, n.rank};
    }
    Eigen::Map<Eigen::VectorXd> part(std::vector<double>& x, const Node& n) const {
        return {x.data() + n.at, n.rank};
    }
    void gather(const Eigen::Ref<const Eigen::VectorXd>& f) const;  // Bᵀf in force_ and F

    std::vector<int> marks_, place_;
    mutable std::vector<Node> nodes_;  // parents before children
    std::vector<Eigen::Index> first_;
    std::vector<double> numbers_;
    mutable std::vector<double> force_;  // Bᵀf
    std::vector<double> rate_;
    Matrix6d root_inertia_;
    Eigen::Index size_ = 0;
    RootMount mount_ = RootMount::Carried;
};

}  // namespace limber
