// SPDX-License-Identifier: Apache-2.0
// Vertices of a tree's surface that neighbouring domains share: drawn where the domains are on average, so
// that the surface has no cracks (C⁰).
#pragma once
#include <limber/model/model.h>

#include <cstdint>
#include <vector>

namespace limber {

// The diagonal of the box around a surface, m; 1 where it has no size.
double surface_length(const ModelSurface& surface);

// For each vertex of the surface the next one of its ring: those of domains at most two links apart in the
// tree that lie at one place at rest. A vertex that no other domain has points to itself. Empty:
// the model is no tree.
std::vector<std::int32_t> shared_vertices(const Model& model);

}  // namespace limber
