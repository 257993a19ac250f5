// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/surface_shape.h"

#include "limber/reduced/lanes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>

namespace limber {
namespace {

constexpr int kRegisters = 8;
constexpr Eigen::Index kSurfaceBlockRows = kRegisters * kLanes<float>;

// Abramowitz & Stegun 4.4.46: within 2e-8 on [0, 1], and acos(-x) = pi - acos(x).
float angle_of_cosine(float cosine) {
    const float x = std::min(std::abs(cosine), 1.0f);
    float p = -0.0012624911f;
    for (const float a : {0.0066700901f, -0.0170881256f, 0.0308918810f, -0.0501743046f, 0.0889789874f,
                          -0.2145988016f, 1.5707963050f})
        p = p * x + a;
    p *= std::sqrt(1 - x);
    return cosine < 0 ? 3.14159265f - p : p;
}

}  // namespace

SurfaceShape::SurfaceShape(const ModelSurface& surface)
    : rows_(3 * Eigen::Index(surface.vertices.size())),
      rank_(surface.basis.cols()),
      triangles_(surface.triangles) {
    const Eigen::Index count = (rows_ + kSurfaceBlockRows - 1) / kSurfaceBlockRows;
    blocks_.setZero(count * kSurfaceBlockRows * rank_);
    for (Eigen::Index i = 0; i < rank_; ++i)
        for (Eigen::Index row = 0; row < rows_; ++row)
            blocks_[(row / kSurfaceBlockRows * rank_ + i) * kSurfaceBlockRows + row % kSurfaceBlockRows] =
                static_cast<float>(surface.basis(row, i));

    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (const Eigen::Vector3d& x : surface.vertices)
        middle += x / static_cast<double>(surface.vertices.size());
    rest_.resize(static_cast<Eigen::Index>(3 * surface.vertices.size()));
    for (std::size_t i = 0; i < surface.vertices.size(); ++i)
        rest_.segment<3>(static_cast<Eigen::Index>(3 * i)) = (surface.vertices[i] - middle).cast<float>();

    std::vector<std::pair<std::int32_t, std::int32_t>> by_origin;  // origin, vertex
    for (std::size_t i = 0; i < surface.input_vertex.size(); ++i)
        by_origin.emplace_back(surface.input_vertex[i], static_cast<std::int32_t>(i));
    std::sort(by_origin.begin(), by_origin.end());
    for (std::size_t i = 1, first = 0; i < by_origin.size(); ++i) {
        if (by_origin[i].first != by_origin[first].first) first = i;
        if (i != first) seams_.emplace_back(by_origin[i].second, by_origin[first].second);
    }
}

void SurfaceShape::displacement(const std::vector<int>& chosen, const Eigen::VectorXf& q,
                                Eigen::VectorXf& out) const {
    assert(static_cast<std::size_t>(q.size()) == chosen.size());
    constexpr int L = kLanes<float>;
    out.resize(rows_);
    const float* block = blocks_.data();
    for (Eigen::Index row = 0; row < rows_; row += kSurfaceBlockRows, block += kSurfaceBlockRows * rank_) {
        Lanes<float> sum[kRegisters]{};
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const float* column = block + chosen[i] * kSurfaceBlockRows;
            const Lanes<float> qi = all(q[static_cast<Eigen::Index>(i)]);
            for (int k = 0; k < kRegisters; ++k)
                sum[k] += load(column + k * L) * qi;
        }
        if (row + kSurfaceBlockRows <= rows_) {
            for (int k = 0; k < kRegisters; ++k)
                store<float>(out.data() + row + k * L, sum[k]);
        } else {
            float rest[kSurfaceBlockRows];
            for (int k = 0; k < kRegisters; ++k)
                store<float>(rest + k * L, sum[k]);
            std::copy(rest, rest + (rows_ - row), out.data() + row);
        }
    }
}

void SurfaceShape::normals(const Eigen::VectorXf& u, Eigen::VectorXf& out) const {
    assert(u.size() == rows_);
    using Eigen::Vector3f;
    out.setZero(rows_);
    const auto at = [&](std::int32_t vertex) -> Vector3f {
        return rest_.segment<3>(3 * Eigen::Index(vertex)) + u.segment<3>(3 * Eigen::Index(vertex));
    };
    const auto normal_of = [&](std::int32_t vertex) { return out.segment<3>(3 * Eigen::Index(vertex)); };
    for (const auto& [i, j, k] : triangles_) {
        const Vector3f xi = at(i), xj = at(j), xk = at(k);
        const Vector3f ij = (xj - xi).normalized(), jk = (xk - xj).normalized(), ki = (xi - xk).normalized();
        const Vector3f normal = ki.cross(ij);
        const float length = normal.norm();
        if (!(length > 0) || !std::isfinite(length)) continue;
        const Vector3f unit = normal / length;
        normal_of(i) += angle_of_cosine(-ki.dot(ij)) * unit;
        normal_of(j) += angle_of_cosine(-ij.dot(jk)) * unit;
        normal_of(k) += angle_of_cosine(-jk.dot(ki)) * unit;
    }
    for (const auto& [vertex, first] : seams_)
        normal_of(first) += normal_of(vertex);
    for (Eigen::Index row = 0; row < rows_; row += 3) {
        const float length = out.segment<3>(row).norm();
        if (length > 0)
            out.segment<3>(row) /= length;
        else
            out.segment<3>(row) = Vector3f::UnitZ();
    }
    for (const auto& [vertex, first] : seams_)
        normal_of(vertex) = normal_of(first);
}

}  // namespace limber
