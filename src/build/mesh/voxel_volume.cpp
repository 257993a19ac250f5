// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/voxel_volume.h"

#include <algorithm>
#include <cmath>

namespace limber::build {
namespace {

// A convex polygon: a triangle cut by planes. Six planes bound a cube, and each adds at most one corner.
// (The copy constructor that clang writes has a counter with a name of its own.)
// NOLINTNEXTLINE(bugprone-reserved-identifier)
class ClippedTriangle {
 public:
    static constexpr int kMostCorners = 9;
    ClippedTriangle() = default;
    ClippedTriangle(const Vertex& a, const Vertex& b, const Vertex& c) : count_(3) {
        corners_[0] = a;
        corners_[1] = b;
        corners_[2] = c;
    }

    // Takes the part below the plane x_axis = at away and returns it.
    ClippedTriangle cut_below(Eigen::Index axis, double at) {
        ClippedTriangle below, above;
        for (int i = 0; i < count_; ++i) {
            const Vertex &p = corners_[i], &q = corners_[(i + 1) % count_];
            const double dp = p[axis] - at, dq = q[axis] - at;
            if (dp <= 0) below.add(p);
            if (dp >= 0) above.add(p);
            if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) {
                Vertex cut = p + dp / (dp - dq) * (q - p);
                cut[axis] = at;
                below.add(cut);
                above.add(cut);
            }
        }
        *this = above;
        return below;
    }

    // Calls visit(k, part) for the parts between the planes k and k + 1 of an axis with `size` cubes.
    template <class Visit>
    void for_each_slab(Eigen::Index axis, int size, Visit&& visit) const {
        if (count_ < 3) return;
        double low = corners_[0][axis], high = low;
        for (int i = 1; i < count_; ++i) {
            low = std::min(low, corners_[i][axis]);
            high = std::max(high, corners_[i][axis]);
        }
        const int first = std::clamp(static_cast<int>(std::floor(low)), 0, size - 1);
        const int last = std::clamp(static_cast<int>(std::ceil(high)) - 1, first, size - 1);
        ClippedTriangle rest = *this;
        for (int k = first; k < last; ++k)
            visit(k, rest.cut_below(axis, k + 1));
        visit(last, rest);
    }

    // Area of the shadow on the plane z = 0, positive where the polygon faces up, and that area times the
    // height of its points.
    struct Shadow {
        double area = 0, area_height = 0;
    };
    Shadow shadow() const {
        Shadow sum;
        for (int i = 2; i < count_; ++i) {
            const Vertex &a = corners_[0], &b = corners_[i - 1], &c = corners_[i];
            const double area = 0.5 * ((b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x()));
            sum.area += area;
            sum.area_height += area * (a.z() + b.z() + c.z()) / 3;
        }
        return sum;
    }

 private:
    void add(const Vertex& corner) {
        if (count_ < kMostCorners) corners_[count_++] = corner;
    }
    Vertex corners_[kMostCorners];
    int count_ = 0;
};

struct LinePiece {
    std::size_t column;
    int z;
    double inside, through;
};

}  // namespace

VoxelVolume::VoxelVolume(const std::vector<Vertex>& vertices, const std::vector<Triangle>& triangles,
                         const Cell& size)
    : size_(size) {
    std::vector<LinePiece> pieces;
    for (const Triangle& t : triangles) {
        const ClippedTriangle whole(vertices[static_cast<std::size_t>(t[0])],
                                    vertices[static_cast<std::size_t>(t[1])],
                                    vertices[static_cast<std::size_t>(t[2])]);
        if (whole.shadow().area == 0) continue;
        whole.for_each_slab(0, size[0], [&](int x, const ClippedTriangle& slab) {
            slab.for_each_slab(1, size[1], [&](int y, const ClippedTriangle& prism) {
                prism.for_each_slab(2, size[2], [&](int z, const ClippedTriangle& piece) {
                    const auto [area, area_height] = piece.shadow();
                    // Where it faces up, a line up z leaves the inside: s = -1.
                    if (area != 0) pieces.push_back({column(x, y), z, area_height - (z + 1) * area, -area});
                });
            });
        });
    }
    std::sort(pieces.begin(), pieces.end(), [](const LinePiece& a, const LinePiece& b) {
        return a.column != b.column ? a.column < b.column : a.z < b.z;
    });
    const std::size_t columns = column(0, size[1]);
    column_begin_.assign(columns + 1, 0);
    for (std::size_t i = 0; i < pieces.size();) {
        double through = 0;
        const std::size_t here = pieces[i].column;
        while (i < pieces.size() && pieces[i].column == here) {
            Layer layer{pieces[i].z, 0, 0};
            for (; i < pieces.size() && pieces[i].column == here && pieces[i].z == layer.z; ++i) {
                layer.inside += pieces[i].inside;
                through += pieces[i].through;
            }
            layer.through = through;
            layers_.push_back(layer);
            ++column_begin_[here + 1];
        }
    }
    for (std::size_t c = 0; c < columns; ++c)
        column_begin_[c + 1] += column_begin_[c];
}

double VoxelVolume::operator[](const Cell& c) const {
    const auto begin = layers_.begin() + static_cast<std::ptrdiff_t>(column_begin_[column(c[0], c[1])]);
    const auto end = layers_.begin() + static_cast<std::ptrdiff_t>(column_begin_[column(c[0], c[1]) + 1]);
    const auto at = std::lower_bound(begin, end, c[2], [](const Layer& l, int z) { return l.z < z; });
    const double from_below = at == begin ? 0 : (at - 1)->through;
    return from_below + (at != end && at->z == c[2] ? at->inside : 0);
}

}  // namespace limber::build
