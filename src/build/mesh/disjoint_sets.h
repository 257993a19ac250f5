// SPDX-License-Identifier: Apache-2.0
// Union-find: which of n things belong together. A set's root is its smallest member.
#pragma once
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace limber::build {

class DisjointSets {
 public:
    explicit DisjointSets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }

    int find(int i) {
        // Path halving.
        while (parent(i) != i)
            i = parent(i) = parent(parent(i));
        return i;
    }
    void join(int a, int b) {
        a = find(a);
        b = find(b);
        if (b < a) std::swap(a, b);
        parent(b) = a;
    }

 private:
    int& parent(int i) { return parent_[static_cast<std::size_t>(i)]; }
    std::vector<int> parent_;
};

}  // namespace limber::build
