// SPDX-License-Identifier: Apache-2.0
// The mesh that was simulated, to look at: its vertices, the edges of its elements, what is fixed.
#include "bindings/wasm/handles.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

using limber::wasm::ModelHandle;

namespace {

using Edge = std::array<std::int32_t, 2>;

constexpr std::array<std::array<int, 2>, 6> kTetEdges = {{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
// VTK order: round the bottom 0 1 2 3, above them 4 5 6 7.
constexpr std::array<std::array<int, 2>, 12> kBrickEdges = {
    {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};

template <class Elements, class Corners>
void add_edges(const Elements& elements, const Corners& corners, std::vector<Edge>& out) {
    for (const auto& element : elements)
        for (const auto& [a, b] : corners) {
            const std::int32_t from = element[static_cast<std::size_t>(a)];
            const std::int32_t to = element[static_cast<std::size_t>(b)];
            out.push_back({std::min(from, to), std::max(from, to)});
        }
}

// Each edge of an element once.
std::vector<Edge> edges_of(const limber::ModelVolume& volume) {
    std::vector<Edge> edges;
    add_edges(volume.tets, kTetEdges, edges);
    add_edges(volume.bricks, kBrickEdges, edges);
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

std::vector<Edge> edges_out;

}  // namespace

extern "C" {

// vertices, edges, fixed vertices; the edges stay valid until the next call.
LIMBER_EXPORT(limber_volume_counts)
void limber_volume_counts(const ModelHandle* handle, std::int32_t* out) {
    const limber::ModelVolume& volume = handle->model->volume;
    edges_out = edges_of(volume);
    out[0] = static_cast<std::int32_t>(volume.vertices.size());
    out[1] = static_cast<std::int32_t>(edges_out.size());
    out[2] = static_cast<std::int32_t>(volume.fixed_vertices.size());
}
LIMBER_EXPORT(limber_volume_edges) const Edge* limber_volume_edges() {
    return edges_out.data();
}
LIMBER_EXPORT(limber_volume_positions) void limber_volume_positions(const ModelHandle* handle, float* out) {
    for (const Eigen::Vector3d& x : handle->model->volume.vertices)
        for (int i = 0; i < 3; ++i)
            *out++ = static_cast<float>(x[i]);
}
LIMBER_EXPORT(limber_volume_fixed)
void limber_volume_fixed(const ModelHandle* handle, std::int32_t* out) {
    const auto& fixed = handle->model->volume.fixed_vertices;
    std::copy(fixed.begin(), fixed.end(), out);
}
LIMBER_EXPORT(limber_volume_basis) void limber_volume_basis(const ModelHandle* handle, float* out) {
    const Eigen::MatrixXd& basis = handle->model->volume.basis;
    Eigen::Map<Eigen::MatrixXf>(out, basis.rows(), basis.cols()) = basis.cast<float>();
}
}
