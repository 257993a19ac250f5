// SPDX-License-Identifier: Apache-2.0
// Triangles against cubes by separating axes; the outside by a flood over words of 64 cubes.
#include "build/mesh/voxel_surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace limber::build {
namespace {

// Boxes are this much smaller in the overlap test than they are, in cubes: a common point of their skins
// does not count as overlap, in spite of rounding (4e-13 at 1024 cubes).
constexpr double kShrink = 1e-10;

// Projections of one triangle on all axes that can part it from a box along the axes: three edges of the box,
// the normal, and nine cross products of edges.
class SeparatingAxes {
 public:
    explicit SeparatingAxes(const std::array<Eigen::Vector3d, 3>& corners) {
        const Eigen::Vector3d edges[3] = {corners[1] - corners[0], corners[2] - corners[1],
                                          corners[0] - corners[2]};
        std::size_t n = 0;
        for (int i = 0; i < 3; ++i)
            axes_[n++].direction = Eigen::Vector3d::Unit(i);
        axes_[n++].direction = edges[0].cross(edges[1]);
        for (const auto& edge : edges)
            for (int i = 0; i < 3; ++i)
                axes_[n++].direction = edge.cross(Eigen::Vector3d::Unit(i));
        for (Axis& axis : axes_) {
            const double p[3] = {axis.direction.dot(corners[0]), axis.direction.dot(corners[1]),
                                 axis.direction.dot(corners[2])};
            axis.low = std::min({p[0], p[1], p[2]});
            axis.high = std::max({p[0], p[1], p[2]});
        }
    }

    // Does the inside of the box from `low` to `high` meet the triangle? A box that is flat along an axis is
    // a rectangle. An axis of length zero parts nothing, so triangles without area are segments or points.
    bool meets(const Cell& low, const Cell& high) const {
        Eigen::Vector3d centre, half;
        for (std::size_t i = 0; i < 3; ++i) {
            centre[static_cast<Eigen::Index>(i)] = 0.5 * (low[i] + high[i]);
            half[static_cast<Eigen::Index>(i)] = std::max(0.0, 0.5 * (high[i] - low[i]) - kShrink);
        }
        for (const Axis& axis : axes_) {
            const double middle = axis.direction.dot(centre);
            const double reach = axis.direction.cwiseAbs().dot(half);
            if (axis.low - middle > reach || middle - axis.high > reach) return false;
        }
        return true;
    }

 private:
    struct Axis {
        Eigen::Vector3d direction;
        double low, high;
    };
    std::array<Axis, 13> axes_;
};

// Sets the cells between `low` and `high` that meet the triangle, by halving: the cost follows the number of
// cells met, not the triangle's bounding box. A range that is flat along an axis holds faces across that
// axis.
void set_cells(const SeparatingAxes& axes, const Cell& low, const Cell& high, VoxelGrid& out) {
    if (!axes.meets(low, high)) return;
    std::size_t longest = 0;
    for (std::size_t i = 1; i < 3; ++i)
        if (high[i] - low[i] > high[longest] - low[longest]) longest = i;
    if (high[longest] - low[longest] == 1) return out.set(low);
    const int half = (low[longest] + high[longest]) / 2;
    Cell low_end = high, high_begin = low;
    low_end[longest] = high_begin[longest] = half;
    set_cells(axes, low, low_end, out);
    set_cells(axes, high_begin, high, out);
}

// The bits that g reaches by stepping from bit to bit; up[i]: bit i may be entered from bit i - 1, down[i]:
// from bit i + 1. Kogge and Stone's parallel prefix: six doublings each way.
std::uint64_t spread(std::uint64_t g, std::uint64_t up, std::uint64_t down) {
    std::uint64_t rising = g, falling = g;
    for (int s = 1; s < 64; s *= 2) {
        rising |= up & (rising << s);
        up &= up << s;
        falling |= down & (falling >> s);
        down &= down >> s;
    }
    return rising | falling;
}

}  // namespace

VoxelSurface rasterize(const std::vector<Vertex>& vertices, const std::vector<Triangle>& triangles,
                       const Cell& size) {
    VoxelSurface surface{VoxelGrid(size), {}, {}};
    for (const Triangle& t : triangles) {
        const std::array<Eigen::Vector3d, 3> p{vertices[static_cast<std::size_t>(t[0])],
                                               vertices[static_cast<std::size_t>(t[1])],
                                               vertices[static_cast<std::size_t>(t[2])]};
        Cell low, high;
        std::size_t flat = 3, flats = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            const auto axis = static_cast<Eigen::Index>(i);
            const auto [least, greatest] = std::minmax({p[0][axis], p[1][axis], p[2][axis]});
            low[i] = std::max(0, static_cast<int>(std::floor(least)));
            high[i] = std::min(size[i], static_cast<int>(std::ceil(greatest)));
            if (low[i] < high[i]) continue;
            flat = i;
            ++flats;
        }
        if (flats > 1) continue;  // along a line of the grid: no area
        const SeparatingAxes axes(p);
        if (flats == 0) {
            set_cells(axes, low, high, surface.touched);
            continue;
        }
        if (!surface.walls[flat]) {
            Cell faces = size;
            ++faces[flat];
            surface.walls[flat].emplace(faces);
            surface.facing[flat].assign(static_cast<std::size_t>(faces[flat]), 0.0);
        }
        set_cells(axes, low, high, *surface.walls[flat]);
        const Eigen::Vector3d area = 0.5 * (p[1] - p[0]).cross(p[2] - p[0]);
        surface.facing[flat][static_cast<std::size_t>(low[flat])] += area[static_cast<Eigen::Index>(flat)];
    }
    return surface;
}

VoxelGrid shut_off(const VoxelSurface& surface) {
    const VoxelGrid& touched = surface.touched;
    const Cell& size = touched.size();
    VoxelGrid outside(size);
    const auto wall = [&](std::size_t axis, int w, int y, int z) {
        return surface.walls[axis] ? surface.walls[axis]->word(w, y, z) : 0;
    };
    // What lies beyond a word across y or z; beyond the grid everything is outside.
    const auto beyond = [&](int w, int y, int z) {
        return y < 0 || z < 0 || y >= size[1] || z >= size[2] ? ~std::uint64_t{0} : outside.word(w, y, z);
    };

    // All words wait in turn; one that grows calls its neighbours back.
    std::vector<std::array<int, 3>> waiting;
    std::vector<char> is_waiting(touched.word_count(), 0);
    const auto call = [&](int w, int y, int z) {
        if (w < 0 || y < 0 || z < 0 || w >= touched.row_words() || y >= size[1] || z >= size[2]) return;
        char& flag = is_waiting[touched.index(w, y, z)];
        if (!flag) waiting.push_back({w, y, z});
        flag = 1;
    };
    const auto grow = [&](int w, int y, int z) {
        const std::size_t i = touched.index(w, y, z);
        is_waiting[i] = 0;
        const std::uint64_t free = ~touched.word(i) & touched.valid_bits(w);
        if (outside.word(i) == free) return;
        const std::uint64_t wall_below = wall(0, w, y, z);  // bit b: between cubes b - 1 and b
        const std::uint64_t wall_above = wall_below >> 1 | wall(0, w + 1, y, z) << 63;
        std::uint64_t reached = outside.word(i);
        reached |= beyond(w, y - 1, z) & ~wall(1, w, y, z);
        reached |= beyond(w, y + 1, z) & ~wall(1, w, y + 1, z);
        reached |= beyond(w, y, z - 1) & ~wall(2, w, y, z);
        reached |= beyond(w, y, z + 1) & ~wall(2, w, y, z + 1);
        const std::uint64_t before = w == 0 ? 1 : outside.word(w - 1, y, z) >> 63;
        reached |= before & ~wall_below;
        const int last = std::min(63, size[0] - 1 - 64 * w);
        const std::uint64_t after = w == touched.row_words() - 1 ? 1 : outside.word(w + 1, y, z) & 1;
        reached |= after << last & ~wall_above;
        reached = spread(reached & free, free & ~wall_below, free & ~wall_above);
        if (reached == outside.word(i)) return;
        outside.word(i) = reached;
        for (const int step : {-1, 1}) {
            call(w + step, y, z);
            call(w, y + step, z);
            call(w, y, z + step);
        }
    };
    for (int z = 0; z < size[2]; ++z)
        for (int y = 0; y < size[1]; ++y)
            for (int w = 0; w < touched.row_words(); ++w) {
                grow(w, y, z);
                while (!waiting.empty()) {
                    const auto [nw, ny, nz] = waiting.back();
                    waiting.pop_back();
                    grow(nw, ny, nz);
                }
            }

    for (std::size_t i = 0; i < outside.word_count(); ++i) {
        const int w = static_cast<int>(i % static_cast<std::size_t>(touched.row_words()));
        outside.word(i) = ~outside.word(i) & touched.valid_bits(w);
    }
    return outside;
}

}  // namespace limber::build
