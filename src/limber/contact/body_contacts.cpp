// SPDX-License-Identifier: Apache-2.0
// Two surfaces against each other, or one against itself: triangles that are near by both trees, then
// vertices against triangles and edges against edges. Equation numbers: docs/math/contact.md.
#include "limber/contact/deep_overlap.h"
#include "limber/contact/shape_gap.h"
#include "limber/contact/vertex_touch.h"

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

constexpr double kSeenDepth = 0.02;  // of the smaller body's radius; no more than half an edge of the finer
// A corner of a finer triangle has no contact of its own where a vertex of the coarser surface is deeper by
// this share of the finer one's edges. The vertex counts where such corners have more than the first share of
// its weights, wholly where they have the second.                                                    (25)
constexpr double kCornerDeeper = 0.02, kCornerBegins = 0.5, kCornerCounts = 1;
// Edges count where they are convex and the normal is in the range of normals of both (sines): not at all
// where the first, wholly from the second on. A face that lies flat on the other bounds that range. (28)
constexpr double kConeBegins = -0.05, kConeCounts = -0.01, kConvexBegins = 0.02, kConvexCounts = 0.1;
// Of an edge that is nearly flat the vertices count: a turn of the surface from kFlatTurn on to this.
constexpr double kTurnCounts = 0.03;
// And where they touch in their middles: near its ends a vertex counts already.
constexpr double kEndsCount = 0.1;
// Parts of one body that are farther apart than this share of their distance at rest do not touch.   (31)
constexpr double kNearerThanRest = 0.75;

double rise_from(double x, double begin, double end) {
    return std::clamp((x - begin) / (end - begin), 0.0, 1.0);
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
    SurfacePair(const SurfaceSide& one, const SurfaceSide& two, const DetectOptions& options,
                DetectWork::Data& work, ContactList& out)
        : a_(one), b_(two), own_(one.body == two.body), options_(options), work_(work), out_(out) {
        // Lengths that do not come from the finer surface are no longer than its edges: of a fine surface
        // every triangle would be near hundreds of others.
        const double edge = a_.moved.mean_edge();
        margin_ = std::min(options.margin, edge);
        extra_ =
            std::min(own_ ? 2 * a_.moment.extra_drift : a_.moment.extra_drift + b_.moment.extra_drift, edge);
        drift_ =
            2 * ((a_.moved.carried() - b_.moved.carried()).norm() + a_.moved.strayed() + b_.moved.strayed());
        const double depth =
            options.depth > 0
                ? options.depth
                : std::min(kSeenDepth * std::min(a_.moved.rest_radius(), b_.moved.rest_radius()), edge / 2);
        before_ = work.memory.of(places());
        seen_depth_ = std::max(margin_, own_ ? 0 : depth);
        // Deep vertices are found by rays, deep edges by their distance.
        known_depth_ = seen_depth_;
        for (const RememberedSide& each : before_)
            if (feature_of(each.key) == feature(ContactFeature::Edges))
                known_depth_ = std::max(known_depth_, -each.gap);
        near_ = known_depth_ + extra_;
        reach_ = near_ + drift_;
        const Matrix3d b_from_a = b_.moved.rotation().transpose() * a_.moved.rotation();
        to_a_ << a_.moved.rotation().transpose(), Eigen::RowVector3d::Zero();
        to_b_ << b_.moved.rotation().transpose(), Eigen::RowVector3d::Zero();
        b_from_a_size_ << b_from_a.cwiseAbs(), Eigen::RowVector3d::Zero();
        a_from_b_size_ << b_from_a.transpose().cwiseAbs(), Eigen::RowVector3d::Zero();
    }

    void find() {
        if (before_.empty() && !own_ && roots_apart()) return;
        find_triangle_pairs();
        if (before_.empty() && !own_ && options_.depth == 0) guess_sides();
        if (before_.empty() && work_.triangle_pairs.empty()) return;
        add_vertices(a_, b_, true);
        if (!own_) add_vertices(b_, a_, false);
        add_edges();
    }

 private:
    // Axes of both boxes.                                                                            (8)
    bool apart(const MovedBox& x, const MovedBox& y) const {
        const Vector3d d = y.center - x.center;
        const Vector3d half_x = x.half.head<3>(), half_y = y.half.head<3>();
        return ((to_a_ * d).cwiseAbs() - x.half - a_from_b_size_ * half_y).maxCoeff() > reach_ ||
               ((to_b_ * d).cwiseAbs() - y.half - b_from_a_size_ * half_x).maxCoeff() > reach_;
    }

    // Axes across an edge of each box: with those of (8) all that can separate two boxes. Boxes of bodies
    // that lie beside each other often meet along (8) and nowhere else.
    bool roots_apart() const {
        const MovedBox &x = a_.moved.world_box(0), &y = b_.moved.world_box(0);
        const Matrix3d &a = a_.moved.rotation(), &b = b_.moved.rotation();
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                const Vector3d axis = a.col(i).cross(b.col(j));
                const double length = axis.norm();
                if (length < 1e-6) continue;  // parallel
                const double between = std::abs(axis.dot(y.center - x.center)) -
                                       (a.transpose() * axis).cwiseAbs().dot(x.half.head<3>()) -
                                       (b.transpose() * axis).cwiseAbs().dot(y.half.head<3>());
                if (between > reach_ * length) return true;
            }
        return false;
    }

    void find_triangle_pairs() {
        work_.triangle_pairs.clear();
        work_.pairs.assign(1, {0, 0});
        const std::size_t most_nodes = nodes_until();
        const std::size_t most = std::min(options_.most_triangle_pairs, work_.triangle_pairs_left);
        while (!work_.pairs.empty()) {
            if (work_.triangle_pairs.size() >= most || work_.nodes >= most_nodes) {
                ++work_.cut_short;
                break;
            }
            const PairOfNodes pair = work_.pairs.back();
            work_.pairs.pop_back();
            ++work_.nodes;
            const MovedBox &x = a_.moved.world_box(pair.a), &y = b_.moved.world_box(pair.b);
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
        work_.triangle_pairs_left -= std::min(work_.triangle_pairs_left, work_.triangle_pairs.size());
    }
    // The count of nodes at which a search that begins now ends.
    std::size_t nodes_until() const {
        return std::min(work_.nodes + kNodesPerTrianglePair * options_.most_triangle_pairs, work_.most_nodes);
    }

    // Triangles of one body that share a vertex cannot touch otherwise than they do at rest.
    bool joined(std::int32_t t, std::int32_t u) const {
        for (const std::int32_t v : a_.surface.triangles[place_of(t)])
            for (const std::int32_t w : a_.surface.triangles[place_of(u)])
                if (v == w) return true;
        return false;
    }

    // How much farther one may be from the other, from half a step before the start to another one after the
    // end, than they are now, by axes: twice their motion against each other since the start.     (20), (22)
    static Padded3d ranged(const Padded3d& least, const Padded3d& most) {
        return 2 * least.cwiseAbs().cwiseMax(most.cwiseAbs());
    }

    // Is all of a triangle out of reach, on one side of the plane of the other?
    bool beyond_plane(const SurfaceSide& one, std::int32_t t, const SurfaceSide& other, std::int32_t u,
                      double reach) const {
        const Vector3d& normal = other.normal(u);
        const Vector3d& foot = other.moved.now(other.surface.triangles[place_of(u)][0]);
        double low = reach, high = -reach;
        for (const std::int32_t v : one.surface.triangles[place_of(t)]) {
            const double height = normal.dot(one.moved.now(v) - foot);
            low = std::min(low, height);
            high = std::max(high, height);
        }
        return low >= reach || high <= -reach;
    }

    void add_triangles(const TreeNode& n, const TreeNode& m, bool same) {
        for (std::int32_t t = n.first; t < n.first + n.count; ++t) {
            const MovedFace& face = a_.moved.face(t);
            for (std::int32_t u = same ? t + 1 : m.first; u < m.first + m.count; ++u) {
                const MovedFace& other = b_.moved.face(u);
                const Padded3d range =
                    ranged(face.moved_least - other.moved_most, face.moved_most - other.moved_least);
                if (((other.low - face.high).cwiseMax(face.low - other.high) - range).maxCoeff() > near_)
                    continue;
                if (own_ && joined(t, u)) continue;
                const double reach = near_ + range.norm();
                if (beyond_plane(a_, t, b_, u, reach) || beyond_plane(b_, u, a_, t, reach)) continue;
                work_.triangle_pairs.push_back({t, u});
            }
        }
    }

    // At first sight of bodies that lie in one another deeper than what the nearest side tells: vertices
    // inside are taken as remembered, all on the side of the way out. (32)
    void guess_sides() {
        const auto way = way_out(a_, b_, work_.triangle_pairs);
        if (!way) return;
        work_.guessed.clear();
        const std::size_t most_nodes = nodes_until();
        double deepest = 0;
        const auto guess = [&](const SurfaceSide& one, const SurfaceSide& other, const Vector3d& out,
                               ContactFeature vertex) {
            find_inside(one, other, out, work_, most_nodes, work_.gaps);
            for (const VertexGap& each : work_.gaps) {
                deepest = std::max(deepest, -each.gap);
                work_.guessed.push_back({places(), contact_key(vertex, each.vertex),
                                         a_.body < b_.body ? *way : Vector3d(-*way), each.gap});
            }
        };
        guess(a_, b_, *way, ContactFeature::Vertex);
        guess(b_, a_, -*way, ContactFeature::VertexOfOther);
        if (deepest > known_depth_) before_ = work_.guessed;
    }

    ContactFeature feature(ContactFeature of_two) const {
        return !own_                             ? of_two
               : of_two == ContactFeature::Edges ? ContactFeature::OwnEdges
                                                 : ContactFeature::OwnVertex;
    }

    // Vertices of one surface against the triangles of the other.
    void add_vertices(const SurfaceSide& one, const SurfaceSide& other, bool finer) {
        work_.vertex_faces.clear();
        const auto look = [&](std::int32_t t, std::int32_t u) {
            const std::array<bool, 3>& owns = one.surface.owns[place_of(t)];
            for (std::size_t c = 0; c < 3; ++c) {
                if (!owns[c]) continue;
                const std::int32_t v = one.surface.triangles[place_of(t)][c];
                const MovedFace& face = other.moved.face(u);
                const Vector3d& at = one.moved.now(v);
                Padded3d place, moved;
                place << at, 0;
                moved << at - one.moved.start(v), 0;
                const Padded3d range = ranged(moved - face.moved_most, moved - face.moved_least);
                if (((place - face.high).cwiseMax(face.low - place) - range).maxCoeff() > near_) continue;
                const Corners3 x = other.now(u);
                const Vector3d w = nearest_weights(x, at);
                const double square = (at - mix(x, w)).squaredNorm(), reach = near_ + range.norm();
                if (square > reach * reach) continue;
                // Neighbours on one face are no nearer than at rest, and would hide what is behind them.
                if (own_ && square > kNearerThanRest * kNearerThanRest *
                                         (one.moved.rest(v) - rest_of(other, u, w)).squaredNorm())
                    continue;
                work_.vertex_faces.push_back({v, u, square, w});
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
        // Those that overlapped are looked at however deep they are by now.
        const ContactFeature kind = feature(finer ? ContactFeature::Vertex : ContactFeature::VertexOfOther);
        for (const RememberedSide& each : before_)
            if (feature_of(each.key) == kind && each.gap < 0)
                work_.vertex_faces.push_back({part_a_of(each.key), -1, kNotNear, Vector3d::Zero()});
        auto& found = work_.vertex_faces;
        std::sort(found.begin(), found.end(), [](const VertexFace& x, const VertexFace& y) {
            return std::tie(x.vertex, x.square, x.triangle) < std::tie(y.vertex, y.square, y.triangle);
        });
        if (finer) work_.gaps.clear();
        for (std::size_t i = 0; i < found.size();) {
            std::size_t end = i + 1;
            while (end < found.size() && found[end].vertex == found[i].vertex)
                ++end;
            const std::size_t near = found[end - 1].triangle < 0 ? end - 1 - i : end - i;
            add_vertex(one, other, found[i].vertex, {found.data() + i, near}, kind);
            i = end;
        }
    }

    void add_vertex(const SurfaceSide& one, const SurfaceSide& other, std::int32_t v,
                    std::span<const VertexFace> faces, ContactFeature kind) {
        const bool finer = kind != ContactFeature::VertexOfOther;
        const std::uint64_t key = contact_key(kind, v);
        VertexQuery query{one, other, v, faces, nullptr, 0, drift_};
        Vector3d side;  // this body from the other; put() may have turned it round
        if (const RememberedSide* before = find_key(before_, key); before) {
            side = one.body > other.body ? Vector3d(-before->normal) : before->normal;
            query.side = &side;
            query.depth = seen_depth_ + std::max(0.0, -before->gap);
        }
        const std::optional<VertexTouch> touch = own_ ? own_touch(query, work_) : touch_of(query, work_);
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
        contact.position = mix(other.now(touch->triangle), touch->weights);
        contact.apart = x - contact.position;
        contact.gap = touch->gap;
        contact.area = area;
        contact.key = key;
        put(contact);
    }

    // Deeper at the start of the step than any two edges of the bodies may have been: on the far side of the
    // other body, not an overlap.                                                                    (23)
    bool is_far_side(double start_gap, const Vector3d& drift) const {
        return -start_gap > known_depth_ + drift.norm();
    }

    // Of a vertex of the coarser surface in a triangle of the finer one: no more than the finer's area there.
    double corner_area(const SurfaceSide& finer, const VertexTouch& touch, double own_area) const {
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
        return gap + approach < std::min(margin_, at_rest / 2);
    }
    static constexpr double kAnyDistance = 1e300;  // m
    static constexpr double kNotNear = 1e300;      // m²: no triangle
    // Of two points of one surface.
    double rest_distance(const Vector3d& x, const Vector3d& y) const {
        return own_ ? (x - y).norm() : kAnyDistance;
    }
    static Vector3d rest_of(const SurfaceSide& side, std::int32_t triangle, const Vector3d& weights) {
        const auto& t = side.surface.triangles[place_of(triangle)];
        return mix({side.moved.rest(t[0]), side.moved.rest(t[1]), side.moved.rest(t[2])}, weights);
    }
    static Vector3d rest_of(const SurfaceSide& side, const SurfaceEdge& edge, double s) {
        return (1 - s) * side.moved.rest(edge.vertices[0]) + s * side.moved.rest(edge.vertices[1]);
    }

    void add_edges() {
        for (const PairOfNodes& pair : work_.triangle_pairs) {
            const MovedEdges &of_a = a_.moved.edges_of(pair.a), &of_b = b_.moved.edges_of(pair.b);
            for (std::size_t c = 0; c < 3; ++c)
                for (std::size_t d = 0; of_a.sharp[c] && d < 3; ++d)
                    if (of_b.sharp[d])
                        add_edge_pair(pair, a_.surface.edges_of[place_of(pair.a)][c],
                                      b_.surface.edges_of[place_of(pair.b)][d]);
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
    static Slack slack_in_cone(const MovedEdge& edge, const Vector3d& direction) {
        // From within, a dent looks like a convex edge.
        if (!(direction.dot(edge.outward) > 0)) return {-1, -1};
        Slack slack;
        for (std::size_t t = 0; t < std::size_t(edge.triangles); ++t) {
            const double each = -direction.dot(edge.into[t]);
            slack.least = std::min(slack.least, each);
            slack.most = std::max(slack.most, each);
        }
        return slack;
    }
    static double share_in_cone(const MovedEdge& edge, const Vector3d& direction) {
        return slack_in_cone(edge, direction).share() * rise_from(edge.turn, kFlatTurn, kTurnCounts);
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
            share = share_in_cone(a_.moved.edge(e), -sign * normal);
            if (share > 0) share *= share_in_cone(b_.moved.edge(f), sign * normal);
            if (!(share > 0)) continue;
            normal *= sign;
            break;
        }
        const double ends = std::min(std::min(meet->s, 1 - meet->s), std::min(meet->t, 1 - meet->t));
        share *= rise_from(ends, 0, kEndsCount);
        if (!(share > 0)) return;
        const double gap = normal.dot(x - y);
        const std::uint64_t key = contact_key(feature(ContactFeature::Edges), e, place_of(f));
        const Vector3d x0 =
            (1 - meet->s) * a_.moved.start(edge.vertices[0]) + meet->s * a_.moved.start(edge.vertices[1]);
        const Vector3d y0 =
            (1 - meet->t) * b_.moved.start(other.vertices[0]) + meet->t * b_.moved.start(other.vertices[1]);
        if (own_ && gap < 0 && normal.dot(x0 - y0) < 0 && !find_key(before_, key)) return;
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
        contact.apart = x - y;
        contact.gap = gap;
        contact.area = share * std::min(edge_area(a_, edge), edge_area(b_, other));
        contact.key = key;
        put(contact);
    }

    static double edge_area(const SurfaceSide& side, const SurfaceEdge& edge) {
        double sum = 0;
        for (const std::int32_t t : edge.triangles)
            if (t >= 0) sum += side.moved.area(t) / 3;
        return sum;
    }
    static SurfacePoint edge_point(const SurfaceSide& side, std::int32_t triangle, const SurfaceEdge& edge,
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
            contact.position += contact.apart;
            contact.apart = -contact.apart;
            contact.normal = -contact.normal;
        }
        out_.add(contact);
    }

    SurfaceSide a_, b_;
    bool own_;
    const DetectOptions& options_;
    DetectWork::Data& work_;
    ContactList& out_;
    std::span<const RememberedSide> before_;  // what is known of this pair, by key
    double margin_ = 0, extra_ = 0;           // m
    double seen_depth_ = 0;                   // m: what is seen at first sight
    double known_depth_ = 0;                  // m: that, or the deepest edges of the step before
    // Two points count that are so near (m), at some time of the step: now, they may be their motion farther
    // apart, of which drift_ is the most. Nodes are compared by reach_, the sum.
    double near_ = 0, drift_ = 0, reach_ = 0;
    // Of both boxes' axes, and the sizes of one's in the other's; padded with a row of zeros.
    using Padded33d = Eigen::Matrix<double, 4, 3, Eigen::DontAlign>;
    Padded33d to_a_, to_b_, a_from_b_size_, b_from_a_size_;
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

SurfaceSide side_of(std::int32_t body, const SurfaceMoment& moment, DetectWork::Data& work) {
    MovedSurface& moved = work.surfaces[place_of(body)];
    return {body, moment, moved, moved.surface()};
}

}  // namespace

// The finer surface first; of equal ones that with the lower id.
void find_body_contacts(std::int32_t body_a, const SurfaceMoment& a, std::int32_t body_b,
                        const SurfaceMoment& b, const DetectOptions& options, DetectWork::Data& work,
                        ContactList& out) {
    const SurfaceSide one = side_of(body_a, a, work), two = side_of(body_b, b, work);
    const auto rank = [](const SurfaceSide& side) {
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
    const SurfaceSide side = side_of(body, moment, work);
    SurfacePair(side, side, options, work, out).find();
}

}  // namespace limber
