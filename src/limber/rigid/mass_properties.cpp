// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/rigid_bodies.md.
#include "limber/rigid/mass_properties.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// For each vertex the first one at the same place.
std::vector<std::int32_t> welded(const std::vector<Vector3d>& vertices) {
    std::vector<std::int32_t> order(vertices.size()), first(vertices.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::int32_t>(i);
    const auto key = [&](std::int32_t i) {
        const Vector3d& x = vertices[std::size_t(i)];
        return std::array{x[0], x[1], x[2]};
    };
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return std::pair{key(a), a} < std::pair{key(b), b};
    });
    for (std::size_t i = 0; i < order.size(); ++i)
        first[std::size_t(order[i])] =
            i > 0 && key(order[i]) == key(order[i - 1]) ? first[std::size_t(order[i - 1])] : order[i];
    return first;
}

// Each directed edge once, and its reverse once: closed, and all triangles face the same way.
std::optional<InputError> closed_problem(const ModelSurface& surface) {
    const std::vector<std::int32_t> first = welded(surface.vertices);
    std::vector<std::pair<std::int32_t, std::int32_t>> edges, reversed;
    for (const auto& t : surface.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const auto a = first[std::size_t(t[k])], b = first[std::size_t(t[(k + 1) % 3])];
            if (a == b) continue;  // a triangle without area
            edges.emplace_back(a, b);
            reversed.emplace_back(b, a);
        }
    std::sort(edges.begin(), edges.end());
    std::sort(reversed.begin(), reversed.end());
    if (edges.empty()) return InputError{"surface", "it has no triangles", "a closed surface"};
    std::vector<std::pair<std::int32_t, std::int32_t>> unpaired;
    std::set_difference(edges.begin(), edges.end(), reversed.begin(), reversed.end(),
                        std::back_inserter(unpaired));
    if (unpaired.empty()) return std::nullopt;
    return InputError{
        "surface",
        "it is not closed, or its triangles face different ways: " + std::to_string(unpaired.size()) +
            " edges have no neighbour; one starts at vertex " + std::to_string(unpaired[0].first),
        "limber mesh repair, or a closed surface"};
}

}  // namespace

Result<MassProperties> mass_properties(const ModelSurface& surface) {
    if (auto problem = closed_problem(surface)) return std::move(*problem);
    Vector3d low = surface.vertices[0], high = low;
    for (const Vector3d& x : surface.vertices) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    // About the middle of the box: far from the origin, sums would cancel.
    const Vector3d middle = 0.5 * (low + high);
    double volume = 0;
    Vector3d first = Vector3d::Zero();
    Matrix3d second = Matrix3d::Zero();  // ∫ x xᵀ
    for (const auto& t : surface.triangles) {
        const Vector3d a = surface.vertices[std::size_t(t[0])] - middle;
        const Vector3d b = surface.vertices[std::size_t(t[1])] - middle;
        const Vector3d c = surface.vertices[std::size_t(t[2])] - middle;
        const double v = a.dot(b.cross(c)) / 6;
        const Vector3d sum = a + b + c;
        volume += v;
        first += v / 4 * sum;
        second +=
            v / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    }
    const double box = (high - low).prod();
    if (!(volume > 1e-9 * box) || !std::isfinite(second.sum()))
        return InputError{"surface",
                          volume < 0 ? "it is inside out: its volume is " + number(volume) + " m^3"
                                     : "it encloses " + number(volume) + " m^3",
                          "limber mesh repair, or a closed surface that faces outward"};
    const Vector3d centre = first / volume;
    second -= volume * centre * centre.transpose();
    MassProperties out;
    out.volume = volume;
    out.centre = middle + centre;
    out.inertia = second.trace() * Matrix3d::Identity() - second;
    if (!(Eigen::SelfAdjointEigenSolver<Matrix3d>(second, Eigen::EigenvaluesOnly).eigenvalues()[0] > 0))
        return InputError{"surface", "its moments of inertia are not positive", "a surface with volume"};
    return out;
}

}  // namespace limber
