// SPDX-License-Identifier: Apache-2.0
// Two bodies that lie in one another and were not seen to come together. docs/math/contact.md, section 3;
// equation numbers are that page's. For the sources of this folder.
#pragma once
#include "limber/contact/surface_side.h"

#include <Eigen/Core>
#include <optional>
#include <span>

namespace limber {

// The way out of an overlap: the direction in which `a` leaves `b`, unit, by the curve in which the two
// surfaces cross at the start of the step. Triangles that cross are among the pairs. Nothing: they do not
// cross, or the curve has no direction.                                                              (32)
std::optional<Eigen::Vector3d> way_out(const SurfaceSide& a, const SurfaceSide& b,
                                       std::span<const PairOfNodes> triangle_pairs);

// The vertices of `one` inside `other`, each with its gap along the way out; ascending. Ends where as many
// nodes were visited.
void find_inside(const SurfaceSide& one, const SurfaceSide& other, const Eigen::Vector3d& out_of_other,
                 DetectWork::Data& work, std::size_t most_nodes, std::vector<VertexGap>& out);

}  // namespace limber
