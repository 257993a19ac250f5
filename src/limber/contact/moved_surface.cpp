// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/contact.md.
#include "limber/contact/moved_surface.h"

#include "limber/warp/rotation.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace limber {
namespace {

using Eigen::Vector3d;

constexpr std::size_t kColumn = ContactSurface::kVertexDoubles;

bool all_finite(std::span<const double> numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

// sum += Σ rows_i x_i
const double* add_columns(const double* row, std::span<const double> x, double (&sum)[kColumn]) {
    for (const double xi : x) {
        for (std::size_t c = 0; c < kColumn; ++c)
            sum[c] += row[c] * xi;
        row += kColumn;
    }
    return row;
}

// sum = Σ column_i weight_i, of eight floats each. Even and odd ones apart: additions need not wait.
void sum_ranges(const float* column, const float* weight, std::size_t count, float (&sum)[8]) {
    float pairs[16]{};
    std::size_t i = 0;
    for (; i + 2 <= count; i += 2, column += 16, weight += 16)
        for (int k = 0; k < 16; ++k)
            pairs[k] += column[k] * weight[k];
    for (int k = 0; k < 8; ++k)
        sum[k] = pairs[k] + pairs[8 + k];
    for (int k = 0; i < count && k < 8; ++k)
        sum[k] += column[k] * weight[k];
}

bool same(std::span<const double> a, std::span<const double> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

bool fits(const SurfaceConfiguration& at, const ContactSurface& surface) {
    const auto is = [](std::span<const double> x, Eigen::Index count) {
        return static_cast<Eigen::Index>(x.size()) == count;
    };
    return at.pose.position.allFinite() && at.pose.orientation.coeffs().allFinite() && all_finite(at.q) &&
           all_finite(at.p) && all_finite(at.z) && at.scale > 0 && std::isfinite(at.scale) &&
           is(at.q, surface.modes()) && (at.p.empty() || is(at.p, surface.rotations())) &&
           (at.z.empty() || is(at.z, surface.companions()));
}

Vector3d deformed(const ContactSurface& surface, const SurfaceConfiguration& at, std::int32_t vertex) {
    const double* row = surface.row(vertex);
    double u[kColumn]{};
    add_columns(row, at.q, u);
    row += kColumn * static_cast<std::size_t>(surface.modes());
    add_columns(row, at.z, u);
    Vector3d moved(u[0], u[1], u[2]);
    if (!at.p.empty()) {
        double w[kColumn]{};
        add_columns(row + kColumn * static_cast<std::size_t>(surface.companions()), at.p, w);
        const Vector3d rotation(w[0], w[1], w[2]);
        const auto f = rotation_factors(rotation.squaredNorm());
        const Vector3d wu = rotation.cross(moved);
        moved += f.c * wu + f.e * rotation.cross(wu);
    }
    return surface.rest[static_cast<std::size_t>(vertex)] + moved;
}

void NodeBoxes::prepare(const ContactSurface& surface, const SurfaceConfiguration& at) {
    surface_ = &surface;
    const auto displacing = static_cast<std::size_t>(surface.modes() + surface.companions());
    displacing_ = at.z.empty() ? at.q.size() : displacing;
    rotating_ = at.p.size();
    weights_.resize(8 * (displacing_ + rotating_));
    // A sum of n products of floats is off by at most (n + 1) 2^-24 of the sum of their absolute values.
    const double rounding = std::ldexp(static_cast<double>(displacing_ + rotating_) + 6, -23);
    double size = surface.largest_coordinate, angle = 0;
    for (std::size_t i = 0; i < displacing_ + rotating_; ++i) {
        const bool rotates = i >= displacing_;
        const double x = rotates ? at.p[i - displacing_] : i < at.q.size() ? at.q[i] : at.z[i - at.q.size()];
        const auto value = static_cast<float>(x);
        std::fill_n(weights_.data() + 8 * i, 4, value);
        // Upwards: a coordinate that was rounded down would make the box too small. 0 stays 0: numbers next
        // to it are slow.
        std::fill_n(weights_.data() + 8 * i + 4, 4, std::abs(value) * 1.0000002f);
        const auto column = static_cast<Eigen::Index>(rotates ? displacing + i - displacing_ : i);
        (rotates ? angle : size) += std::abs(x) * surface.largest[column];
    }
    slack_ = rounding * size;
    rotation_slack_ = rounding * angle;
}

NodeBox NodeBoxes::operator()(std::int32_t node) const {
    const float* box = surface_->box(node);
    float sum[8];
    sum_ranges(box + 8, weights_.data(), displacing_, sum);
    const Vector3d rest(box[0], box[1], box[2]), rest_half(box[4], box[5], box[6]);
    const Vector3d moved(sum[0], sum[1], sum[2]), half(sum[4], sum[5], sum[6]);
    if (rotating_ == 0) return {rest + moved, rest_half + half + Vector3d::Constant(slack_)};  // (3)
    sum_ranges(box + 8 * (1 + surface_->modes() + surface_->companions()), weights_.data() + 8 * displacing_,
               rotating_, sum);
    const Vector3d w(sum[0], sum[1], sum[2]);
    const double spread = Vector3d(sum[4], sum[5], sum[6]).norm() + 2 * rotation_slack_;
    const auto f = rotation_factors(w.squaredNorm());
    const Vector3d wu = w.cross(moved);
    // No two rotations take a vector farther apart than to opposite places.
    const double turned = std::min(0.5 * spread, 2.0) * moved.norm();
    return {rest + moved + f.c * wu + f.e * w.cross(wu),
            rest_half + Vector3d::Constant(half.norm() + turned + 3 * slack_)};  // (5)
}

void MovedSurface::prepare(const ContactSurface& surface, const SurfaceConfiguration& now,
                           const SurfaceConfiguration& start) {
    surface_ = &surface;
    scale_ = now.scale;
    now_ = {now, now.pose.orientation.toRotationMatrix(), now.pose.position};
    start_ = {start, start.pose.orientation.toRotationMatrix(), start.pose.position};
    still_ = now.pose.position == start.pose.position &&
             now.pose.orientation.coeffs() == start.pose.orientation.coeffs() && same(now.q, start.q) &&
             same(now.p, start.p) && same(now.z, start.z) && now.scale == start.scale;
    boxes_.prepare(surface, now);
    carried_.setZero();
    strayed_ = 0;
    if (!still_) bound_drift();
    ++step_;
}

// |R x - R₀ x₀ + t - t₀| with R x - R₀ x₀ = (R - R₀)(x₀ - c) + (R - R₀) c + R (x - x₀).               (6)
void MovedSurface::bound_drift() {
    const ContactSurface& s = *surface_;
    const auto &a = now_.configuration, &b = start_.configuration;
    double change = 0, size = 0, turn = 0;
    const auto add = [&](std::span<const double> x, std::span<const double> y, Eigen::Index first) {
        for (std::size_t i = 0; i < std::max(x.size(), y.size()); ++i) {
            const double xi = i < x.size() ? x[i] : 0, yi = i < y.size() ? y[i] : 0;
            const double most = scale_ * s.largest[first + static_cast<Eigen::Index>(i)];
            change += std::abs(xi - yi) * most;
            size += std::abs(yi) * most;
        }
    };
    add(a.q, b.q, 0);
    add(a.z, b.z, s.modes());
    const double displaced = change, displacement = size;
    change = 0;
    add(a.p, b.p, s.modes() + s.companions());
    turn = change / scale_;
    const float* root = s.box(0);
    const Vector3d middle = scale_ * Vector3d(root[0], root[1], root[2]);
    const Eigen::Matrix3d rotated = now_.rotation - start_.rotation;
    carried_ = rotated * middle + now_.position - start_.position;
    strayed_ = rotated.norm() * (rest_radius() + displacement) + displaced +
               std::min(0.5 * turn, 2.0) * displacement;
}

// Room for all of them, when one is asked for that is not there.
template <class T>
void MovedSurface::renew(std::vector<Kept<T>>& list, std::int32_t i) {
    const auto count = [&]() -> std::size_t {
        if constexpr (std::is_same_v<T, Points>) return surface_->rest.size();
        if constexpr (std::is_same_v<T, MovedBox>) return surface_->nodes.size();
        if constexpr (std::is_same_v<T, MovedEdge>) return surface_->edges.size();
        return surface_->triangles.size();
    };
    if (list.size() < count()) list.resize(count());
    Kept<T>& out = list[static_cast<std::size_t>(i)];
    compute(i, out.value);
    out.step = step_;
}
template void MovedSurface::renew(std::vector<Kept<Points>>& list, std::int32_t i);
template void MovedSurface::renew(std::vector<Kept<MovedBox>>& list, std::int32_t i);
template void MovedSurface::renew(std::vector<Kept<MovedFace>>& list, std::int32_t i);
template void MovedSurface::renew(std::vector<Kept<MovedEdge>>& list, std::int32_t i);
template void MovedSurface::renew(std::vector<Kept<MovedEdges>>& list, std::int32_t i);

void MovedSurface::reserve() {
    const auto room = [](auto& list, std::size_t count) {
        if (list.size() < count) list.resize(count);
    };
    room(points_, surface_->rest.size());
    room(boxes_of_nodes_, surface_->nodes.size());
    room(faces_, surface_->triangles.size());
    room(edges_, surface_->edges.size());
    room(edges_of_, surface_->triangles.size());
}

void MovedSurface::compute(std::int32_t vertex, Points& out) const {
    out.now = now_.of(*surface_, vertex);
    out.start = still_ ? out.now : start_.of(*surface_, vertex);
}

void MovedSurface::compute(std::int32_t node, MovedBox& out) const {
    const NodeBox here = box(node);
    out.center = to_world(here.center);
    out.half << here.half, 0;
}

void MovedSurface::compute(std::int32_t triangle, MovedFace& out) {
    const auto& corners = surface_->triangles[static_cast<std::size_t>(triangle)];
    const Vector3d &x = now(corners[0]), &y = now(corners[1]), &z = now(corners[2]);
    out.normal = (y - x).cross(z - x).stableNormalized();
    out.low << x.cwiseMin(y).cwiseMin(z), 0;
    out.high << x.cwiseMax(y).cwiseMax(z), 0;
    const Vector3d u = x - start(corners[0]), v = y - start(corners[1]), w = z - start(corners[2]);
    out.moved_least << u.cwiseMin(v).cwiseMin(w), 0;
    out.moved_most << u.cwiseMax(v).cwiseMax(w), 0;
}

void MovedSurface::compute(std::int32_t edge, MovedEdge& out) {
    const SurfaceEdge& of = surface_->edges[static_cast<std::size_t>(edge)];
    out.along = (now(of.vertices[1]) - now(of.vertices[0])).normalized();
    out.outward.setZero();
    out.triangles = 0;
    for (const std::int32_t t : of.triangles) {
        if (t < 0) continue;
        out.outward += face(t).normal;
        const auto& corners = surface_->triangles[static_cast<std::size_t>(t)];
        std::size_t c = 0;
        while (corners[c] == of.vertices[0] || corners[c] == of.vertices[1])
            ++c;
        const Vector3d into = now(corners[c]) - now(of.vertices[0]);
        out.into[static_cast<std::size_t>(out.triangles++)] =
            (into - into.dot(out.along) * out.along).stableNormalized();
    }
    out.turn = turn_at(of);
}

// The sine of the angle by which the surface turns away; 1 from a right angle on, and of an edge of one
// triangle; negative in a dent.
double MovedSurface::turn_at(const SurfaceEdge& edge) {
    if (edge.triangles[1] < 0) return 1;
    const auto opposite = [&](std::int32_t t) -> const Vector3d& {
        const auto& corners = surface_->triangles[static_cast<std::size_t>(t)];
        std::size_t c = 0;
        while (corners[c] == edge.vertices[0] || corners[c] == edge.vertices[1])
            ++c;
        return now(corners[c]);
    };
    const Vector3d& from = now(edge.vertices[0]);
    const Vector3d along = now(edge.vertices[1]) - from;
    const double inverse = 1 / along.squaredNorm();
    const auto into = [&](std::int32_t t) -> Vector3d {
        const Vector3d to = opposite(t) - from;
        return to - (to.dot(along) * inverse) * along;
    };
    const Vector3d one = into(edge.triangles[0]), two = into(edge.triangles[1]);
    const double height = -two.dot(face(edge.triangles[0]).normal);
    if (one.dot(two) > 0) return height > 0 ? 1 : -1;
    return height / (two.norm() + 1e-300);
}

void MovedSurface::compute(std::int32_t triangle, MovedEdges& out) {
    const auto& edges = surface_->edges_of[static_cast<std::size_t>(triangle)];
    for (std::size_t c = 0; c < 3; ++c) {
        const SurfaceEdge& of = surface_->edges[static_cast<std::size_t>(edges[c])];
        out.sharp[c] = of.triangles[0] == triangle && turn_at(of) > kFlatTurn;
    }
}

}  // namespace limber
