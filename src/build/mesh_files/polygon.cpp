// SPDX-License-Identifier: Apache-2.0
#include "build/mesh_files/polygon.h"

#include <Eigen/Geometry>
#include <cassert>
#include <cmath>

namespace limber::build {
namespace {

// Twice an area below this is rounding in a polygon about one unit wide.
constexpr double kFlat = 1e-14;

// Twice the signed area of the triangle abc; positive if it turns left.
double turn(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
    return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

}  // namespace

void PolygonCutter::cut(const std::vector<Vertex>& vertices, std::span<const int> corners,
                        std::vector<Triangle>& triangles) {
    assert(corners.size() >= 3);
    const int n = static_cast<int>(corners.size());
    int first = 0;  // where the closing fan starts
    int left = n;
    next_.resize(corners.size());
    previous_.resize(corners.size());
    for (int i = 0; i < n; ++i) {
        next_[i] = i + 1 < n ? i + 1 : 0;
        previous_[i] = i > 0 ? i - 1 : n - 1;
    }

    if (n > 3 && corners.size() <= kMostCorners && flatten(vertices, corners) && !first_corner_sees_all()) {
        for (int i = 0, misses = 0; left > 3 && misses < left && tests_left_ > 0;) {
            if (!is_ear(i)) {
                ++misses;
                i = next_[i];
                continue;
            }
            triangles.push_back({corners[previous_[i]], corners[i], corners[next_[i]]});
            next_[previous_[i]] = next_[i];
            previous_[next_[i]] = previous_[i];
            --left;
            misses = 0;
            first = next_[i];
            i = next_[first];  // leaving one corner out gives rounder triangles
        }
    }
    for (int b = next_[first]; next_[b] != first; b = next_[b])
        triangles.push_back({corners[first], corners[b], corners[next_[b]]});
}

// Fills points_; false if the polygon has no area to speak of, or is too large for a double.
bool PolygonCutter::flatten(const std::vector<Vertex>& vertices, std::span<const int> corners) {
    const Vertex& origin = vertices[corners[0]];
    double extent = 0;
    for (int corner : corners)
        extent = std::max(extent, (vertices[corner] - origin).cwiseAbs().maxCoeff());
    if (!(extent > 0) || !std::isfinite(extent)) return false;
    const auto scaled = [&](int corner) -> Eigen::Vector3d { return (vertices[corner] - origin) / extent; };

    // Newell's normal: twice the vector area, whatever the polygon's shape.
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
        normal += scaled(corners[i]).cross(scaled(corners[i + 1]));
    if (!(normal.norm() > kFlat)) return false;
    normal.normalize();

    const Eigen::Vector3d x_axis = normal.unitOrthogonal();
    const Eigen::Vector3d y_axis = normal.cross(x_axis);
    points_.clear();
    for (int corner : corners)
        points_.emplace_back(x_axis.dot(scaled(corner)), y_axis.dot(scaled(corner)));
    return true;
}

bool PolygonCutter::first_corner_sees_all() const {
    for (std::size_t i = 1; i + 1 < points_.size(); ++i)
        if (turn(points_[0], points_[i], points_[i + 1]) <= kFlat) return false;
    return true;
}

// An ear turns left and holds no other corner, not even on its edges (that would cut through the corner),
// but for corners at the place of its own, as polygons with a bridge to a hole have them.
bool PolygonCutter::is_ear(int corner) {
    const Eigen::Vector2d &a = points_[previous_[corner]], &b = points_[corner], &c = points_[next_[corner]];
    if (turn(a, b, c) <= kFlat) return false;
    for (int i = next_[next_[corner]]; i != previous_[corner]; i = next_[i]) {
        --tests_left_;
        const Eigen::Vector2d& p = points_[i];
        if (p == a || p == b || p == c) continue;
        if (turn(a, b, p) >= -kFlat && turn(b, c, p) >= -kFlat && turn(c, a, p) >= -kFlat) return false;
    }
    return true;
}

}  // namespace limber::build
