// SPDX-License-Identifier: Apache-2.0
#include "models/parts.h"

#include <Eigen/Geometry>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

namespace limber::models {
namespace {

using build::SurfaceMesh;
using Eigen::Vector3d;

int next_vertex(const SurfaceMesh& mesh) {
    return static_cast<int>(mesh.vertices.size());
}

}  // namespace

void add_tube(SurfaceMesh& mesh, const std::vector<Vector3d>& path, const std::vector<double>& radii,
              int sides) {
    assert(path.size() >= 2 && radii.size() == path.size() && sides >= 3);
    const int first = next_vertex(mesh), stations = static_cast<int>(path.size());
    Vector3d across = (path[1] - path[0]).unitOrthogonal();
    for (std::size_t s = 0; s < path.size(); ++s) {
        const Vector3d tangent =
            (path[std::min(s + 1, path.size() - 1)] - path[s == 0 ? 0 : s - 1]).normalized();
        // The frame moves along without turning about the path.
        across = (across - tangent * across.dot(tangent)).normalized();
        const Vector3d other = tangent.cross(across);
        for (int k = 0; k < sides; ++k) {
            const double angle = 2 * std::numbers::pi * k / sides;
            mesh.vertices.push_back(path[s] +
                                    radii[s] * (std::cos(angle) * across + std::sin(angle) * other));
        }
    }
    const auto ring = [&](int s, int k) { return first + s * sides + k % sides; };
    for (int s = 0; s + 1 < stations; ++s)
        for (int k = 0; k < sides; ++k) {
            mesh.triangles.push_back({ring(s, k), ring(s, k + 1), ring(s + 1, k + 1)});
            mesh.triangles.push_back({ring(s, k), ring(s + 1, k + 1), ring(s + 1, k)});
        }
    for (int k = 1; k + 1 < sides; ++k) {
        mesh.triangles.push_back({ring(0, 0), ring(0, k + 1), ring(0, k)});
        mesh.triangles.push_back({ring(stations - 1, 0), ring(stations - 1, k), ring(stations - 1, k + 1)});
    }
}

void add_rod(SurfaceMesh& mesh, const Vector3d& from, const Vector3d& to, double radius, int sides) {
    add_tube(mesh, {from, to}, {radius, radius}, sides);
}

void add_beam(SurfaceMesh& mesh, const Vector3d& from, const Vector3d& to, double width, double height,
              const Vector3d& up, double taper) {
    const Vector3d along = (to - from).normalized();
    Vector3d side = along.cross(up);
    side = side.norm() < 1e-6 ? along.unitOrthogonal() : Vector3d(side.normalized());
    const Vector3d rise = side.cross(along);
    const int v = next_vertex(mesh);
    for (const auto& [end, scale] : {std::pair(from, 1.0), std::pair(to, taper)})
        for (const auto& [a, b] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)})
            mesh.vertices.push_back(end + scale / 2 * (a * width * side + b * height * rise));
    // Corners 0 1 2 3 round the start and 4 5 6 7 round the end; side x rise points back along the beam.
    constexpr std::array<std::array<int, 4>, 6> kFaces = {
        {{0, 1, 2, 3}, {7, 6, 5, 4}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}}};
    for (const auto& f : kFaces) {
        mesh.triangles.push_back({v + f[0], v + f[1], v + f[2]});
        mesh.triangles.push_back({v + f[0], v + f[2], v + f[3]});
    }
}

void add_box(SurfaceMesh& mesh, const Vector3d& low, const Vector3d& high) {
    const Vector3d middle = (low + high) / 2, half = (high - low) / 2;
    add_beam(mesh, middle - Vector3d(half.x(), 0, 0), middle + Vector3d(half.x(), 0, 0), 2 * half.y(),
             2 * half.z());
}

std::vector<Vector3d> line(const Vector3d& a, const Vector3d& b, int steps) {
    std::vector<Vector3d> points;
    for (int i = 0; i <= steps; ++i)
        points.push_back(a + (b - a) * (static_cast<double>(i) / steps));
    return points;
}

}  // namespace limber::models
