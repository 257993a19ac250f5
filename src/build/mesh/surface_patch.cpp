// SPDX-License-Identifier: Apache-2.0
#include "build/mesh/surface_patch.h"

#include "build/mesh/vertex_range.h"
#include "build/mesh/weld.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>

namespace limber::build {
namespace {

constexpr double kRadius = 0.03;  // of the bounding diagonal
// Of the radius: vertices of a regular grid that lie at the radius belong to the patch, also where positions
// were rounded to floats.
constexpr double kRounding = 1e-5;

template <class Element>
double size_of(const VolumeMesh& mesh, const Element& element) {
    Eigen::AlignedBox3d box;
    for (const int v : element)
        box.extend(mesh.vertices[static_cast<std::size_t>(v)]);
    return box.diagonal().norm() / std::sqrt(3.0);  // a cube's side
}

}  // namespace

PatchSurface::PatchSurface(const std::vector<Vertex>& vertices, const std::vector<Triangle>& triangles)
    : vertices_(vertices),
      point_of_(weld_vertices(vertices, 0).to),
      area_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(vertices.size()))),
      area_vector_(vertices.size(), Eigen::Vector3d::Zero()),
      normal_(vertices.size(), Eigen::Vector3d::Zero()) {
    for (std::size_t v = 0; v < point_of_.size(); ++v)
        if (point_of_[v] < 0) point_of_[v] = static_cast<int>(v);  // not finite; no triangle has it
    for (const Triangle& t : triangles) {
        const auto corner = [&](std::size_t i) { return vertices[static_cast<std::size_t>(t[i])]; };
        const Eigen::Vector3d area = (corner(1) - corner(0)).cross(corner(2) - corner(0)) / 6;
        for (const int v : t) {
            area_[v] += area.norm();
            area_vector_[static_cast<std::size_t>(v)] += area;
            normal_[static_cast<std::size_t>(point_of_[static_cast<std::size_t>(v)])] += area;
        }
    }
    for (std::size_t v = 0; v < vertices.size(); ++v)
        normal_[v] = normal_[static_cast<std::size_t>(point_of_[v])];  // a point is its first vertex
}

SurfacePatch PatchSurface::shared(std::vector<int> ids) const {
    SurfacePatch out;
    out.vertices = std::move(ids);
    out.shares.resize(static_cast<Eigen::Index>(out.vertices.size()));
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < out.vertices.size(); ++i) {
        out.shares[static_cast<Eigen::Index>(i)] = area_[out.vertices[i]];
        normal += area_vector_[static_cast<std::size_t>(out.vertices[i])];
    }
    if (!(out.shares.sum() > 0)) out.shares.setOnes();  // vertices of no triangle
    out.shares /= out.shares.sum();
    for (std::size_t i = 0; i < out.vertices.size(); ++i)
        out.middle +=
            out.shares[static_cast<Eigen::Index>(i)] * vertices_[static_cast<std::size_t>(out.vertices[i])];
    if (normal.norm() > 0) out.normal = normal.normalized();
    return out;
}

SurfacePatch PatchSurface::around(int vertex, double radius) const {
    const auto centre = static_cast<std::size_t>(vertex);
    const double most = std::pow((1 + kRounding) * radius, 2);
    std::vector<int> ids;
    for (std::size_t v = 0; v < vertices_.size(); ++v)
        if (point_of_[v] == point_of_[centre] ||
            ((vertices_[v] - vertices_[centre]).squaredNorm() <= most && normal_[v].dot(normal_[centre]) > 0))
            ids.push_back(static_cast<int>(v));
    return shared(std::move(ids));
}

SurfacePatch PatchSurface::of(const std::vector<int>& vertices, double radius) const {
    assert(!vertices.empty());
    const auto point = [&](int v) { return point_of_[static_cast<std::size_t>(v)]; };
    const int first = point(vertices[0]);
    if (std::all_of(vertices.begin(), vertices.end(), [&](int v) { return point(v) == first; }))
        return around(vertices[0], radius);
    // All vertices at the chosen places.
    std::vector<char> chosen(vertices_.size(), 0);
    for (const int v : vertices)
        chosen[static_cast<std::size_t>(point(v))] = 1;
    std::vector<int> ids;
    for (std::size_t v = 0; v < vertices_.size(); ++v)
        if (chosen[static_cast<std::size_t>(point_of_[v])]) ids.push_back(static_cast<int>(v));
    return shared(std::move(ids));
}

double patch_radius(const VolumeMesh& volume, const std::vector<Vertex>& surface) {
    double sum = 0;
    for (const Tet& tet : volume.tets)
        sum += size_of(volume, tet);
    for (const Brick& brick : volume.bricks)
        sum += size_of(volume, brick);
    const double size = sum / static_cast<double>(std::max<std::size_t>(1, volume.element_count()));
    return std::max(kRadius * bounds_of(surface).diagonal().norm(), size);
}

}  // namespace limber::build
