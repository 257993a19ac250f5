// SPDX-License-Identifier: Apache-2.0
// Equation numbers: docs/math/warping.md. Inner loops run over the vertices of a block, without branches, so
// that the compiler turns them into vector code.
#include "limber/warp/warp_surface.h"

#include "limber/reduced/lanes.h"
#include "limber/warp/rotation.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace limber {
namespace {

constexpr int kRegisters = 2;  // for each component: twelve sums hide the latency of an addition
constexpr Eigen::Index kBlock = kRegisters * kLanes<float>;

// One component of every vertex of a block.
using Lane = float[kBlock];

// u = Φq + Γz and w = Ψp of a block. The sums stay in registers while the rows stream through.
inline void sum_modes(const float* rows, const WarpSurface::Coordinates& at, Eigen::Index companions,
                      Lane (&u)[3], Lane (&w)[3]) {
    constexpr int L = kLanes<float>;
    Lanes<float> sum[6][kRegisters]{};
    for (Eigen::Index i = 0; i < at.q.size(); ++i) {
        const Lanes<float> qi = all(at.q[i]), pi = all(at.p[i]);
        for (int c = 0; c < 6; ++c)
            for (int k = 0; k < kRegisters; ++k, rows += L)
                sum[c][k] += load(rows) * (c < 3 ? qi : pi);
    }
    for (Eigen::Index i = 0; i < companions; ++i) {
        const Lanes<float> zi = all(at.z[i]);
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < kRegisters; ++k, rows += L)
                sum[c][k] += load(rows) * zi;
    }
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < kRegisters; ++k) {
            store<float>(u[c] + k * L, sum[c][k]);
            store<float>(w[c] + k * L, sum[3 + c][k]);
        }
}

// v + a w × v + b w × (w × v) for every vertex, in place.
inline void add_crosses(const Lane (&w)[3], const Lane& a, const Lane& b, Lane (&v)[3]) {
    for (Eigen::Index k = 0; k < kBlock; ++k) {
        const float w0 = w[0][k], w1 = w[1][k], w2 = w[2][k];
        const float v0 = v[0][k], v1 = v[1][k], v2 = v[2][k];
        const float x0 = w1 * v2 - w2 * v1, x1 = w2 * v0 - w0 * v2, x2 = w0 * v1 - w1 * v0;
        v[0][k] = v0 + a[k] * x0 + b[k] * (w1 * x2 - w2 * x1);
        v[1][k] = v1 + a[k] * x1 + b[k] * (w2 * x0 - w0 * x2);
        v[2][k] = v2 + a[k] * x2 + b[k] * (w0 * x1 - w1 * x0);
    }
}

inline void normalize(Lane (&v)[3]) {
    for (Eigen::Index k = 0; k < kBlock; ++k) {
        const float square = v[0][k] * v[0][k] + v[1][k] * v[1][k] + v[2][k] * v[2][k];
        const float factor = 1 / std::sqrt(square > 1e-30f ? square : 1e-30f);
        for (int c = 0; c < 3; ++c)
            v[c][k] *= factor;
    }
}

inline void interleave(const Lane (&v)[3], Eigen::Index count, float* out) {
    for (Eigen::Index k = 0; k < count; ++k)
        for (int c = 0; c < 3; ++c)
            out[3 * k + c] = v[c][k];
}

}  // namespace

Eigen::Index WarpSurface::block_floats() const {
    return (6 * modes_ + 3 * companions_) * kBlock;
}

WarpSurface::WarpSurface(const WarpModel& model)
    : vertices_(model.vertices()), modes_(model.modes()), companions_(model.companions()) {
    const Eigen::Index blocks = (vertices_ + kBlock - 1) / kBlock;
    blocks_.assign(static_cast<std::size_t>(blocks * block_floats()), 0.0f);
    if (!model.normals.empty()) normals_.assign(static_cast<std::size_t>(blocks * 3 * kBlock), 0.0f);
    for (Eigen::Index v = 0; v < vertices_; ++v) {
        const Eigen::Index block = v / kBlock, lane = v % kBlock;
        float* first = blocks_.data() + block * block_floats() + lane;
        for (int c = 0; c < 3; ++c) {
            for (Eigen::Index i = 0; i < modes_; ++i) {
                float* mode = first + i * 6 * kBlock;
                mode[c * kBlock] = static_cast<float>(model.surface_modes(3 * v + c, i));
                mode[(3 + c) * kBlock] = static_cast<float>(model.surface_rotations(3 * v + c, i));
            }
            for (Eigen::Index i = 0; i < companions_; ++i)
                first[((2 * modes_ + i) * 3 + c) * kBlock] =
                    static_cast<float>(model.surface_companions(3 * v + c, i));
            if (!normals_.empty())
                normals_[static_cast<std::size_t>((block * 3 + c) * kBlock + lane)] =
                    static_cast<float>(model.normals[static_cast<std::size_t>(v)][c]);
        }
    }
}

void WarpSurface::shape(const Coordinates& at, Warping warping, Eigen::VectorXf& out_displacement,
                        Eigen::VectorXf& out_normals) const {
    assert(at.q.size() == modes_ && at.p.size() == modes_);
    assert(warping == Warping::Linear || at.z.size() == companions_);
    out_displacement.resize(3 * vertices_);
    out_normals.resize(normals_.empty() ? 0 : 3 * vertices_);
    float *u = out_displacement.data(), *N = out_normals.data();
    if (warping == Warping::Linear)
        normals_.empty() ? fill<Warping::Linear, false>(at, u, N) : fill<Warping::Linear, true>(at, u, N);
    else if (warping == Warping::Local)
        normals_.empty() ? fill<Warping::Local, false>(at, u, N) : fill<Warping::Local, true>(at, u, N);
    else
        normals_.empty() ? fill<Warping::Warped, false>(at, u, N) : fill<Warping::Warped, true>(at, u, N);
}

template <Warping warping, bool with_normals>
void WarpSurface::fill(const Coordinates& at, float* displacement, float* normals) const {
    const float* rows = blocks_.data();
    const Eigen::Index companions = warping == Warping::Warped ? companions_ : 0;
    for (Eigen::Index first = 0; first < vertices_; first += kBlock, rows += block_floats()) {
        Lane u[3], w[3], a, b, e;  // N + a w × N + b w × (w × N), u + b w × u + e w × (w × u)
        sum_modes(rows, at, companions, u, w);
        for (Eigen::Index k = 0; k < kBlock; ++k) {
            const float square = w[0][k] * w[0][k] + w[1][k] * w[1][k] + w[2][k] * w[2][k];
            if constexpr (warping != Warping::Linear) {
                const auto f = rotation_factors(square);
                a[k] = f.s;
                b[k] = f.c;
                e[k] = f.e;
            } else {
                a[k] = b[k] = 1 / (1 + square);  // (18)
            }
        }
        const Eigen::Index count = std::min(kBlock, vertices_ - first);
        if constexpr (warping != Warping::Linear) add_crosses(w, b, e, u);  // (7), (25)
        interleave(u, count, displacement + 3 * first);
        if constexpr (with_normals) {
            Lane N[3];
            std::copy_n(normals_.data() + 3 * first, 3 * kBlock, &N[0][0]);
            add_crosses(w, a, b, N);  // (11), (18)
            if constexpr (warping == Warping::Linear) normalize(N);
            interleave(N, count, normals + 3 * first);
        }
    }
}

}  // namespace limber
