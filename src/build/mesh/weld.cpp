// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/weld.h"

#include "build/mesh/vertex_range.h"

#include <fmt/format.h>
#include <limber/input_error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace limber::build {
namespace {

using Key = std::array<std::int64_t, 3>;

struct KeyHash {
    std::size_t operator()(const Key& k) const {
        std::uint64_t h = 0;
        for (const std::int64_t i : k) {
            h = (h ^ static_cast<std::uint64_t>(i)) * 0x9e3779b97f4a7c15u;
            h ^= h >> 32;
        }
        return static_cast<std::size_t>(h);
    }
};

// Equal coordinates only: a sort brings them together, the first of the file in front.
void weld_equal(const std::vector<Vertex>& vertices, Welded& out) {
    std::vector<int> order;
    for (std::size_t v = 0; v < vertices.size(); ++v)
        if (out.to[v] >= 0) order.push_back(static_cast<int>(v));
    const auto at = [&](int v) -> const Vertex& { return vertices[static_cast<std::size_t>(v)]; };
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        for (int i = 0; i < 3; ++i)
            if (at(a)[i] != at(b)[i]) return at(a)[i] < at(b)[i];
        return a < b;
    });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (at(order[i]) == at(order[i - 1])) {
            out.to[static_cast<std::size_t>(order[i])] = out.to[static_cast<std::size_t>(order[i - 1])];
            ++out.count;
        }
}

}  // namespace

Welded weld_vertices(const std::vector<Vertex>& vertices, double distance) {
    if (!(distance >= 0 && distance < 1))
        throw InputError{
            "weld distance",
            fmt::format("{} of the bounding diagonal; it must be at least 0 and less than 1", distance),
            "1e-9 welds vertices that differ by rounding only"};
    Welded welded;
    welded.to.resize(vertices.size());
    for (std::size_t v = 0; v < vertices.size(); ++v)
        welded.to[v] = is_usable(vertices[v]) ? static_cast<int>(v) : -1;

    const Eigen::AlignedBox3d box = bounds_of(vertices);
    const double reach = box.isEmpty() ? 0 : distance * box.diagonal().norm();
    // Below 1e-15 of the diagonal the cells could not be counted; rounding is coarser than that anyway.
    if (distance < 1e-15 || reach == 0) {
        weld_equal(vertices, welded);
        return welded;
    }

    // Vertices that stay, in cells of four times the reach; nearly always one cell has to be searched.
    const double cell = 4 * reach;
    std::unordered_map<Key, std::vector<int>, KeyHash> cells;
    const auto index = [&](double x, int axis) {
        return static_cast<std::int64_t>(std::floor((x - box.min()[axis]) / cell));
    };
    const auto find_near = [&](const Vertex& x) {
        int found = -1;
        for (auto i = index(x[0] - reach, 0); i <= index(x[0] + reach, 0); ++i)
            for (auto j = index(x[1] - reach, 1); j <= index(x[1] + reach, 1); ++j)
                for (auto k = index(x[2] - reach, 2); k <= index(x[2] + reach, 2); ++k) {
                    const auto members = cells.find({i, j, k});
                    if (members == cells.end()) continue;
                    for (const int v : members->second)
                        if ((found < 0 || v < found) &&
                            (vertices[static_cast<std::size_t>(v)] - x).norm() <= reach)
                            found = v;
                }
        return found;
    };
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        if (welded.to[v] < 0) continue;
        const Vertex& x = vertices[v];
        if (const int found = find_near(x); found >= 0) {
            welded.to[v] = found;
            ++welded.count;
        } else {
            cells[{index(x[0], 0), index(x[1], 1), index(x[2], 2)}].push_back(static_cast<int>(v));
        }
    }
    return welded;
}

std::vector<Triangle> weld_corners(const std::vector<Triangle>& triangles, const Welded& weld) {
    std::vector<Triangle> out = triangles;
    for (Triangle& t : out) {
        if (!in_range(t, weld.to.size())) continue;
        for (int& v : t)
            if (const int to = weld.to[static_cast<std::size_t>(v)]; to >= 0) v = to;
    }
    return out;
}

std::vector<int> keep_used(const std::vector<Vertex>& vertices, const Welded& weld,
                           const std::vector<char>& used, std::vector<Vertex>& kept, RepairReport& report) {
    std::vector<int> place(vertices.size(), -1);
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        const int to = weld.to[v];
        if (to >= 0 && static_cast<std::size_t>(to) < v) {
            place[v] = place[static_cast<std::size_t>(to)];
        } else if (used[v]) {
            place[v] = static_cast<int>(kept.size());
            kept.push_back(vertices[v]);
        } else {
            ++report.removed_vertices;
        }
    }
    report.welded_vertices = weld.count;
    return place;
}

}  // namespace limber::build
