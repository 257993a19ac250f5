// SPDX-License-Identifier: Apache-2.0
// Equation numbers are those of docs/math/modes.md.
#include "build/fem/block_lanczos.h"

#include <Eigen/Eigenvalues>
#include <random>

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
    Search(const Pencil& pencil, const Eigen::MatrixXd& deflated, Eigen::Index block, std::mt19937& random)
        : pencil_(pencil),
          deflated_(deflated),
          mass_deflated_(times_mass(deflated)),
          random_(random),
          Q_(pencil.size, 0),
          MQ_(pencil.size, 0) {
        Eigen::MatrixXd start = random_block(pencil.size, block, random);
        take_out(deflated_, mass_deflated_, start);
        append(std::move(start));
    }

    // Widens the basis by one block and solves the small problem again.                                 (3)
    void grow() {
        const Eigen::Index b = R_.cols(), m = size_;
        Eigen::MatrixXd W = pencil_.solve(MQ_.middleCols(m - b, b));
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
    Eigen::MatrixXd times_mass(const Eigen::MatrixXd& X) const { return pencil_.times_mass(X); }

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

    const Pencil& pencil_;
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
    both << left, right;
    return both;
}

}  // namespace

EigenPairs lowest_eigenpairs(const SparseCholesky& factor, const SparseMatrix& mass,
                             const Eigen::MatrixXd& deflated, Eigen::Index count,
                             const LanczosOptions& options) {
    const Pencil pencil{mass.cols(),
                        [&](const Eigen::MatrixXd& B) -> Eigen::MatrixXd { return factor.solve(B); },
                        [&](const Eigen::MatrixXd& X) -> Eigen::MatrixXd {
                            return mass.selfadjointView<Eigen::Lower>() * X;
                        }};
    return lowest_eigenpairs(pencil, deflated, count, options);
}

EigenPairs lowest_eigenpairs(const Pencil& pencil, const Eigen::MatrixXd& deflated, Eigen::Index count,
                             const LanczosOptions& options) {
    const Eigen::Index room = pencil.size - deflated.cols();
    const Eigen::Index most = std::min(room - options.block, 10 * count + 20 * options.block);
    std::mt19937 random(1);
    EigenPairs found;
    Eigen::VectorXd theta;
    const auto is_good = [&](const Search& search, Eigen::Index i) {
        return search.errors()[i] <= options.tolerance * search.theta()[i];
    };

    // Grow one basis until the wanted values stand.
    {
        Search search(pencil, deflated, options.block, random);
        Eigen::Index good = 0;
        do {
            search.grow();
            for (good = 0; good < std::min(count, search.theta().size()) && is_good(search, good);)
                ++good;
            tell(options.progress, "eigenvectors", static_cast<double>(good) / static_cast<double>(count));
        } while (good < count && search.theta().size() + options.block <= most);
        found.converged = good == count;
        theta = search.theta().head(count);
        found.vectors = search.vectors(count);
    }

    // A value that repeats more often than the block is wide may lack copies. A second search beside all that
    // was found would meet them first; it stops as soon as it is clear that there are none.
    while (found.converged) {
        const Eigen::MatrixXd known = beside(deflated, found.vectors);
        if (room - found.vectors.cols() <= 2 * options.block) break;
        Search search(pencil, known, options.block, random);
        const double least = theta[count - 1] * (1 + 1e-6);
        do {
            search.grow();
        } while (search.theta()[0] > least ? !is_good(search, 0)
                                           : search.errors()[0] > 1e-2 * search.theta()[0] &&
                                                 search.theta()[0] + search.errors()[0] > least);
        Eigen::Index missed = 0;
        while (missed < search.theta().size() && search.theta()[missed] > least && is_good(search, missed))
            ++missed;
        if (missed == 0) break;
        Eigen::VectorXd all(count + missed);
        all << theta, search.theta().head(missed);
        const Eigen::MatrixXd vectors = beside(found.vectors, search.vectors(missed));
        std::vector<Eigen::Index> order(static_cast<std::size_t>(all.size()));
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = static_cast<Eigen::Index>(i);
        std::stable_sort(order.begin(), order.end(),
                         [&](Eigen::Index a, Eigen::Index b) { return all[a] > all[b]; });
        for (Eigen::Index i = 0; i < count; ++i) {
            theta[i] = all[order[static_cast<std::size_t>(i)]];
            found.vectors.col(i) = vectors.col(order[static_cast<std::size_t>(i)]);
        }
    }
    found.values = options.shift + theta.cwiseInverse().array();  // (2)
    return found;
}

}  // namespace limber::build
