// SPDX-License-Identifier: Apache-2.0
#include "limber/reduced/surface_shape.h"

#include "limber/reduced/lanes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr int kRegisters = 8;
constexpr Eigen::Index kSurfaceBlockRows = kRegisters * kLanes<float>;
constexpr float kPi = 3.14159265f;
constexpr float kInfinite = std::numeric_limits<float>::infinity();

// Triangles whose normals are computed side by side. The loops over them have no branches, so
// that the compiler turns them into vector code.
constexpr int kSide = 2 * kLanes<float>;
using Side = float[kSide];

// Abramowitz & Stegun 4.4.46: within 2e-8 on [0, 1], and acos(-x) = pi - acos(x).
inline float angle_of_cosine(float cosine) {
    const float size = std::abs(cosine), x = size < 1 ? size : 1.0f;
    float p = -0.0012624911f;
    for (const float a : {0.0066700901f, -0.0170881256f, 0.0308918810f, -0.0501743046f, 0.0889789874f,
                          -0.2145988016f, 1.5707963050f})
        p = p * x + a;
    p *= std::sqrt(1 - x);
    return cosine < 0 ? kPi - p : p;
}

inline float inverse_length(float x, float y, float z) {
    const float square = x * x + y * y + z * z;
    return square > 0 ? 1 / std::sqrt(square) : 0.0f;
}

// Corners a, b, c of triangles to their unit normals weighted by the angles at the corners, in place. Without
// an area, or without numbers, zero.
inline void weighted_normals(Side (&corner)[3][3]) {
    Side(&a)[3] = corner[0];
    Side(&b)[3] = corner[1];
    Side(&c)[3] = corner[2];
    for (int k = 0; k < kSide; ++k) {
        float u0 = b[0][k] - a[0][k], u1 = b[1][k] - a[1][k], u2 = b[2][k] - a[2][k];
        float v0 = c[0][k] - b[0][k], v1 = c[1][k] - b[1][k], v2 = c[2][k] - b[2][k];
        float w0 = a[0][k] - c[0][k], w1 = a[1][k] - c[1][k], w2 = a[2][k] - c[2][k];
        const float u = inverse_length(u0, u1, u2), v = inverse_length(v0, v1, v2),
                    w = inverse_length(w0, w1, w2);
        u0 *= u, u1 *= u, u2 *= u;
        v0 *= v, v1 *= v, v2 *= v;
        w0 *= w, w1 *= w, w2 *= w;
        float n0 = w1 * u2 - w2 * u1, n1 = w2 * u0 - w0 * u2, n2 = w0 * u1 - w1 * u0;
        const float length = std::sqrt(n0 * n0 + n1 * n1 + n2 * n2);
        const bool sound = length > 0 && length < kInfinite;
        const float scale = sound ? 1 / length : 0.0f;
        n0 = sound ? n0 * scale : 0.0f;
        n1 = sound ? n1 * scale : 0.0f;
        n2 = sound ? n2 * scale : 0.0f;
        const float at_a = angle_of_cosine(-(w0 * u0 + w1 * u1 + w2 * u2)),
                    at_b = angle_of_cosine(-(u0 * v0 + u1 * v1 + u2 * v2)), at_c = kPi - at_a - at_b;
        a[0][k] = at_a * n0, a[1][k] = at_a * n1, a[2][k] = at_a * n2;
        b[0][k] = at_b * n0, b[1][k] = at_b * n1, b[2][k] = at_b * n2;
        c[0][k] = at_c * n0, c[1][k] = at_c * n1, c[2][k] = at_c * n2;
    }
}

// Many vertices at once: a short loop would be unrolled before it becomes vector code.
constexpr int kMany = 64;
// One without a normal gets (0, 0, 1).
inline void normalize(float (&n)[3][kMany]) {
    for (int k = 0; k < kMany; ++k) {
        const float factor = inverse_length(n[0][k], n[1][k], n[2][k]);
        n[0][k] *= factor;
        n[1][k] *= factor;
        n[2][k] = factor > 0 ? n[2][k] * factor : 1.0f;
    }
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

    for (const Eigen::Vector3d& x : surface.vertices)
        middle_ += x / static_cast<double>(surface.vertices.size());
    rest_.resize(static_cast<Eigen::Index>(3 * surface.vertices.size()));
    for (std::size_t i = 0; i < surface.vertices.size(); ++i)
        rest_.segment<3>(static_cast<Eigen::Index>(3 * i)) = (surface.vertices[i] - middle_).cast<float>();

    std::vector<std::pair<std::int32_t, std::int32_t>> by_origin;  // origin, vertex
    for (std::size_t i = 0; i < surface.input_vertex.size(); ++i)
        by_origin.emplace_back(surface.input_vertex[i], static_cast<std::int32_t>(i));
    std::sort(by_origin.begin(), by_origin.end());
    for (std::size_t i = 1, first = 0; i < by_origin.size(); ++i) {
        if (by_origin[i].first != by_origin[first].first) first = i;
        if (i != first) seams_.emplace_back(by_origin[i].second, by_origin[first].second);
    }
}

template <class ColumnOf>
void SurfaceShape::sum(const Eigen::Ref<const Eigen::VectorXf>& q, const ColumnOf& column_of,
                       float* out) const {
    constexpr int L = kLanes<float>;
    const float* block = blocks_.data();
    for (Eigen::Index row = 0; row < rows_; row += kSurfaceBlockRows, block += kSurfaceBlockRows * rank_) {
        Lanes<float> sum[kRegisters]{};
        for (Eigen::Index i = 0; i < q.size(); ++i) {
            const float* column = block + column_of(i) * kSurfaceBlockRows;
            const Lanes<float> qi = all(q[i]);
            for (int k = 0; k < kRegisters; ++k)
                sum[k] += load(column + k * L) * qi;
        }
        if (row + kSurfaceBlockRows <= rows_) {
            for (int k = 0; k < kRegisters; ++k)
                store<float>(out + row + k * L, sum[k]);
        } else {
            float rest[kSurfaceBlockRows];
            for (int k = 0; k < kRegisters; ++k)
                store<float>(rest + k * L, sum[k]);
            std::copy(rest, rest + (rows_ - row), out + row);
        }
    }
}

void SurfaceShape::displacement(const std::vector<int>& chosen, const Eigen::VectorXf& q,
                                Eigen::VectorXf& out) const {
    assert(static_cast<std::size_t>(q.size()) == chosen.size());
    out.resize(rows_);
    sum(
        q, [&](Eigen::Index i) { return chosen[static_cast<std::size_t>(i)]; }, out.data());
}

void SurfaceShape::displacement(const Eigen::Ref<const Eigen::VectorXf>& q,
                                Eigen::Ref<Eigen::VectorXf> out) const {
    assert(q.size() == rank_ && out.size() == rows_);
    sum(
        q, [](Eigen::Index i) { return i; }, out.data());
}

void SurfaceShape::normals(const Eigen::VectorXf& u, Eigen::VectorXf& out) const {
    assert(u.size() == rows_);
    out.setZero(rows_);
    Side corner[3][3]{};
    for (std::size_t first = 0; first < triangles_.size(); first += kSide) {
        const int count = static_cast<int>(std::min<std::size_t>(kSide, triangles_.size() - first));
        for (int k = 0; k < count; ++k)
            for (std::size_t j = 0; j < 3; ++j) {
                const Eigen::Index at = 3 * Eigen::Index(triangles_[first + std::size_t(k)][j]);
                for (int c = 0; c < 3; ++c)
                    corner[j][c][k] = rest_[at + c] + u[at + c];
            }
        weighted_normals(corner);
        for (int k = 0; k < count; ++k)
            for (std::size_t j = 0; j < 3; ++j) {
                const Eigen::Index at = 3 * Eigen::Index(triangles_[first + std::size_t(k)][j]);
                for (int c = 0; c < 3; ++c)
                    out[at + c] += corner[j][c][k];
            }
    }
    const auto normal_of = [&](std::int32_t vertex) { return out.segment<3>(3 * Eigen::Index(vertex)); };
    for (const auto& [vertex, first] : seams_)
        normal_of(first) += normal_of(vertex);
    float n[3][kMany]{};
    for (Eigen::Index first = 0; first < rows_ / 3; first += kMany) {
        const Eigen::Index count = std::min<Eigen::Index>(kMany, rows_ / 3 - first);
        float* const at = out.data() + 3 * first;
        for (Eigen::Index k = 0; k < count; ++k)
            for (int c = 0; c < 3; ++c)
                n[c][k] = at[3 * k + c];
        normalize(n);
        for (Eigen::Index k = 0; k < count; ++k)
            for (int c = 0; c < 3; ++c)
                at[3 * k + c] = n[c][k];
    }
    for (const auto& [vertex, first] : seams_)
        normal_of(vertex) = normal_of(first);
}

}  // namespace limber
