// SPDX-License-Identifier: Apache-2.0
#include "limber/domains/shared_vertices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace limber {
namespace {

using Eigen::Vector3d;

// Rest positions closer than this part of the tree's length are one vertex of two domains.
constexpr double kSamePlace = 1e-7;
// A cell is so many of these distances wide: most vertices have no neighbour to look for in the next one.
constexpr double kCell = 16;

using Cell = std::array<std::int64_t, 3>;

// A vertex at its place, of a domain and its parent.
struct Corner {
    Cell cell;
    std::int32_t domain, parent, vertex;
};
using CornerList = std::vector<Corner>;

// First of those in a cell whose `by` is at least `least`.
CornerList::const_iterator first_in(const CornerList& sorted, const Cell& cell, std::int32_t Corner::*by,
                                    std::int32_t least) {
    return std::lower_bound(sorted.begin(), sorted.end(), std::pair(cell, least),
                            [&](const Corner& a, const auto& key) { return std::pair(a.cell, a.*by) < key; });
}

// Rings of vertices at one place.
class Rings {
 public:
    explicit Rings(std::size_t count) : next(count), top_(count) {
        std::iota(next.begin(), next.end(), 0);
        std::iota(top_.begin(), top_.end(), 0);
    }
    void join(std::int32_t a, std::int32_t b) {
        const std::int32_t top_a = top(a), top_b = top(b);
        if (top_a == top_b) return;
        top_[std::size_t(top_a)] = top_b;
        std::swap(next[std::size_t(a)], next[std::size_t(b)]);
    }
    std::vector<std::int32_t> next;

 private:
    std::int32_t top(std::int32_t v) {
        while (top_[std::size_t(v)] != v)
            v = top_[std::size_t(v)] = top_[std::size_t(top_[std::size_t(v)])];
        return v;
    }
    std::vector<std::int32_t> top_;  // a forest: one tree for each ring
};

}  // namespace

double surface_length(const ModelSurface& surface) {
    if (surface.vertices.empty()) return 1;
    Vector3d low = surface.vertices[0], high = low;
    for (const Vector3d& x : surface.vertices) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    const double length = (high - low).norm();
    return length > 0 ? length : 1;
}

// At most two links apart: siblings may share a vertex at which their parent shows no triangle. In time
// linear in the vertices but for sorting, however many stand at one place.
std::vector<std::int32_t> shared_vertices(const Model& model) {
    if (!model.domains) return {};
    const DomainsModel& tree = *model.domains;
    const std::vector<Vector3d>& x = model.surface.vertices;
    const double near = kSamePlace * surface_length(model.surface), width = kCell * near;
    CornerList by_domain;
    by_domain.reserve(x.size());
    for (std::size_t i = 0; i < tree.domains.size(); ++i) {
        const std::size_t count =
            tree.parts[std::size_t(tree.domains[i].part)].model->surface.vertices.size();
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t v = by_domain.size();
            const Eigen::Vector3d at = (x[v] / width).array().floor();
            by_domain.push_back({{std::int64_t(at.x()), std::int64_t(at.y()), std::int64_t(at.z())},
                                 std::int32_t(i),
                                 tree.domains[i].parent,
                                 std::int32_t(v)});
        }
    }
    CornerList by_parent = by_domain;
    const auto sort = [](CornerList& corners, std::int32_t Corner::*by) {
        std::sort(corners.begin(), corners.end(), [&](const Corner& a, const Corner& b) {
            return std::tuple(a.cell, a.*by, a.vertex) < std::tuple(b.cell, b.*by, b.vertex);
        });
    };
    sort(by_domain, &Corner::domain);
    sort(by_parent, &Corner::parent);
    Rings rings(x.size());
    const auto meet = [&](const Corner& a, const Corner& b) {
        return (x[std::size_t(a.vertex)] - x[std::size_t(b.vertex)]).norm() <= near;
    };
    for (const Corner& a : by_domain) {
        if (a.parent < 0) continue;
        const Vector3d place = x[std::size_t(a.vertex)];
        Cell low, high;
        for (int c = 0; c < 3; ++c) {
            low[std::size_t(c)] = std::int64_t(std::floor((place[c] - near) / width));
            high[std::size_t(c)] = std::int64_t(std::floor((place[c] + near) / width));
        }
        for (Cell cell = low; cell[0] <= high[0]; ++cell[0])
            for (cell[1] = low[1]; cell[1] <= high[1]; ++cell[1])
                for (cell[2] = low[2]; cell[2] <= high[2]; ++cell[2]) {
                    for (const std::int32_t up : {a.parent, tree.domains[std::size_t(a.parent)].parent})
                        for (auto b = first_in(by_domain, cell, &Corner::domain, up);
                             up >= 0 && b != by_domain.end() && b->cell == cell && b->domain == up; ++b)
                            if (meet(a, *b)) rings.join(a.vertex, b->vertex);
                    // One sibling is enough: the next one finds another.
                    auto b = first_in(by_parent, cell, &Corner::parent, a.parent);
                    while (b != by_parent.end() && b->cell == cell && b->parent == a.parent &&
                           (b->domain == a.domain || !meet(a, *b)))
                        ++b;
                    if (b != by_parent.end() && b->cell == cell && b->parent == a.parent)
                        rings.join(a.vertex, b->vertex);
                }
    }
    return rings.next;
}

}  // namespace limber
