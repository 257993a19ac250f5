// SPDX-License-Identifier: Apache-2.0
#include "limber/domains/shared_vertices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace limber {
namespace {

using Eigen::Vector3d;

// Rest positions closer than this part of the tree's length are one vertex of two domains.
constexpr double kSamePlace = 1e-7;

// The domain of each vertex of the surface.
std::vector<int> domains_of_vertices(const DomainsModel& tree) {
    std::vector<int> out;
    for (std::size_t i = 0; i < tree.domains.size(); ++i)
        out.insert(out.end(), tree.parts[std::size_t(tree.domains[i].part)].model->surface.vertices.size(),
                   int(i));
    return out;
}

using Cell = std::array<std::int64_t, 3>;

Cell cell_of(const Vector3d& x, double size) {
    return {std::int64_t(std::floor(x.x() / size)), std::int64_t(std::floor(x.y() / size)),
            std::int64_t(std::floor(x.z() / size))};
}

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

std::vector<std::int32_t> shared_vertices(const Model& model) {
    if (!model.domains) return {};
    const DomainsModel& tree = *model.domains;
    const std::vector<Vector3d>& x = model.surface.vertices;
    const std::vector<int> domain_of = domains_of_vertices(tree);
    std::vector<std::int32_t> next(x.size());
    std::vector<std::pair<Cell, std::int32_t>> places(x.size());
    const double size = kSamePlace * surface_length(model.surface);
    for (std::size_t v = 0; v < x.size(); ++v) {
        next[v] = std::int32_t(v);
        places[v] = {cell_of(x[v], size), std::int32_t(v)};
    }
    std::sort(places.begin(), places.end());
    // At most two links apart: siblings may share a vertex at which their parent shows no triangle.
    const auto parent = [&](int domain) {
        return domain < 0 ? -1 : tree.domains[std::size_t(domain)].parent;
    };
    const auto related = [&](int a, int b) {
        const int up_a = parent(a), up_b = parent(b);
        return up_a == b || up_b == a || (a != b && up_a == up_b) || parent(up_a) == b || parent(up_b) == a;
    };
    // Neighbouring cells too: places that differ by rounding may lie on either side of a border.
    for (const auto& [cell, v] : places)
        for (std::int64_t corner = 0; corner < 27; ++corner) {
            const Cell near{cell[0] + corner % 3 - 1, cell[1] + corner / 3 % 3 - 1, cell[2] + corner / 9 - 1};
            for (auto at = std::lower_bound(places.begin(), places.end(), std::pair(near, std::int32_t(-1)));
                 at != places.end() && at->first == near; ++at) {
                const std::int32_t other = at->second;
                if (other <= v || !related(domain_of[std::size_t(v)], domain_of[std::size_t(other)]))
                    continue;
                if ((x[std::size_t(v)] - x[std::size_t(other)]).norm() > size) continue;
                // Join the two rings unless they are one.
                bool same = false;
                for (std::int32_t k = next[std::size_t(v)]; k != v; k = next[std::size_t(k)])
                    same |= k == other;
                if (!same) std::swap(next[std::size_t(v)], next[std::size_t(other)]);
            }
        }
    return next;
}

}  // namespace limber
