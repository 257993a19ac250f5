// SPDX-License-Identifier: Apache-2.0
// Symmetric bilinear forms of displacement fields, summed over the elements: the quadratic part of the StVK
// force, exact (docs/math/basis.md (4)), and the load of rotated strains (docs/math/warping.md (26)).
#include "build/basis/basis.h"
#include "build/fem/element_loader.h"

#include <cassert>
#include <type_traits>

namespace limber::build {
namespace {

// What a displacement field has at a quadrature point of four elements.
struct FieldPoint {
    Lanes G[3][3];  // displacement gradient
    Lanes S[6];     // w C:sym(G), the linear stress, J
};

// w C:E of a symmetric E: λ tr(E) I + 2μE.
inline void weighted_stress(const Lanes (&E)[6], const Lanes& w_lambda, const Lanes& w_mu, Lanes (&out)[6]) {
    const Lanes pressure = w_lambda * (E[0] + E[3] + E[5]);
    for (int k = 0; k < 6; ++k)
        out[k] = 2 * w_mu * E[k];
    for (const int k : {0, 3, 5})
        out[k] += pressure;
}

template <int Vertices, int Points>
inline void field_at(const ElementLanes<Vertices, Points>& element, int q, FieldPoint& out) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            Lanes sum = element.d[1][i] * element.b[q][1][j];
            for (int a = 2; a < Vertices; ++a)
                sum += element.d[a][i] * element.b[q][a][j];
            out.G[i][j] = sum;
        }
    Lanes E[6];
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
            E[kSymmetric[i][j]] = 0.5 * (out.G[i][j] + out.G[j][i]);
    weighted_stress(E, element.weight[q] * element.lambda, element.weight[q] * element.mu, out.S);
}

// f_v -= w [A τ(B) + B τ(A) + τ(AᵀB)] b_v with the gradients A and B of two fields: -2Q of one point.   (4)
template <int Vertices, int Points>
inline void subtract_pair(const ElementLanes<Vertices, Points>& element, int q, const FieldPoint& a,
                          const FieldPoint& b, Lanes (&out)[Vertices][3]) {
    Lanes E[6], T[6];
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
            E[kSymmetric[i][j]] =
                0.5 * (a.G[0][i] * b.G[0][j] + a.G[1][i] * b.G[1][j] + a.G[2][i] * b.G[2][j] +
                       a.G[0][j] * b.G[0][i] + a.G[1][j] * b.G[1][i] + a.G[2][j] * b.G[2][i]);
    weighted_stress(E, element.weight[q] * element.lambda, element.weight[q] * element.mu, T);
    for (int i = 0; i < 3; ++i) {
        Lanes P[3];
        for (int j = 0; j < 3; ++j) {
            P[j] = T[kSymmetric[i][j]];
            for (int k = 0; k < 3; ++k)
                P[j] += a.G[i][k] * b.S[kSymmetric[k][j]] + b.G[i][k] * a.S[kSymmetric[k][j]];
        }
        for (int v = 0; v < Vertices; ++v)
            out[v][i] -= P[0] * element.b[q][v][0] + P[1] * element.b[q][v][1] + P[2] * element.b[q][v][2];
    }
}

// f_v += w C:sym(Ω_a B + Ω_b ε_a) b_v with the gradients A = Ω_a + ε_a, rotation and strain, and B.
template <int Vertices, int Points>
inline void add_turned_strain(const ElementLanes<Vertices, Points>& element, int q, const FieldPoint& a,
                              const FieldPoint& b, Lanes (&out)[Vertices][3]) {
    Lanes P[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            P[i][j] = Lanes{};
            for (int k = 0; k < 3; ++k)
                P[i][j] += 0.5 * (a.G[i][k] - a.G[k][i]) * b.G[k][j] +
                           0.25 * (b.G[i][k] - b.G[k][i]) * (a.G[k][j] + a.G[j][k]);
        }
    Lanes E[6], T[6];
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
            E[kSymmetric[i][j]] = 0.5 * (P[i][j] + P[j][i]);
    weighted_stress(E, element.weight[q] * element.lambda, element.weight[q] * element.mu, T);
    for (int v = 0; v < Vertices; ++v)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                out[v][i] += T[kSymmetric[i][j]] * element.b[q][v][j];
}

// All pairs, for the four elements of a group; add_pair(element, q, a, b, f) adds one pair at one point.
template <class Loader, class AddPair>
void add_group(Loader& loader, int g, const Eigen::MatrixXd& shapes,
               const std::vector<std::pair<int, int>>& pairs, const AddPair& add_pair,
               std::vector<FieldPoint>& fields, Eigen::MatrixXd& out) {
    using Element = typename Loader::Element;
    constexpr int vertices = std::extent_v<decltype(Element::d)>;
    constexpr int points = std::extent_v<decltype(Element::weight)>;
    fields.resize(std::size_t(shapes.cols()) * points);
    const Element* element = nullptr;
    for (Eigen::Index s = 0; s < shapes.cols(); ++s) {
        element = &loader.load(g, shapes.col(s).data());
        for (int q = 0; q < points; ++q)
            field_at(*element, q, fields[std::size_t(s) * points + q]);
    }
    // From here on only the rest data of the element count, which are the same for all shapes.
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        Lanes f[vertices][3] = {};
        const FieldPoint* a = &fields[std::size_t(pairs[p].first) * points];
        const FieldPoint* b = &fields[std::size_t(pairs[p].second) * points];
        for (int q = 0; q < points; ++q)
            add_pair(*element, q, a[q], b[q], f);
        scatter_force(loader.group(g).vertex, f, out.col(Eigen::Index(p)).data());
    }
}

template <class AddPair>
Eigen::MatrixXd sum_over_elements(const FemModel& model, const Eigen::MatrixXd& shapes,
                                  const std::vector<std::pair<int, int>>& pairs, const AddPair& add_pair) {
    assert(shapes.rows() == 3 * model.vertex_count());
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(shapes.rows(), Eigen::Index(pairs.size()));
    if (pairs.empty()) return out;
    const ElementBlocks& elements = model.blocks();
    sweep(elements, [&](int i) {
        std::vector<FieldPoint> fields;
        for_each_group(elements, elements.blocks[i], [&](auto& loader, int g) {
            add_group(loader, g, shapes, pairs, add_pair, fields, out);
        });
    });
    return out;
}

}  // namespace

Eigen::MatrixXd quadratic_forces(const FemModel& model, const Eigen::MatrixXd& shapes,
                                 const std::vector<std::pair<int, int>>& pairs) {
    return sum_over_elements(model, shapes, pairs,
                             [](const auto& element, int q, const auto& a, const auto& b, auto& f) {
                                 subtract_pair(element, q, a, b, f);
                             });
}

Eigen::MatrixXd turned_strain_loads(const FemModel& model, const Eigen::MatrixXd& shapes,
                                    const std::vector<std::pair<int, int>>& pairs) {
    return sum_over_elements(model, shapes, pairs,
                             [](const auto& element, int q, const auto& a, const auto& b, auto& f) {
                                 add_turned_strain(element, q, a, b, f);
                             });
}

}  // namespace limber::build
