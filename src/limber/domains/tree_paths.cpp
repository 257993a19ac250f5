// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/domains.md.
#include "limber/domains/tree_paths.h"

#include "limber/domains/tree_views.h"

#include <Eigen/Cholesky>
#include <algorithm>

namespace limber {

using Eigen::Index;
using Eigen::VectorXd;

void TreePaths::copy(const DomainTree& tree, const std::vector<DomainState>& domains, RootMount mount,
                     const TreeWork& work, std::span<const int> touched) {
    mount_ = mount;
    place_.resize(tree.size(), -1);
    marks_.clear();
    for (const int domain : touched)
        for (int i = domain; i >= 0 && place_[std::size_t(i)] < 0; i = tree.domains[std::size_t(i)].parent) {
            place_[std::size_t(i)] = 0;
            marks_.push_back(i);
        }
    std::sort(marks_.begin(), marks_.end());
    nodes_.clear();
    numbers_.clear();
    const auto keep = [&](const double* from, Index count) {
        const std::size_t at = numbers_.size();
        numbers_.insert(numbers_.end(), from, from + count);
        return at;
    };
    Index scratch = 0;
    for (const int i : marks_) {
        const TreeDomain& d = tree.domains[std::size_t(i)];
        place_[std::size_t(i)] = int(nodes_.size());
        Node& n = nodes_.emplace_back();
        n.rank = d.rank;
        n.moves = d.rank > 0 && domains[std::size_t(i)].moves();
        n.q = d.first;
        n.at = scratch;
        scratch += d.rank;
        if (d.parent >= 0) {
            n.up = place_[std::size_t(d.parent)];
            n.up_rank = tree.domains[std::size_t(d.parent)].rank;
            const LinkMotion& link = work.nodes[std::size_t(i)].link;
            n.T = twist_map(link);
            const TreeDomain& up = tree.domains[std::size_t(d.parent)];
            const LinkRows rows = link_rows(work.phi, d, up);
            n.phi = numbers_.size();
            for (Index l = 0; l < up.rank; ++l) {
                const Vector6d column = turned(link.R.transpose(), rows.row(l).transpose());
                keep(column.data(), 6);
            }
        }
        n.H = keep(work.H.data() + d.first_square, Index(d.rank) * d.rank);
        n.W = keep(work.W.data() + 6 * d.first, 6 * Index(d.rank));
    }
    root_inertia_ = work.nodes[0].I_A;
    first_.clear();
    size_ = 0;
    for (const int domain : touched) {
        Node& n = nodes_[std::size_t(place_[std::size_t(domain)])];
        n.y = size_;
        first_.push_back(size_);
        size_ += 6 + n.rank;
    }
    for (const int i : marks_)
        place_[std::size_t(i)] = -1;
    force_.assign(std::size_t(scratch), 0);
    rate_.assign(std::size_t(scratch), 0);
}

void TreePaths::velocities(const Vector6d& root, const VectorXd& v, Eigen::Ref<VectorXd> y) const {
    for (Node& n : nodes_) {
        if (n.up < 0) {
            n.dA = root;
        } else {
            const Node& up = nodes_[std::size_t(n.up)];
            n.dA = n.T * up.dA;
            n.dA += phi_of(n).lazyProduct(v.segment(up.q, up.rank));
        }
        if (n.y < 0) continue;
        y.segment<6>(n.y) = n.dA;
        y.segment(n.y + 6, n.rank) = v.segment(n.q, n.rank);
    }
}

void TreePaths::gather(const Eigen::Ref<const VectorXd>& f) const {
    std::fill(force_.begin(), force_.end(), 0.0);
    for (Node& n : nodes_) {
        n.F.setZero();
        if (n.y < 0) continue;
        n.F = f.segment<6>(n.y);
        part(force_, n) = f.segment(n.y + 6, n.rank);
    }
    for (std::size_t i = nodes_.size(); i-- > 1;) {
        const Node& n = nodes_[i];
        Node& up = nodes_[std::size_t(n.up)];
        up.F += n.T.transpose() * n.F;
        part(force_, up) += phi_of(n).transpose().lazyProduct(n.F);
    }
}

void TreePaths::generalize(const Eigen::Ref<const VectorXd>& f, VectorXd& on_q, Vector6d& on_root) const {
    on_q.setZero();
    on_root.setZero();
    if (nodes_.empty()) return;
    gather(f);
    for (const Node& n : nodes_)
        on_q.segment(n.q, n.rank) = part(force_, n);
    on_root = nodes_[0].F;
}

// (19), (20) with the residual −Bᵀf, which is zero beside the ways.
bool TreePaths::respond(const Eigen::Ref<const VectorXd>& f, Eigen::Ref<VectorXd> y) {
    gather(f);
    for (Node& n : nodes_) {
        n.p.setZero();
        part(rate_, n) = -part(force_, n);
    }
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        Node& n = nodes_[i];
        if (n.moves) {
            auto z = part(rate_, n);
            H_of(n).triangularView<Eigen::Lower>().solveInPlace(z);
            n.p -= W_of(n).lazyProduct(z);
        }
        if (n.up < 0) continue;
        Node& up = nodes_[std::size_t(n.up)];
        up.p += n.T.transpose() * n.p;
        part(rate_, up) += phi_of(n).transpose().lazyProduct(n.p);
    }
    for (Node& n : nodes_) {
        if (n.up >= 0) {
            const Node& up = nodes_[std::size_t(n.up)];
            n.dA = n.T * up.dA;
            n.dA += phi_of(n).lazyProduct(part(rate_, up));
        } else if (mount_ == RootMount::Free) {
            const Eigen::LLT<Matrix6d> inertia(root_inertia_);
            if (inertia.info() != Eigen::Success) return false;
            n.dA = inertia.solve(n.F - n.p);
        } else {
            n.dA.setZero();
        }
        auto rate = part(rate_, n);
        if (n.moves) {
            rate = -rate;
            rate -= W_of(n).transpose().lazyProduct(n.dA);
            H_of(n).transpose().triangularView<Eigen::Upper>().solveInPlace(rate);
        } else {
            rate.setZero();
        }
        if (n.y < 0) continue;
        y.segment<6>(n.y) = n.dA;
        y.segment(n.y + 6, n.rank) = rate;
    }
    return true;
}

}  // namespace limber
