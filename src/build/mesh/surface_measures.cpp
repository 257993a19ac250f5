// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/surface_measures.h"

#include "build/mesh/vertex_range.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber::build {
namespace {

// A triangle lower than this against its longest edge is a line.
constexpr double kFlatTriangle = 1e-12;

const Vertex& corner(const std::vector<Vertex>& vertices, const Triangle& triangle, std::size_t i) {
    return vertices[static_cast<std::size_t>(triangle[i])];
}

}  // namespace

bool is_degenerate(const std::vector<Vertex>& vertices, const Triangle& triangle) {
    if (has_repeated_corner(triangle)) return true;
    const Vertex &a = corner(vertices, triangle, 0), &b = corner(vertices, triangle, 1),
                 &c = corner(vertices, triangle, 2);
    if (!is_usable(a) || !is_usable(b) || !is_usable(c)) return true;
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    return !((b - a).cross(c - a).norm() > kFlatTriangle * longest);
}

double area_of(const std::vector<Vertex>& vertices, const Triangle& triangle) {
    const Vertex &a = corner(vertices, triangle, 0), &b = corner(vertices, triangle, 1),
                 &c = corner(vertices, triangle, 2);
    return 0.5 * (b - a).cross(c - a).norm();
}

double enclosed_volume(const std::vector<Vertex>& vertices, const std::vector<Triangle>& triangles,
                       const Vertex& middle) {
    double six_volumes = 0;
    for (const Triangle& t : triangles) {
        const Vertex a = corner(vertices, t, 0) - middle, b = corner(vertices, t, 1) - middle,
                     c = corner(vertices, t, 2) - middle;
        six_volumes += a.dot(b.cross(c));
    }
    return six_volumes / 6;
}

double winding_number(const std::vector<Vertex>& vertices, const std::vector<Triangle>& triangles,
                      const Vertex& point) {
    double half_angles = 0;
    for (const Triangle& t : triangles) {
        const Vertex a = corner(vertices, t, 0) - point, b = corner(vertices, t, 1) - point,
                     c = corner(vertices, t, 2) - point;
        const double la = a.norm(), lb = b.norm(), lc = c.norm();
        // Van Oosterom and Strackee 1983: tan(Omega / 2) = a.(b x c) / (abc + (a.b) c + (b.c) a + (c.a) b).
        half_angles +=
            std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return half_angles / (2 * std::numbers::pi);
}

}  // namespace limber::build
