// SPDX-License-Identifier: Apache-2.0
#include "models/swept.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace limber::models {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// The square [-1, 1]² onto the unit disk, squares about the middle onto circles.
Vector2d on_disk(double a, double b) {
    constexpr double kEighth = std::numbers::pi / 4;
    const double m = std::max(std::abs(a), std::abs(b));
    if (m == 0) return Vector2d::Zero();
    double angle = std::abs(a) >= std::abs(b) ? kEighth * b / a : 2 * kEighth - kEighth * a / b;
    if (std::abs(a) >= std::abs(b) ? a < 0 : b < 0) angle += std::numbers::pi;
    return m * Vector2d(std::cos(angle), std::sin(angle));
}

Vector3d tangent_at(const std::vector<Vector3d>& path, std::size_t s) {
    return (path[std::min(s + 1, path.size() - 1)] - path[s == 0 ? 0 : s - 1]).normalized();
}

// Bricks between layers of (nx + 1)(ny + 1) vertices, x fastest.
void add_bricks(build::VolumeMesh& mesh, int nx, int ny, int layers) {
    const int row = nx + 1, layer = row * (ny + 1);
    for (int k = 0; k < layers; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) {
                const int v = k * layer + j * row + i;
                mesh.bricks.push_back({v, v + 1, v + 1 + row, v + row, v + layer, v + 1 + layer,
                                       v + 1 + row + layer, v + row + layer});
            }
}

}  // namespace

build::VolumeMesh swept_round(const std::vector<Vector3d>& path, const std::vector<double>& radii,
                              int across) {
    assert(path.size() >= 2 && radii.size() == path.size() && across >= 1);
    build::VolumeMesh mesh;
    Vector3d side = Vector3d::UnitX();
    for (std::size_t s = 0; s < path.size(); ++s) {
        const Vector3d tangent = tangent_at(path, s);
        side = (side - tangent * side.dot(tangent)).normalized();
        const Vector3d other = tangent.cross(side);
        for (int j = 0; j <= across; ++j)
            for (int i = 0; i <= across; ++i) {
                const Vector2d at = radii[s] * on_disk(2.0 * i / across - 1, 2.0 * j / across - 1);
                mesh.vertices.push_back(path[s] + at.x() * side + at.y() * other);
            }
    }
    add_bricks(mesh, across, across, int(path.size()) - 1);
    return mesh;
}

build::VolumeMesh swept_sheet(const std::vector<Vector3d>& path, const std::vector<double>& half_widths,
                              double thickness, int across, double cup) {
    assert(path.size() >= 2 && half_widths.size() == path.size() && across >= 1);
    build::VolumeMesh mesh;
    for (std::size_t s = 0; s < path.size(); ++s) {
        const Vector3d normal = tangent_at(path, s).cross(Vector3d::UnitX()).normalized();
        for (int j = 0; j <= 1; ++j)
            for (int i = 0; i <= across; ++i) {
                const double x = 2.0 * i / across - 1;
                mesh.vertices.push_back(path[s] + half_widths[s] * x * Vector3d::UnitX() +
                                        (thickness * (j - 0.5) + cup * half_widths[s] * x * x) * normal);
            }
    }
    add_bricks(mesh, across, 1, int(path.size()) - 1);
    return mesh;
}

}  // namespace limber::models
