// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/contact.md.
#include "limber/contact/vertex_touch.h"

#include "limber/contact/shape_gap.h"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

using Eigen::Vector3d;

// A contact stays on its side where the normals have at least this cosine, and where the vertex lies over the
// triangle or beside it by this share of its edges: of a vertex that sank in near the edge of a box the
// nearest face is not the one on which it rests.                                                     (23)
constexpr double kSameSide = 0.5, kBeside = 0.01;

// Surfaces that move less against each other in a step cross nothing unseen: a share of an edge.
constexpr double kStill = 1e-4;

// The normal of the feature on which a point of a triangle lies; it decides the sign (Bærentzen & Aanæs
// 2005).                                                                                               (27)
Vector3d pseudo_normal(const SurfaceSide& side, std::int32_t triangle, const Vector3d& weights) {
    const auto zeros = (weights.array() <= 1e-12).count();
    if (zeros == 0) return side.normal(triangle);
    Eigen::Index corner;
    if (zeros == 1) {
        weights.minCoeff(&corner);
        const std::int32_t edge =
            side.surface.edges_of[place_of(triangle)][static_cast<std::size_t>((corner + 1) % 3)];
        Vector3d sum = Vector3d::Zero();
        for (const std::int32_t t : side.surface.edges[place_of(edge)].triangles)
            if (t >= 0) sum += side.normal(t);
        return sum.stableNormalized();
    }
    weights.maxCoeff(&corner);
    const std::int32_t vertex = side.surface.triangles[place_of(triangle)][static_cast<std::size_t>(corner)];
    Vector3d sum = Vector3d::Zero();
    for (std::int32_t i = side.surface.fan_start[place_of(vertex)];
         i < side.surface.fan_start[place_of(vertex) + 1]; ++i) {
        const std::int32_t t = side.surface.fan[place_of(i)];
        const auto& ids = side.surface.triangles[place_of(t)];
        const auto c = static_cast<std::size_t>(std::find(ids.begin(), ids.end(), vertex) - ids.begin());
        const Corners3 x = side.now(t);
        const Vector3d a = x[(c + 1) % 3] - x[c], b = x[(c + 2) % 3] - x[c];
        sum += std::atan2(a.cross(b).norm(), a.dot(b)) * side.normal(t);
    }
    return sum.stableNormalized();
}

// The signed distance.
VertexTouch nearest_touch(const VertexQuery& query) {
    const SurfaceSide& other = query.other;
    const VertexFace& nearest = query.faces[0];
    const Vector3d away =
        query.one.moved.now(query.vertex) - mix(other.now(nearest.triangle), nearest.weights);
    const Vector3d pseudo = pseudo_normal(other, nearest.triangle, nearest.weights);
    const double sign = away.dot(pseudo) < 0 ? -1 : 1;
    const double distance = std::sqrt(nearest.square);
    // In the surface itself the direction is the feature's.
    const double smallest = 1e-9 * other.moved.mean_edge();
    const Vector3d normal = distance > smallest ? Vector3d(sign / distance * away) : pseudo;
    return {nearest.triangle, nearest.weights, normal, sign * distance};
}

// By the side of a triangle's plane.
VertexTouch beyond_plane(const SurfaceSide& other, const VertexFace& face, const Vector3d& x) {
    const Vector3d& normal = other.normal(face.triangle);
    return {face.triangle, face.weights, normal, normal.dot(x - mix(other.now(face.triangle), face.weights))};
}

// Of the faces on the side where the vertex was, the first above it. It must not be deeper under that face
// than a step ago, besides by its motion: one that left over an edge is not deep under the face that it left.
//                                                                                                      (23)
std::optional<VertexTouch> touch_on_side(const VertexQuery& query, DetectWork::Data& work, bool own) {
    const Vector3d &x = query.one.moved.now(query.vertex), &x0 = query.one.moved.start(query.vertex);
    const double beside = kBeside * query.other.moved.mean_edge();
    // Since the overlap was measured, half a step before the start.
    const double moved = 2 * ((x - x0).norm() + query.other.moved.drift());
    const double most = query.depth + moved + beside;
    Ray ray{x, *query.side, most / kSameSide, beside, kSameSide};
    if (own) ray.without_vertex = query.vertex;
    const auto hit = first_hit(ray, query.other, work);
    if (!hit) return std::nullopt;
    const double depth = hit->distance * hit->normal.dot(ray.along);
    if (depth > most) return std::nullopt;
    return VertexTouch{hit->triangle, hit->weights, hit->normal, -depth};
}

// The least cosine of a direction and the normal of one of a vertex's faces.
double facing_of(const SurfaceSide& one, std::int32_t vertex, const Vector3d& normal) {
    double least = 1;
    for (std::int32_t i = one.surface.fan_start[place_of(vertex)];
         i < one.surface.fan_start[place_of(vertex) + 1]; ++i)
        least = std::min(least, normal.dot(one.normal(one.surface.fan[place_of(i)])));
    return least;
}

// At an edge or a corner of the other the nearest feature says little. Of the faces that a vertex lies in,
// the one that faces it: its normal is the most opposed to one of the vertex's own faces.              (23)
std::optional<VertexTouch> facing_touch(const VertexQuery& query) {
    const SurfaceSide& one = query.one;
    const double near = kBeside * query.other.moved.mean_edge();
    std::optional<VertexTouch> out;
    double least = -kSameSide;
    for (const VertexFace& face : query.faces) {
        if (face.square > near * near) break;  // ascending
        const VertexTouch touch = beyond_plane(query.other, face, one.moved.now(query.vertex));
        const double opposed = facing_of(one, query.vertex, touch.normal);
        if (opposed >= least) continue;
        least = opposed;
        out = touch;
    }
    return out;
}

// The first triangle that the vertex goes through from its front, from where it was seen last, half a step
// before the start, to the end of this step; both on straight lines, the plane's position in between is
// interpolated.                                                                                      (22)
std::optional<VertexTouch> first_crossing(const VertexQuery& query) {
    const SurfaceSide& other = query.other;
    const Vector3d &start = query.one.moved.start(query.vertex), &x = query.one.moved.now(query.vertex);
    const Vector3d x0 = 2 * start - x, x1 = 2 * x - start;
    std::optional<VertexTouch> out;
    double first = 2;
    for (const VertexFace& face : query.faces) {
        const Corners3 half = other.start(face.triangle), y = other.now(face.triangle);
        Corners3 y0, y1;
        for (std::size_t c = 0; c < 3; ++c) {
            y0[c] = 2 * half[c] - y[c];
            y1[c] = 2 * y[c] - half[c];
        }
        const double before = unit_normal(y0).dot(x0 - y0[0]), after = unit_normal(y1).dot(x1 - y1[0]);
        if (!(before >= 0 && after < 0)) continue;
        const double tau = before / (before - after);
        if (tau >= first) continue;
        Corners3 then;
        for (std::size_t c = 0; c < 3; ++c)
            then[c] = (1 - tau) * y0[c] + tau * y1[c];
        const Vector3d at = (1 - tau) * x0 + tau * x1;
        const Vector3d w = nearest_weights(then, at);
        // Beside the triangle.
        if ((at - mix(then, w)).norm() > 1e-3 * ((x1 - x0).norm() + other.moved.mean_edge())) continue;
        first = tau;
        const Vector3d& normal = other.normal(face.triangle);
        out = VertexTouch{face.triangle, w, normal, normal.dot(x - mix(y, w))};
    }
    return out;
}

// Does a ray in the box's axes meet the box before `length`?
bool meets(const Vector3d& from, const Vector3d& along, const Vector3d& half, double length) {
    double enter = 0, leave = length;
    for (int k = 0; k < 3; ++k) {
        if (along[k] == 0) {
            if (std::abs(from[k]) > half[k]) return false;
            continue;
        }
        const double a = (-half[k] - from[k]) / along[k], b = (half[k] - from[k]) / along[k];
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    return enter <= leave;
}

}  // namespace

std::optional<RayHit> first_hit(const Ray& ray, const SurfaceSide& side, DetectWork::Data& work) {
    const Eigen::Matrix3d axes = side.moved.rotation().transpose();
    const Vector3d along = axes * ray.along;
    std::optional<RayHit> out;
    double length = ray.length;
    work.stack.assign(1, 0);
    while (!work.stack.empty()) {
        const std::int32_t at = work.stack.back();
        work.stack.pop_back();
        ++work.nodes;
        const MovedBox& box = side.moved.world_box(at);
        if (!meets(axes * (ray.from - box.center), along, box.half.head<3>().array() + ray.beside, length))
            continue;
        const TreeNode& node = side.surface.nodes[place_of(at)];
        if (node.second_child >= 0) {
            work.stack.push_back(node.second_child);
            work.stack.push_back(at + 1);
            continue;
        }
        for (std::int32_t t = node.first; t < node.first + node.count; ++t) {
            const auto& ids = side.surface.triangles[place_of(t)];
            if (std::find(ids.begin(), ids.end(), ray.without_vertex) != ids.end()) continue;
            const Vector3d& normal = side.normal(t);
            const double cosine = normal.dot(ray.along);
            if (cosine < ray.least_cosine || std::abs(cosine) < 1e-9) continue;
            const Corners3 corners = side.now(t);
            const double distance = normal.dot(corners[0] - ray.from) / cosine;
            if (!(distance >= 0 && distance <= length)) continue;
            const Vector3d x = ray.from + distance * ray.along, w = nearest_weights(corners, x);
            const double tolerance = ray.beside + 1e-9 * side.moved.mean_edge();
            if ((x - mix(corners, w)).squaredNorm() > tolerance * tolerance) continue;
            length = distance;
            out = RayHit{t, w, normal, distance};
        }
    }
    return out;
}

std::optional<VertexTouch> touch_of(const VertexQuery& query, DetectWork::Data& work) {
    std::optional<VertexTouch> plain;
    if (!query.faces.empty()) plain = nearest_touch(query);
    if (query.side) {
        if (plain && query.side->dot(plain->normal) > kSameSide) return plain;
        if (const auto touch = touch_on_side(query, work, false)) return touch;
        return plain;
    }
    if (!plain) return plain;
    if (query.drift > kStill * query.other.moved.mean_edge())
        if (const auto crossed = first_crossing(query)) return crossed;
    const double near = kBeside * query.other.moved.mean_edge();
    if (query.faces[0].square <= near * near && query.faces[0].weights.minCoeff() <= 1e-12)
        if (const auto facing = facing_touch(query)) return facing;
    return plain;
}

std::optional<VertexTouch> own_touch(const VertexQuery& query, DetectWork::Data& work) {
    const SurfaceSide& one = query.one;
    const Vector3d& x = one.moved.now(query.vertex);
    const double tolerance = kBeside * one.moved.mean_edge();
    std::optional<VertexTouch> out;
    double most_opposed = 2, farthest = 0;
    for (const VertexFace& face : query.faces) {
        const double distance = std::sqrt(face.square);
        if (out && distance > farthest) break;  // ascending
        const VertexTouch touch = beyond_plane(one, face, x);
        const Corners3 y0 = one.start(face.triangle);
        const bool in_front = unit_normal(y0).dot(one.moved.start(query.vertex) - mix(y0, face.weights)) >= 0;
        const bool remembered = query.side && query.side->dot(touch.normal) > kSameSide;
        if (!in_front && !remembered) continue;
        // Beside the triangle another one is nearer, or nothing is there.
        const bool beside = face.square > touch.gap * touch.gap + tolerance * tolerance;
        if (beside && touch.gap < 0) continue;
        if (!beside && remembered) return touch;
        const double opposed = facing_of(one, query.vertex, touch.normal);
        if (out && opposed >= most_opposed) continue;
        if (!out) farthest = distance + tolerance;
        most_opposed = opposed;
        out = beside ? VertexTouch{face.triangle, face.weights,
                                   (x - mix(one.now(face.triangle), face.weights)) / distance, distance}
                     : touch;
    }
    if (!out && query.side) return touch_on_side(query, work, true);
    return out;
}

}  // namespace limber
