// SPDX-License-Identifier: Apache-2.0
// Matrix products in tiles that fit the stack: for factors of more than 128 KB Eigen would ask for memory.
#pragma once
#include <Eigen/Core>
#include <algorithm>

namespace limber {

inline constexpr Eigen::Index kTile = 64;  // rows and columns

// out += scale A B
template <class A, class B>
void add_product(double scale, const A& a, const B& b, Eigen::MatrixXd& out) {
    for (Eigen::Index k = 0; k < a.cols(); k += kTile)
        for (Eigen::Index j = 0; j < b.cols(); j += kTile)
            for (Eigen::Index i = 0; i < a.rows(); i += kTile) {
                const Eigen::Index rows = std::min(kTile, a.rows() - i),
                                   depth = std::min(kTile, a.cols() - k),
                                   columns = std::min(kTile, b.cols() - j);
                out.block(i, j, rows, columns).noalias() +=
                    scale * a.block(i, k, rows, depth) * b.block(k, j, depth, columns);
            }
}

// out = A B
template <class A, class B>
void set_product(const A& a, const B& b, Eigen::MatrixXd& out) {
    out.setZero();
    add_product(1, a, b, out);
}

}  // namespace limber
