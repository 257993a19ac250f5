// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/box_tree.h"

#include <algorithm>
#include <numeric>

namespace limber::build {

BoxTree::BoxTree(std::vector<Eigen::AlignedBox3d> boxes) : boxes_(std::move(boxes)), items_(boxes_.size()) {
    std::iota(items_.begin(), items_.end(), 0);
    std::vector<Eigen::Vector3d> centres;
    centres.reserve(boxes_.size());
    for (const auto& box : boxes_)
        centres.push_back(box.center());
    nodes_.reserve(boxes_.size());
    if (!boxes_.empty()) build(0, static_cast<int>(boxes_.size()), centres);
}

// Halves the items at the median of the longest side, so that the depth is log2 of their number.
int BoxTree::build(int begin, int end, const std::vector<Eigen::Vector3d>& centres) {
    const auto index = nodes_.size();
    Eigen::AlignedBox3d box, middle;
    for (int i = begin; i < end; ++i) {
        const auto item = static_cast<std::size_t>(items_[static_cast<std::size_t>(i)]);
        box.extend(boxes_[item]);
        middle.extend(centres[item]);
    }
    nodes_.push_back({box, begin, end, -1});
    if (end - begin > kLeafSize) {
        Eigen::Index axis;
        middle.sizes().maxCoeff(&axis);
        const int half = begin + (end - begin) / 2;
        // Equal centres are told apart by number: the tree is the same on every machine.
        std::nth_element(items_.begin() + begin, items_.begin() + half, items_.begin() + end,
                         [&](int a, int b) {
                             const double ca = centres[static_cast<std::size_t>(a)][axis],
                                          cb = centres[static_cast<std::size_t>(b)][axis];
                             return ca < cb || (ca == cb && a < b);
                         });
        build(begin, half, centres);
        const int right = build(half, end, centres);
        nodes_[index].right = right;
    }
    return static_cast<int>(index);
}

}  // namespace limber::build
