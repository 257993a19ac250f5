// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/element_measure.h"

#include "build/mesh/check.h"
#include "build/mesh/element_shape.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace limber::build {
namespace {

// An element this flat against the cube of its longest edge has no volume that arithmetic can use.
constexpr double kFlat = 1e-12;

const Vertex& vertex_of(const VolumeMesh& mesh, int id) {
    return mesh.vertices[static_cast<std::size_t>(id)];
}

template <class Element>
double longest_edge(const VolumeMesh& mesh, const Element& element) {
    double squared = 0;
    for (std::size_t i = 0; i < element.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            squared =
                std::max(squared, (vertex_of(mesh, element[i]) - vertex_of(mesh, element[j])).squaredNorm());
    return std::sqrt(squared);
}

// The smallest Jacobian determinant at the eight corners.
double smallest_corner_jacobian(const BrickPoints& X) {
    double smallest = std::numeric_limits<double>::infinity();
    for (int b = 0; b < 8; ++b) {
        const auto edge = [&](int axis) -> Eigen::Vector3d {
            return X.col(kBrickNode[static_cast<std::size_t>(b | axis)]) -
                   X.col(kBrickNode[static_cast<std::size_t>(b & ~axis)]);
        };
        smallest = std::min(smallest, edge(1).dot(edge(2).cross(edge(4))));
    }
    return smallest;
}

}  // namespace

double tet_volume(const VolumeMesh& mesh, const Tet& tet) {
    const Vertex& x0 = vertex_of(mesh, tet[0]);
    const Vertex a = vertex_of(mesh, tet[1]) - x0, b = vertex_of(mesh, tet[2]) - x0,
                 c = vertex_of(mesh, tet[3]) - x0;
    return a.dot(b.cross(c)) / 6;
}

double brick_volume(const VolumeMesh& mesh, const Brick& brick) {
    // det J is quadratic in each coordinate, so two Gauss points per axis integrate it exactly.
    const BrickPoints X = points_of(mesh, brick);
    const double offset = 0.5 / std::sqrt(3.0);
    double volume = 0;
    for (int b = 0; b < 8; ++b) {
        const Eigen::Vector3d xi(0.5 + (b & 1 ? offset : -offset), 0.5 + (b & 2 ? offset : -offset),
                                 0.5 + (b & 4 ? offset : -offset));
        const Eigen::Matrix3d J = X * brick_gradients(xi);
        volume += J.determinant() / 8;
    }
    return volume;
}

MeasuredElement measure(const VolumeMesh& mesh, const Tet& tet) {
    const double volume = tet_volume(mesh, tet);
    const double length = longest_edge(mesh, tet);
    if (!(6 * std::abs(volume) > kFlat * length * length * length)) return {volume, ElementShape::Flat};
    if (volume < 0) return {volume, ElementShape::Inverted};
    double squares = 0;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < i; ++j)
            squares += (vertex_of(mesh, tet[i]) - vertex_of(mesh, tet[j])).squaredNorm();
    const double root = std::cbrt(3 * volume);
    return {volume, 12 * root * root < kSliver * squares ? ElementShape::Sliver : ElementShape::Sound};
}

MeasuredElement measure(const VolumeMesh& mesh, const Brick& brick) {
    const double volume = brick_volume(mesh, brick);
    const double length = longest_edge(mesh, brick);
    const double flat = kFlat * length * length * length;
    const bool sound = smallest_corner_jacobian(points_of(mesh, brick)) > flat;
    // A twisted brick may have no volume in sum and is still no flat one.
    if (!sound && std::abs(volume) <= flat) return {volume, ElementShape::Flat};
    return {volume, sound ? ElementShape::Sound : ElementShape::Inverted};
}

}  // namespace limber::build
