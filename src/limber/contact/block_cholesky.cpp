// SPDX-License-Identifier: Apache-2.0
#include "limber/contact/block_cholesky.h"

#include "limber/contact/outer_product.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cassert>

namespace limber {

using Eigen::Index;
using Eigen::Map;
using Eigen::MatrixXd;

void BlockCholesky::analyze(const std::vector<int>& sizes, const std::vector<std::pair<int, int>>& pairs) {
    const std::size_t count = sizes.size();
    sizes_ = sizes;
    offsets_.resize(count);
    size_ = 0;
    for (std::size_t i = 0; i < count; ++i) {
        offsets_[i] = size_;
        size_ += sizes[i];
    }
    if (neighbours_.size() < count) neighbours_.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        neighbours_[i].clear();
    for (const auto& [i, j] : pairs) {
        neighbours_[std::size_t(i)].push_back(j);
        neighbours_[std::size_t(j)].push_back(i);
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<int>& list = neighbours_[i];
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    // Least degree first, then the first: each elimination joins the neighbours of the eliminated.
    body_at_.clear();
    place_of_.assign(count, -1);
    for (std::size_t step = 0; step < count; ++step) {
        std::size_t next = count;
        for (std::size_t i = 0; i < count; ++i)
            if (place_of_[i] < 0 && (next == count || neighbours_[i].size() < neighbours_[next].size()))
                next = i;
        place_of_[next] = static_cast<int>(step);
        body_at_.push_back(static_cast<int>(next));
        const std::vector<int>& joined = neighbours_[next];
        for (const int i : joined) {
            std::vector<int>& list = neighbours_[std::size_t(i)];
            merged_.clear();
            std::set_union(list.begin(), list.end(), joined.begin(), joined.end(),
                           std::back_inserter(merged_));
            std::erase_if(merged_, [&](int j) { return j == i || j == static_cast<int>(next); });
            list.assign(merged_.begin(), merged_.end());
        }
    }
    // A column has the blocks of the neighbours that were left when it was eliminated.
    blocks_.clear();
    columns_.clear();
    std::size_t entries = 0;
    for (std::size_t column = 0; column < count; ++column) {
        const int body = body_at_[column];
        columns_.push_back(blocks_.size());
        blocks_.push_back({static_cast<int>(column), 0});
        for (const int i : neighbours_[std::size_t(body)])
            blocks_.push_back({place_of_[std::size_t(i)], 0});
        std::sort(blocks_.begin() + std::ptrdiff_t(columns_.back()), blocks_.end(),
                  [](const Block& x, const Block& y) { return x.row < y.row; });
        for (std::size_t b = columns_.back(); b < blocks_.size(); ++b) {
            blocks_[b].data = entries;
            entries += std::size_t(size_at(blocks_[b].row)) * std::size_t(sizes_[std::size_t(body)]);
        }
    }
    columns_.push_back(blocks_.size());
    values_.resize(entries);
}

void BlockCholesky::set_zero() {
    std::fill(values_.begin(), values_.end(), 0.0);
}

Map<MatrixXd> BlockCholesky::map(const Block& block, int column) {
    return {values_.data() + block.data, size_at(block.row), size_at(column)};
}

BlockCholesky::Block* BlockCholesky::find(int row, int column) {
    const auto first = blocks_.begin() + std::ptrdiff_t(columns_[std::size_t(column)]);
    const auto last = blocks_.begin() + std::ptrdiff_t(columns_[std::size_t(column) + 1]);
    const auto at =
        std::lower_bound(first, last, row, [](const Block& block, int wanted) { return block.row < wanted; });
    assert(at != last && at->row == row);
    return &*at;
}

Map<MatrixXd> BlockCholesky::diagonal(int body) {
    const int place = place_of_[std::size_t(body)];
    return map(blocks_[columns_[std::size_t(place)]], place);
}

BlockCholesky::OffDiagonal BlockCholesky::off_diagonal(int i, int j) {
    const int row = place_of_[std::size_t(i)], column = place_of_[std::size_t(j)];
    if (row > column) return {map(*find(row, column), column), false};
    return {map(*find(column, row), row), true};
}

bool BlockCholesky::factorize() {
    for (std::size_t column = 0; column + 1 < columns_.size(); ++column) {
        const auto k = static_cast<int>(column);
        const std::size_t first = columns_[column], last = columns_[column + 1];
        Map<MatrixXd> pivot = map(blocks_[first], k);
        const Index n = pivot.cols();
        // In place: the factor replaces the lower half.
        if (Eigen::internal::llt_inplace<double, Eigen::Lower>::blocked(pivot) >= 0) return false;
        for (std::size_t b = first + 1; b < last; ++b)
            solve_transposed(values_.data() + blocks_[b].data, size_at(blocks_[b].row), pivot.data(), n);
        for (std::size_t b = first + 1; b < last; ++b) {
            const int to = blocks_[b].row;
            // The rows of this column below b are among those of column `to`: both ascend.
            std::size_t at = columns_[std::size_t(to)];
            for (std::size_t a = b; a < last; ++a, ++at) {
                while (blocks_[at].row != blocks_[a].row)
                    ++at;
                add_outer(values_.data() + blocks_[at].data, values_.data() + blocks_[a].data,
                          size_at(blocks_[a].row), values_.data() + blocks_[b].data, size_at(to), n, -1,
                          a == b ? OuterPart::Lower : OuterPart::All);
            }
        }
    }
    return true;
}

void BlockCholesky::solve_in_place(Eigen::VectorXd& x) {
    const auto part = [&](int place) {
        const int body = body_at_[std::size_t(place)];
        return x.segment(offsets_[std::size_t(body)], sizes_[std::size_t(body)]);
    };
    const auto count = static_cast<int>(body_at_.size());
    for (int k = 0; k < count; ++k) {
        const std::size_t first = columns_[std::size_t(k)], last = columns_[std::size_t(k) + 1];
        auto mine = part(k);
        map(blocks_[first], k).triangularView<Eigen::Lower>().solveInPlace(mine);
        for (std::size_t b = first + 1; b < last; ++b)
            part(blocks_[b].row).noalias() -= map(blocks_[b], k) * mine;
    }
    for (int k = count - 1; k >= 0; --k) {
        const std::size_t first = columns_[std::size_t(k)], last = columns_[std::size_t(k) + 1];
        auto mine = part(k);
        for (std::size_t b = first + 1; b < last; ++b)
            mine.noalias() -= map(blocks_[b], k).transpose() * part(blocks_[b].row);
        map(blocks_[first], k).triangularView<Eigen::Lower>().transpose().solveInPlace(mine);
    }
}

}  // namespace limber
