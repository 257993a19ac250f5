// SPDX-License-Identifier: Apache-2.0
// A body's surface against an obstacle: its vertices, points of a lattice in triangles that are large against
// the obstacle, and the deepest points of triangles. Equation numbers: docs/math/contact.md.
#include "limber/contact/detect_data.h"
#include "limber/contact/shape_gap.h"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

using Eigen::Vector3d;

// Triangles are halved at most so often: 561 points.
constexpr int kMostLatticeHalvings = 5;
// The deepest point of a piece counts where it is deeper than the piece's corners by this share of its size:
// not at all below the first, wholly from the second on.                                             (25)
constexpr double kFaceBegins = 0.005, kFaceCounts = 0.02;
// And where its gap has a direction: not in the middle of a plate that cuts the piece.                (26)
constexpr double kSharpBegins = 0.2, kSharpCounts = 0.4;

// 0 below begin, 1 above end, linear in between.
double rise(double x, double begin, double end) {
    return std::clamp((x - begin) / (end - begin), 0.0, 1.0);
}

// Halvings until a triangle's pieces are as small as the obstacle's features. From rest lengths: a lattice
// does not change while the body moves.
int halvings_of(double longest_edge, double feature) {
    int level = 0;
    for (double size = longest_edge; level < kMostLatticeHalvings && size > feature; size /= 2)
        ++level;
    return level;
}

class ObstaclePair {
 public:
    ObstaclePair(std::int32_t body, const SurfaceMoment& moment, std::int32_t place,
                 const ObstacleMoment& obstacle, const DetectOptions& options, DetectWork::Data& work,
                 ContactList& out)
        : body_(body),
          place_(place),
          moment_(moment),
          obstacle_(obstacle),
          shape_(*obstacle.shape),
          options_(options),
          work_(work),
          out_(out),
          moved_(work.surfaces[static_cast<std::size_t>(body)]),
          surface_(moved_.surface()),
          world_from_shape_(obstacle.now.orientation.toRotationMatrix()),
          shape_from_world_(world_from_shape_.transpose()),
          start_shape_from_world_(obstacle.start.orientation.conjugate().toRotationMatrix()),
          flat_(std::holds_alternative<PlaneShape>(shape_)),
          feature_(feature_length(shape_)),
          slack_(2 * distance_error(shape_)),
          box_(bounds(shape_)) {
        before_ = work.memory.of({body, -1, place});
        still_reach_ = options.margin + moment.extra_drift + work.memory.deepest(body);
        reach_ = still_reach_ + 2 * (moved_.drift() + obstacle_drift());
    }

    void find() {
        const Eigen::Matrix3d rotation = shape_from_world_ * moved_.rotation();
        const Eigen::Matrix3d absolute_rotation = rotation.cwiseAbs();
        work_.vertices.begin(surface_.rest.size());
        work_.stack.assign(1, 0);
        while (!work_.stack.empty()) {
            const std::int32_t n = work_.stack.back();
            work_.stack.pop_back();
            ++work_.nodes;
            const NodeBox box = moved_.box(n);
            if (misses(local(moved_.to_world(box.center)), rotation, absolute_rotation * box.half, box.half))
                continue;
            const TreeNode& node = surface_.nodes[static_cast<std::size_t>(n)];
            if (node.second_child < 0) {
                for (std::int32_t t = node.first; t < node.first + node.count; ++t)
                    add_triangle(t);
            } else {
                work_.stack.push_back(node.second_child);
                work_.stack.push_back(n + 1);
            }
        }
    }

 private:
    Vector3d local(const Vector3d& world) const {
        return shape_from_world_ * (world - obstacle_.now.position);
    }
    Vector3d local_start(const Vector3d& world) const {
        return start_shape_from_world_ * (world - obstacle_.start.position);
    }
    // How far the obstacle's frame carries a point beside the body, at most.
    double obstacle_drift() const {
        const Vector3d middle = moved_.to_world(moved_.box(0).center);
        const double radius = moved_.box(0).half.norm();
        return (local(middle) - local_start(middle)).norm() +
               (shape_from_world_ - start_shape_from_world_).norm() * radius;
    }

    // Is a node's box out of reach? half: along the obstacle's axes; box_half: along the box's own.     (7)
    bool misses(const Vector3d& center, const Eigen::Matrix3d& rotation, const Vector3d& half,
                const Vector3d& box_half) const {
        if (flat_) return center.z() - half.z() > reach_;
        const Vector3d room = half + Vector3d::Constant(reach_);
        if (((center - room).array() > box_.max().array()).any() ||
            ((center + room).array() < box_.min().array()).any())
            return true;
        const SignedDistance d = signed_distance(shape_, center);
        const double lower = is_convex() ? (rotation.transpose() * d.gradient).cwiseAbs().dot(box_half)
                                         : box_half.norm() + slack_;
        return d.distance - lower > reach_;
    }
    // A convex distance is nowhere below its tangents; that of a mesh falls by its slope of 1 at most.
    bool is_convex() const { return slack_ == 0; }
    bool misses(const std::array<Vector3d, 3>& corners) const {
        const Vector3d center = (corners[0] + corners[1] + corners[2]) / 3;
        const SignedDistance d = signed_distance(shape_, center);
        return d.distance + fall(corners, center, d.gradient) > reach_;
    }
    // How much less than at the centre the distance may be in a triangle: not positive.
    double fall(const std::array<Vector3d, 3>& corners, const Vector3d& center,
                const Vector3d& gradient) const {
        double out = 0;
        for (const Vector3d& x : corners)
            out = std::min(out, is_convex() ? gradient.dot(x - center) : -(x - center).norm() - slack_);
        return out;
    }

    void add_triangle(std::int32_t t) {
        const auto& corners = surface_.triangles[static_cast<std::size_t>(t)];
        if (flat_) {
            for (const std::int32_t v : corners)
                if (!work_.vertices.mark(v)) add_vertex(v);
            return;
        }
        std::array<LatticePoint, 3> at;
        for (std::size_t c = 0; c < 3; ++c)
            at[c].now = local(moved_.now(corners[c]));
        if (misses({at[0].now, at[1].now, at[2].now})) return;
        for (std::size_t c = 0; c < 3; ++c) {
            at[c].start = local_start(moved_.start(corners[c]));
            if (!work_.vertices.mark(corners[c])) add_vertex(corners[c]);
        }
        const int n = 1 << halvings_of(moved_.longest_edge(t), feature_);
        work_.lattice.resize(static_cast<std::size_t>((n + 1) * (n + 2) / 2));
        work_.lattice_points.begin(work_.lattice.size());
        work_.pieces.clear();
        work_.pieces.reserve(static_cast<std::size_t>(n * n));
        find_near_pieces(at, {{{0, 0}, {n, 0}, {0, n}}}, n, n);
        for (const LatticePiece& piece : work_.pieces)
            add_piece(t, at, piece, n);
    }

    // Rows of constant weight of corner 2: place (i, j) has weights (n - i - j, i, j)/n.
    using Place = std::array<int, 2>;
    static std::int32_t lattice_number(const Place& at, int n) {
        return at[1] * (n + 1) - at[1] * (at[1] - 1) / 2 + at[0];
    }
    static Vector3d lattice_weights(const Place& at, int n) {
        return Vector3d(n - at[0] - at[1], at[0], at[1]) / n;
    }
    const LatticePoint& lattice_point(const Place& at, int n) const {
        return work_.lattice[static_cast<std::size_t>(lattice_number(at, n))];
    }

    // The pieces of a lattice that may be in reach, by quarters: the others cost nothing. The triangle of
    // `places` has `size` pieces along an edge and is in reach itself.
    void find_near_pieces(const std::array<LatticePoint, 3>& corners, const std::array<Place, 3>& places,
                          int size, int n) {
        if (size == 1) {
            const int i = std::min({places[0][0], places[1][0], places[2][0]});
            const int j = std::min({places[0][1], places[1][1], places[2][1]});
            int sum = 0;
            for (const Place& at : places)
                sum += at[0] - i + at[1] - j;
            work_.pieces.push_back({i, j, sum == 2 ? LatticePiece::Up : LatticePiece::Down});
            return;
        }
        const auto middle = [&](std::size_t a, std::size_t b) -> Place {
            return {(places[a][0] + places[b][0]) / 2, (places[a][1] + places[b][1]) / 2};
        };
        const Place ab = middle(0, 1), bc = middle(1, 2), ca = middle(2, 0);
        const std::array<std::array<Place, 3>, 4> quarters{
            {{places[0], ab, ca}, {ab, places[1], bc}, {ca, bc, places[2]}, {ab, bc, ca}}};
        for (const auto& quarter : quarters) {
            std::array<Vector3d, 3> x;
            for (std::size_t c = 0; c < 3; ++c) {
                const Vector3d w = lattice_weights(quarter[c], n);
                x[c] = w[0] * corners[0].now + w[1] * corners[1].now + w[2] * corners[2].now;
            }
            if (!misses(x)) find_near_pieces(corners, quarter, size / 2, n);
        }
    }

    // A piece of the lattice, and those of its points that were not looked at yet.
    void add_piece(std::int32_t t, const std::array<LatticePoint, 3>& corners, const LatticePiece& piece,
                   int n) {
        const auto [i, j, way] = piece;
        const std::array<Place, 3> places =
            way == LatticePiece::Up ? std::array<Place, 3>{{{i, j}, {i + 1, j}, {i, j + 1}}}
                                    : std::array<Place, 3>{{{i + 1, j}, {i + 1, j + 1}, {i, j + 1}}};
        for (const Place& at : places)
            if (!work_.lattice_points.mark(lattice_number(at, n))) add_lattice_point(t, corners, at, n);
        const int cell = j * n - j * (j - 1) / 2 + i;
        add_face(t, places, n, 2 * cell + (way == LatticePiece::Up ? 0 : 1));
    }

    void add_lattice_point(std::int32_t t, const std::array<LatticePoint, 3>& corners, const Place& at,
                           int n) {
        const Vector3d w = lattice_weights(at, n);
        LatticePoint& p = work_.lattice[static_cast<std::size_t>(lattice_number(at, n))];
        p.now = w[0] * corners[0].now + w[1] * corners[1].now + w[2] * corners[2].now;
        p.start = w[0] * corners[0].start + w[1] * corners[1].start + w[2] * corners[2].start;
        p.distance = signed_distance(shape_, p.now).distance;
        const int zeros = (at[0] == 0) + (at[1] == 0) + (at[0] + at[1] == n);
        if (zeros == 2 || p.distance > reach_) return;  // 2: a vertex of the surface
        add({.triangle = t,
             .weights = w,
             .now = p.now,
             .start = p.start,
             .area = moved_.area(t) / (n * n) * (zeros == 1 ? 1 : 2),  // a third of 3 or 6 pieces
             .key =
                 contact_key(ContactFeature::Lattice, t, static_cast<std::size_t>(lattice_number(at, n)))});
    }

    void add_face(std::int32_t t, const std::array<Place, 3>& places, int n, int piece) {
        const double area = moved_.area(t) / (n * n), size = moved_.longest_edge(t) / n;
        std::array<Vector3d, 3> now, start, weights;
        double least = 0, drift = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            const LatticePoint& p = lattice_point(places[c], n);
            now[c] = p.now;
            start[c] = p.start;
            weights[c] = lattice_weights(places[c], n);
            least = c == 0 ? p.distance : std::min(least, p.distance);
            drift = std::max(drift, (p.now - p.start).norm());
        }
        if (!may_be_deeper(now, least, kFaceBegins * size, still_reach_ + 2 * drift)) return;
        const DeepestPoint deepest = deepest_point(shape_, now);
        const double excess = (least - deepest.distance) / size;
        double share = rise(excess, kFaceBegins, kFaceCounts);
        if (!(share > 0)) return;
        const Vector3d normal = (now[1] - now[0]).cross(now[2] - now[0]).stableNormalized();
        const auto mix = [&](const std::array<Vector3d, 3>& x) -> Vector3d {
            return deepest.weights[0] * x[0] + deepest.weights[1] * x[1] + deepest.weights[2] * x[2];
        };
        const FaceGap plain = gap_of_deepest(shape_, mix(now), normal, size);
        share *= rise(plain.sharpness, kSharpBegins, kSharpCounts);
        if (!(share > 0)) return;
        add({.triangle = t,
             .weights = mix(weights),
             .now = mix(now),
             .start = mix(start),
             .plain = &plain.gap,
             .area = share * area,
             .key = contact_key(ContactFeature::Face, t, static_cast<std::size_t>(piece))});
    }

    bool may_be_deeper(const std::array<Vector3d, 3>& corners, double least, double by, double reach) const {
        const Vector3d center = (corners[0] + corners[1] + corners[2]) / 3;
        const SignedDistance d = signed_distance(shape_, center);
        const double bound = d.distance + fall(corners, center, d.gradient);
        return bound <= reach && least - bound > by;
    }

    void add_vertex(std::int32_t v) {
        const Vector3d now = local(moved_.now(v));
        if (signed_distance(shape_, now).distance > reach_) return;
        add({.vertex = v,
             .now = now,
             .start = local_start(moved_.start(v)),
             .key = contact_key(ContactFeature::Vertex, v)});
    }
    // Of a vertex, in a lattice of smaller pieces.
    double vertex_area(std::int32_t v, const Vector3d& normal, double least) {
        return facing_area(moved_, v, normal, least, [&](std::int32_t t) {
            const double longest = moved_.longest_edge(t);
            return flat_ ? 1.0 : std::ldexp(1.0, -2 * halvings_of(longest, feature_));
        });
    }

    struct Candidate {
        std::int32_t vertex = -1, triangle = -1;  // a vertex, or a point of a triangle
        Vector3d weights = Vector3d::UnitX();
        Vector3d now, start;         // in the obstacle's axes
        const Gap* plain = nullptr;  // null: the signed distance
        double area = 0;             // of a point of a triangle
        std::uint64_t key = 0;
    };
    void add(const Candidate& point) {
        Vector3d side;
        const Vector3d* remembered = nullptr;
        if (const RememberedSide* before = find_key(before_, point.key)) {
            side = shape_from_world_ * before->normal;
            remembered = &side;
        }
        const Gap gap = point.plain ? gap_on_side(shape_, *point.plain, point.now, point.start, remembered)
                                    : gap_of_point(shape_, point.now, point.start, remembered);
        const double approach = std::min(0.0, 2 * gap.normal.dot(point.now - point.start));
        if (!(gap.gap + approach - moment_.extra_drift < options_.margin)) return;  // (20)
        ContactPoint contact;
        contact.body_a = body_;
        contact.obstacle = place_;
        contact.a = point.vertex >= 0 ? vertex_point(surface_, point.vertex)
                                      : surface_point(surface_, point.triangle, point.weights);
        contact.normal = world_from_shape_ * gap.normal;
        const double least = gap.gap < 0 && !flat_ ? kBackShare : 0;
        contact.area = point.vertex >= 0 ? vertex_area(point.vertex, contact.normal, least)
                                         : point.area * facing(moved_, point.triangle, contact.normal, least);
        if (!(contact.area > 0)) return;
        contact.position = world_from_shape_ * (point.now - gap.gap * gap.normal) + obstacle_.now.position;
        contact.gap = gap.gap;
        contact.key = point.key;
        out_.add(contact);
    }

    std::int32_t body_, place_;
    const SurfaceMoment& moment_;
    const ObstacleMoment& obstacle_;
    const Shape& shape_;
    const DetectOptions& options_;
    DetectWork::Data& work_;
    std::span<const RememberedSide> before_;
    ContactList& out_;
    MovedSurface& moved_;
    const ContactSurface& surface_;
    Eigen::Matrix3d world_from_shape_, shape_from_world_, start_shape_from_world_;
    bool flat_;
    double feature_, slack_;
    double still_reach_ = 0, reach_ = 0;  // without and with the drift, m
    Eigen::AlignedBox3d box_;
};

}  // namespace

void find_obstacle_contacts(std::int32_t body, const SurfaceMoment& moment, std::int32_t place,
                            const ObstacleMoment& obstacle, const DetectOptions& options,
                            DetectWork::Data& work, ContactList& out) {
    ObstaclePair(body, moment, place, obstacle, options, work, out).find();
}

}  // namespace limber
