// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "build/mesh/surface_mesh.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace limber::build {

inline Vertex nearest_on_segment(const Vertex& p, const Vertex& a, const Vertex& b) {
    const double length_squared = (b - a).squaredNorm();
    if (length_squared == 0) return a;
    return a + std::clamp((p - a).dot(b - a) / length_squared, 0.0, 1.0) * (b - a);
}

// The point of triangle abc nearest to p. A triangle without area is its edges.
inline Vertex nearest_on_triangle(const Vertex& p, const Vertex& a, const Vertex& b, const Vertex& c) {
    const Eigen::Vector3d n = (b - a).cross(c - a);
    const double n2 = n.squaredNorm();
    if (n2 > 0) {
        // Barycentric coordinates of the foot of the perpendicular.
        const double u = (c - b).cross(p - b).dot(n) / n2;
        const double v = (a - c).cross(p - c).dot(n) / n2;
        if (u >= 0 && v >= 0 && u + v <= 1) return u * a + v * b + (1 - u - v) * c;
    }
    Vertex best = nearest_on_segment(p, a, b);
    for (const Vertex& q : {nearest_on_segment(p, b, c), nearest_on_segment(p, c, a)})
        if ((q - p).squaredNorm() < (best - p).squaredNorm()) best = q;
    return best;
}

}  // namespace limber::build
