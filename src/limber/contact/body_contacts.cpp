// SPDX-License-Identifier: Apache-2.0
// Two surfaces against each other, or one against itself: triangles that are near by both trees, then
// vertices against triangles and edges against edges. Equation numbers: docs/math/contact.md.
#include "limber/contact/detect_data.h"
#include "limber/contact/shape_gap.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Corners3 = std::array<Vector3d, 3>;

// Pairs of nodes that are looked at for each pair of triangles that may be kept: a search visits one or two.
constexpr std::size_t kNodesPerTrianglePair = 8;
constexpr double kSeenDepth = 0.02;  // of the smaller body's radius; no more than half an edge of the finer
// A corner of a finer triangle has no contact of its own where a vertex of the coarser surface is deeper by
// this share of the finer one's edges. The vertex counts where such corners have more than the first share of
// its weights, wholly where they have the second.                                                    (25)
constexpr double kCornerDeeper = 0.02, kCornerBegins = 0.5, kCornerCounts = 1;
// Edges count where they are convex and the normal is in the range of normals of both (sines): not at all
// where the first, wholly from the second on. A face that lies flat on the other bounds that range. (28)
constexpr double kConeBegins = -0.05, kConeCounts = -0.01, kConvexBegins = 0.02, kConvexCounts = 0.1;
// And where they touch in their middles: near its ends a vertex counts already.
constexpr double kEndsCount = 0.1;
// A contact stays on its side where the normals have at least this cosine, and where the vertex lies over the
// triangle or beside it by this share of its edges: of a vertex that sank in near the edge of a box the
// nearest face is not the one on which it rests.                                                     (23)
constexpr double kSameSide = 0.5, kBeside = 0.01;

double rise_from(double x, double begin, double end) {
    return std::clamp((x - begin) / (end - begin), 0.0, 1.0);
}
std::size_t place_of(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

// A surface and what is asked of it.
struct Side {
    std::int32_t body;
    const SurfaceMoment& moment;
    MovedSurface& moved;
    const ContactSurface& surface;

    Corners3 now(std::int32_t triangle) const {
        const auto& t = surface.triangles[place_of(triangle)];
        return {moved.now(t[0]), moved.now(t[1]), moved.now(t[2])};
    }
    Corners3 start(std::int32_t triangle) const {
        const auto& t = surface.triangles[place_of(triangle)];
        return {moved.start(t[0]), moved.start(t[1]), moved.start(t[2])};
    }
    // A vertex or an edge is looked at with one of its triangles.
    bool owns_vertex(std::int32_t triangle, std::int32_t vertex) const {
        return surface.fan[place_of(surface.fan_start[place_of(vertex)])] == triangle;
    }
    bool owns_edge(std::int32_t triangle, std::int32_t edge) const {
        return surface.edges[place_of(edge)].triangles[0] == triangle;
    }
};

Vector3d mix(const Corners3& x, const Vector3d& w) {
    return w[0] * x[0] + w[1] * x[1] + w[2] * x[2];
}
Vector3d unit_normal(const Corners3& x) {
    return (x[1] - x[0]).cross(x[2] - x[0]).stableNormalized();
}

// The normal of the feature on which a point of a triangle lies; it decides the sign (Bærentzen & Aanæs
// 2005).                                                                                               (27)
Vector3d pseudo_normal(const Side& side, std::int32_t triangle, const Vector3d& weights) {
    const auto zeros = (weights.array() <= 1e-12).count();
    if (zeros == 0) return unit_normal(side.now(triangle));
    Eigen::Index corner;
    if (zeros == 1) {
        weights.minCoeff(&corner);
        const std::int32_t edge =
            side.surface.edges_of[place_of(triangle)][static_cast<std::size_t>((corner + 1) % 3)];
        Vector3d sum = Vector3d::Zero();
        for (const std::int32_t t : side.surface.edges[place_of(edge)].triangles)
            if (t >= 0) sum += unit_normal(side.now(t));
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
        sum += std::atan2(a.cross(b).norm(), a.dot(b)) * unit_normal(x);
    }
    return sum.stableNormalized();
}

// Nearest points of two segments, as shares of their lengths; nothing if one of them is an end.
struct EdgesMeet {
    double s, t;
};
std::optional<EdgesMeet> nearest_inside(const Vector3d& p, const Vector3d& u, const Vector3d& q,
                                        const Vector3d& v) {
    const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v);
    const double det = uu * vv - uv * uv;
    if (!(det > 1e-8 * uu * vv)) return std::nullopt;  // parallel: their ends count
    const Vector3d d = q - p;
    const double s = (vv * u.dot(d) - uv * v.dot(d)) / det, t = (uv * u.dot(d) - uu * v.dot(d)) / det;
    if (!(s > 0 && s < 1 && t > 0 && t < 1)) return std::nullopt;
    return EdgesMeet{s, t};
}

class SurfacePair {
 public:
    SurfacePair(const Side& one, const Side& two, const DetectOptions& options, DetectWork::Data& work,
                ContactList& out)
        : a_(one), b_(two), own_(one.body == two.body), options_(options), work_(work), out_(out) {
        extra_ = own_ ? 2 * a_.moment.extra_drift : a_.moment.extra_drift + b_.moment.extra_drift;
        drift_ =
            2 * ((a_.moved.carried() - b_.moved.carried()).norm() + a_.moved.strayed() + b_.moved.strayed());
        const double depth =
            options.depth > 0
                ? options.depth
                : std::min(kSeenDepth * std::min(a_.moved.rest_radius(), b_.moved.rest_radius()),
                           a_.moved.mean_edge() / 2);
        known_depth_ = std::max(options.margin, own_ ? 0 : depth) +
                       std::max(work.memory.deepest(a_.body), work.memory.deepest(b_.body));
        reach_ = known_depth_ + extra_ + drift_;
        b_from_a_ = b_.moved.rotation().transpose() * a_.moved.rotation();
        turn_size_ = b_from_a_.cwiseAbs();
    }

    void find() {
        find_triangle_pairs();
        if (work_.triangle_pairs.empty()) return;
        add_vertices(a_, b_, true);
        if (!own_) add_vertices(b_, a_, false);
        add_edges();
    }

 private:
    // Axes of both boxes.                                                                            (8)
    bool apart(const NodeBox& x, const NodeBox& y) const {
        const Vector3d d = y.center - x.center;
        const Vector3d in_a = a_.moved.rotation().transpose() * d;
        if ((in_a.cwiseAbs() - x.half - turn_size_.transpose() * y.half).maxCoeff() > reach_) return true;
        const Vector3d in_b = b_.moved.rotation().transpose() * d;
        return (in_b.cwiseAbs() - y.half - turn_size_ * x.half).maxCoeff() > reach_;
    }

    void find_triangle_pairs() {
        work_.triangle_pairs.clear();
        work_.pairs.assign(1, {0, 0});
        const std::size_t most_nodes = work_.nodes + kNodesPerTrianglePair * options_.most_triangle_pairs;
        while (!work_.pairs.empty()) {
            if (work_.triangle_pairs.size() >= options_.most_triangle_pairs || work_.nodes >= most_nodes) {
                ++work_.cut_short;
                return;
            }
            const PairOfNodes pair = work_.pairs.back();
            work_.pairs.pop_back();
            ++work_.nodes;
            const NodeBox &x = a_.moved.world_box(pair.a), &y = b_.moved.world_box(pair.b);
            const bool same = own_ && pair.a == pair.b;
            if (!same && apart(x, y)) continue;
            const TreeNode &n = a_.surface.nodes[place_of(pair.a)], &m = b_.surface.nodes[place_of(pair.b)];
            const bool leaf_a = n.second_child < 0, leaf_b = m.second_child < 0;
            if (leaf_a && leaf_b) {
                add_triangles(n, m, same);
            } else if (same) {
                work_.pairs.push_back({n.second_child, n.second_child});
                work_.pairs.push_back({pair.a + 1, n.second_child});
                work_.pairs.push_back({pair.a + 1, pair.a + 1});
            } else if (leaf_b || (!leaf_a && x.half.squaredNorm() > y.half.squaredNorm())) {
                work_.pairs.push_back({n.second_child, pair.b});
                work_.pairs.push_back({pair.a + 1, pair.b});
            } else {
                work_.pairs.push_back({pair.a, m.second_child});
                work_.pairs.push_back({pair.a, pair.b + 1});
            }
        }
    }

    // Triangles of one body that share a vertex cannot touch otherwise than they do at rest.
    bool joined(std::int32_t t, std::int32_t u) const {
        for (const std::int32_t v : a_.surface.triangles[place_of(t)])
            for (const std::int32_t w : a_.surface.triangles[place_of(u)])
                if (v == w) return true;
        return false;
    }

    void add_triangles(const TreeNode& n, const TreeNode& m, bool same) {
        for (std::int32_t t = n.first; t < n.first + n.count; ++t) {
            const Corners3 x = a_.now(t);
            const Vector3d low = x[0].cwiseMin(x[1]).cwiseMin(x[2]).array() - reach_;
            const Vector3d high = x[0].cwiseMax(x[1]).cwiseMax(x[2]).array() + reach_;
            for (std::int32_t u = same ? t + 1 : m.first; u < m.first + m.count; ++u) {
                const Corners3 y = b_.now(u);
                if ((y[0].cwiseMin(y[1]).cwiseMin(y[2]).array() > high.array()).any() ||
                    (y[0].cwiseMax(y[1]).cwiseMax(y[2]).array() < low.array()).any())
                    continue;
                if (own_ && joined(t, u)) continue;
                work_.triangle_pairs.push_back({t, u});
            }
        }
    }

    // Vertices of one surface against the triangles of the other.
    void add_vertices(const Side& one, const Side& other, bool finer) {
        work_.vertex_faces.clear();
        const auto look = [&](std::int32_t t, std::int32_t u) {
            for (const std::int32_t v : one.surface.triangles[place_of(t)]) {
                if (!one.owns_vertex(t, v)) continue;
                const Corners3 x = other.now(u);
                const Vector3d w = nearest_weights(x, one.moved.now(v));
                const double square = (one.moved.now(v) - mix(x, w)).squaredNorm();
                if (square <= reach_ * reach_) work_.vertex_faces.push_back({v, u, square, w});
            }
        };
        for (const PairOfNodes& pair : work_.triangle_pairs) {
            if (own_) {
                look(pair.a, pair.b);
                look(pair.b, pair.a);
            } else if (finer) {
                look(pair.a, pair.b);
            } else {
                look(pair.b, pair.a);
            }
        }
        auto& found = work_.vertex_faces;
        std::sort(found.begin(), found.end(), [](const VertexFace& x, const VertexFace& y) {
            return std::tie(x.vertex, x.square, x.triangle) < std::tie(y.vertex, y.square, y.triangle);
        });
        if (finer) work_.gaps.clear();
        for (std::size_t i = 0; i < found.size();) {
            std::size_t end = i + 1;
            while (end < found.size() && found[end].vertex == found[i].vertex)
                ++end;
            add_vertex(one, other, {found.data() + i, end - i}, finer);
            i = end;
        }
    }

    void add_vertex(const Side& one, const Side& other, std::span<const VertexFace> faces, bool finer) {
        const std::int32_t v = faces[0].vertex;
        const ContactFeature feature = own_    ? ContactFeature::OwnVertex
                                       : finer ? ContactFeature::Vertex
                                               : ContactFeature::VertexOfOther;
        const std::uint64_t key = contact_key(feature, v);
        const Vector3d* side = work_.memory.find(places(), key);
        Vector3d towards;  // this body from the other; put() may have turned it round
        if (side) {
            towards = one.body > other.body ? Vector3d(-*side) : *side;
            side = &towards;
        }
        const std::optional<Touch> touch =
            own_ ? own_touch(one, faces, side) : touch_of(one, other, faces, side);
        if (!touch) return;
        if (finer) work_.gaps.push_back({v, touch->gap});
        const double least = touch->gap < 0 ? kBackShare : 0;
        double area = facing_area(one.moved, v, touch->normal, least, [](std::int32_t) { return 1.0; });
        if (own_) area /= 2;  // the other side's vertices have the other half
        if (!finer) area = corner_area(other, *touch, area);
        if (!(area > 0)) return;
        const Vector3d& x = one.moved.now(v);
        const Vector3d drift = x - one.moved.start(v) -
                               (mix(other.now(touch->triangle), touch->weights) -
                                mix(other.start(touch->triangle), touch->weights));
        if (!listed(touch->gap, touch->normal, drift,
                    rest_distance(one.moved.rest(v), rest_of(other, touch->triangle, touch->weights))))
            return;
        ContactPoint contact;
        contact.a = vertex_point(one.surface, v);
        contact.b = surface_point(other.surface, touch->triangle, touch->weights);
        contact.body_a = one.body;
        contact.body_b = other.body;
        contact.normal = touch->normal;
        contact.position = x - touch->gap * touch->normal;
        contact.gap = touch->gap;
        contact.area = area;
        contact.key = key;
        put(contact);
    }

    // In which triangle, on which side.
    struct Touch {
        std::int32_t triangle;
        Vector3d weights, normal;
        double gap;
    };
    // By the side of a triangle's plane.
    Touch beyond_plane(const Side& other, const VertexFace& face, const Vector3d& x) const {
        const Corners3 corners = other.now(face.triangle);
        const Vector3d normal = unit_normal(corners);
        return {face.triangle, face.weights, normal, normal.dot(x - mix(corners, face.weights))};
    }
    std::optional<Touch> touch_of(const Side& one, const Side& other, std::span<const VertexFace> faces,
                                  const Vector3d* side) const {
        const VertexFace& nearest = faces[0];
        const Vector3d& x = one.moved.now(nearest.vertex);
        const Vector3d away = x - mix(other.now(nearest.triangle), nearest.weights);
        const Vector3d pseudo = pseudo_normal(other, nearest.triangle, nearest.weights);
        const double sign = away.dot(pseudo) < 0 ? -1 : 1;
        const double distance = std::sqrt(nearest.square);
        // In the surface itself the direction is the feature's.
        const double smallest = 1e-9 * other.moved.mean_edge();
        const Vector3d normal = distance > smallest ? Vector3d(sign / distance * away) : pseudo;
        const Touch plain = {nearest.triangle, nearest.weights, normal, sign * distance};
        if (side) {
            if (side->dot(normal) > kSameSide) return plain;
            // The nearest of those that face the side on which it was and lie below or above it.     (23)
            for (const VertexFace& face : faces) {
                const Touch touch = beyond_plane(other, face, x);
                const double beside = std::sqrt(std::max(0.0, face.square - touch.gap * touch.gap));
                if (touch.normal.dot(*side) > kSameSide && beside <= kBeside * other.moved.mean_edge() &&
                    !is_far_side(one, other, touch, nearest.vertex))
                    return touch;
            }
            return plain;
        }
        if (drift_ > options_.margin)
            if (const auto crossed = first_crossing(one, other, faces)) return crossed;
        if (distance <= kBeside * other.moved.mean_edge() && nearest.weights.minCoeff() <= 1e-12)
            if (const auto facing = facing_touch(one, other, faces)) return facing;
        return plain;
    }

    // Deeper at the start of the step than any contact of the two bodies may have been: a feature on the far
    // side of the other body, not an overlap.                                                       (23)
    bool is_far_side(double start_gap, const Vector3d& drift) const {
        return -start_gap > known_depth_ + drift.norm();
    }
    bool is_far_side(const Side& one, const Side& other, const Touch& touch, std::int32_t v) const {
        const Corners3 y0 = other.start(touch.triangle);
        const Vector3d away = one.moved.start(v) - mix(y0, touch.weights);
        const Vector3d drift = one.moved.now(v) - mix(other.now(touch.triangle), touch.weights) - away;
        return is_far_side(unit_normal(y0).dot(away), drift);
    }

    // At an edge or a corner of the other the nearest feature says little. Of the faces that a vertex lies
    // in, the one that faces it: its normal is the most opposed to one of the vertex's own faces.       (23)
    std::optional<Touch> facing_touch(const Side& one, const Side& other,
                                      std::span<const VertexFace> faces) const {
        const std::int32_t v = faces[0].vertex;
        const double near = kBeside * other.moved.mean_edge();
        std::optional<Touch> out;
        double least = -kSameSide;
        for (const VertexFace& face : faces) {
            if (face.square > near * near) break;  // ascending
            const Touch touch = beyond_plane(other, face, one.moved.now(v));
            for (std::int32_t i = one.surface.fan_start[place_of(v)];
                 i < one.surface.fan_start[place_of(v) + 1]; ++i) {
                const double opposed = touch.normal.dot(unit_normal(one.now(one.surface.fan[place_of(i)])));
                if (opposed >= least) continue;
                least = opposed;
                out = touch;
            }
        }
        return out;
    }

    // The first triangle that the vertex goes through from its front in this step, both on straight lines;
    // the plane's position in between is interpolated.                                               (22)
    std::optional<Touch> first_crossing(const Side& one, const Side& other,
                                        std::span<const VertexFace> faces) const {
        const std::int32_t v = faces[0].vertex;
        const Vector3d &x0 = one.moved.start(v), &x = one.moved.now(v), x1 = 2 * x - x0;
        std::optional<Touch> out;
        double first = 2;
        for (const VertexFace& face : faces) {
            const Corners3 y0 = other.start(face.triangle), y = other.now(face.triangle);
            const Corners3 y1 = {2 * y[0] - y0[0], 2 * y[1] - y0[1], 2 * y[2] - y0[2]};
            const double before = unit_normal(y0).dot(x0 - y0[0]), after = unit_normal(y1).dot(x1 - y1[0]);
            if (!(before >= 0 && after < 0)) continue;
            const double tau = before / (before - after);
            if (tau >= first) continue;
            Corners3 then;
            for (std::size_t c = 0; c < 3; ++c)
                then[c] = (1 - tau) * y0[c] + tau * y1[c];
            const Vector3d at = (1 - tau) * x0 + tau * x1;
            const Vector3d w = nearest_weights(then, at);
            // Beside the triangle: by more than what rounding and the interpolation may do.
            if ((at - mix(then, w)).norm() > 1e-3 * (x1 - x0).norm() + 1e-9 * other.moved.mean_edge())
                continue;
            first = tau;
            const Vector3d normal = unit_normal(y);
            out = Touch{face.triangle, w, normal, normal.dot(x - mix(y, w))};
        }
        return out;
    }

    // Of a body with itself: a vertex that was in front of a triangle at the start, or in the step before.
    std::optional<Touch> own_touch(const Side& one, std::span<const VertexFace> faces,
                                   const Vector3d* side) const {
        const std::int32_t v = faces[0].vertex;
        const Vector3d& x = one.moved.now(v);
        for (const VertexFace& face : faces) {
            const Touch touch = beyond_plane(one, face, x);
            const Corners3 y0 = one.start(face.triangle);
            const bool in_front = unit_normal(y0).dot(one.moved.start(v) - mix(y0, face.weights)) >= 0;
            const bool remembered = side && side->dot(touch.normal) > 0.5;
            if (!in_front && !remembered) continue;
            // Beside the triangle another one is nearer, or nothing is there.
            const bool beside = face.square > touch.gap * touch.gap * (1 + 1e-6) + 1e-18;
            if (beside && touch.gap < 0) continue;
            if (!beside) return touch;
            const double distance = std::sqrt(face.square);
            return Touch{face.triangle, face.weights,
                         (x - mix(one.now(face.triangle), face.weights)) / distance, distance};
        }
        return std::nullopt;
    }

    // Of a vertex of the coarser surface in a triangle of the finer one: no more than the finer's area there.
    double corner_area(const Side& finer, const Touch& touch, double own_area) const {
        double alone = 0, area = 0;
        for (Eigen::Index c = 0; c < 3; ++c) {
            const std::int32_t v =
                finer.surface.triangles[place_of(touch.triangle)][static_cast<std::size_t>(c)];
            const auto at = std::lower_bound(work_.gaps.begin(), work_.gaps.end(), v,
                                             [](const VertexGap& x, std::int32_t y) { return x.vertex < y; });
            const bool near = at != work_.gaps.end() && at->vertex == v;
            const double deeper = kCornerDeeper * finer.moved.mean_edge();
            alone += touch.weights[c] * (near ? rise_from(at->gap - touch.gap, 0, deeper) : 1);
            area += touch.weights[c] * finer.moved.vertex_area(v);
        }
        return rise_from(alone, kCornerBegins, kCornerCounts) * std::min(own_area, area);
    }

    // at_rest: how far apart they rest; of two bodies, any distance. Parts of one body must have come twice
    // as near as they rest. (20), (31)
    bool listed(double gap, const Vector3d& normal, const Vector3d& drift,
                double at_rest = kAnyDistance) const {
        const double approach = std::min(0.0, 2 * normal.dot(drift)) - std::min(extra_, at_rest / 4);
        return gap + approach < std::min(options_.margin, at_rest / 2);
    }
    static constexpr double kAnyDistance = 1e300;  // m
    // Of two points of one surface.
    double rest_distance(const Vector3d& x, const Vector3d& y) const {
        return own_ ? (x - y).norm() : kAnyDistance;
    }
    static Vector3d rest_of(const Side& side, std::int32_t triangle, const Vector3d& weights) {
        const auto& t = side.surface.triangles[place_of(triangle)];
        return mix({side.moved.rest(t[0]), side.moved.rest(t[1]), side.moved.rest(t[2])}, weights);
    }
    static Vector3d rest_of(const Side& side, const SurfaceEdge& edge, double s) {
        return (1 - s) * side.moved.rest(edge.vertices[0]) + s * side.moved.rest(edge.vertices[1]);
    }

    void add_edges() {
        for (const PairOfNodes& pair : work_.triangle_pairs)
            for (const std::int32_t e : a_.surface.edges_of[place_of(pair.a)]) {
                if (!a_.owns_edge(pair.a, e)) continue;
                for (const std::int32_t f : b_.surface.edges_of[place_of(pair.b)])
                    if (b_.owns_edge(pair.b, f)) add_edge_pair(pair, e, f);
            }
    }

    // How far a direction lies within the range of normals of an edge, from its two bounds; the lesser is
    // negative if it does not. Both are zero across a flat edge.                                     (28)
    struct Slack {
        double least = 1, most = -1;
        double share() const {
            return rise_from(least, kConeBegins, kConeCounts) * rise_from(most, kConvexBegins, kConvexCounts);
        }
    };
    static Slack slack_in_cone(const Side& side, const SurfaceEdge& edge, const Vector3d& along,
                               const Vector3d& direction) {
        Slack slack;
        for (const std::int32_t t : edge.triangles) {
            if (t < 0) continue;
            const auto& ids = side.surface.triangles[place_of(t)];
            std::size_t c = 0;
            while (ids[c] == edge.vertices[0] || ids[c] == edge.vertices[1])
                ++c;
            Vector3d into = side.moved.now(ids[c]) - side.moved.now(edge.vertices[0]);
            into -= into.dot(along) * along;
            const double each = -direction.dot(into.stableNormalized());
            slack.least = std::min(slack.least, each);
            slack.most = std::max(slack.most, each);
        }
        return slack;
    }

    void add_edge_pair(const PairOfNodes& pair, std::int32_t e, std::int32_t f) {
        const SurfaceEdge &edge = a_.surface.edges[place_of(e)], &other = b_.surface.edges[place_of(f)];
        const Vector3d &p = a_.moved.now(edge.vertices[0]), &q = b_.moved.now(other.vertices[0]);
        const Vector3d u = a_.moved.now(edge.vertices[1]) - p, v = b_.moved.now(other.vertices[1]) - q;
        const auto meet = nearest_inside(p, u, q, v);
        if (!meet) return;
        const Vector3d x = p + meet->s * u, y = q + meet->t * v;
        if ((x - y).squaredNorm() > reach_ * reach_) return;
        Vector3d normal = u.cross(v).normalized();
        // The one direction that is a normal of both, from b to a.
        double share = 0;
        for (const double sign : {1.0, -1.0}) {
            share = slack_in_cone(a_, edge, u.normalized(), -sign * normal).share() *
                    slack_in_cone(b_, other, v.normalized(), sign * normal).share();
            if (!(share > 0)) continue;
            normal *= sign;
            break;
        }
        const double ends = std::min(std::min(meet->s, 1 - meet->s), std::min(meet->t, 1 - meet->t));
        share *= rise_from(ends, 0, kEndsCount);
        if (!(share > 0)) return;
        const double gap = normal.dot(x - y);
        const std::uint64_t key =
            contact_key(own_ ? ContactFeature::OwnEdges : ContactFeature::Edges, e, place_of(f));
        const Vector3d x0 =
            (1 - meet->s) * a_.moved.start(edge.vertices[0]) + meet->s * a_.moved.start(edge.vertices[1]);
        const Vector3d y0 =
            (1 - meet->t) * b_.moved.start(other.vertices[0]) + meet->t * b_.moved.start(other.vertices[1]);
        if (own_ && gap < 0 && normal.dot(x0 - y0) < 0 && !work_.memory.find(places(), key)) return;
        if (is_far_side(normal.dot(x0 - y0), (x - x0) - (y - y0))) return;
        if (!listed(gap, normal, (x - x0) - (y - y0),
                    rest_distance(rest_of(a_, edge, meet->s), rest_of(b_, other, meet->t))))
            return;
        ContactPoint contact;
        contact.body_a = a_.body;
        contact.body_b = b_.body;
        contact.a = edge_point(a_, pair.a, edge, meet->s);
        contact.b = edge_point(b_, pair.b, other, meet->t);
        contact.normal = normal;
        contact.position = y;
        contact.gap = gap;
        contact.area = share * std::min(edge_area(a_, edge), edge_area(b_, other));
        contact.key = key;
        put(contact);
    }

    static double edge_area(const Side& side, const SurfaceEdge& edge) {
        double sum = 0;
        for (const std::int32_t t : edge.triangles)
            if (t >= 0) sum += side.moved.area(t) / 3;
        return sum;
    }
    static SurfacePoint edge_point(const Side& side, std::int32_t triangle, const SurfaceEdge& edge,
                                   double s) {
        Vector3d weights = Vector3d::Zero();
        for (Eigen::Index c = 0; c < 3; ++c) {
            const std::int32_t v = side.surface.triangles[place_of(triangle)][static_cast<std::size_t>(c)];
            if (v == edge.vertices[0]) weights[c] = 1 - s;
            if (v == edge.vertices[1]) weights[c] = s;
        }
        return surface_point(side.surface, triangle, weights);
    }

    ContactPlaces places() const { return {std::min(a_.body, b_.body), std::max(a_.body, b_.body), -1}; }

    // The body with the lower place first.
    void put(ContactPoint& contact) {
        if (contact.body_a > contact.body_b) {
            std::swap(contact.body_a, contact.body_b);
            std::swap(contact.a, contact.b);
            contact.position += contact.gap * contact.normal;
            contact.normal = -contact.normal;
        }
        out_.add(contact);
    }

    Side a_, b_;
    bool own_;
    const DetectOptions& options_;
    DetectWork::Data& work_;
    ContactList& out_;
    double known_depth_ = 0;  // m: of the step before, and what is seen at first sight
    double extra_ = 0, drift_ = 0, reach_ = 0;
    Matrix3d b_from_a_, turn_size_;
};

// At the start, now, and where (20) looks: as far again as twice from one to the other.                (31)
bool is_certainly_free(const SurfaceMoment& moment, DetectWork::Data& work) {
    if (!moment.self_bound) return false;
    const auto free_at = [&](const SurfaceConfiguration& at) {
        return is_free_of_itself(*moment.self_bound, *moment.surface, at);
    };
    if (!free_at(moment.now) || !free_at(moment.start)) return false;
    const auto& now = moment.now;
    std::vector<double>& ahead = work.coordinates;
    ahead.clear();
    const auto extend = [&](std::span<const double> x, std::span<const double> from) {
        for (std::size_t i = 0; i < x.size(); ++i)
            ahead.push_back(3 * x[i] - 2 * (i < from.size() ? from[i] : 0));
    };
    extend(now.q, moment.start.q);
    extend(now.p, moment.start.p);
    extend(now.z, moment.start.z);
    const std::span<const double> all(ahead);
    return free_at({now.pose, all.subspan(0, now.q.size()), all.subspan(now.q.size(), now.p.size()),
                    all.subspan(now.q.size() + now.p.size())});
}

Side side_of(std::int32_t body, const SurfaceMoment& moment, DetectWork::Data& work) {
    MovedSurface& moved = work.surfaces[place_of(body)];
    return {body, moment, moved, moved.surface()};
}

}  // namespace

// The finer surface first; of equal ones that with the lower id.
void find_body_contacts(std::int32_t body_a, const SurfaceMoment& a, std::int32_t body_b,
                        const SurfaceMoment& b, const DetectOptions& options, DetectWork::Data& work,
                        ContactList& out) {
    const Side one = side_of(body_a, a, work), two = side_of(body_b, b, work);
    const auto rank = [](const Side& side) {
        return std::make_tuple(side.moved.mean_edge(), side.moment.id, side.moment.domain, side.body);
    };
    if (rank(one) < rank(two))
        SurfacePair(one, two, options, work, out).find();
    else
        SurfacePair(two, one, options, work, out).find();
}

void find_own_contacts(std::int32_t body, const SurfaceMoment& moment, const DetectOptions& options,
                       DetectWork::Data& work, ContactList& out) {
    if (moment.surface->motion() == SurfaceMotion::Rigid || is_certainly_free(moment, work)) return;
    const Side side = side_of(body, moment, work);
    SurfacePair(side, side, options, work, out).find();
}

}  // namespace limber
