// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/contact.md.
#include "limber/contact/distance_field.h"

#include "limber/contact/closed_mesh.h"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

using Eigen::Vector3d;

constexpr int kPad = 2;                   // cells beyond the mesh
constexpr double kMostCorners = 2097152;  // 128 cubed: 8 MB
// Walls thinner than so many cells are not seen everywhere.
constexpr double kCellsOfThinnest = 2;
constexpr double kBand = 1.5;  // cells about each triangle's box in which the nearest triangle is searched

// Exact near the surface. Elsewhere a corner takes the nearest of its neighbours' nearest triangles, and
// their sign, in sweeps along all diagonals (Tsai 2002): the band is closed, so no sign gets through.
std::vector<float> distances_at_corners(const ClosedMesh& mesh, const Vector3d& origin, double cell,
                                        const std::array<int, 3>& count) {
    const int nx = count[0], ny = count[1], nz = count[2];
    const auto place_of = [nx, ny](int i, int j, int k) {
        return static_cast<std::size_t>(k * ny + j) * static_cast<std::size_t>(nx) +
               static_cast<std::size_t>(i);
    };
    const auto at = [&](int i, int j, int k) { return Vector3d(origin + cell * Vector3d(i, j, k)); };
    struct Corner {
        double distance = 0;
        std::int32_t triangle = -1;
        bool exact = false;
    };
    std::vector<Corner> corners(static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) *
                                static_cast<std::size_t>(nz));
    for (std::int32_t t = 0; t < mesh.triangles(); ++t) {
        const Eigen::AlignedBox3d box = mesh.box_of(t);
        std::array<int, 3> first, last;
        for (int c = 0; c < 3; ++c) {
            const auto a = static_cast<std::size_t>(c);
            first[a] = std::max(0, static_cast<int>(std::ceil((box.min()[c] - origin[c]) / cell - kBand)));
            last[a] = std::min(count[a] - 1,
                               static_cast<int>(std::floor((box.max()[c] - origin[c]) / cell + kBand)));
        }
        for (int k = first[2]; k <= last[2]; ++k)
            for (int j = first[1]; j <= last[1]; ++j)
                for (int i = first[0]; i <= last[0]; ++i) {
                    Corner& corner = corners[place_of(i, j, k)];
                    if (corner.exact) continue;
                    corner.exact = true;
                    const auto found = mesh.nearest(at(i, j, k), mesh.distance_to(t, at(i, j, k)));
                    corner.distance = found.distance;
                    corner.triangle = found.triangle;
                }
    }
    const auto improve = [&](int i, int j, int k) {
        Corner& own = corners[place_of(i, j, k)];
        if (own.exact) return;
        const auto look_at = [&](int a, int b, int c) {
            if (a < 0 || b < 0 || c < 0 || a >= nx || b >= ny || c >= nz) return;
            const Corner& other = corners[place_of(a, b, c)];
            if (other.triangle < 0 || other.triangle == own.triangle) return;
            const double d = mesh.distance_to(other.triangle, at(i, j, k));
            if (own.triangle >= 0 && d >= std::abs(own.distance)) return;
            own.distance = std::copysign(d, other.distance);
            own.triangle = other.triangle;
        };
        look_at(i - 1, j, k);
        look_at(i + 1, j, k);
        look_at(i, j - 1, k);
        look_at(i, j + 1, k);
        look_at(i, j, k - 1);
        look_at(i, j, k + 1);
    };
    for (int sweep = 0; sweep < 8; ++sweep)
        for (int c = 0; c < nz; ++c)
            for (int b = 0; b < ny; ++b)
                for (int a = 0; a < nx; ++a)
                    improve(sweep & 1 ? nx - 1 - a : a, sweep & 2 ? ny - 1 - b : b,
                            sweep & 4 ? nz - 1 - c : c);
    std::vector<float> out;
    out.reserve(corners.size());
    for (const Corner& corner : corners)
        out.push_back(static_cast<float>(corner.distance));
    return out;
}

}  // namespace

// Outside of the grid the mesh is at least as far as from the nearest point of the grid, by Pythagoras: the
// grid is convex and holds the mesh.                                                                (17)
double DistanceField::distance(const Vector3d& x, Vector3d& gradient) const {
    std::array<int, 3> cell;
    Vector3d inside, t;
    for (int c = 0; c < 3; ++c) {
        const auto last = static_cast<double>(count_[static_cast<std::size_t>(c)] - 1);
        inside[c] = std::clamp((x[c] - origin_[c]) / cell_, 0.0, last);
        cell[static_cast<std::size_t>(c)] = static_cast<int>(std::min(inside[c], last - 1));
        t[c] = inside[c] - cell[static_cast<std::size_t>(c)];
    }
    const auto [i, j, k] = cell;
    // Along x, then y, then z; with the differences, which are the slopes.
    double v[2][2], dx[2][2];
    for (int b = 0; b < 2; ++b)
        for (int a = 0; a < 2; ++a) {
            const double low = at(i, j + a, k + b), high = at(i + 1, j + a, k + b);
            dx[b][a] = high - low;
            v[b][a] = low + t[0] * dx[b][a];
        }
    const double y0 = v[0][0] + t[1] * (v[0][1] - v[0][0]), y1 = v[1][0] + t[1] * (v[1][1] - v[1][0]);
    const double value = y0 + t[2] * (y1 - y0);
    gradient = {(1 - t[2]) * ((1 - t[1]) * dx[0][0] + t[1] * dx[0][1]) +
                    t[2] * ((1 - t[1]) * dx[1][0] + t[1] * dx[1][1]),
                (1 - t[2]) * (v[0][1] - v[0][0]) + t[2] * (v[1][1] - v[1][0]), y1 - y0};
    const double length = gradient.norm();
    gradient = length > 1e-12 * cell_ ? Vector3d(gradient / length) : Vector3d::UnitZ();
    const Vector3d beyond = x - origin_ - cell_ * inside;
    const double far = beyond.norm();
    if (!(far > 1e-9 * cell_)) return value;
    const double out = std::hypot(far, value);
    gradient = (std::max(value, 0.0) * gradient + beyond).normalized();
    return out;
}

double DistanceField::distance(const Vector3d& x) const {
    Vector3d gradient;
    return distance(x, gradient);
}

Result<std::shared_ptr<const DistanceField>> make_distance_field(
    const std::vector<Vector3d>& vertices, const std::vector<std::array<std::int32_t, 3>>& triangles,
    const DistanceFieldOptions& options, const std::string& where) {
    if (options.cells < 4 || options.cells > 128)
        return InputError{where, "a distance field of " + std::to_string(options.cells) + " cells",
                          "between 4 and 128"};
    Result<ClosedMesh> made = ClosedMesh::make(vertices, triangles, where);
    if (!made.ok()) return made.error();
    const ClosedMesh& mesh = made.value();
    auto field = std::make_shared<DistanceField>();
    field->mesh_bounds_ = mesh.bounds();
    const Vector3d size = mesh.bounds().sizes();
    // Four cells in the thinnest direction if there is memory for that.
    double cell = std::min(size.maxCoeff() / options.cells, size.minCoeff() / 4);
    const auto corners = [&](double h) { return ((size.array() / h).ceil() + (1 + 2 * kPad)).prod(); };
    while (corners(cell) > kMostCorners)
        cell *= 1.1;
    if (size.minCoeff() < kCellsOfThinnest * cell)
        return InputError{where,
                          "the mesh is " + number(size.minCoeff(), 3) + " m thin and " +
                              number(size.maxCoeff(), 3) + " m long: a distance field of cells of " +
                              number(cell, 3) + " m does not resolve it",
                          "a box, or a thicker mesh"};
    field->cell_ = cell;
    field->origin_ = mesh.bounds().min() - Vector3d::Constant(kPad * cell);
    for (int c = 0; c < 3; ++c)
        field->count_[static_cast<std::size_t>(c)] =
            static_cast<int>(std::ceil(size[c] / cell)) + 1 + 2 * kPad;
    field->values_ = distances_at_corners(mesh, field->origin_, cell, field->count_);
    return std::shared_ptr<const DistanceField>(std::move(field));
}

}  // namespace limber
