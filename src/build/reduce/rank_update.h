// SPDX-License-Identifier: Apache-2.0
// W += XᵀX for tall X, tile by tile in parallel.
#pragma once
#include <Eigen/Core>

#include <initializer_list>

namespace limber::build {

struct RankUpdate {
    const Eigen::MatrixXd& X;  // at least `rows` rows; m columns
    Eigen::Index rows;         // those that count
    Eigen::MatrixXd& W;        // m x m; its upper triangle is added to
};

// All updates have the same m. Tiles do not depend on the number of threads, and a tile is one product of one
// thread: neither do the bytes of W.
void add_rank_updates(std::initializer_list<RankUpdate> updates);

}  // namespace limber::build
