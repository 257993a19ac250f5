// SPDX-License-Identifier: Apache-2.0
// StVK energy, force and stiffness of four elements at once, one per lane.
// Equation numbers: docs/math/stvk.md.
#pragma once
#include "build/fem/element_blocks.h"

namespace limber::build {

// Everything at rest and in motion that the kernels read. Vertices: 4 or 8; Points: quadrature points.
template <int Vertices, int Points>
struct ElementLanes {
    Lanes d[Vertices][3];          // displacement relative to vertex 0, so that translations cancel exactly
    Lanes b[Points][Vertices][3];  // rest gradients
    Lanes weight[Points], root_weight[Points];  // w, m^3, and its root; 1 where lambda and mu hold the volume
    Lanes lambda, mu;                           // Pa; J where the weights are 1
};

// Symmetric 3x3 matrices are stored as xx, xy, xz, yy, yz, zz.
inline constexpr int kSymmetric[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

struct PointLanes {
    Lanes F[3][3];  // deformation gradient
    Lanes S[6];     // second Piola-Kirchhoff stress times w, J
    Lanes energy;   // J
};

// G = grad u, then E = ½(G + Gᵀ + GᵀG), S = λ tr(E) I + 2μE, V = w(λ/2 tr(E)² + μ E:E).      (1) to (4)
// E is formed from G, not from F: small strains keep their digits.
template <int Vertices, int Points>
inline void stvk_point(const ElementLanes<Vertices, Points>& element, int q, PointLanes& out) {
    Lanes G[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            Lanes sum = element.d[1][i] * element.b[q][1][j];
            for (int a = 2; a < Vertices; ++a)
                sum += element.d[a][i] * element.b[q][a][j];
            G[i][j] = sum;
        }
    Lanes E[6];
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
            E[kSymmetric[i][j]] =
                0.5 * (G[i][j] + G[j][i] + (G[0][i] * G[0][j] + G[1][i] * G[1][j] + G[2][i] * G[2][j]));

    const Lanes mu = element.weight[q] * element.mu;
    const Lanes trace = E[0] + E[3] + E[5];
    const Lanes pressure = element.weight[q] * element.lambda * trace;
    for (int k = 0; k < 6; ++k)
        out.S[k] = 2 * mu * E[k];
    for (const int k : {0, 3, 5})
        out.S[k] += pressure;
    out.energy = 0.5 * pressure * trace + mu * (E[0] * E[0] + E[3] * E[3] + E[5] * E[5] +
                                                2 * (E[1] * E[1] + E[2] * E[2] + E[4] * E[4]));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            out.F[i][j] = G[i][j] + (i == j ? 1.0 : 0.0);
}

// f_a = w F S b_a                                                                             (8)
template <int Vertices, int Points>
inline void add_point_force(const ElementLanes<Vertices, Points>& element, int q, const PointLanes& point,
                            Lanes (&out)[Vertices][3]) {
    Lanes P[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            P[i][j] = point.F[i][0] * point.S[kSymmetric[0][j]] + point.F[i][1] * point.S[kSymmetric[1][j]] +
                      point.F[i][2] * point.S[kSymmetric[2][j]];
    for (int a = 0; a < Vertices; ++a)
        for (int i = 0; i < 3; ++i)
            out[a][i] +=
                P[i][0] * element.b[q][a][0] + P[i][1] * element.b[q][a][1] + P[i][2] * element.b[q][a][2];
}

template <int Vertices, int Points>
inline void element_energy(const ElementLanes<Vertices, Points>& element, Lanes& out) {
    out = Lanes{};
    PointLanes point;
    for (int q = 0; q < Points; ++q) {
        stvk_point(element, q, point);
        out += point.energy;
    }
}

template <int Vertices, int Points>
inline void element_force(const ElementLanes<Vertices, Points>& element, Lanes (&out)[Vertices][3]) {
    for (auto& f : out)
        for (auto& component : f)
            component = Lanes{};
    PointLanes point;
    for (int q = 0; q < Points; ++q) {
        stvk_point(element, q, point);
        add_point_force(element, q, point, out);
    }
}

// What a pair of vertices needs of a point.
template <int Vertices>
struct PointTangent {
    Lanes g[Vertices][3];  // √w F b
    Lanes h[Vertices][3];  // w S b
    Lanes C[6];            // w F Fᵀ
};

template <int Vertices, int Points>
inline void point_tangent(const ElementLanes<Vertices, Points>& element, int q, const PointLanes& point,
                          PointTangent<Vertices>& out) {
    const auto& F = point.F;
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
            out.C[kSymmetric[i][j]] =
                element.weight[q] * (F[i][0] * F[j][0] + F[i][1] * F[j][1] + F[i][2] * F[j][2]);
    for (int i = 0; i < 3; ++i) {
        Lanes root_w_F[3], w_S[3];
        for (int j = 0; j < 3; ++j) {
            root_w_F[j] = element.root_weight[q] * F[i][j];
            w_S[j] = point.S[kSymmetric[i][j]];
        }
        for (int a = 0; a < Vertices; ++a) {
            const auto& b = element.b[q][a];
            out.g[a][i] = root_w_F[0] * b[0] + root_w_F[1] * b[1] + root_w_F[2] * b[2];
            out.h[a][i] = w_S[0] * b[0] + w_S[1] * b[1] + w_S[2] * b[2];
        }
    }
}

// 3x3 blocks, column by column: entry (r, c) of block k is at [k][3c + r].
template <int Vertices>
struct StiffnessLanes {
    Lanes diagonal[Vertices][9];
    Lanes below[Vertices * (Vertices - 1) / 2][9];  // pairs (a, b), a > b, at a(a-1)/2 + b
};

// K_ab = Σ w [ (b_aᵀ S b_b) I + λ g_a g_bᵀ + μ g_b g_aᵀ + μ (b_a·b_b) F Fᵀ ]                  (9)
//      = s I + λ X + μ (Xᵀ + Y)  with  s = Σ w b_aᵀ S b_b,  X = Σ w g_a g_bᵀ,  Y = Σ w (b_a·b_b) F Fᵀ
// The second form takes half the work per point. Two passes, since the sums of either fill the registers.
template <int Vertices, int Points>
inline void pair_stiffness(const ElementLanes<Vertices, Points>& element,
                           const PointTangent<Vertices> (&points)[Points], int a, int b, Lanes (&out)[9]) {
    Lanes X[9] = {};
    for (int q = 0; q < Points; ++q)
        for (int c = 0; c < 3; ++c)
            for (int r = 0; r < 3; ++r)
                X[3 * c + r] += points[q].g[a][r] * points[q].g[b][c];
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
            out[3 * c + r] = element.lambda * X[3 * c + r] + element.mu * X[3 * r + c];

    Lanes Y[6] = {}, s = {};
    for (int q = 0; q < Points; ++q) {
        const auto& ba = element.b[q][a];
        const auto& bb = element.b[q][b];
        const auto& hb = points[q].h[b];
        s += ba[0] * hb[0] + ba[1] * hb[1] + ba[2] * hb[2];
        const Lanes dot = ba[0] * bb[0] + ba[1] * bb[1] + ba[2] * bb[2];
        for (int k = 0; k < 6; ++k)
            Y[k] += dot * points[q].C[k];
    }
    for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r)
            out[3 * c + r] += element.mu * Y[kSymmetric[r][c]];
        out[4 * c] += s;
    }
}

template <int Vertices, int Points>
inline void element_force_and_stiffness(const ElementLanes<Vertices, Points>& element,
                                        Lanes (&out_force)[Vertices][3],
                                        StiffnessLanes<Vertices>& out_stiffness) {
    for (auto& f : out_force)
        for (auto& component : f)
            component = Lanes{};
    PointTangent<Vertices> tangents[Points];
    for (int q = 0; q < Points; ++q) {
        PointLanes point;
        stvk_point(element, q, point);
        add_point_force(element, q, point, out_force);
        point_tangent(element, q, point, tangents[q]);
    }
    for (int a = 0, pair = 0; a < Vertices; ++a) {
        for (int b = 0; b < a; ++b)
            pair_stiffness(element, tangents, a, b, out_stiffness.below[pair++]);
        pair_stiffness(element, tangents, a, a, out_stiffness.diagonal[a]);
    }
}

}  // namespace limber::build
