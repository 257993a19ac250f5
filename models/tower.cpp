// SPDX-License-Identifier: Apache-2.0
// A lattice tower, 300 m high, in the manner of Gustave Eiffel's: four splayed legs that join into one shaft,
// arches between them, three platforms, and a mast. A soup of closed bars that run into each other.
#include "models/models.h"
#include "models/parts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace limber::models {
namespace {

using build::SurfaceMesh;
using Eigen::Vector3d;

constexpr double kFirst = 57.6, kSecond = 115.7, kJoin = 188, kThird = 276;  // heights of the platforms, m

// Half the width of the whole tower: against the wind's moment it narrows exponentially.
double outside(double z) {
    return 62.5 * std::exp(-z / 88) + 2.6 * z / kThird;
}

// Side of a leg's square section; at kJoin the legs meet.
double leg_side(double z) {
    if (z < kSecond) return 25 * std::exp(-z / 118);
    const double at_second = 25 * std::exp(-kSecond / 118), t = (z - kSecond) / (kJoin - kSecond);
    return at_second + (outside(kJoin) - at_second) * t;
}

// A flat lattice girder: two bars `depth` apart in the plane that contains `across`, and a zigzag between
// them.
void add_girder(SurfaceMesh& mesh, const Vector3d& from, const Vector3d& to, const Vector3d& across,
                double depth, double bar) {
    const Vector3d along = (to - from).normalized();
    const Vector3d side = (across - along * across.dot(along)).normalized() * (depth / 2);
    const Vector3d normal = along.cross(side);
    for (const double sign : {-1.0, 1.0})
        add_beam(mesh, from + sign * side, to + sign * side, bar, bar, normal);
    const int zigzags = std::max(3, static_cast<int>(std::lround((to - from).norm() / (1.75 * depth))));
    for (int i = 0; i < zigzags; ++i) {
        const double sign = i % 2 == 0 ? 1 : -1;
        const Vector3d a = from + (to - from) * (static_cast<double>(i) / zigzags) - sign * side;
        const Vector3d b = from + (to - from) * (static_cast<double>(i + 1) / zigzags) + sign * side;
        add_beam(mesh, a, b, 0.6 * bar, 0.6 * bar, normal);
    }
}

// One storey of a lattice box with corners low[0..3] and high[0..3] in order round it: corner posts, and on
// each face an X and a girder on top.
struct Storey {
    std::array<Vector3d, 4> low, high;
    double post, depth;                                 // thickness of the corner posts, depth of the girders
    std::array<bool, 4> faces{true, true, true, true};  // which sides (k to k + 1) are braced
    std::array<bool, 4> posts{true, true, true, true};  // which corners have a post
};

void add_storey(SurfaceMesh& mesh, const Storey& storey) {
    for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t next = (k + 1) % 4;
        const Vector3d &a = storey.low[k], &b = storey.low[next], &c = storey.high[next], &d = storey.high[k];
        if (storey.posts[k]) add_beam(mesh, a, d, storey.post, storey.post, b - a);
        if (!storey.faces[k]) continue;
        const double bar = 0.26 * storey.depth;
        add_girder(mesh, a, c, d - a, storey.depth, bar);
        add_girder(mesh, b, d, c - b, storey.depth, bar);
        add_girder(mesh, d, c, d - a, storey.depth, bar);
    }
}

// The leg in the quadrant (sx, sy), from z0 to z1; inner: the faces and the post towards the tower's axis are
// there too.
void add_leg(SurfaceMesh& mesh, double sx, double sy, double z0, double z1, int storeys, bool inner) {
    const auto corners = [&](double z) {
        const double out = outside(z), in = out - leg_side(z);
        return std::array<Vector3d, 4>{Vector3d(sx * out, sy * out, z), Vector3d(sx * in, sy * out, z),
                                       Vector3d(sx * in, sy * in, z), Vector3d(sx * out, sy * in, z)};
    };
    for (int i = 0; i < storeys; ++i) {
        const double low = z0 + (z1 - z0) * i / storeys, high = z0 + (z1 - z0) * (i + 1) / storeys;
        const double size = leg_side(low);
        add_storey(mesh, {.low = corners(low),
                          .high = corners(high),
                          .post = 0.5 + 0.04 * size,
                          .depth = 0.45 + 0.03 * size,
                          .faces = {true, inner, inner, true},
                          .posts = {true, true, inner, true}});
    }
}

void add_shaft(SurfaceMesh& mesh) {
    constexpr int kStoreys = 9;
    const auto corners = [](double z) {
        const double w = outside(z);
        return std::array<Vector3d, 4>{Vector3d(w, w, z), Vector3d(-w, w, z), Vector3d(-w, -w, z),
                                       Vector3d(w, -w, z)};
    };
    for (int i = 0; i < kStoreys; ++i) {
        const double low = kJoin + (kThird - kJoin) * i / kStoreys,
                     high = kJoin + (kThird - kJoin) * (i + 1) / kStoreys;
        add_storey(mesh, {.low = corners(low), .high = corners(high), .post = 1.1, .depth = 0.8});
    }
}

// In the face of the tower that looks along `normal`, between two legs: two arcs with a zigzag between them.
void add_arch(SurfaceMesh& mesh, const Vector3d& normal) {
    const Vector3d across(-normal.y(), normal.x(), 0);
    constexpr int kSteps = 44;
    const auto point = [&](int i, double grow) {
        const double angle = std::numbers::pi * i / kSteps;
        const double z = 5 + (41 + grow) * std::sin(angle);
        return Vector3d(across * ((36.5 + grow) * std::cos(angle)) + normal * (outside(z) - 0.6) +
                        Vector3d(0, 0, z));
    };
    constexpr double kDepth = 3.2;
    for (int i = 0; i < kSteps; ++i) {
        add_beam(mesh, point(i, 0), point(i + 1, 0), 0.8, 0.6, normal);
        add_beam(mesh, point(i, kDepth), point(i + 1, kDepth), 0.8, 0.6, normal);
        add_beam(mesh, point(i, 0), point(i + 1, kDepth), 0.25, 0.25, normal);
        add_beam(mesh, point(i, kDepth), point(i + 1, 0), 0.25, 0.25, normal);
        add_beam(mesh, point(i, 0), point(i, kDepth), 0.3, 0.3, normal);
    }
    // Hangers from the platform's girder to the arch.
    for (int i = 14; i <= kSteps - 14; i += 2) {
        const Vector3d foot = point(i, kDepth);
        add_beam(mesh, foot, {foot.x(), foot.y(), kFirst - 1}, 0.3, 0.3, normal);
    }
}

// A square gallery: a slab ring, a band of posts below and a railing above.
void add_platform(SurfaceMesh& mesh, double z, double outer, double inner, double thickness) {
    const double step = 1.6;
    for (int k = 0; k < 4; ++k) {
        const double c = k % 2 == 0 ? 1 : 0, s = 1 - c, sign = k < 2 ? 1 : -1;
        const Vector3d normal = sign * Vector3d(c, s, 0), across(-normal.y(), normal.x(), 0);
        const double middle = (outer + inner) / 2;
        const Vector3d up(0, 0, z - thickness / 2);
        // The ends of opposite sides reach the corners.
        const double reach = k % 2 == 0 ? outer : inner;
        add_beam(mesh, normal * middle - across * reach + up, normal * middle + across * reach + up,
                 outer - inner, thickness);
        const auto at = [&](double t, double height) {
            return Vector3d(normal * (outer - 0.2) + across * t + Vector3d(0, 0, height));
        };
        for (const double height : {z + 0.6, z + 1.2})
            add_beam(mesh, at(-outer, height), at(outer, height), 0.15, 0.15);
        add_beam(mesh, at(-outer, z - 3.2), at(outer, z - 3.2), 0.5, 0.4);
        for (double t = -outer + 0.3; t < outer; t += step) {
            add_beam(mesh, at(t, z), at(t, z + 1.3), 0.12, 0.12, normal);
            add_beam(mesh, at(t, z - 3.2), at(t, z - thickness / 2), 0.3, 0.2, normal);
        }
    }
}

void add_top(SurfaceMesh& mesh) {
    add_box(mesh, {-5.2, -5.2, kThird}, {5.2, 5.2, kThird + 4.4});
    add_tube(mesh, {{0, 0, kThird + 4.2}, {0, 0, kThird + 6}, {0, 0, kThird + 8.5}, {0, 0, kThird + 10.5}},
             {4.2, 4.0, 2.9, 1.0}, 32);
    add_tube(mesh, {{0, 0, kThird + 10}, {0, 0, kThird + 17}, {0, 0, 300}}, {1.0, 0.7, 0.35}, 24);
}

}  // namespace

build::SurfaceMesh tower() {
    SurfaceMesh mesh;
    for (const double sx : {-1.0, 1.0})
        for (const double sy : {-1.0, 1.0}) {
            add_leg(mesh, sx, sy, 2, kFirst - 2, 4, true);
            add_leg(mesh, sx, sy, kFirst - 2, kSecond - 2, 4, false);
            add_leg(mesh, sx, sy, kSecond - 2, kJoin, 5, false);
            // Each post of a leg stands on its own block of masonry.
            for (const double x : {outside(2), outside(2) - leg_side(2)})
                for (const double y : {outside(2), outside(2) - leg_side(2)})
                    add_box(mesh, {sx * x - 2.6, sy * y - 2.6, 0}, {sx * x + 2.6, sy * y + 2.6, 3.2});
        }
    add_shaft(mesh);
    for (const Vector3d& normal :
         {Vector3d(1, 0, 0), Vector3d(-1, 0, 0), Vector3d(0, 1, 0), Vector3d(0, -1, 0)})
        add_arch(mesh, normal);
    add_platform(mesh, kFirst, 36, 25, 1.4);
    add_platform(mesh, kSecond, 21, 11, 1.4);
    add_platform(mesh, kThird, 8, 2, 1.2);
    add_top(mesh);
    return mesh;
}

}  // namespace limber::models
