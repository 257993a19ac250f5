// SPDX-License-Identifier: Apache-2.0
// The tree over the triangles of a surface that contact detection walks. A node is a run of triangles in one
// order; its children are the halves of the run. So the order is all that a file has to keep: bounds follow
// from it and from the basis (limber/contact/contact_surface.h). docs/math/contact.md, section 1.
#pragma once
#include <limber/model/model.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace limber {

// Runs of at most so many triangles are leaves.
inline constexpr std::int32_t kTreeLeaf = 4;

// The first half of a run, in which its first child is.
inline std::int32_t first_half(std::int32_t count) {
    return (count + 1) / 2;
}

// An order whose runs keep together what is near at rest and moves alike: each run is halved along the widest
// of the rest coordinates and of the first basis vectors' displacements, scaled as the morph targets are.
// O(t log t), half a second for 100,000 triangles. The same surface gives the same order.
std::vector<std::int32_t> order_triangles(const ModelSurface& surface);

// Is it a permutation of 0 … triangles - 1? Files say anything.
bool is_order(const std::vector<std::int32_t>& order, std::size_t triangles);

}  // namespace limber
