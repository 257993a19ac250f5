// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/contact.md.
#include "limber/contact/self_bound.h"

#include "limber/contact/shape_gap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::Vector3d;

// Points of one another's corners and edges: the nearest two points of disjoint triangles are among a corner
// and a triangle, or two edges.
double triangle_distance(const std::array<Vector3d, 3>& x, const std::array<Vector3d, 3>& y) {
    double least = 1e300;
    for (const bool other : {false, true}) {
        const auto &one = other ? y : x, &two = other ? x : y;
        for (const Vector3d& p : one) {
            const Vector3d w = nearest_weights(two, p);
            least = std::min(least, (p - w[0] * two[0] - w[1] * two[1] - w[2] * two[2]).norm());
        }
    }
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            const Vector3d &p = x[i], &q = y[j];
            const Vector3d u = x[(i + 1) % 3] - p, v = y[(j + 1) % 3] - q;
            const Vector3d normal = u.cross(v);
            const double square = normal.squaredNorm();
            if (!(square > 0)) continue;
            const Vector3d d = q - p;
            const double s = d.cross(v).dot(normal) / square, t = d.cross(u).dot(normal) / square;
            if (s > 0 && s < 1 && t > 0 && t < 1)
                least = std::min(least, std::abs(d.dot(normal)) / std::sqrt(square));
        }
    return least;
}

class SlopeSearch {
 public:
    explicit SlopeSearch(const ContactSurface& surface)
        : surface_(surface), slope_(Eigen::VectorXd::Zero(surface.columns())) {}

    Eigen::VectorXd find(std::size_t most_pairs) {
        std::vector<std::pair<std::int32_t, std::int32_t>> open = {{0, 0}};
        for (std::size_t pairs = 0; !open.empty(); ++pairs) {
            if (pairs == most_pairs) {
                slope_.setConstant(std::numeric_limits<double>::infinity());
                break;
            }
            const auto [a, b] = open.back();
            open.pop_back();
            const TreeNode &n = node(a), &m = node(b);
            if (a != b && cannot_raise(a, b)) continue;
            const bool leaf_a = n.second_child < 0, leaf_b = m.second_child < 0;
            if (leaf_a && leaf_b) {
                look_at(n, m, a == b);
            } else if (a == b) {
                open.push_back({a + 1, a + 1});
                open.push_back({n.second_child, n.second_child});
                open.push_back({a + 1, n.second_child});
            } else if (leaf_b || (!leaf_a && n.count >= m.count)) {
                open.push_back({a + 1, b});
                open.push_back({n.second_child, b});
            } else {
                open.push_back({a, b + 1});
                open.push_back({a, m.second_child});
            }
        }
        return slope_;
    }

 private:
    const TreeNode& node(std::int32_t n) const { return surface_.nodes[static_cast<std::size_t>(n)]; }

    // Of boxes: how much a column may differ between them, over their distance.
    bool cannot_raise(std::int32_t a, std::int32_t b) const {
        const float *x = surface_.box(a), *y = surface_.box(b);
        double square = 0;
        for (int c = 0; c < 3; ++c) {
            const double apart = std::abs(x[c] - y[c]) - x[4 + c] - y[4 + c];
            if (apart > 0) square += apart * apart;
        }
        for (Index i = 0; i < slope_.size(); ++i) {
            x += ContactSurface::kNodeFloats;
            y += ContactSurface::kNodeFloats;
            double difference = 0;
            for (int c = 0; c < 3; ++c) {
                const double most = std::abs(x[c] - y[c]) + x[4 + c] + y[4 + c];
                difference += most * most;
            }
            if (difference > slope_[i] * slope_[i] * square) return false;
        }
        return true;
    }

    void look_at(const TreeNode& n, const TreeNode& m, bool same) {
        for (std::int32_t t = n.first; t < n.first + n.count; ++t)
            for (std::int32_t u = same ? t + 1 : m.first; u < m.first + m.count; ++u)
                look_at(surface_.triangles[static_cast<std::size_t>(t)],
                        surface_.triangles[static_cast<std::size_t>(u)]);
    }

    void look_at(const std::array<std::int32_t, 3>& t, const std::array<std::int32_t, 3>& u) {
        std::array<Vector3d, 3> x, y;
        for (std::size_t i = 0; i < 3; ++i) {
            for (const std::int32_t v : u)
                if (t[i] == v) return;
            x[i] = surface_.rest[static_cast<std::size_t>(t[i])];
            y[i] = surface_.rest[static_cast<std::size_t>(u[i])];
        }
        const double distance = triangle_distance(x, y);
        for (Index i = 0; i < slope_.size(); ++i) {
            double most = 0;  // the largest difference of points is one of corners
            for (const std::int32_t v : t)
                for (const std::int32_t w : u) {
                    const auto of = [&](std::int32_t vertex) {
                        return Eigen::Map<const Vector3d>(surface_.row(vertex) +
                                                          ContactSurface::kVertexDoubles *
                                                              static_cast<std::size_t>(i));
                    };
                    most = std::max(most, (of(v) - of(w)).squaredNorm());
                }
            if (most > 0)
                slope_[i] =
                    std::max(slope_[i], std::sqrt(most) / distance);  // infinite where they touch at rest
        }
    }

    const ContactSurface& surface_;
    Eigen::VectorXd slope_;
};

}  // namespace

SelfBound bound_self_contact(const ContactSurface& surface, std::size_t most_pairs) {
    return {SlopeSearch(surface).find(most_pairs)};
}

// |u - u'| ≤ |Δ(Φq + Γz)| + ½ |Δ(Ψp)| |u|, with every difference at most slope times the distance.
bool is_free_of_itself(const SelfBound& bound, const ContactSurface& surface,
                       const SurfaceConfiguration& at) {
    double displacing = 0, rotating = 0, size = 0;
    const auto add = [&](std::span<const double> x, Index first, double& sum) {
        for (std::size_t i = 0; i < x.size(); ++i) {
            const Index column = first + static_cast<Index>(i);
            if (x[i] != 0) sum += std::abs(x[i]) * bound.slope[column];
            if (&sum == &displacing) size += std::abs(x[i]) * surface.largest[column];
        }
    };
    add(at.q, 0, displacing);
    add(at.z, surface.modes(), displacing);
    add(at.p, surface.modes() + surface.companions(), rotating);
    return displacing + 0.5 * rotating * size < 0.25;
}

}  // namespace limber
