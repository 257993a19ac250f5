// SPDX-License-Identifier: Apache-2.0
// Equation numbers are those of docs/math/modes.md.
#include "build/fem/block_lanczos.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace limber::build {
namespace {

using Columns = Eigen::Ref<const Eigen::MatrixXd>;

Eigen::MatrixXd random_block(Eigen::Index rows, Eigen::Index columns, std::mt19937& random) {
    Eigen::MatrixXd block(rows, columns);
    for (double& entry : block.reshaped())
        entry = 2.0 * random() / std::mt19937::max() - 1.0;
    return block;
}

// Takes the components along the columns of Q out of W, twice: once leaves rounding of the size of what was
// taken. Returns what was taken, Qᵀ M W.
Eigen::MatrixXd take_out(const Columns& Q, const Columns& MQ, Eigen::MatrixXd& W) {
    const Eigen::MatrixXd first = MQ.transpose() * W;
    W -= Q * first;
    const Eigen::MatrixXd second = MQ.transpose() * W;
    W -= Q * second;
    return first + second;
}

// One search: the largest theta of A = (K - sigma M)^-1 M beside the deflated subspace.                 (2)
class Search {
 public:
    Search(const SparseCholesky& factor, const SparseMatrix& mass, const Eigen::MatrixXd& deflated,
           Eigen::Index block, std::mt19937& random)
        : factor_(factor),
          mass_(mass),
          deflated_(deflated),
          mass_deflated_(times_mass(deflated)),
          random_(random),
          Q_(mass.cols(), 0),
          MQ_(mass.cols(), 0) {
        Eigen::MatrixXd start = random_block(mass.cols(), block, random);
        take_out(deflated_, mass_deflated_, start);
        append(std::move(start));
    }

    // Widens the basis by one block and solves the small problem again.                                 (3)
    void grow() {
        const Eigen::Index b = R_.cols(), m = size_;
        Eigen::MatrixXd W = factor_.solve(MQ_.middleCols(m - b, b));
        take_out(deflated_, mass_deflated_, W);
        T_.conservativeResize(m, m);
        T_.rightCols(b) = take_out(Q_.leftCols(m), MQ_.leftCols(m), W);
        if (m > b) T_.bottomLeftCorner(b, m - b) = T_.topRightCorner(m - b, b).transpose();
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(T_);  // reads the lower triangle
        theta_ = eigen.eigenvalues().reverse();
        S_ = eigen.eigenvectors().rowwise().reverse();
        append(std::move(W));
        errors_ = (R_ * S_.bottomRows(b)).colwise().norm();
    }

    const Eigen::VectorXd& theta() const { return theta_; }    // descending
    const Eigen::VectorXd& errors() const { return errors_; }  // |A x - theta x| in the mass norm        (4)
    Eigen::MatrixXd vectors(Eigen::Index count) const { return Q_.leftCols(S_.rows()) * S_.leftCols(count); }

 private:
    Eigen::MatrixXd times_mass(const Columns& X) const { return mass_.selfadjointView<Eigen::Lower>() * X; }

    // W = N R with M-orthonormal N, by Gram and Schmidt; the basis grows by N. Where a column vanishes, the
    // basis holds all that this start can reach: a random column takes its place.
    void append(Eigen::MatrixXd W) {
        const Eigen::Index b = W.cols();
        Eigen::MatrixXd MW = times_mass(W);
        R_.setZero(b, b);
        for (Eigen::Index j = 0; j < b; ++j) {
            const double before = std::sqrt(W.col(j).dot(MW.col(j)));
            const auto orthonormalize = [&](bool into_R) {
                for (int pass = 0; pass < 2; ++pass) {
                    const Eigen::VectorXd taken = MW.leftCols(j).transpose() * W.col(j);
                    W.col(j) -= W.leftCols(j) * taken;
                    MW.col(j) -= MW.leftCols(j) * taken;
                    if (into_R) R_.col(j).head(j) += taken;
                }
                const double norm = std::sqrt(std::max(0.0, W.col(j).dot(MW.col(j))));
                if (norm <= 1e-12 * before) return false;
                if (into_R) R_(j, j) = norm;
                W.col(j) /= norm;
                MW.col(j) /= norm;
                return true;
            };
            if (orthonormalize(true)) continue;
            Eigen::MatrixXd w = random_block(W.rows(), 1, random_);
            take_out(deflated_, mass_deflated_, w);
            take_out(Q_.leftCols(size_), MQ_.leftCols(size_), w);
            W.col(j) = w;
            MW.col(j) = times_mass(w);
            orthonormalize(false);
        }
        // Small columns of W bring rounding with them that normalising made large.
        MW -= mass_deflated_ * take_out(deflated_, mass_deflated_, W);
        MW -= MQ_.leftCols(size_) * take_out(Q_.leftCols(size_), MQ_.leftCols(size_), W);
        if (size_ + b > Q_.cols()) {
            Q_.conservativeResize(Eigen::NoChange, 2 * (size_ + b));
            MQ_.conservativeResize(Eigen::NoChange, 2 * (size_ + b));
        }
        Q_.middleCols(size_, b) = W;
        MQ_.middleCols(size_, b) = MW;
        size_ += b;
    }

    const SparseCholesky& factor_;
    const SparseMatrix& mass_;
    const Eigen::MatrixXd& deflated_;
    const Eigen::MatrixXd mass_deflated_;
    std::mt19937& random_;
    Eigen::MatrixXd Q_, MQ_;  // n x size_ in use: the basis, M-orthonormal, and M times it
    Eigen::Index size_ = 0;
    Eigen::MatrixXd T_;      // QᵀM A Q
    Eigen::MatrixXd S_, R_;  // eigenvectors of T; the last block's triangle
    Eigen::VectorXd theta_, errors_;
};

Eigen::MatrixXd beside(const Eigen::MatrixXd& left, const Eigen::MatrixXd& right) {
    Eigen::MatrixXd both(left.rows(), left.cols() + right.cols());
    both.leftCols(left.cols()) = left;
    both.rightCols(right.cols()) = right;
    return both;
}

// The pairs with the largest theta, descending.
struct Found {
    Eigen::VectorXd theta;
    Eigen::MatrixXd vectors;
};

// As many as `found` has, of those and the first `more` of the search.
Found best_of(const Found& found, const Search& search, Eigen::Index more) {
    const Eigen::Index count = found.theta.size();
    Eigen::VectorXd theta(count + more);
    theta << found.theta, search.theta().head(more);
    const Eigen::MatrixXd vectors = beside(found.vectors, search.vectors(more));
    std::vector<Eigen::Index> order(static_cast<std::size_t>(theta.size()));
    std::iota(order.begin(), order.end(), Eigen::Index(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](Eigen::Index a, Eigen::Index b) { return theta[a] > theta[b]; });
    order.resize(static_cast<std::size_t>(count));
    return {theta(order), vectors(Eigen::all, order)};
}

}  // namespace

EigenPairs lowest_eigenpairs(const SparseCholesky& factor, const SparseMatrix& mass,
                             const Eigen::MatrixXd& deflated, Eigen::Index count,
                             const LanczosOptions& options) {
    const Eigen::Index room = mass.cols() - deflated.cols();
    const Eigen::Index widest = std::min(room, 10 * count + 20 * options.block) - options.block;
    std::mt19937 random(1);
    // How many of the first `most` values of a search stand.
    const auto count_good = [&](const Search& search, Eigen::Index most) {
        Eigen::Index good = 0;
        while (good < std::min(most, search.theta().size()) &&
               search.errors()[good] <= options.tolerance * search.theta()[good])
            ++good;
        return good;
    };

    // Grow one basis until the wanted values stand.
    Found found;
    bool converged = false;
    {
        Search search(factor, mass, deflated, options.block, random);
        do {
            search.grow();
            const Eigen::Index good = count_good(search, count);
            converged = good == count;
            tell(options.progress, "eigenvectors", static_cast<double>(good) / static_cast<double>(count));
        } while (!converged && search.theta().size() + options.block <= widest);
        const Eigen::Index have = std::min(count, search.theta().size());
        found = {search.theta().head(have), search.vectors(have)};
    }

    // A value that repeats more often than the block is wide may lack copies. A second search beside all that
    // was found meets them first; most often it soon shows that nothing above the least value is left.
    for (bool complete = !converged; !complete;) {
        const Eigen::MatrixXd known = beside(deflated, found.vectors);
        Search search(factor, mass, known, options.block, random);
        const double least = found.theta[count - 1] * (1 + 1e-6);
        Eigen::Index missed = 0;
        for (bool decided = false; !decided && search.theta().size() + 2 * options.block <= room - count;) {
            search.grow();
            const double theta = search.theta()[0], error = search.errors()[0];
            if (theta > least) {
                missed = count_good(search, (search.theta().array() > least).count());
                decided = missed > 0;
            } else {
                decided = error <= 1e-2 * theta || theta + error < least;
            }
        }
        complete = missed == 0;
        if (!complete) found = best_of(found, search, missed);
    }
    return {options.shift + found.theta.cwiseInverse().array(), found.vectors, converged};  // (2)
}

}  // namespace limber::build
