// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/contact.md.
#include "limber/contact/tree_coordinates.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace limber {

using Eigen::Index;
using Eigen::Map;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Rows of E depend on one another where a domain and its parent touch, or more points than a shape can tell
// apart. One of which less than this part is new says nothing: velocities right to six digits.
constexpr double kNewPart = 1e-12;

}  // namespace

void TreeCoordinates::clear() {
    points_.clear();
    rows_.clear();
}

Map<Matrix3Xd> TreeCoordinates::add(int domain, int rank) {
    const std::size_t first = rows_.size();
    points_.push_back({.domain = domain, .rank = rank, .rows = first});
    rows_.resize(first + 3 * std::size_t(6 + rank));
    Map<Matrix3Xd> out(rows_.data() + first, 3, 6 + rank);
    out.setZero();
    return out;
}

void TreeCoordinates::drop_last() {
    rows_.resize(points_.back().rows);
    points_.pop_back();
}

std::span<const int> TreeCoordinates::find_domains() {
    domains_.clear();
    for (const Point& point : points_)
        domains_.push_back(point.domain);
    std::sort(domains_.begin(), domains_.end());
    domains_.erase(std::unique(domains_.begin(), domains_.end()), domains_.end());
    touched_.assign(domains_.size(), {});
    for (Point& point : points_) {
        point.touched =
            std::size_t(std::lower_bound(domains_.begin(), domains_.end(), point.domain) - domains_.begin());
        touched_[point.touched].rank = point.rank;
        ++touched_[point.touched].points;
    }
    list_.clear();
    Index y = 0;
    for (Touched& each : touched_) {
        each.first = y;
        each.by_points = 3 * each.points < 6 + each.rank;
        y += 6 + each.rank;
        if (each.by_points) continue;
        each.entry = Index(list_.size());
        for (Index k = each.first; k < y; ++k)
            list_.push_back({.y = k});
    }
    for (std::size_t p = 0; p < points_.size(); ++p) {
        const Touched& each = touched_[points_[p].touched];
        points_[p].entry = each.by_points ? Index(list_.size()) : -1;
        for (int row = 0; each.by_points && row < 3; ++row)
            list_.push_back({.y = each.first, .point = int(p), .row = row});
    }
    entries_ = Index(list_.size());
    return domains_;
}

double TreeCoordinates::entry_of(const Entry& entry, const double* y) const {
    if (entry.point < 0) return y[entry.y];
    const auto at = rows(std::size_t(entry.point));
    return at.row(entry.row).dot(Map<const Eigen::RowVectorXd>(y + entry.y, at.cols()));
}

void TreeCoordinates::reduce(TreePaths& paths) {
    const auto n = std::size_t(entries_);
    W_.resize(n * n);
    f_.assign(std::size_t(paths.size()), 0);
    y_.resize(f_.size());
    Map<VectorXd> f(f_.data(), paths.size()), y(y_.data(), paths.size());
    for (std::size_t c = 0; c < n; ++c) {
        const Entry& entry = list_[c];
        const Index width = entry.point < 0 ? 1 : 6 + points_[std::size_t(entry.point)].rank;
        if (entry.point < 0)
            f[entry.y] = 1;
        else
            f.segment(entry.y, width) = rows(std::size_t(entry.point)).row(entry.row).transpose();
        if (!paths.respond(f, y)) y.setZero();
        for (std::size_t i = 0; i < n; ++i)
            W_[n * c + i] = entry_of(list_[i], y_.data());
        f.segment(entry.y, width).setZero();
    }
    size_ = factorize();
}

// Cholesky's factorisation with the row next of which the largest part is new.
Index TreeCoordinates::factorize() {
    const Index n = entries_;
    const Map<const MatrixXd> W(W_.data(), n, n);
    left_.resize(std::size_t(n));
    for (Index i = 0; i < n; ++i)
        left_[std::size_t(i)] = W(i, i);
    L_.clear();
    pivots_.clear();
    while (Index(pivots_.size()) < n) {
        Index next = -1;
        double most = kNewPart;
        for (Index i = 0; i < n; ++i)
            if (left_[std::size_t(i)] > most * W(i, i)) {
                most = left_[std::size_t(i)] / W(i, i);
                next = i;
            }
        if (next < 0) break;
        const auto k = Index(pivots_.size());
        L_.resize(std::size_t(n * (k + 1)));
        Map<MatrixXd> L(L_.data(), n, k + 1);
        auto column = L.col(k);
        column = W.col(next);
        for (Index j = 0; j < k; ++j)
            column -= L(next, j) * L.col(j);
        column /= std::sqrt(left_[std::size_t(next)]);
        for (const Index done : pivots_)
            column[done] = 0;
        for (Index i = 0; i < n; ++i)
            left_[std::size_t(i)] -= column[i] * column[i];
        left_[std::size_t(next)] = 0;
        pivots_.push_back(next);
    }
    if (!pivots_.empty()) return Index(pivots_.size());
    L_.assign(std::size_t(n), 0);  // nothing that touches can move
    return 1;
}

void TreeCoordinates::reduced_rows(std::size_t point, Map<Matrix3Xd> out) const {
    const Map<const MatrixXd> L(L_.data(), entries_, size_);
    const Point& at = points_[point];
    if (at.entry >= 0)
        out = L.middleRows<3>(at.entry);
    else
        out = rows(point).lazyProduct(L.middleRows(touched_[at.touched].entry, 6 + at.rank));
}

void TreeCoordinates::coordinates(std::span<const double> y, std::span<double> w) const {
    const Map<const MatrixXd> L(L_.data(), entries_, size_);
    assert(Index(w.size()) == size_);
    std::fill(w.begin(), w.end(), 0.0);
    for (std::size_t k = 0; k < pivots_.size(); ++k) {
        const Index row = pivots_[k];
        double rest = entry_of(list_[std::size_t(row)], y.data());
        for (std::size_t j = 0; j < k; ++j)
            rest -= L(row, Index(j)) * w[j];
        w[k] = rest / L(row, Index(k));
    }
}

void TreeCoordinates::add_impulse(std::size_t point, const Eigen::Vector3d& impulse,
                                  std::span<double> y) const {
    const Point& at = points_[point];
    Map<VectorXd> to(y.data() + touched_[at.touched].first, 6 + at.rank);
    to += rows(point).transpose().lazyProduct(impulse);
}

}  // namespace limber
