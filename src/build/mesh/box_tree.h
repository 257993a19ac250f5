// SPDX-License-Identifier: Apache-2.0
// A tree of bounding boxes: which of many boxes are near a point, or meet a box.
#pragma once
#include <Eigen/Geometry>
#include <cstddef>
#include <limits>
#include <vector>

namespace limber::build {

class BoxTree {
 public:
    explicit BoxTree(std::vector<Eigen::AlignedBox3d> boxes);

    // Calls best = visit(item, best) for items in whose box a point may lie at a squared distance of at most
    // `best`, near ones first. `best` starts infinite; visit returns the new bound.
    template <class Visit>
    void nearest(const Eigen::Vector3d& point, Visit&& visit) const {
        double best = std::numeric_limits<double>::infinity();
        if (!nodes_.empty()) nearest(0, point, visit, best);
    }

    // Calls visit(item) for all items whose box meets `box` (touching counts).
    template <class Visit>
    void overlapping(const Eigen::AlignedBox3d& box, Visit&& visit) const {
        if (!nodes_.empty()) overlapping(0, box, visit);
    }

 private:
    static constexpr int kLeafSize = 4;
    struct Node {
        Eigen::AlignedBox3d box;
        int begin, end;  // range of items_
        int right = -1;  // right child; the left one follows its parent; -1: leaf
    };

    int build(int begin, int end, const std::vector<Eigen::Vector3d>& centres);

    template <class Visit>
    void nearest(int index, const Eigen::Vector3d& point, Visit&& visit, double& best) const {
        const Node& node = nodes_[static_cast<std::size_t>(index)];
        if (node.right < 0) {
            for (int i = node.begin; i < node.end; ++i) {
                const int item = items_[static_cast<std::size_t>(i)];
                if (boxes_[static_cast<std::size_t>(item)].squaredExteriorDistance(point) <= best)
                    best = visit(item, best);
            }
            return;
        }
        int child[2] = {index + 1, node.right};
        double distance[2] = {nodes_[static_cast<std::size_t>(child[0])].box.squaredExteriorDistance(point),
                              nodes_[static_cast<std::size_t>(child[1])].box.squaredExteriorDistance(point)};
        const int near = distance[1] < distance[0] ? 1 : 0;
        if (distance[near] <= best) nearest(child[near], point, visit, best);
        if (distance[1 - near] <= best) nearest(child[1 - near], point, visit, best);
    }

    template <class Visit>
    void overlapping(int index, const Eigen::AlignedBox3d& box, Visit&& visit) const {
        const Node& node = nodes_[static_cast<std::size_t>(index)];
        if (!node.box.intersects(box)) return;
        if (node.right < 0) {
            for (int i = node.begin; i < node.end; ++i) {
                const int item = items_[static_cast<std::size_t>(i)];
                if (boxes_[static_cast<std::size_t>(item)].intersects(box)) visit(item);
            }
            return;
        }
        overlapping(index + 1, box, visit);
        overlapping(node.right, box, visit);
    }

    std::vector<Eigen::AlignedBox3d> boxes_;
    std::vector<int> items_;
    std::vector<Node> nodes_;
};

}  // namespace limber::build
