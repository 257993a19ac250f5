// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/contact.md.
#include "limber/contact/deep_overlap.h"

#include "limber/contact/vertex_touch.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {
namespace {

using Eigen::Vector3d;

struct Segment {
    Vector3d from, to;
};

// Where the edges of a triangle cross a plane, with the heights of its corners above that; a corner in the
// plane is above it. Nothing: all are on one side.
std::optional<Segment> cut(const Corners3& x, const Vector3d& heights) {
    std::array<Vector3d, 2> ends;
    std::size_t count = 0;
    for (Eigen::Index c = 0; c < 3; ++c) {
        const double p = heights[c], q = heights[(c + 1) % 3];
        if ((p < 0) == (q < 0)) continue;
        const Vector3d &a = x[static_cast<std::size_t>(c)], &b = x[static_cast<std::size_t>((c + 1) % 3)];
        ends[count++] = a + p / (p - q) * (b - a);
    }
    if (count < 2) return std::nullopt;
    return Segment{ends[0], ends[1]};
}

// The segment in which two triangles cross, along N_b × N_a (Möller 1997).
std::optional<Segment> crossing(const Corners3& a, const Corners3& b) {
    const Vector3d normal_b = (b[1] - b[0]).cross(b[2] - b[0]);
    const auto in_a =
        cut(a, {normal_b.dot(a[0] - b[0]), normal_b.dot(a[1] - b[0]), normal_b.dot(a[2] - b[0])});
    if (!in_a) return std::nullopt;
    const Vector3d normal_a = (a[1] - a[0]).cross(a[2] - a[0]);
    const auto in_b =
        cut(b, {normal_a.dot(b[0] - a[0]), normal_a.dot(b[1] - a[0]), normal_a.dot(b[2] - a[0])});
    if (!in_b) return std::nullopt;
    const Vector3d along = normal_b.cross(normal_a).stableNormalized();
    const auto range = [&](const Segment& s) {
        const double p = along.dot(s.from - a[0]), q = along.dot(s.to - a[0]);
        return std::pair(std::min(p, q), std::max(p, q));
    };
    const auto [from_a, to_a] = range(*in_a);
    const auto [from_b, to_b] = range(*in_b);
    const double from = std::max(from_a, from_b), to = std::min(to_a, to_b);
    if (!(from < to)) return std::nullopt;
    const Vector3d foot = in_a->from - along.dot(in_a->from - a[0]) * along;
    return Segment{foot + from * along, foot + to * along};
}

}  // namespace

// The surface of b inside a has the area vector ∫N dA = ½ ∮ x × dx, which is how fast the common volume falls
// as a moves.                                                                                        (32)
std::optional<Vector3d> way_out(const SurfaceSide& a, const SurfaceSide& b,
                                std::span<const PairOfNodes> triangle_pairs) {
    Vector3d sum = Vector3d::Zero(), origin = Vector3d::Zero();
    double size = 0;
    for (const PairOfNodes& pair : triangle_pairs) {
        const auto each = crossing(a.start(pair.a), b.start(pair.b));
        if (!each) continue;
        if (size == 0) origin = each->from;
        const Vector3d part = (each->from - origin).cross(each->to - origin);
        sum += part;
        size += (each->from - origin).norm() * (each->to - each->from).norm() + 1e-300;
    }
    if (!(sum.norm() > 1e-3 * size)) return std::nullopt;
    return sum.normalized();
}

void find_inside(const SurfaceSide& one, const SurfaceSide& other, const Vector3d& out_of_other,
                 DetectWork::Data& work, std::size_t most_nodes, std::vector<VertexGap>& out) {
    out.clear();
    const MovedBox& root = other.moved.world_box(0);
    const Eigen::Matrix3d axes = other.moved.rotation().transpose();
    const double length = 2 * root.half.norm();
    for (std::int32_t v = 0; v < one.surface.vertices(); ++v) {
        if (work.nodes > most_nodes) {
            ++work.cut_short;
            return;
        }
        const Vector3d& x = one.moved.now(v);
        if (((axes * (x - root.center)).cwiseAbs() - root.half.head<3>()).maxCoeff() > 0) continue;
        // Inside of a closed surface, the first triangle is met from behind.
        const auto hit = first_hit({x, out_of_other, length}, other, work);
        if (hit && hit->normal.dot(out_of_other) > 0)
            out.push_back({v, -hit->distance * hit->normal.dot(out_of_other)});
    }
}

}  // namespace limber
