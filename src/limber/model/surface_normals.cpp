// SPDX-License-Identifier: Apache-2.0
#include <limber/model/surface_normals.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace limber {

namespace {

// Vertices with the same input vertex get the same number.
std::vector<std::size_t> number_by_input_vertex(const std::vector<std::int32_t>& input_vertex) {
    std::vector<std::size_t> order(input_vertex.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return input_vertex[a] < input_vertex[b]; });
    std::vector<std::size_t> out(order.size());
    std::size_t number = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i > 0 && input_vertex[order[i]] != input_vertex[order[i - 1]]) ++number;
        out[order[i]] = number;
    }
    return out;
}

}  // namespace

SurfaceNormals::SurfaceNormals(const ModelSurface& surface)
    : surface_(surface),
      sum_of_vertex_(number_by_input_vertex(surface.input_vertex)),
      sums_(surface.vertices.size(), Eigen::Vector3d::Zero()) {
    for (const auto& t : surface.triangles) {
        const Eigen::Vector3d &a = surface.vertices[t[0]], &b = surface.vertices[t[1]],
                              &c = surface.vertices[t[2]];
        const Eigen::Vector3d normal = (b - a).cross(c - a);
        for (const std::int32_t corner : t)
            sums_[sum_of_vertex_[corner]] += normal;
    }
}

std::vector<Eigen::Vector3d> SurfaceNormals::at_rest() const {
    std::vector<Eigen::Vector3d> out;
    out.reserve(surface_.vertices.size());
    for (const std::size_t sum : sum_of_vertex_) {
        const Eigen::Vector3d n = sums_[sum].stableNormalized();
        out.push_back(n.allFinite() && n.norm() > 0.5 ? n : Eigen::Vector3d::UnitZ());
    }
    return out;
}

// With N the sum, n = N/|N| and dN the sum of (db − da) × (c − a) + (b − a) × (dc − da):
// dn = (dN − n (n·dN)) / |N|.
std::vector<Eigen::Vector3d> SurfaceNormals::derivative(
    const Eigen::Ref<const Eigen::VectorXd>& displacement) const {
    std::vector<Eigen::Vector3d> change(sums_.size(), Eigen::Vector3d::Zero());
    for (const auto& t : surface_.triangles) {
        const Eigen::Vector3d &a = surface_.vertices[t[0]], &b = surface_.vertices[t[1]],
                              &c = surface_.vertices[t[2]];
        const auto moved = [&](std::int32_t vertex) { return displacement.segment<3>(3 * vertex); };
        const Eigen::Vector3d turn =
            (moved(t[1]) - moved(t[0])).cross(c - a) + (b - a).cross(moved(t[2]) - moved(t[0]));
        for (const std::int32_t corner : t)
            change[sum_of_vertex_[corner]] += turn;
    }
    std::vector<Eigen::Vector3d> out;
    out.reserve(sum_of_vertex_.size());
    for (const std::size_t sum : sum_of_vertex_) {
        const double length = sums_[sum].norm();
        const Eigen::Vector3d n = sums_[sum] / length;
        const Eigen::Vector3d dn = (change[sum] - n * n.dot(change[sum])) / length;
        out.push_back(dn.allFinite() ? dn : Eigen::Vector3d::Zero());
    }
    return out;
}

}  // namespace limber
