// SPDX-License-Identifier: Apache-2.0
// A tree of domains in the contact solver. Its matrix A is never formed: with E the rows of its contacts, or
// of the domains that touch where these are fewer, the velocities that contact can change are e = E v with
//     E A⁻¹Eᵀ = L Lᵀ,   e = L w,                                                                        (53)
// and in the coordinates w, k of them, the tree's matrix is the unit matrix. docs/math/contact.md, section 5.
#pragma once
#include <limber/domains/tree_paths.h>

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

namespace limber {

// Takes memory only for more contacts than ever before.
class TreeCoordinates {
 public:
    void clear();
    // A contact point of a domain with its rank: 3 x (6 + r) rows, zero, on the velocities y of TreePaths.
    // They may be written until the next point is added. Points are numbered from 0.
    Eigen::Map<Eigen::Matrix3Xd> add(int domain, int rank);
    void drop_last();
    std::size_t points() const { return points_.size(); }
    int domain(std::size_t point) const { return points_[point].domain; }
    Eigen::Map<const Eigen::Matrix3Xd> rows(std::size_t point) const {
        return {rows_.data() + points_[point].rows, 3, 6 + points_[point].rank};
    }

    // When all points are there: the domains that touch, ascending.
    std::span<const int> find_domains();
    // L, of paths to these domains.
    void reduce(TreePaths& paths);
    Eigen::Index size() const { return size_; }        // k, at least 1
    Eigen::Index entries() const { return entries_; }  // of e, at least k
    // The rows of a point on w, 3 x k.
    void reduced_rows(std::size_t point, Eigen::Map<Eigen::Matrix3Xd> out) const;
    // w of velocities y.
    void coordinates(std::span<const double> y, std::span<double> w) const;
    // Adds the impulse of a point to those on y.
    void add_impulse(std::size_t point, const Eigen::Vector3d& impulse, std::span<double> y) const;

 private:
    struct Point {
        int domain = 0, rank = 0;
        std::size_t rows = 0, touched = 0;
        Eigen::Index entry = 0;  // of its own rows in e; -1: those of the domain
    };
    // A domain that touches.
    struct Touched {
        int rank = 0, points = 0;
        Eigen::Index first = 0;  // in y
        Eigen::Index entry = 0;  // first in e
        bool by_points = false;  // its rows in e are those of its points
    };
    // One row of E.
    struct Entry {
        Eigen::Index y = 0;  // the first of its places in y
        int point = -1;      // -1: the one place
        int row = 0;
    };
    double entry_of(const Entry& entry, const double* y) const;
    Eigen::Index factorize();

    std::vector<Point> points_;
    std::vector<double> rows_;
    std::vector<int> domains_;
    std::vector<Touched> touched_;
    std::vector<Entry> list_;
    std::vector<double> W_, L_, f_, y_, left_;  // L: entries x k
    std::vector<Eigen::Index> pivots_;
    Eigen::Index entries_ = 0, size_ = 0;
};

}  // namespace limber
