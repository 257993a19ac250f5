// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/domains.md.
#include "build/domains/tree_frequencies.h"

#include "build/fem/block_lanczos.h"

#include <limber/domains/tree_dynamics.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace limber::build {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Up to so many coordinates all eigenvalues are computed: below a second.
constexpr Index kDense = 600;

// M and K of the tree at rest. Columns are coordinates, then the six of a free root.
class TreeAtRest {
 public:
    TreeAtRest(const DomainTree& tree, bool free_root)
        : tree_(tree),
          mount_(free_root ? RootMount::Free : RootMount::Carried),
          domains_(tree.size()),
          work_(tree),
          zero_(VectorXd::Zero(tree.coordinates)),
          a_(zero_) {
        evaluate_tree(tree_, domains_, {}, zero_, zero_, {}, work_);
    }

    Index size() const { return tree_.coordinates + rigid(); }
    Index rigid() const { return mount_ == RootMount::Free ? 6 : 0; }

    // The residual of accelerations at rest.                                                     (14), (15)
    MatrixXd times_mass(const MatrixXd& X) {
        MatrixXd out(X.rows(), X.cols());
        for (Index k = 0; k < X.cols(); ++k) {
            a_ = X.col(k).head(tree_.coordinates);
            Vector6d root = Vector6d::Zero();
            if (rigid() > 0) root = X.col(k).tail<6>();
            tree_residual(tree_, domains_, Coupling::Exact, {}, zero_, a_, root, work_);
            out.col(k).head(tree_.coordinates) = work_.residual;
            if (rigid() > 0) out.col(k).tail<6>() = work_.nodes[0].F;
        }
        return out;
    }

    // M + weight K. False: it is not positive definite.
    bool factorize(double weight) {
        return factorize_tree(tree_, domains_, Coupling::Exact, {}, {.damping = 0, .stiffness = weight},
                              work_);
    }
    MatrixXd solve(const MatrixXd& B) {
        MatrixXd out(B.rows(), B.cols());
        for (Index k = 0; k < B.cols(); ++k) {
            work_.residual = B.col(k).head(tree_.coordinates);
            if (rigid() > 0) work_.nodes[0].F = B.col(k).tail<6>();
            solve_tree(tree_, domains_, Coupling::Exact, mount_, work_);
            out.col(k).head(tree_.coordinates) = -work_.correction;
            if (rigid() > 0) out.col(k).tail<6>() = -work_.nodes[0].dA;
        }
        return out;
    }

    MatrixXd stiffness() const {
        MatrixXd K = MatrixXd::Zero(size(), size());
        for (const TreeDomain& d : tree_.domains)
            K.block(d.first, d.first, d.rank, d.rank) = own_stiffness(d);
        return K;
    }
    // Of the softest domain by itself: the tree's lowest is below.
    double softest() const {
        std::vector<double> of_part(tree_.parts.size(), INFINITY);
        double least = INFINITY;
        for (const TreeDomain& d : tree_.domains) {
            double& lambda = of_part[std::size_t(d.part)];
            const double s = d.scale;
            if (d.rank > 0 && std::isinf(lambda)) {
                const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen(
                    own_stiffness(d) / (s * s * s), tree_.parts[std::size_t(d.part)].mass,
                    Eigen::EigenvaluesOnly);
                lambda = eigen.eigenvalues()[0];
            }
            least = std::min(least, lambda / (s * s));
        }
        return least;
    }

 private:
    Eigen::Map<const MatrixXd> own_stiffness(const TreeDomain& d) const {
        return {work_.K.data() + d.first_square, d.rank, d.rank};
    }

    const DomainTree& tree_;
    RootMount mount_;
    std::vector<DomainState> domains_;
    TreeWork work_;
    VectorXd zero_, a_;
};

// Motions of the root with q = 0, M-orthonormal.
MatrixXd rigid_motions(TreeAtRest& tree) {
    MatrixXd out = MatrixXd::Zero(tree.size(), tree.rigid());
    if (tree.rigid() == 0) return out;
    out.bottomRows<6>().setIdentity();
    const MatrixXd gram = out.transpose() * tree.times_mass(out);
    return gram.llt().matrixU().solve<Eigen::OnTheRight>(out);
}

VectorXd dense_eigenvalues(TreeAtRest& tree) {
    MatrixXd M = tree.times_mass(MatrixXd::Identity(tree.size(), tree.size()));
    M = (0.5 * (M + M.transpose())).eval();
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen(tree.stiffness(), M,
                                                                   Eigen::EigenvaluesOnly);
    if (eigen.info() != Eigen::Success) return {};
    return eigen.eigenvalues().tail(tree.size() - tree.rigid());
}

// An upper bound of the lowest eigenvalue, near it: inverse iteration.
std::optional<double> lowest_bound(TreeAtRest& tree, const MatrixXd& rigid) {
    constexpr double kFar = 1e8;  // times below the softest domain: a chain of 100 is
    const double weight = kFar / tree.softest();
    if (!std::isfinite(weight) || !tree.factorize(weight)) return std::nullopt;
    const MatrixXd mass_rigid = rigid.cols() > 0 ? tree.times_mass(rigid) : rigid;
    MatrixXd x = MatrixXd::Ones(tree.size(), 1);
    double lambda = 0;
    for (int k = 0; k < 6; ++k) {
        x -= rigid * (mass_rigid.transpose() * x);
        const MatrixXd Mx = tree.times_mass(x);
        const double norm = std::sqrt(x.col(0).dot(Mx.col(0)));
        x = tree.solve(Mx / norm);
        lambda = std::max(1 / (x.col(0).dot(Mx.col(0)) / norm) - 1, 1e-6) / weight;
    }
    return lambda;
}

}  // namespace

VectorXd tree_frequencies_hz(const DomainTree& tree, bool free_root, Index count, const Progress& progress) {
    TreeAtRest at_rest(tree, free_root);
    const Index elastic = at_rest.size() - at_rest.rigid();
    count = std::min(count, elastic);
    if (count <= 0) return {};
    VectorXd eigenvalues;
    if (at_rest.size() <= kDense) {
        eigenvalues = dense_eigenvalues(at_rest).head(count);
    } else {
        const MatrixXd rigid = rigid_motions(at_rest);
        const auto bound = lowest_bound(at_rest, rigid);
        // K − σM = (M + wK)/w with σ = −1/w, a hundredth of the lowest eigenvalue below zero.
        if (!bound) return {};
        const double weight = 100 / *bound;
        if (!at_rest.factorize(weight)) return {};
        const Pencil pencil{at_rest.size(),
                            [&](const MatrixXd& B) -> MatrixXd { return weight * at_rest.solve(B); },
                            [&](const MatrixXd& X) { return at_rest.times_mass(X); }};
        const EigenPairs found = lowest_eigenpairs(
            pencil, rigid, count, {.shift = -1 / weight, .tolerance = 1e-8, .progress = progress});
        if (!found.converged) return {};
        eigenvalues = found.values;
    }
    return eigenvalues.cwiseMax(0).cwiseSqrt() / (2 * std::numbers::pi);
}

}  // namespace limber::build
