// SPDX-License-Identifier: Apache-2.0
// docs/math/reduced_stvk.md, sections 2 to 4; equation numbers are that page's.
#include "limber/reduced/strain_form.h"

#include "limber/reduced/quartic_layout.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// W_ab from its packed upper triangle.
double entry(const VectorXd& packed, Index a, Index b) {
    return packed[packed_index(std::min(a, b), std::max(a, b))];
}

// The coefficient of q_b q_c q_d: each way to write it as a factor times a product. (8)
double cubic_coefficient(const VectorXd& packed, Index r, Index b, Index c, Index d) {
    double sum = packed[packed_index(b, product_index(r, c, d))];
    if (c != b) sum += packed[packed_index(c, product_index(r, b, d))];
    if (d != c) sum += packed[packed_index(d, product_index(r, b, c))];
    return sum;
}

// The coefficient of q_a q_b q_c q_d: each way to write it as a product of two products, once. Here (a,b)
// comes before (c,d), (a,c) before (b,d), and with a < b (a,d) before (b,c). (8)
double quartic_coefficient(const VectorXd& packed, Index r, Index a, Index b, Index c, Index d) {
    double sum = packed[packed_index(product_index(r, a, b), product_index(r, c, d))];
    if (a == d) return sum / 2;  // a square: the diagonal of ½ zᵀWz
    if (b != c) {
        const double w = packed[packed_index(product_index(r, a, c), product_index(r, b, d))];
        sum += a == b && c == d ? w / 2 : w;
    }
    if (a != b && c != d) sum += packed[packed_index(product_index(r, a, d), product_index(r, b, c))];
    return sum;
}

}  // namespace

VectorXd weighted_strain_form(const Model& model, const std::vector<Material>& materials) {
    assert(materials.size() == model.groups.size());
    const Index m = strain_terms(model.rank);
    VectorXd W = VectorXd::Zero(m * (m + 1) / 2);
    for (std::size_t g = 0; g < materials.size(); ++g)
        W += materials[g].bulk() * model.stvk->groups[g].bulk +
             materials[g].shear() * model.stvk->groups[g].shear;
    return W;
}

VectorXd restrict_strain_form(const VectorXd& packed, Index rank, const std::vector<int>& chosen) {
    const Index r = static_cast<Index>(chosen.size()), m = strain_terms(r);
    assert(packed.size() == strain_terms(rank) * (strain_terms(rank) + 1) / 2);
    std::vector<Index> old(chosen.begin(),
                           chosen.end());  // where each term of the new z stood in the old one
    for (std::size_t i = 0; i < chosen.size(); ++i)
        for (std::size_t j = i; j < chosen.size(); ++j)
            old.push_back(
                product_index(rank, std::min(chosen[i], chosen[j]), std::max(chosen[i], chosen[j])));
    VectorXd W(m * (m + 1) / 2);
    double* to = W.data();
    for (std::size_t b = 0; b < old.size(); ++b)
        for (std::size_t a = 0; a <= b; ++a)
            *to++ = entry(packed, old[a], old[b]);
    return W;
}

template <class Scalar>
QuarticForm<Scalar> symmetrize(const VectorXd& packed, Index rank) {
    using quartic::alternating;
    using quartic::first_product;
    const int r = static_cast<int>(rank);
    assert(packed.size() == strain_terms(rank) * (strain_terms(rank) + 1) / 2);
    QuarticForm<Scalar> form(r);
    for (int j = 0; j < r; ++j)
        for (int i = 0; i < r; ++i)
            form.linear(i, j) = static_cast<Scalar>(entry(packed, i, j));

    // Row `row` of `rows`, for b, over the columns begin … begin + n - 1 from the first with c >= b on.
    const auto fill = [&](int rows, int row, int b, int begin, int n, Scalar* to, const auto& coefficient) {
        if (b >= r) return;
        int p = std::max(begin, first_product(r, b)), c = b;
        const int end = std::min(begin + n, first_product(r, r));
        for (; c < r && p < end; ++c)
            for (int d = c + (p - first_product(r, c)); d < r && p < end; ++d, ++p)
                to[alternating<Scalar>(rows, row, p - begin)] = static_cast<Scalar>(coefficient(c, d));
    };
    const auto cubic = [&](int b) {
        return [&, b](int c, int d) { return cubic_coefficient(packed, r, b, c, d); };
    };
    const auto quartic = [&](int a, int b) {
        return [&, a, b](int c, int d) { return quartic_coefficient(packed, r, a, b, c, d); };
    };
    Scalar* coefficients = form.coefficients.data();
    quartic::for_each_sweep<Scalar>(
        r,
        [&](int b, int begin, int n, std::ptrdiff_t offset) {
            Scalar* to = coefficients + offset;
            fill(quartic::kHeadRows, 0, b, begin, n, to, cubic(b));
            fill(quartic::kHeadRows, 1, b + 1, begin, n, to, cubic(b + 1));
            fill(quartic::kHeadRows, 2, b, begin, n, to, quartic(b, b));
            fill(quartic::kHeadRows, 3, b + 1, begin, n, to, quartic(b, b + 1));
            fill(quartic::kHeadRows, 4, b + 1, begin, n, to, quartic(b + 1, b + 1));
        },
        [&](int a, int b, int begin, int n, std::ptrdiff_t offset) {
            for (int row = 0; row < quartic::kBlockRows; ++row)
                fill(quartic::kBlockRows, row, b + row % 2, begin, n, coefficients + offset,
                     quartic(a + row / 2, b + row % 2));
        });
    return form;
}

template QuarticForm<double> symmetrize<double>(const VectorXd&, Index);
template QuarticForm<float> symmetrize<float>(const VectorXd&, Index);

}  // namespace limber
