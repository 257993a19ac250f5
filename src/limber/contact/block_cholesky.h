// SPDX-License-Identifier: Apache-2.0
// Cholesky factors of a symmetric matrix of dense blocks: one row of blocks for each body of an island, one
// block for each pair that touches. Blocks are eliminated in the order of least degree.
#pragma once
#include <Eigen/Core>
#include <utility>
#include <vector>

namespace limber {

class BlockCholesky {
 public:
    // Sizes of the diagonal blocks, and the pairs (i, j), i != j, whose block is not zero; a pair may come
    // twice. Takes memory only for more blocks, or larger ones, than ever before.
    void analyze(const std::vector<int>& sizes, const std::vector<std::pair<int, int>>& pairs);

    Eigen::Index size() const { return size_; }
    Eigen::Index offset(int body) const { return offsets_[std::size_t(body)]; }

    void set_zero();
    // H_bb += x, of which the lower half is read by factorize().
    Eigen::Map<Eigen::MatrixXd> diagonal(int body);
    // H_ij of a pair that was analysed, or its transpose.
    struct OffDiagonal {
        Eigen::Map<Eigen::MatrixXd> block;
        bool transposed = false;  // the block is H_ji
    };
    OffDiagonal off_diagonal(int i, int j);

    // False: not positive definite.
    bool factorize();
    // x: in the order of the bodies, each at its offset().
    void solve_in_place(Eigen::VectorXd& x);

 private:
    struct Block {
        int row = 0;           // place in the order of elimination
        std::size_t data = 0;  // first entry in values_: size(row) x size(column), by columns
    };
    Eigen::Map<Eigen::MatrixXd> map(const Block& block, int column);
    Block* find(int row, int column);
    int size_at(int place) const { return sizes_[std::size_t(body_at_[std::size_t(place)])]; }

    std::vector<int> sizes_;
    std::vector<Eigen::Index> offsets_;
    Eigen::Index size_ = 0;
    std::vector<int> body_at_, place_of_;       // the order of elimination and back
    std::vector<std::vector<int>> neighbours_;  // of each body among those not yet eliminated, ascending
    std::vector<int> merged_;
    std::vector<Block> blocks_;         // column by column, ascending rows, the diagonal first
    std::vector<std::size_t> columns_;  // first block of each column
    std::vector<double> values_;
};

}  // namespace limber
