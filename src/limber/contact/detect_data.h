// SPDX-License-Identifier: Apache-2.0
// What the parts of detection share: scratch memory, the list of contacts, what is remembered. For the
// sources of this folder.
#pragma once
#include "limber/contact/detect.h"

#include <Eigen/Core>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace limber {

// What a contact is made of, for its key.
enum class ContactFeature : std::uint32_t {
    Vertex,
    Lattice,
    Face,
    VertexOfOther,
    Edges,
    OwnVertex,
    OwnEdges
};

// The pair of features as one number, without ids: a list that is sorted by it has the same order, and sums
// the same rounding, whatever ids its bodies have. 3 bits of the feature, 31 and 30 of the parts.
inline std::uint64_t contact_key(ContactFeature feature, std::int32_t part_a, std::size_t part_b = 0) {
    assert(part_a >= 0 && part_b < (std::size_t{1} << 30));
    return static_cast<std::uint64_t>(feature) << 61 | static_cast<std::uint64_t>(part_a) << 30 |
           static_cast<std::uint64_t>(part_b);
}
inline ContactFeature feature_of(std::uint64_t key) {
    return static_cast<ContactFeature>(key >> 61);
}
inline std::int32_t part_a_of(std::uint64_t key) {
    return static_cast<std::int32_t>(key >> 30 & 0x7fffffff);
}

// Who touches whom, by places in the lists of this step.
struct ContactPlaces {
    std::int32_t body_a, body_b, obstacle;
    auto order() const { return std::tie(body_a, body_b, obstacle); }
};

// The side on which a contact was a step ago.
struct RememberedSide {
    ContactPlaces who;
    std::uint64_t key;
    Eigen::Vector3d normal;  // world
    double gap;              // m
    auto order() const { return std::tie(who.body_a, who.body_b, who.obstacle, key); }
};
// Of a list of one pair, by key; null: not remembered.
inline const RememberedSide* find_key(std::span<const RememberedSide> list, std::uint64_t key) {
    const auto at = std::lower_bound(list.begin(), list.end(), key,
                                     [](const RememberedSide& a, std::uint64_t b) { return a.key < b; });
    return at != list.end() && at->key == key ? &*at : nullptr;
}
class Memory {
 public:
    void prepare(std::span<const ContactPoint> before, std::size_t bodies) {
        list_.clear();
        deepest_.assign(bodies, 0);
        for (const ContactPoint& c : before) {
            if (!c.normal.allFinite() || !std::isfinite(c.gap)) continue;
            list_.push_back({{c.body_a, c.body_b, c.obstacle}, c.key, c.normal, c.gap});
            for (const std::int32_t body : {c.body_a, c.body_b})
                if (body >= 0 && static_cast<std::size_t>(body) < bodies)
                    deepest_[static_cast<std::size_t>(body)] =
                        std::max(deepest_[static_cast<std::size_t>(body)], -c.gap);
        }
        std::sort(list_.begin(), list_.end(),
                  [](const RememberedSide& a, const RememberedSide& b) { return a.order() < b.order(); });
    }
    // Of one pair, by key. The lower place of two bodies first, as in contacts.
    std::span<const RememberedSide> of(const ContactPlaces& who) const {
        const auto first = std::lower_bound(
            list_.begin(), list_.end(), who,
            [](const RememberedSide& a, const ContactPlaces& b) { return a.who.order() < b.order(); });
        auto last = first;
        while (last != list_.end() && last->who.order() == who.order())
            ++last;
        return {first, last};
    }
    // The deepest overlap of a body, m: so far behind a thin thing its points are still looked for.
    double deepest(std::int32_t body) const { return deepest_[static_cast<std::size_t>(body)]; }

 private:
    std::vector<RememberedSide> list_;
    std::vector<double> deepest_;  // by place
};

// Marks of vertices and edges that were looked at already, cleared in one go.
class Marks {
 public:
    void reserve(std::size_t count) {
        if (marks_.size() < count) marks_.resize(count, 0);
    }
    void begin(std::size_t count) {
        reserve(count);
        ++now_;
    }
    // Was it marked? It is now.
    bool mark(std::int32_t i) { return std::exchange(marks_[static_cast<std::size_t>(i)], now_) == now_; }

 private:
    std::vector<std::uint64_t> marks_;
    std::uint64_t now_ = 0;
};

// Pairs of nodes that are looked at for each pair of triangles that may be kept: a search visits one or two.
inline constexpr std::size_t kNodesPerTrianglePair = 8;
// Of all pairs of surfaces in a step, times what one may take.
inline constexpr std::size_t kPairsOfAStep = 8;

// Of all contacts that were added the `most` with the narrowest gaps are kept, whatever their order.
struct ContactList {
    std::vector<ContactPoint>* points = nullptr;
    std::size_t most = 0;
    std::size_t left_out = 0;
    void add(const ContactPoint& contact) {
        points->push_back(contact);
        if (points->size() >= 4 * most + 1000) keep_narrowest();
    }
    void keep_narrowest();
};

struct PairOfNodes {
    std::int32_t a, b;
};

// A vertex and a triangle beside it.
struct VertexFace {
    std::int32_t vertex, triangle;
    double square;            // of their distance, m²
    Eigen::Vector3d weights;  // of the nearest point
};
// A vertex and its gap from the other surface.
struct VertexGap {
    std::int32_t vertex;
    double gap;
};

// A value of the distance at a point of a triangle's lattice.
struct LatticePoint {
    Eigen::Vector3d now, start;  // in the obstacle's axes, m
    double distance;
};

// A small triangle of a lattice: beside place (i, j) and its neighbours, upright or not.
struct LatticePiece {
    int i, j;
    enum Way { Up, Down } way;
};

struct DetectWork::Data {
    std::vector<MovedSurface> surfaces;  // by place
    std::vector<std::uint8_t> sound;     // do their configurations fit?
    std::vector<Eigen::AlignedBox3d> boxes;
    std::vector<std::int32_t> by_x;  // places in the order of their boxes' lowest x
    Memory memory;
    Marks vertices;
    std::vector<std::int32_t> stack;
    std::vector<PairOfNodes> pairs;
    std::vector<LatticePoint> lattice;
    Marks lattice_points;
    std::vector<LatticePiece> pieces;  // of a lattice, in reach
    std::vector<PairOfNodes> triangle_pairs;
    std::vector<VertexFace> vertex_faces;
    std::vector<VertexGap> gaps;
    std::vector<RememberedSide> guessed;  // of a pair that lies in one another at first sight
    std::vector<double> coordinates;
    std::size_t nodes = 0;
    std::size_t most_nodes = 0;           // nodes beyond which no pair of surfaces is searched in this step
    std::size_t triangle_pairs_left = 0;  // that may be found in this step
    std::size_t cut_short = 0;            // pairs of surfaces: DetectReport
};

// A point of surface `place` as its contact says it: vertices of a triangle, in the model's numbers.
inline SurfacePoint surface_point(const ContactSurface& surface, std::int32_t triangle,
                                  const Eigen::Vector3d& weights) {
    const auto& corners = surface.triangles[static_cast<std::size_t>(triangle)];
    const auto shown = [&](int c) {
        return surface.shown[static_cast<std::size_t>(corners[static_cast<std::size_t>(c)])];
    };
    return {{shown(0), shown(1), shown(2)}, weights};
}
inline SurfacePoint vertex_point(const ContactSurface& surface, std::int32_t vertex) {
    const std::int32_t triangle =
        surface.fan[static_cast<std::size_t>(surface.fan_start[static_cast<std::size_t>(vertex)])];
    const auto& corners = surface.triangles[static_cast<std::size_t>(triangle)];
    const auto corner = std::find(corners.begin(), corners.end(), vertex) - corners.begin();
    return surface_point(surface, triangle, Eigen::Vector3d::Unit(corner));
}

// What faces away counts so little where it overlaps: it must be listed, so that its side is remembered when
// the other thing is thin.
inline constexpr double kBackShare = 1e-3;

// The share of a triangle that faces a contact with this normal, which points out of the other thing.   (29)
// least: kBackShare or 0.
inline double facing(MovedSurface& moved, std::int32_t triangle, const Eigen::Vector3d& normal,
                     double least) {
    return std::max(least, -normal.dot(moved.face(triangle).normal));
}
// A vertex's thirds of its triangles that face it; scale(t): what counts of triangle t, 1 as a rule.
template <class Scale>
double facing_area(MovedSurface& moved, std::int32_t vertex, const Eigen::Vector3d& normal, double least,
                   Scale&& scale) {
    const ContactSurface& surface = moved.surface();
    const auto v = static_cast<std::size_t>(vertex);
    double sum = 0, all = 0;
    for (std::int32_t i = surface.fan_start[v]; i < surface.fan_start[v + 1]; ++i) {
        const std::int32_t t = surface.fan[static_cast<std::size_t>(i)];
        const double area = moved.area(t) / 3 * scale(t);
        sum += area * facing(moved, t, normal, 0);
        all += area;
    }
    return std::max(sum, least * all);
}

void find_obstacle_contacts(std::int32_t body, const SurfaceMoment& moment, std::int32_t place,
                            const ObstacleMoment& obstacle, const DetectOptions& options,
                            DetectWork::Data& work, ContactList& out);

void find_body_contacts(std::int32_t body_a, const SurfaceMoment& a, std::int32_t body_b,
                        const SurfaceMoment& b, const DetectOptions& options, DetectWork::Data& work,
                        ContactList& out);

void find_own_contacts(std::int32_t body, const SurfaceMoment& moment, const DetectOptions& options,
                       DetectWork::Data& work, ContactList& out);

}  // namespace limber
