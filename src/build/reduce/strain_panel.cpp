// SPDX-License-Identifier: Apache-2.0
#include "build/reduce/strain_panel.h"

#include <limber/reduced/strain_form.h>
#include <tbb/parallel_for.h>

#include <cassert>
#include <cmath>

namespace limber::build {
namespace {

// Six rows of a strain at every point of the panel: the trace, then the deviator in an orthonormal basis of
// traceless symmetric matrices times √2, so that shear's factor 2 of (5) is inside.
struct StrainRows {
    double* trace;        // per point
    double* deviator[5];  // (xx - yy), (xx + yy - 2zz)/√3, 2xy, 2xz, 2yz, per point
};

// s sym(AᵀB) √w at every point; A and B are nine arrays each, entry (k, l) in array 3k + l.
void product_strain(double s, const double* A, const double* B, Eigen::Index stride,
                    const double* root_weight, int points, const StrainRows& out) {
    const double* a[9];
    const double* b[9];
    for (int e = 0; e < 9; ++e) {
        a[e] = A + e * stride;
        b[e] = B + e * stride;
    }
    const double third = 1 / std::sqrt(3.0);
    double* __restrict trace = out.trace;
    double* __restrict d0 = out.deviator[0];
    double* __restrict d1 = out.deviator[1];
    double* __restrict d2 = out.deviator[2];
    double* __restrict d3 = out.deviator[3];
    double* __restrict d4 = out.deviator[4];
    for (int p = 0; p < points; ++p) {
        const double w = s * root_weight[p];
        const double xx = a[0][p] * b[0][p] + a[3][p] * b[3][p] + a[6][p] * b[6][p];
        const double yy = a[1][p] * b[1][p] + a[4][p] * b[4][p] + a[7][p] * b[7][p];
        const double zz = a[2][p] * b[2][p] + a[5][p] * b[5][p] + a[8][p] * b[8][p];
        trace[p] = w * (xx + yy + zz);
        d0[p] = w * (xx - yy);
        d1[p] = w * third * (xx + yy - 2 * zz);
        d2[p] = w * (a[0][p] * b[1][p] + a[1][p] * b[0][p] + a[3][p] * b[4][p] + a[4][p] * b[3][p] +
                     a[6][p] * b[7][p] + a[7][p] * b[6][p]);
        d3[p] = w * (a[0][p] * b[2][p] + a[2][p] * b[0][p] + a[3][p] * b[5][p] + a[5][p] * b[3][p] +
                     a[6][p] * b[8][p] + a[8][p] * b[6][p]);
        d4[p] = w * (a[1][p] * b[2][p] + a[2][p] * b[1][p] + a[4][p] * b[5][p] + a[5][p] * b[4][p] +
                     a[7][p] * b[8][p] + a[8][p] * b[7][p]);
    }
}

// sym(A) √w at every point.
void linear_strain(const double* A, Eigen::Index stride, const double* root_weight, int points,
                   const StrainRows& out) {
    const double third = 1 / std::sqrt(3.0);
    const auto a = [&](int k, int l, int p) { return A[(3 * k + l) * stride + p]; };
    for (int p = 0; p < points; ++p) {
        const double w = root_weight[p], xx = a(0, 0, p), yy = a(1, 1, p), zz = a(2, 2, p);
        out.trace[p] = w * (xx + yy + zz);
        out.deviator[0][p] = w * (xx - yy);
        out.deviator[1][p] = w * third * (xx + yy - 2 * zz);
        out.deviator[2][p] = w * (a(0, 1, p) + a(1, 0, p));
        out.deviator[3][p] = w * (a(0, 2, p) + a(2, 0, p));
        out.deviator[4][p] = w * (a(1, 2, p) + a(2, 1, p));
    }
}

}  // namespace

StrainPanel::StrainPanel(const Eigen::MatrixXd& U)
    : U_(U),
      root_weight_(kPanelPoints),
      gradients_(kPanelPoints, 9 * U.cols()),
      trace_(kPanelPoints, strain_terms(U.cols())),
      deviator_(5 * kPanelPoints, strain_terms(U.cols())) {
    tet_points_.reserve(kPanelPoints);  // elements point into it
}

void StrainPanel::clear() {
    elements_.clear();
    tet_points_.clear();
    points_ = 0;
}

void StrainPanel::add_tet(const ElementBlocks& blocks, int place, double weight) {
    assert(has_room_for(1));
    const TetGroup& group = blocks.tets[place / kLanes];
    const int lane = place % kLanes;
    BrickPoint& point = tet_points_.emplace_back(BrickPoint{.weight = weight, .b = {}});
    Element element{&point, 1, points_++, 4, {}, 1};
    for (int a = 0; a < 4; ++a) {
        element.vertex[a] = group.vertex[a][lane];
        for (int i = 0; i < 3 && a > 0; ++i)
            point.b[a][i] = group.b[a - 1][i][lane];
    }
    elements_.push_back(element);
}

void StrainPanel::add_brick(const ElementBlocks& blocks, int place) {
    const BrickGroup& group = blocks.bricks[place / kLanes];
    const int lane = place % kLanes;
    add(group, lane, &blocks.brick_points[std::size_t(group.shape[lane]) * blocks.points_per_brick],
        blocks.points_per_brick);
}

void StrainPanel::add_pressure_brick(const ElementBlocks& blocks, int place) {
    const BrickGroup& group = blocks.pressure_bricks[place / kLanes];
    const int lane = place % kLanes;
    add(group, lane, &blocks.pressure_points[std::size_t(group.shape[lane])], 1);
}

void StrainPanel::add(const BrickGroup& group, int lane, const BrickPoint* points, int point_count) {
    assert(has_room_for(point_count));
    Element element{points, point_count, points_, 8, {}, group.filled[lane]};
    for (int a = 0; a < 8; ++a)
        element.vertex[a] = group.vertex[a][lane];
    points_ += point_count;
    elements_.push_back(element);
}

// G = Σ_a (u_a - u_0) b_aᵀ: as in the full model, translations cancel exactly, and b_0 is not needed.
void StrainPanel::gradients_of(Eigen::Index column) {
    const double* u = U_.col(column).data();
    for (const Element& element : elements_) {
        double d[8][3];
        const double* origin = u + 3 * std::ptrdiff_t(element.vertex[0]);
        for (int a = 1; a < element.vertex_count; ++a)
            for (int k = 0; k < 3; ++k)
                d[a][k] = u[3 * std::ptrdiff_t(element.vertex[a]) + k] - origin[k];
        for (int q = 0; q < element.point_count; ++q) {
            double G[9] = {};
            for (int a = 1; a < element.vertex_count; ++a)
                for (int k = 0; k < 3; ++k)
                    for (int l = 0; l < 3; ++l)
                        G[3 * k + l] += d[a][k] * element.points[q].b[a][l];
            for (int e = 0; e < 9; ++e)
                gradients_(element.first_point + q, 9 * column + e) = G[e];
        }
    }
}

// The columns of z's entries q_i and q_i q_j, j >= i.                                                  (2)
void StrainPanel::strains_from(Eigen::Index i) {
    const auto rows_of = [&](Eigen::Index column) {
        double* d = deviator_.col(column).data();
        return StrainRows{trace_.col(column).data(),
                          {d, d + points_, d + 2 * points_, d + 3 * points_, d + 4 * points_}};
    };
    const double* G_i = gradients_.col(9 * i).data();
    linear_strain(G_i, gradients_.outerStride(), root_weight_.data(), points_, rows_of(i));
    for (Eigen::Index j = i; j < U_.cols(); ++j)
        product_strain(j == i ? 0.5 : 1, G_i, gradients_.col(9 * j).data(), gradients_.outerStride(),
                       root_weight_.data(), points_, rows_of(product_index(U_.cols(), i, j)));
}

void StrainPanel::evaluate() {
    for (const Element& element : elements_)
        for (int q = 0; q < element.point_count; ++q)
            root_weight_[element.first_point + q] = std::sqrt(element.filled * element.points[q].weight);
    tbb::parallel_for(Eigen::Index{0}, U_.cols(), [&](Eigen::Index i) { gradients_of(i); });
    tbb::parallel_for(Eigen::Index{0}, U_.cols(), [&](Eigen::Index i) { strains_from(i); });
}

}  // namespace limber::build
