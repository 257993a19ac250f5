// SPDX-License-Identifier: Apache-2.0
#include "limber/model/surface_tree.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace limber {
namespace {

// Vectors beyond these move less than the first by far, in every basis that limber builds.
constexpr Eigen::Index kMostVectors = 20;

// A row for each triangle: its centre, then how far a tenth of the diagonal in each vector moves it.
class TriangleFeatures {
 public:
    explicit TriangleFeatures(const ModelSurface& surface) {
        const Eigen::Index vectors = std::min(kMostVectors, surface.basis.cols());
        const Eigen::VectorXd scale =
            target_scale_of(surface.vertices, Eigen::MatrixXd(surface.basis.leftCols(vectors)));
        columns_ = static_cast<std::size_t>(3 + 3 * vectors);
        values_.resize(columns_ * surface.triangles.size());
        for (std::size_t t = 0; t < surface.triangles.size(); ++t)
            for (int c = 0; c < 3; ++c) {
                float* row = values_.data() + t * columns_ + c;
                double x = 0;
                for (const std::int32_t v : surface.triangles[t])
                    x += surface.vertices[static_cast<std::size_t>(v)][c] / 3;
                row[0] = static_cast<float>(x);
            }
        for (Eigen::Index i = 0; i < vectors; ++i)
            for (std::size_t t = 0; t < surface.triangles.size(); ++t)
                for (int c = 0; c < 3; ++c) {
                    double u = 0;
                    for (const std::int32_t v : surface.triangles[t])
                        u += surface.basis(3 * Eigen::Index(v) + c, i) / 3;
                    values_[t * columns_ + static_cast<std::size_t>(3 + 3 * i + c)] =
                        static_cast<float>(scale[i] * u);
                }
    }
    std::size_t columns() const { return columns_; }
    const float* row(std::int32_t triangle) const {
        return values_.data() + static_cast<std::size_t>(triangle) * columns_;
    }

 private:
    std::size_t columns_;
    std::vector<float> values_;
};

std::size_t widest_column(const TriangleFeatures& features, const std::int32_t* first, std::int32_t count,
                          std::vector<float>& low, std::vector<float>& high) {
    std::copy_n(features.row(first[0]), features.columns(), low.begin());
    high = low;
    for (std::int32_t i = 1; i < count; ++i) {
        const float* row = features.row(first[i]);
        for (std::size_t c = 0; c < features.columns(); ++c) {
            low[c] = std::min(low[c], row[c]);
            high[c] = std::max(high[c], row[c]);
        }
    }
    std::size_t widest = 0;
    for (std::size_t c = 1; c < features.columns(); ++c)
        if (high[c] - low[c] > high[widest] - low[widest]) widest = c;
    return widest;
}

}  // namespace

std::vector<std::int32_t> order_triangles(const ModelSurface& surface) {
    std::vector<std::int32_t> order(surface.triangles.size());
    std::iota(order.begin(), order.end(), 0);
    const TriangleFeatures features(surface);
    std::vector<float> low(features.columns()), high(features.columns());
    struct Run {
        std::int32_t first, count;
    };
    std::vector<Run> open = {{0, static_cast<std::int32_t>(order.size())}};
    while (!open.empty()) {
        const Run run = open.back();
        open.pop_back();
        std::int32_t* first = order.data() + run.first;
        if (run.count <= kTreeLeaf) {
            std::sort(first, first + run.count);
            continue;
        }
        const std::size_t column = widest_column(features, first, run.count, low, high);
        const std::int32_t half = first_half(run.count);
        std::nth_element(first, first + half, first + run.count, [&](std::int32_t a, std::int32_t b) {
            const float x = features.row(a)[column], y = features.row(b)[column];
            return x < y || (x == y && a < b);
        });
        open.push_back({run.first, half});
        open.push_back({run.first + half, run.count - half});
    }
    return order;
}

bool is_order(const std::vector<std::int32_t>& order, std::size_t triangles) {
    if (order.size() != triangles) return false;
    std::vector<bool> seen(triangles, false);
    for (const std::int32_t t : order) {
        if (t < 0 || static_cast<std::size_t>(t) >= triangles || seen[static_cast<std::size_t>(t)])
            return false;
        seen[static_cast<std::size_t>(t)] = true;
    }
    return true;
}

}  // namespace limber
